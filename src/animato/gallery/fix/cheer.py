"""pico cheers, livelier than it can: arms thrown up, waved too fast, a head that tilts too far."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.gallery.keyframes import DECIMALS, Ease, Key, keyed
from animato.loading import load_clip
from animato.motion import Clip

_SIDES = ("left", "right")


def _both(roll: float, elbow: float, twist: float = 0.0, pitch: float = 0.0) -> dict[str, float]:
    values = {"shoulder_roll": roll, "elbow": elbow, "arm_twist": twist, "shoulder_pitch": pitch}
    return {f"{side}_{name}": value for side in _SIDES for name, value in values.items()}


def _swing(lean: float) -> dict[str, float]:
    """Both arms above the head, over to one side; the head goes along."""
    return {
        "left_shoulder_roll": 128.0 + lean,
        "right_shoulder_roll": 128.0 - lean,
        "waist_yaw": 0.5 * lean,
        "neck_roll": 0.95 * lean,
    }


KEYS = (
    Key(0.3, {**_both(12.0, 20.0), "neck_tilt": 0.0, "neck_roll": 0.0, "waist_yaw": 0.0, "neck_pan": 0.0}),
    Key(0.65, {**_both(24.0, 70.0, pitch=18.0), "neck_tilt": -16.0}),  # gathers itself
    Key(0.68, {"waist_yaw": 0.0, "neck_roll": 0.0}),
    Key(1.0, {**_both(128.0, 12.0, pitch=0.0), "neck_tilt": 18.0, "waist_yaw": 0.0, "neck_roll": 0.0}),  # up!
    Key(1.2, _swing(28.0)),
    Key(1.4, _swing(-28.0)),
    Key(1.6, _swing(28.0)),
    Key(1.8, _swing(-28.0)),
    Key(2.0, _swing(28.0)),
    Key(2.2, {**_swing(-28.0), "left_elbow": 12.0, "right_elbow": 12.0}),
    Key(2.5, {**_both(128.0, 12.0), "neck_roll": 0.0, "waist_yaw": 0.0, "neck_tilt": 18.0}),
    Key(2.7, {**_both(62.0, 112.0), "neck_tilt": -6.0}),  # fists down
    Key(2.9, {**_both(62.0, 112.0)}),
    Key(3.15, {**_both(132.0, 6.0), "neck_tilt": 24.0}, Ease.SMOOTH),  # and up again
    Key(3.6, {**_both(132.0, 6.0), "neck_tilt": 24.0, "neck_roll": 0.0, "waist_yaw": 0.0}),
    Key(4.4, {**_both(12.0, 20.0), "neck_tilt": 0.0, "waist_yaw": 0.0, "neck_roll": 0.0}),
)

DURATION_S = 4.6


def pico_cheer(pico: Character) -> Clip:
    """The clip: pico stands, and its arms, waist and head cheer.

    Args:
        pico: The character; its feet stay as in the first frame of its other clip.
    """
    stand = load_clip("pico_hello", pico)
    channels = sorted({name for key in KEYS for name in key.values})
    times, degrees = keyed(KEYS, channels, duration_s=DURATION_S, rounding_s=0.06)
    positions = np.tile(stand.positions[:1], (len(times), 1))
    for column, name in enumerate(channels):
        positions[:, stand.column(name)] = np.round(np.radians(degrees[:, column]), DECIMALS)
    base, turns = stand.base_positions, stand.base_quaternions_wxyz
    return Clip(
        times,
        stand.names,
        positions,
        None if base is None else np.tile(base[:1], (len(times), 1)),
        None if turns is None else np.tile(turns[:1], (len(times), 1)),
        source="keyframed for pico: a cheer that is too lively",
    )
