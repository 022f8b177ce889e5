"""The rapper's arm: microphone to the mouth, then gestures on the beat."""

from __future__ import annotations

from animato.gallery.steady.keyframes import Ease, Key, keyed_clip
from animato.motion import Clip

NAMES = ("pitch", "roll", "twist", "crank_axle")


def _pose(
    time: float, pitch: float, roll: float, twist: float, bend: float, ease: Ease = Ease.SMOOTH
) -> Key:  # short, because there are many
    return Key(time, {"pitch": pitch, "roll": roll, "twist": twist, "crank_axle": bend}, ease)


MOUTH = (60.0, 12.0, -15.0, 108.0)

KEYS = (
    _pose(0.2, 15.0, 12.0, 0.0, 30.0),
    _pose(1.0, *MOUTH),
    _pose(1.5, *MOUTH),
    _pose(2.0, 72.0, 30.0, 0.0, 45.0, Ease.SNAP),  # out, and chop
    _pose(2.3, 48.0, 30.0, 0.0, 54.0, Ease.EVEN),
    _pose(2.6, 72.0, 30.0, 0.0, 45.0, Ease.EVEN),
    _pose(2.9, 48.0, 30.0, 0.0, 54.0, Ease.EVEN),
    _pose(3.2, 72.0, 30.0, 0.0, 45.0, Ease.EVEN),
    _pose(3.8, *MOUTH),
    _pose(4.2, *MOUTH),
    _pose(4.9, 65.0, 70.0, 20.0, 40.0),  # a sweep to the side, across, and back
    _pose(5.5, 65.0, 10.0, -20.0, 40.0, Ease.EVEN),
    _pose(6.1, 65.0, 70.0, 20.0, 40.0, Ease.EVEN),
    _pose(6.7, *MOUTH),
    _pose(7.0, *MOUTH),
    _pose(7.7, 115.0, 25.0, 0.0, 35.0),  # up, and drop
    _pose(8.0, 115.0, 25.0, 0.0, 35.0),
    _pose(8.5, 60.0, 30.0, 10.0, 45.0, Ease.SNAP),
    _pose(9.0, 60.0, 30.0, 10.0, 45.0),
    _pose(9.7, 15.0, 12.0, 0.0, 30.0),
)


def rapper_verse() -> Clip:
    """The clip `rapper_verse`."""
    return keyed_clip(KEYS, NAMES, duration_s=10.0, source="keyframed for rapper: four bars and a dropped hand")
