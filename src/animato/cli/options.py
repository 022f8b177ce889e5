"""What several commands take from the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import OmitArgPrefixes, arg

FITS, DOES_NOT_FIT, WRONG_INPUT, BROKEN = 0, 1, 2, 3
"""What the program's exit status says to a script."""

CharacterName = Annotated[
    str, arg(metavar="CHARACTER", help="A shipped character's name, or a .yaml, .urdf, .xml or .usda file.")
]
MotionName = Annotated[
    str, arg(metavar="CLIP", help="A .npz, .npy, .csv, .bvh or .glb file, or a shipped clip's name.")
]
Base = Annotated[Literal["auto", "ground", "float"], arg(help="For URDF and USD: whether the robot is held or floats.")]
OtherMotion = Annotated[str | None, arg(metavar="CLIP")]
OutFile = Annotated[Path | None, arg(metavar="FILE")]


@dataclass(frozen=True)
class MotionOptions:
    """How to read motion files that do not say everything about themselves.

    Attributes:
        map: For captures: which bone a joint follows, where names differ.
        first_frame: For BVH: frames to leave out at the start, such as a T-pose.
        metres_per_unit: For BVH: its unit; guessed from the size of the skeleton where not given.
        up_axis: For BVH and TRC: which way is up; guessed where not given.
        animation: For GLB: its name, where there are several.
        rate_hz: For CSV without times, and GLB: frames a second.
        smooth_hz: Take out what shakes faster than this; captures are rough, 6 Hz suits people.
    """

    map: Annotated[dict[str, str], arg(metavar="JOINT BONE")] = field(default_factory=dict)
    first_frame: Annotated[int | None, arg(metavar="N")] = None
    metres_per_unit: Annotated[float | None, arg(metavar="M")] = None
    up_axis: Annotated[Literal["y", "z"] | None, arg(metavar="{y,z}")] = None
    animation: Annotated[str | None, arg(metavar="NAME")] = None
    rate_hz: Annotated[float | None, arg(metavar="HZ")] = None
    smooth_hz: Annotated[float | None, arg(metavar="HZ")] = None

    def stated(self) -> dict[str, Any]:
        """What was said on the command line, for the reader of that format."""
        stated = {name: value for name, value in vars(self).items() if name != "map" and value is not None}
        return {**stated, "mapping": self.map} if self.map else stated


HowToRead = Annotated[MotionOptions, OmitArgPrefixes]
AS_STATED = MotionOptions()
"""Take files at their word."""
