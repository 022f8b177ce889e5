"""The constants by which motions are judged: one set for all methods, so that figures compare."""

from __future__ import annotations

from dataclasses import dataclass

KEY_POINTS: tuple[str, ...] = tuple(
    f"{side}_{place}"
    for side in ("left", "right")
    for place in ("hip", "knee", "ankle", "toe", "shoulder", "elbow", "wrist")
)
"""Landmarks whose places relative to the pelvis are compared, as many of them as person and robot both have."""


@dataclass(frozen=True)
class Rules:
    """How motions are judged. Contacts are labelled from the person, see `animato.mimic.contacts`.

    Attributes:
        rate_hz: Frames a second.
        between_hz: Samples a second at which balance is looked at between the frames.
        finer: Samples a frame at which limits of joints are looked at between the frames.
        ends: Frames at each end whose dynamics are left out, since differences are one-sided there.
        outside_m: ZMPs farther than this outside their hull are outside [m].
        friction: Coefficient of soles on the floor.
        touch_height_m: Corners of soles within this of the floor [m] ...
        touch_speed: ... that are slower than this [m/s] touch it, strictly.
        hands_m: Wrists of the person within this are together [m].
        swing_frames: Frames that a swing of a foot has at least.
        swing_m: Clearance of the person's swing, scaled, from which it counts [m].
    """

    rate_hz: float = 30.0
    between_hz: float = 120.0
    finer: int = 10
    ends: int = 2
    outside_m: float = 1e-6
    friction: float = 0.7
    touch_height_m: float = 0.005
    touch_speed: float = 0.05
    hands_m: float = 0.3
    swing_frames: int = 3
    swing_m: float = 0.02
