"""What readers of motion can be told about files that do not say everything about themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypedDict


class MotionReading(TypedDict, total=False):
    """How to read motion files that do not say everything about themselves.

    Attributes:
        first_frame: For BVH: frames to leave out at the start, such as a T-pose.
        metres_per_unit: For BVH and AMC: its unit; guessed from the size of the skeleton where neither given nor said.
        up_axis: For BVH, AMC, TRC, C3D and joints of a body model: which way is up; guessed where not given.
        skeleton: For AMC: its ASF file, where it is not beside it.
        animation: For GLB: its name, where there are several.
        rate_hz: For CSV, npy and npz without times, AMC and GLB: frames a second; robots' files have a usual one.
        kind: For CSV: what it holds; its columns tell where not given.
    """

    first_frame: int
    metres_per_unit: float
    up_axis: Literal["y", "z"]
    skeleton: str | Path
    animation: str
    rate_hz: float
    kind: Literal["clip", "stroke", "markers"]


class ClipReading(MotionReading, total=False):
    """The same, and how a capture or a robot's numbers become a clip.

    Attributes:
        mapping: For captures: which bone a joint follows, where names differ.
        smooth_hz: Take out what shakes faster than this; captures are rough, 6 Hz suits people.
        quaternion_order: For numbers of a floating robot: of its base; what the motion makes likely where not given.
        joint_order: For numbers of a floating robot: how its joints are counted, where the file does not name them.
    """

    mapping: Mapping[str, str]
    smooth_hz: float
    quaternion_order: Literal["wxyz", "xyzw"]
    joint_order: Literal["depth_first", "breadth_first", "character"]
