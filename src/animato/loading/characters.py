"""Characters that are given, or whose file or name is."""

from __future__ import annotations

from pathlib import Path

from animato.character import Character
from animato.errors import CharacterError
from animato.formats import load_character


def as_character(character: Character | str | Path) -> Character:
    """The character itself; one that is named is loaded.

    Raises:
        CharacterError: It is neither.
    """
    if isinstance(character, str | Path):
        return load_character(character)
    if isinstance(character, Character):
        return character
    raise CharacterError(f"`character` must be a Character, or the name or file of one; given {character!r:.60}.")
