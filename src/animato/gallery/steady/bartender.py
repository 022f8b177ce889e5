"""The bartender takes a glass from place to place, upright all the way."""

from __future__ import annotations

import numpy as np

from animato.gallery.keyframes import Ease, Key, keyed_clip
from animato.motion import Clip

NAMES = ("turn", "shoulder", "elbow", "wrist")

SHOULDER_M = 0.15
"""Height of the shoulder above the floor."""

UPPER_ARM_M, FOREARM_M = 0.29, 0.23
"""Between the axes of shoulder and elbow, elbow and wrist, with straight rods."""

GLASS_AHEAD_M, GLASS_BELOW_M = 0.056, 0.047
"""The middle of the glass's foot, seen from the wrist."""

RADIUS_CM = 34.0
"""Distance of the coasters from the middle of the counter."""

LOW_CM, HIGH_CM = 6.8, 20.0
"""Height of the glass's foot at a coaster and between them; a coaster is 4.5 cm high, the rods sag by about 2 cm."""

TRIM_DEG = -5.5
"""What the wrist tips the glass back, because the rods sag."""


def placed(time: float, *, turn: float, height: float, radius: float = RADIUS_CM, ease: Ease = Ease.SMOOTH) -> Key:
    """A key that holds the glass upright at a place.

    Args:
        time: [s].
        turn: Of the turret [deg].
        height: Of the glass's foot above the floor [cm].
        radius: Of the glass from the turret's axis [cm].
        ease: How it is reached.
    """
    ahead = 0.01 * radius - GLASS_AHEAD_M
    up = 0.01 * height + GLASS_BELOW_M - SHOULDER_M
    bend = (ahead**2 + up**2 - UPPER_ARM_M**2 - FOREARM_M**2) / (2.0 * UPPER_ARM_M * FOREARM_M)
    between = np.arccos(bend)
    rise = np.arctan2(up, ahead) + np.arctan2(FOREARM_M * np.sin(between), UPPER_ARM_M + FOREARM_M * bend)
    upper, fore = np.degrees(0.5 * np.pi - rise), np.degrees(between - rise)
    angles = {"turn": turn, "shoulder": float(upper), "elbow": float(fore - upper), "wrist": float(TRIM_DEG - fore)}
    return Key(time, angles, ease)


KEYS = (
    placed(0.2, turn=0.0, height=HIGH_CM, radius=30.0),
    placed(0.9, turn=0.0, height=LOW_CM),  # the white coaster
    placed(1.3, turn=0.0, height=LOW_CM),
    placed(1.8, turn=0.0, height=HIGH_CM),
    placed(2.4, turn=70.0, height=HIGH_CM, ease=Ease.EVEN),
    placed(3.0, turn=70.0, height=LOW_CM),  # the red one
    placed(3.4, turn=70.0, height=LOW_CM),
    placed(3.9, turn=70.0, height=HIGH_CM),
    placed(4.8, turn=-70.0, height=HIGH_CM, ease=Ease.EVEN),
    placed(5.4, turn=-70.0, height=LOW_CM),  # the green one
    placed(5.8, turn=-70.0, height=LOW_CM),
    placed(6.3, turn=-70.0, height=HIGH_CM),
    placed(6.9, turn=0.0, height=HIGH_CM, radius=30.0, ease=Ease.EVEN),
)


def bartender_serve() -> Clip:
    """The clip `bartender_serve`."""
    return keyed_clip(KEYS, NAMES, duration_s=8.5, source="keyframed for bartender: a glass of water for three guests")
