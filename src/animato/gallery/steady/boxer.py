"""The boxer punches, blocks and dodges, and stops short each time."""

from __future__ import annotations

from collections.abc import Iterator

from animato.formats import load_character
from animato.gallery.keyframes import Ease, Key, keyed_clip
from animato.motion import Clip

GUARD = {
    "pelvis": -15.0, "spine": 8.0, "torso": 0.0, "neck": 12.0, "head": 8.0,
    "left_shoulder_pitch": 42.0, "left_shoulder_roll": 6.0, "left_shoulder_twist": -12.0, "left_elbow": 105.0,
    "right_shoulder_pitch": 36.0, "right_shoulder_roll": 6.0, "right_shoulder_twist": -12.0, "right_elbow": 112.0,
}  # fmt: skip
"""Gloves before the chin [deg]; the posture `guard`."""

JAB = {"left_shoulder_pitch": 76.0, "left_elbow": 38.0, "left_shoulder_twist": 0.0, "pelvis": -22.0, "spine": 10.0}
CROSS = {"right_shoulder_pitch": 72.0, "right_elbow": 42.0, "right_shoulder_twist": 0.0, "pelvis": 4.0, "spine": 10.0}
HOOK = {"left_shoulder_pitch": 70.0, "left_shoulder_roll": 36.0, "left_elbow": 80.0, "pelvis": -28.0, "torso": 5.0}
BACK = {"spine": -1.0, "head": 0.0}
DUCK = {"spine": 17.0, "head": -6.0}
SLIP_LEFT = {"torso": -14.0, "spine": 11.0, "neck": 5.0}
SLIP_RIGHT = {"torso": 14.0, "spine": 11.0, "neck": 18.0}
BLOCK = {
    "left_shoulder_pitch": 52.0, "left_elbow": 116.0, "right_shoulder_pitch": 50.0, "right_elbow": 119.0, "spine": 11.0,
    "head": 18.0,
}  # fmt: skip

BOUT: tuple[tuple[float, dict[str, float], Ease], ...] = (
    (0.60, JAB, Ease.EVEN),
    (1.36, JAB, Ease.EVEN),
    (2.12, CROSS, Ease.EVEN),
    (2.88, BACK, Ease.SNAP),
    (3.64, DUCK, Ease.SNAP),
    (4.40, SLIP_LEFT, Ease.SNAP),
    (5.16, CROSS, Ease.EVEN),
    (5.92, SLIP_RIGHT, Ease.SNAP),
    (6.68, HOOK, Ease.EVEN),
    (7.44, BLOCK, Ease.SNAP),
    (8.20, BACK, Ease.SNAP),
    (8.96, CROSS, Ease.EVEN),
)
"""When a move arrives [s], where it goes [deg], and how."""

OUT_S, HELD_S, HOME_S = 0.28, 0.08, 0.38
"""How long a move takes, stays, and goes back to the guard."""


def _keys() -> Iterator[Key]:
    yield Key(0.2, GUARD)
    for arrival, move, ease in BOUT:
        guard = {name: GUARD[name] for name in move}
        yield Key(arrival - OUT_S, guard)
        yield Key(arrival, move, ease)
        yield Key(arrival + HELD_S, move)
        yield Key(arrival + HELD_S + HOME_S, guard)


def boxer_bout() -> Clip:
    """The clip `boxer_bout`."""
    names = load_character("boxer").coordinate_names
    source = "keyframed for boxer: punches, blocks and dodges"
    return keyed_clip(list(_keys()), names, duration_s=9.75, rate_hz=40.0, source=source)
