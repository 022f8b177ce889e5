"""Where captures are: in the project, or among those that come with animato."""

from __future__ import annotations

from pathlib import Path

from animato.errors import OptionError
from animato.formats import shipped_clips
from animato.studio.project import inside

_SHIPPED = "person_"


def shipped_captures() -> list[str]:
    """Captures that come with animato."""
    return [name for name in shipped_clips() if name.startswith(_SHIPPED)]


def place_of(folder: Path, file: str) -> str:
    """What a reader of captures is given.

    Args:
        folder: Of the project.
        file: In it, or the name of a capture that comes with animato.

    Raises:
        AnimatoError: It is not there.
    """
    if file in shipped_captures():
        return file
    place = inside(folder, file)
    if not place.is_file():
        raise OptionError(f"There is no file '{file:.80}' in the project.")
    return str(place)
