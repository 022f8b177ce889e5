"""Captures of nobody: five motions of a made-up person, so that everything can be tried with nothing else at hand.

The shipped files `person_wave.bvh` and so on are what is made here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from animato.formats.capture import save_bvh
from animato.formats.files import write_whole
from animato.gallery.keyframes import Key
from animato.gallery.mimic.acting import STANDING, acted
from animato.gallery.mimic.feet import Step
from animato.motion import CapturedMotion

DECIMALS = 4
"""Of the shipped files [cm, deg]."""

_DOWN = {name: value for name, value in STANDING.items() if name.startswith(("left_", "right_"))}


def person_wave() -> CapturedMotion:
    """Stands, puts the weight a little on the left foot, raises the right hand and waves."""
    turned = {"weight_y": 3.0, "head_yaw": -12.0, "spine_roll": -4.0}
    straight = dict.fromkeys(turned, 0.0)
    keys = [
        Key(0.3, {**_hand("right", 5, 7, -53), **straight}),
        Key(0.7, {"right_x": 30.0, "right_y": 30.0}),  # around the shoulder
        Key(1.1, {"right_x": 16.0, "right_y": 30.0, "right_z": 30.0, **turned}),
    ]
    for number in range(3):
        keys.append(Key(1.45 + 0.7 * number, {"right_y": 12.0, "right_z": 33.0}))
        keys.append(Key(1.80 + 0.7 * number, {"right_y": 32.0, "right_z": 28.0}))
    keys += [
        Key(3.3, {"right_x": 16.0, "right_y": 30.0, "right_z": 30.0, **turned}),
        Key(3.75, {"right_x": 30.0, "right_y": 30.0}),
        Key(4.2, {**_hand("right", 5, 7, -53), **straight}),
    ]
    return acted(keys, duration_s=4.5, source="made up: a wave of the right hand")


def person_squat() -> CapturedMotion:
    """Goes down with the arms ahead, stays a moment and comes up."""
    up = {**_DOWN, "hips_z": STANDING["hips_z"], "hips_pitch": 3.0, "spine_pitch": 0.0, "head_pitch": 0.0}
    down = {**_hand("left", 46, 2, -8), **_hand("right", 46, 2, -8)}
    low = {**down, "hips_z": 62.0, "hips_pitch": 28.0, "spine_pitch": 16.0, "head_pitch": -26.0}
    keys = [Key(0.4, up), Key(1.7, low), Key(2.1, low), Key(3.4, up)]
    return acted(keys, duration_s=3.8, source="made up: a squat")


def person_reach() -> CapturedMotion:
    """Puts the left hand on the hip and reaches with the right one, first ahead and then to the side."""
    hip = {**_hand("left", -3, 4, -40), "left_elbow": 75.0}
    lean = {"spine_pitch": 14.0, "spine_yaw": 8.0, "hips_pitch": 12.0, "weight_x": 8.0, "head_pitch": -6.0}
    side = {"spine_pitch": 4.0, "spine_yaw": -10.0, "spine_roll": 10.0, "hips_pitch": 5.0, "weight_x": 5.0}
    back = {name: STANDING[name] for name in (*lean, *side, "weight_y", "head_yaw")}
    keys = [
        Key(0.3, {**_DOWN, **back}),
        Key(1.0, hip),
        Key(1.3, {**_hand("right", 52, 4, -3), **lean, "weight_y": 0.0, "spine_roll": 0.0, "head_yaw": 0.0}),
        Key(1.6, {**_hand("right", 52, 4, -3), **lean, "weight_y": 0.0, "spine_roll": 0.0, "head_yaw": 0.0}),
        Key(2.6, {**_hand("right", 16, 49, 4), **side, "head_pitch": 0.0, "head_yaw": -35.0, "weight_y": -4.0}),
        Key(3.0, {**_hand("right", 16, 49, 4), **side, "head_pitch": 0.0, "head_yaw": -35.0, "weight_y": -4.0, **hip}),
        Key(4.0, {**_DOWN, **back}),
    ]
    return acted(keys, duration_s=4.3, source="made up: a hand on the hip, the other reaches ahead and to the side")


def person_step() -> CapturedMotion:
    """Two steps ahead over heel and toe, then the feet together."""
    stride, aside = 0.34, 8.5
    steps = [
        Step("left", 0.90, 1.40, stride, roll_deg=20.0),
        Step("right", 1.65, 2.15, 2.0 * stride),
        Step("left", 2.40, 2.90, 2.0 * stride, heel_deg=6.0),
    ]
    cm = 100.0 * stride
    weight = [  # s, cm, cm
        (0.35, 5.0, 0.0),
        (0.85, 3.0, -aside),
        (1.40, 9.0, -aside),
        (1.65, cm + 1.0, aside),
        (2.15, cm + 10.0, aside),
        (2.40, 2.0 * cm + 1.0, -aside),
        (2.90, 2.0 * cm + 6.0, -aside),
        (3.45, 2.0 * cm + 5.0, 0.0),
    ]
    keys = [Key(time, {"weight_x": x, "weight_y": y}) for time, x, y in weight]
    keys += [Key(0.3, {"hips_z": STANDING["hips_z"]}), Key(0.9, {"hips_z": 92.0})]
    keys += [Key(2.7, {"hips_z": 92.0}), Key(3.5, {"hips_z": STANDING["hips_z"]})]
    for time, swing, up in ((0.6, 0.0, 0.0), (1.40, -12.0, 4.0), (2.15, 14.0, 4.0), (2.90, 0.0, 0.0)):
        ahead = {"left_x": 5.0 + swing, "right_x": 5.0 - swing, "left_z": up - 53.0, "right_z": up - 53.0}
        keys.append(Key(time, {**ahead, "spine_yaw": -0.4 * swing, "hips_yaw": 0.25 * swing}))
    return acted(keys, duration_s=4.0, steps=steps, source="made up: two steps ahead")


def person_clap() -> CapturedMotion:
    """Claps four times before the chest."""
    apart = {**_hand("left", 32, -2, -12), **_hand("right", 32, -2, -12)}
    touching = {**_hand("left", 33, -14, -10), **_hand("right", 33, -14, -10)}
    keys = [Key(0.3, _DOWN), Key(1.0, apart)]
    for number in range(4):
        keys += [Key(1.2 + 0.4 * number, touching), Key(1.4 + 0.4 * number, apart)]
    return acted([*keys, Key(3.3, _DOWN)], duration_s=3.6, source="made up: four claps")


CAPTURES: dict[str, Callable[[], CapturedMotion]] = {
    one.__name__: one for one in (person_wave, person_squat, person_reach, person_step, person_clap)
}
"""By the name of the clip that comes with animato."""


def _hand(side: str, x: float, y: float, z: float) -> dict[str, float]:
    """Of a wrist from its shoulder [cm]."""
    return {f"{side}_x": x, f"{side}_y": y, f"{side}_z": z}


def save_captures(folder: str | Path) -> list[Path]:
    """Makes all captures and writes them as the clips that come with animato.

    Args:
        folder: Where the files go; that of the shipped clips to renew them.
    """
    return [save_capture(Path(folder) / f"{name}.bvh", make()) for name, make in CAPTURES.items()]


def save_capture(path: Path, capture: CapturedMotion) -> Path:
    """A BVH file of few bytes: `DECIMALS` behind the point, and no zeros at the end."""
    save_bvh(path, capture)
    return write_whole(path, re.sub(r"-?\d+\.\d{9}(?!\d)", _short, path.read_text(encoding="utf-8")))


def _short(found: re.Match[str]) -> str:
    text = f"{float(found.group()):.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
