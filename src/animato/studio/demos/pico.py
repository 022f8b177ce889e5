"""pico says hello, and has a dance that asks too much of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from animato.character import Character
from animato.formats import load_character
from animato.motion import Posture
from animato.studio.document import Document, Take
from animato.studio.keys import Ease, Key, Keyed
from animato.studio.project import read_motion, take_of_clip

_HELLO_S = 4.0
_STAND = {"left_shoulder_roll": 14.0, "left_arm_twist": 0.0, "left_elbow": 25.0}
_UP = {"left_shoulder_roll": 104.0, "left_arm_twist": 86.0, "left_elbow": 62.0}

HELLO: tuple[tuple[float, Ease, Mapping[str, float]], ...] = (
    (0.0, Ease.SMOOTH, {**_STAND, "neck_roll": 0.0, "neck_tilt": 0.0, "neck_pan": 0.0, "waist_yaw": 0.0}),
    (0.4, Ease.SMOOTH, {"left_shoulder_roll": 10.0, "left_elbow": 34.0, "neck_tilt": -7.0}),  # gathers itself
    (1.1, Ease.SMOOTH, {**_UP, "neck_tilt": 8.0, "neck_roll": 10.0, "neck_pan": 8.0, "waist_yaw": 5.0}),
    (1.45, Ease.THROUGH, {"left_elbow": 96.0, "neck_roll": 13.0}),
    (1.8, Ease.THROUGH, {"left_elbow": 54.0, "neck_roll": 9.0}),
    (2.15, Ease.THROUGH, {"left_elbow": 96.0, "neck_roll": 13.0}),
    (2.5, Ease.THROUGH, {"left_elbow": 58.0, "neck_roll": 9.0}),
    (3.5, Ease.SMOOTH, {**_STAND, "neck_roll": 0.0, "neck_tilt": 0.0, "neck_pan": 0.0, "waist_yaw": 0.0}),
)
"""Time [s], how it is reached, and joints [deg] that are others than in the key before."""


def pico_demo() -> Document:
    """A hello of keys that pico can do, a dance and a cheer that it cannot, until they are made performable."""
    from animato.gallery.fix import pico_cheer  # brings much that only the first start needs

    pico = load_character("pico")
    document = Document(pico, "pico").with_take(_hello(pico))
    motion, remark = read_motion(pico, "pico_hello")
    document = document.with_take(take_of_clip(document, "dance (too fast)", motion, remark), opened=False)
    cheer = take_of_clip(document, "cheer (too lively)", pico_cheer(pico))
    return document.with_take(cheer, opened=False)


def _hello(pico: Character) -> Take:
    """A wave that pico can do, made of keys."""
    stand = Posture.named(pico, "stand")
    blank = Keyed.hold(pico, _HELLO_S, stand)
    pose = np.array(stand.positions)
    keys = []
    for time, ease, degrees in HELLO:
        for name, value in degrees.items():
            pose[pico.coordinate_names.index(name)] = math.radians(value)
        keys.append(Key(time, pose.copy(), None, ease))
    keyed = blank.with_keys(keys)
    return Take("hello", keyed, keyed.clip)
