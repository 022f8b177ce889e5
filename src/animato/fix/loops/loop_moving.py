"""What may change in a character with closed loops: its motors."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from animato.character import Character, JointType
from animato.fix.shape import Moving, linear_bounds


def loop_moving_of(character: Character, motors: tuple[str, ...], names: Iterable[str]) -> Moving:
    """All motors among some names; passive joints follow them.

    Args:
        character: Whose motors.
        motors: Names of all of them, in the order of the linkage.
        names: Of what the clip moves.
    """
    wanted = set(names)
    found = [
        (name, limits)
        for joint in character.joints
        if joint.type is not JointType.SPHERICAL
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True)
        if name in wanted and name in motors
    ]
    columns = np.array([motors.index(name) for name, _ in found], dtype=np.int64)
    lower, upper = linear_bounds(character, found)
    return Moving(
        tuple(name for name, _ in found), columns, columns, lower, upper, tuple(limits for _, limits in found)
    )
