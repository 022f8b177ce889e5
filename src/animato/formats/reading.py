"""What readers of motion can be told about files that do not say everything about themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict


class MotionReading(TypedDict, total=False):
    """How to read motion files that do not say everything about themselves.

    Attributes:
        first_frame: For BVH: frames to leave out at the start, such as a T-pose.
        metres_per_unit: For BVH: its unit; guessed from the size of the skeleton where not given.
        up_axis: For BVH, TRC and C3D: which way is up; guessed where not given.
        animation: For GLB: its name, where there are several.
        rate_hz: For CSV and npy without times, and GLB: frames a second.
        kind: For CSV: what it holds; its columns tell where not given.
    """

    first_frame: int
    metres_per_unit: float
    up_axis: Literal["y", "z"]
    animation: str
    rate_hz: float
    kind: Literal["clip", "stroke", "markers"]


class ClipReading(MotionReading, total=False):
    """The same, and how a capture becomes a clip.

    Attributes:
        mapping: For captures: which bone a joint follows, where names differ.
        smooth_hz: Take out what shakes faster than this; captures are rough, 6 Hz suits people.
    """

    mapping: Mapping[str, str]
    smooth_hz: float
