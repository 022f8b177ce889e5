"""A servo map that lies in this folder and was not named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from animato.errors import OptionError

if TYPE_CHECKING:
    from animato.character import Character


def refuse_unread_map(given: str, character: Character, servos: str | Path | None) -> None:
    """Refuses to go on without a map that was made for this character: it would be written over, or be missed.

    Args:
        given: What the user called the character.
        character: Which that is.
        servos: The map that was named.

    Raises:
        OptionError: None was named, and one is there.
    """
    from animato.stage.servos import map_file_of

    if servos is not None:
        return
    file = map_file_of(given, character)
    if not file.is_character and file.path.exists():
        raise OptionError(f"A servo map of '{character.name}' is in this folder: give it by `servos={file.path}`.")
