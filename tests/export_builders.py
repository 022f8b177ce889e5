"""Characters and clips for tests of exports."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Bus, BusKind, Character, Wire
from animato.formats import load_character
from animato.motion import Clip


def lamp_with_servos(kind: BusKind = BusKind.MAESTRO) -> Character:
    """The lamp, each of its five servos with a zero off the middle, two of them reversed."""
    lamp = load_character("lamp")
    zeros = {"turn": 1500.0, "shoulder": 1440.25, "elbow": 2083.25, "nod": 1530.5, "tilt": 1503.5}
    if kind in (BusKind.DYNAMIXEL, BusKind.FEETECH):
        zeros = dict.fromkeys(zeros, 2048.0)
    wires = [
        Wire(name, "arm", 2 + number, zero=zero, sign=-1 if name in ("elbow", "tilt") else 1)
        for number, (name, zero) in enumerate(zeros.items())
    ]
    return replace(lamp, buses=(Bus("arm", kind),), wires=tuple(wires))


def swing(character: Character, *, rate_hz: float = 100.0, seconds: float = 2.0, rests: bool = True) -> Clip:
    """Every coordinate swings by its own rhythm, inside the lamp's limits; from rest to rest unless told otherwise."""
    times = np.arange(round(seconds * rate_hz) + 1) / rate_hz
    share = times / times[-1]
    envelope = (share * (1.0 - share) * 4.0) ** 4 if rests else np.ones(len(times))
    numbers = range(len(character.coordinate_names))
    waves = [0.35 * envelope * np.sin((1.3 + 0.4 * n) * times + 0.7 * n) for n in numbers]
    return Clip(times, character.coordinate_names, np.column_stack(waves), source="swing")


def floating(clip: Clip) -> Clip:
    """The clip with a base that moves and turns."""
    t = clip.times
    turn = 0.4 * np.sin(t)
    quaternions = np.column_stack([np.cos(turn / 2), np.zeros(len(t)), np.zeros(len(t)), np.sin(turn / 2)])
    places = np.column_stack([0.3 * t, 0.1 * np.sin(2 * t), 0.5 + 0.02 * np.cos(t)])
    return Clip(t, clip.names, clip.positions, places, quaternions, clip.source)
