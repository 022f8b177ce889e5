"""Feet of a made-up person: planted, rolled over the ball, swung, and set down on the heel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.gallery.keyframes import Key, held
from animato.gallery.mimic.skeleton import ANKLE_M, BALL, HEEL, HIP_M
from animato.spatial import quaternions

_ROLL_S, _PRESS_S = 0.28, 0.16
"""How long a foot rolls over its ball before it leaves, and from heel to toe after it has landed."""


@dataclass(frozen=True)
class Step:
    """One swing of a foot.

    Attributes:
        side: "left" or "right".
        lift_s, land_s: When the toes leave and the heel lands [s].
        to_m: Where along x the ankle is to stand [m].
        roll_deg: Of the foot over its ball when it leaves.
        heel_deg: By how much the toes are up when the heel lands.
        high_m: How much the foot is lifted, soon after it has left.
    """

    side: str
    lift_s: float
    land_s: float
    to_m: float
    roll_deg: float = 30.0
    heel_deg: float = 14.0
    high_m: float = 0.06


@dataclass(frozen=True, eq=False)
class FootMotion:
    """Where a foot is.

    Attributes:
        ankles: [m], shape [frame, 3].
        turns: Of the foot in the world, wxyz, shape [frame, 4].
        toe_turns: Of the toes against the foot, wxyz, shape [frame, 4].
    """

    ankles: np.ndarray
    turns: np.ndarray
    toe_turns: np.ndarray


def foot_motion(side: str, steps: Sequence[Step], times: np.ndarray) -> FootMotion:
    """The motion of one foot, which starts beside the origin and faces x.

    Until a foot leaves, its ball stays where it is; after it has landed, its heel does. In between it goes from the one
    to the other, so that nothing slides.

    Args:
        side: "left" or "right".
        steps: Of both feet, in the order of time.
        times: [s], shape [frame].
    """
    aside = HIP_M if side == "left" else -HIP_M
    ball = np.broadcast_to(np.array([BALL[0], aside, ANKLE_M + BALL[2]]), (len(times), 3))
    pitch, bend = np.zeros(len(times)), np.zeros(len(times))
    for one in steps:
        if one.side != side:
            continue
        own = _pitch(one, times)
        heel = np.array([one.to_m + HEEL[0], aside, 0.0])
        landed = heel + quaternions.rotate(_about_y(own), np.subtract(BALL, HEEL))
        share = held([Key(one.lift_s, {"": 0.0}), Key(one.land_s, {"": 1.0})], "", times)[:, None]
        up = one.high_m * 6.75 * share * (1.0 - share) * (1.0 - 0.7 * share)  # most while the toes point down
        ball = (1.0 - share) * ball + share * landed + up * np.array([0.0, 0.0, 1.0])
        pitch, bend = pitch + own, bend - own * (1.0 - share[:, 0]) ** 3
    turns = _about_y(pitch)
    return FootMotion(ball - quaternions.rotate(turns, BALL), turns, _about_y(bend))


def _about_y(angles: np.ndarray) -> np.ndarray:
    return quaternions.quaternion_about((0.0, 1.0, 0.0), angles)


def _pitch(step: Step, times: np.ndarray) -> np.ndarray:
    """Of a foot in one step [rad], positive with the heel up."""
    keys = [
        Key(step.lift_s - _ROLL_S, {"": 0.0}),
        Key(step.lift_s + 0.02, {"": step.roll_deg}),
        Key(step.land_s - 0.02, {"": -step.heel_deg}),
        Key(step.land_s + _PRESS_S, {"": 0.0}),
    ]
    return np.radians(held(keys, "", times))
