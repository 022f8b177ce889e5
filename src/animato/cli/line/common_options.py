"""What several commands take from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import arg

from animato.cli.line.flag_making import flags, unset
from animato.errors import OptionError
from animato.formats import ClipReading, MotionReading

FITS, DOES_NOT_FIT, WRONG_INPUT, BROKEN = 0, 1, 2, 3
"""What the program's exit status says to a script."""

CharacterName = Annotated[
    str, arg(metavar="CHARACTER", help="A shipped character's name, or a .yaml, .urdf, .xml or .usda file.")
]
MotionName = Annotated[
    str, arg(metavar="CLIP", help="A .npz, .npy, .csv, .bvh or .glb file, or a shipped clip's name.")
]
Base = Annotated[Literal["auto", "ground", "float"], arg(help="For URDF and USD: whether the robot is held or floats.")]
OtherMotion = Annotated[str | None, arg(metavar="CLIP", help_behavior_hint="")]
OutFile = Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: not saved)")]
HowToRead = flags(ClipReading, MotionReading, mapping="JOINT BONE")
AS_STATED = unset(HowToRead)
"""Take files at their word."""


def check_suffix(path: Path | None, what: str, *allowed: str) -> None:
    """Refuses a file to write before anything is computed.

    Raises:
        OptionError: Its ending is not one of those allowed.
        AnimatoError: It is a folder, a pipe or a device.
    """
    from animato.formats.files import check_writable

    if path is None:
        return
    if path.suffix.lower() not in allowed:
        raise OptionError(f"Cannot save {what} as '{path}': it is a {' or '.join(allowed)} file.")
    check_writable(path)
