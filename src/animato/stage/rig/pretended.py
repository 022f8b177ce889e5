"""Servos that are not there: for dry runs of characters to whom nobody has given a servo map yet."""

from __future__ import annotations

import math
from dataclasses import replace

from animato.character import COUNTS_PER_TURN, Bus, BusKind, Character, JointType, Wire

_MOST_IDS = 250
_SPAN = 0.9  # of a turn, that a joint's range takes up where it would not fit into a turn


def with_pretended_servos(character: Character) -> Character:
    """The character with an ideal servo for every coordinate that a motor drives and a servo could turn.

    The middle of each joint's range is the middle of its servo's; where the range is more than a turn, or slides, it is
    geared so that it fits.
    """
    buses, wires = [], []
    axes = [
        (name, joint.limits[number])
        for joint in character.free_joints
        if joint.type is not JointType.SPHERICAL
        for number, name in enumerate(joint.coordinate_names)
        if name in character.actuated_coordinate_names
    ]
    for number, (name, limits) in enumerate(axes):
        bus = f"pretended{number // _MOST_IDS + 1}"
        if number % _MOST_IDS == 0:
            buses.append(Bus(bus, BusKind.DYNAMIXEL))
        lower = -math.pi if limits.lower is None else limits.lower
        upper = lower + 2.0 * math.pi if limits.upper is None else limits.upper
        lower = upper - 2.0 * math.pi if limits.lower is None else lower
        gear = min(1.0, _SPAN * 2.0 * math.pi / (upper - lower)) if upper > lower else 1.0
        per_unit = gear * COUNTS_PER_TURN / (2.0 * math.pi)
        middle = 0.5 * (COUNTS_PER_TURN - 1) - per_unit * 0.5 * (lower + upper)
        wires.append(Wire(name, bus, number % _MOST_IDS + 1, zero=middle, gear=gear))
    return replace(character, buses=tuple(buses), wires=tuple(wires))
