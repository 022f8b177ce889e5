"""What can be said about a stroke."""

from __future__ import annotations

from typing import Literal, TypedDict


class StrokeReading(TypedDict, total=False):
    """How to read a stroke, and where to put it.

    Attributes:
        point: Which point of the robot follows, where the file does not say: an end-point, a marker, a body, or a place
            on a body such as "forearm at 0.1,0,0.02".
        plane: Where a flat stroke goes, such as "xz at 0.5,0,0.6 scale 2 turn 30 mirror"; "fitted" finds a place.
        size_m: Largest width or height of a flat stroke that is fitted.
        law: Of the times of a drawing that has none: slower in bends, or constant.
        drawn_in_s: How long the drawing took, where it does not say or shall be otherwise.
        accents: Parts whose timing counts more, such as 0.4-0.5x8.
        bones: Of a capture: which bone or marker each point follows.
        anchor: Of a capture: the point that stays where the start posture has it, however the person steps about.
        scale: Of a capture: on top of what fits it to the start posture.
        first_frame: Of a BVH file: frames to leave out at the start, such as a T-pose.
        metres_per_unit: Unit of a drawing or a capture.
        lift_m: How high the pen is lifted between lines; a tenth of the drawing's size, at most 0.03, where not given.
        keep_outliers: Also follow samples that leap out of the line and back, which no hand does.
        smooth_hz: Take out what shakes faster; where not given noisy strokes are smoothed, with 0 none is.
    """

    point: str
    plane: str
    size_m: float
    law: Literal["curvature", "constant"]
    drawn_in_s: float
    accents: tuple[str, ...]
    bones: dict[str, str]
    anchor: str
    scale: float
    first_frame: int
    metres_per_unit: float
    lift_m: float
    keep_outliers: bool
    smooth_hz: float
