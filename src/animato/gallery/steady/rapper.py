"""The rapper's arm: microphone to the mouth, then gestures on the beat."""

from __future__ import annotations

from animato.gallery.keyframes import Ease, Key, keyed_clip
from animato.motion import Clip

NAMES = ("pitch", "roll", "twist", "crank_axle")


def _pose(
    time: float, pitch: float, roll: float, twist: float, bend: float, ease: Ease = Ease.SMOOTH
) -> Key:  # short, because there are many
    return Key(time, {"pitch": pitch, "roll": roll, "twist": twist, "crank_axle": bend}, ease)


MOUTH = (60.0, 12.0, -15.0, 105.0)

KEYS = (
    _pose(0.2, 15.0, 12.0, 0.0, 30.0),
    _pose(1.0, *MOUTH),
    _pose(1.5, *MOUTH),
    _pose(2.0, 64.0, 28.0, 0.0, 55.0, Ease.SNAP),  # out, and chop
    _pose(2.36, 51.0, 28.0, 0.0, 62.0, Ease.EVEN),
    _pose(2.72, 64.0, 28.0, 0.0, 55.0, Ease.EVEN),
    _pose(3.08, 51.0, 28.0, 0.0, 62.0, Ease.EVEN),
    _pose(3.44, 64.0, 28.0, 0.0, 55.0, Ease.EVEN),
    _pose(4.04, *MOUTH),
    _pose(4.1, *MOUTH),
    _pose(4.8, 62.0, 42.0, 10.0, 60.0),  # a sweep to the side, across, and back
    _pose(5.35, 62.0, 17.0, -10.0, 60.0, Ease.EVEN),
    _pose(5.9, 62.0, 42.0, 10.0, 60.0, Ease.EVEN),
    _pose(6.7, *MOUTH),
    _pose(7.0, *MOUTH),
    _pose(7.7, 105.0, 25.0, 0.0, 50.0),  # up, and down
    _pose(8.0, 105.0, 25.0, 0.0, 50.0),
    _pose(8.6, 60.0, 28.0, 10.0, 65.0),
    _pose(9.0, 60.0, 28.0, 10.0, 65.0),
    _pose(9.7, 15.0, 12.0, 0.0, 30.0),
)


def rapper_verse() -> Clip:
    """The clip `rapper_verse`."""
    return keyed_clip(
        KEYS, NAMES, duration_s=10.0, source="keyframed for rapper: microphone to the mouth, chops and a sweep"
    )
