"""What a file that somebody brings is: a clip of the character, a captured person, or a drawing; for a worker."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from animato.character import Character
from animato.errors import AnimatoError
from animato.formats import load_motion
from animato.motion import CapturedMotion, Clip, MarkerMotion, Stroke
from animato.outcome import Progress
from animato.studio.project.beginning import read_motion
from animato.studio.project.places import CAPTURES, free_place

CLIP, CAPTURE, STROKES = "clip", "capture", "strokes"


@dataclass(frozen=True, eq=False)
class Brought:
    """What it is.

    Attributes:
        kind: One of `CLIP`, `CAPTURE` and `STROKES`.
        clip: Of the character; None for the others.
        remark: What there is to say about the clip.
        file: In the project, for the others.
    """

    kind: str
    clip: Clip | None = None
    remark: str = ""
    file: str = ""


def bring(character: Character, folder: Path, file: Path, progress: Progress | None = None) -> Brought:
    """Reads a file, or says who else is to read it.

    Tables and arrays may hold anything, so that only their content says what they are. A capture is moved to where
    the project keeps them, as it is read again.

    Args:
        character: Whose clip it may be.
        folder: Of the project.
        file: In it.
        progress: Not told of anything; reading has no steps.

    Raises:
        AnimatoError: It cannot be read, or nothing in it is of the character.
    """
    motion = load_motion(file)
    if isinstance(motion, Stroke):
        return Brought(STROKES, file=file.relative_to(folder).as_posix())
    if isinstance(motion, MarkerMotion) or (isinstance(motion, CapturedMotion) and not _named(motion, character)):
        return Brought(CAPTURE, file=_among_captures(folder, file))
    clip, remark = read_motion(character, file)
    return Brought(CLIP, clip, remark)


def _named(motion: CapturedMotion, character: Character) -> bool:
    return bool({*motion.names} & {joint.name for joint in character.joints})


def _among_captures(folder: Path, file: Path) -> str:
    place = folder / CAPTURES
    if file.parent == place:
        return file.relative_to(folder).as_posix()
    try:
        place.mkdir(exist_ok=True)
        moved = free_place(place, file.stem, file.suffix)
        shutil.move(file, moved)
    except OSError as error:
        raise AnimatoError(f"Cannot keep '{file.name}' in the project: {error.strerror or error}.") from None
    return moved.relative_to(folder).as_posix()
