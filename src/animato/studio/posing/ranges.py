"""How far each coordinate may go."""

from __future__ import annotations

import math

import numpy as np

from animato.character import Character, Joint, JointType


def ranges_of(character: Character) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper limits of all coordinates [rad or m], infinite where there are none, each [coordinate].

    Joints that a gear drives count for the joint that leads them. The parts of quaternions have none: how far a
    spherical joint turns is in `ball_limits`.
    """
    names = character.coordinate_names
    lower, upper = np.full(len(names), -math.inf), np.full(len(names), math.inf)
    for joint in character.joints:
        if joint.is_free_coordinate and joint.type is not JointType.SPHERICAL:
            for name, limits in zip(joint.coordinate_names, joint.limits, strict=True):
                at = names.index(name)
                lower[at], upper[at] = max(lower[at], limits.range[0]), min(upper[at], limits.range[1])
        elif joint.coupling is not None and joint.coupling.leader in names and joint.coupling.ratio != 0.0:
            at = names.index(joint.coupling.leader)
            ends = sorted((end - joint.coupling.offset) / joint.coupling.ratio for end in joint.limits[0].range)
            lower[at], upper[at] = max(lower[at], ends[0]), min(upper[at], ends[1])
    return lower, np.maximum(lower, upper)


def ball_limits(character: Character) -> dict[int, float]:
    """How far each spherical joint may turn [rad], by the column of its first coordinate; those without are not in."""
    names = character.coordinate_names
    balls = (joint for joint in character.free_joints if joint.type is JointType.SPHERICAL)
    return {names.index(one.coordinate_names[0]): _turn(one) for one in balls if _turn(one) < math.pi}


def _turn(joint: Joint) -> float:
    return joint.limits[0].range[1]
