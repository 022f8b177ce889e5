"""The dancer waves, then dances: her left hand's waving shakes everything."""

from __future__ import annotations

from animato.gallery.keyframes import Ease, Key, keyed_clip
from animato.motion import Clip

NAMES = ("left_pitch", "left_roll", "right_pitch", "right_roll")

WAVING_S = (1.1, 3.5)
"""From when to when she waves her left hand [s]."""

KEYS = (
    Key(0.2, {"left_pitch": 0.0, "left_roll": 12.0, "right_pitch": 0.0, "right_roll": 12.0}),
    Key(1.1, {"left_pitch": 15.0, "left_roll": 125.0, "right_roll": 30.0}),
    Key(1.4, {"left_roll": 136.0}, Ease.EVEN),  # the wave: to and fro
    Key(1.7, {"left_roll": 118.0}, Ease.EVEN),
    Key(2.0, {"left_roll": 136.0}, Ease.EVEN),
    Key(2.3, {"left_roll": 118.0}, Ease.EVEN),
    Key(2.6, {"left_roll": 136.0}, Ease.EVEN),
    Key(2.9, {"left_roll": 118.0}, Ease.EVEN),
    Key(3.2, {"left_roll": 136.0, "right_roll": 30.0}, Ease.EVEN),
    Key(3.5, {"left_pitch": 15.0, "left_roll": 125.0, "right_pitch": 0.0}, Ease.LAUNCH),
    Key(4.1, {"left_pitch": 0.0, "left_roll": 80.0, "right_roll": 85.0}),  # both arms open
    Key(4.2, {"left_pitch": 0.0, "left_roll": 80.0, "right_pitch": 0.0, "right_roll": 85.0}),
    Key(5.0, {"left_pitch": 80.0, "left_roll": 30.0, "right_pitch": -40.0, "right_roll": 65.0}),  # arabesque
    Key(5.4, {"left_pitch": 80.0, "left_roll": 30.0, "right_pitch": -40.0, "right_roll": 65.0}),
    Key(6.4, {"left_pitch": -40.0, "left_roll": 65.0, "right_pitch": 80.0, "right_roll": 30.0}),  # on the other side
    Key(6.6, {"left_pitch": -40.0, "left_roll": 65.0, "right_pitch": 80.0, "right_roll": 30.0}),
    Key(7.4, {"left_pitch": 0.0, "left_roll": 130.0, "right_pitch": 0.0, "right_roll": 130.0}),  # arms above the head
    Key(8.2, {"left_roll": 55.0, "right_roll": 55.0}),  # and down
)


def dancer_dance() -> Clip:
    """The clip `dancer_dance`."""
    return keyed_clip(KEYS, NAMES, duration_s=8.5, source="keyframed for dancer: waves, then dances")
