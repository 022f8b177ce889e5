"""The drummer plays and sways with it, a little faster than its legs like to swing.

So the swing of the legs runs out of step with the beat and back into it: what shakes grows, dies away, and grows again.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from animato.character import Character
from animato.formats import load_character
from animato.gallery.keyframes import DECIMALS, Ease, Key, keyed
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip

SKIN_M = 0.44
"""Height of the drum's skin."""

HIT_CM, LIFT_CM = 1.2, 7.0
"""Of a stick's tip, a ball of 9 mm, above the skin."""

START_S, BEAT_S, BEATS = 0.4, 0.58, 15
"""The legs swing once in 0.68 s."""

LEAN_DEG, SWAY_DEG = 6.0, 4.6
"""The spine's mean, and how far it goes to both sides."""

HEIGHTS = ("left_height", "right_height")
"""Of the tips above the skin [cm]; the elbows follow from them."""


def _keys() -> Iterator[Key]:
    play = {"left_shoulder_pitch": 15.0, "right_shoulder_pitch": 15.0}
    play |= {"left_shoulder_roll": 6.0, "right_shoulder_roll": 6.0}
    yield Key(0.2, {"spine": LEAN_DEG, "head": 10.0, "left_height": 3.0, "right_height": 3.0, **play})
    yield Key(0.2, {"pelvis": 0.0, "neck": 0.0, "torso": 0.0})
    yield Key(START_S, {"spine": LEAN_DEG, "head": 10.0, "left_height": LIFT_CM, "right_height": 3.0})
    for beat in range(BEATS):
        on = START_S + (beat + 0.5) * BEAT_S
        off = on + 0.5 * BEAT_S
        side = 1.0 if beat % 4 < 2 else -1.0
        yield Key(on, {"spine": LEAN_DEG + SWAY_DEG, "head": 16.0})
        yield Key(on, {"left_height": HIT_CM, "right_height": LIFT_CM}, Ease.SNAP)
        yield Key(on, {"pelvis": 5.0 * side, "neck": 12.0 * side, "torso": 2.0 * side})
        yield Key(off, {"spine": LEAN_DEG - SWAY_DEG, "head": 4.0})
        yield Key(off, {"left_height": LIFT_CM, "right_height": HIT_CM}, Ease.SNAP)
    end = START_S + (BEATS + 0.5) * BEAT_S
    yield Key(end, {"spine": LEAN_DEG, "head": 10.0, "left_height": 3.0, "right_height": 3.0})
    yield Key(end, {"pelvis": 0.0, "neck": 0.0, "torso": 0.0})


def drummer_solo() -> Clip:
    """The clip `drummer_solo`."""
    character = load_character("drummer")
    names = character.coordinate_names
    times, values = keyed(list(_keys()), (*names, *HEIGHTS), duration_s=10.0)
    angles = np.radians(values[:, : len(names)])
    for side, column in (("left", -2), ("right", -1)):
        reach_heights(character, times, angles, side, SKIN_M + 0.01 * values[:, column])
    source = "keyframed for drummer: fifteen beats, with a sway that its legs do not like"
    return Clip(times, names, np.round(angles, DECIMALS), source=source)


def reach_heights(character: Character, times: np.ndarray, angles: np.ndarray, side: str, heights: np.ndarray) -> None:
    """Bends an elbow so that the tip of its stick is at a height, all else as it is.

    Args:
        character: The drummer; its rods are taken as straight.
        times: [s], shape [frame].
        angles: Of all coordinates [rad], shape [frame, coordinate]; the elbow's are written.
        side: "left" or "right".
        heights: In the world [m], shape [frame].
    """
    tip, column = character.marker(f"{side}_stick"), character.coordinate_names.index(f"{side}_elbow")

    def error() -> np.ndarray:
        poses = forward_kinematics(character, Clip(times, character.coordinate_names, angles))
        return np.asarray(poses.of(tip.body).apply(tip.position)[:, 2] - heights)

    step = 1e-4
    angles[:, column] = np.radians(56.0)  # as in the posture `play`, where bending raises the tip
    for _ in range(8):
        here = error()
        angles[:, column] += step
        slope = (error() - here) / step
        angles[:, column] -= step + here / slope
