"""The limits of a character's degrees of freedom as arrays."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from animato.character import Character, JointType, Limits, TorqueSpeedCurve
from animato.mechanics.tree import packed_tree

MOST_LINES = 4
"""Straight pieces of a torque-speed curve that are kept."""


class AxisLimits(NamedTuple):
    """One number a degree of freedom, infinite where there is no limit.

    Attributes:
        velocity: [rad/s or m/s], [n].
        acceleration: [rad/s^2 or m/s^2], [n].
        jerk: [rad/s^3 or m/s^3], [n].
        torque: [N m or N], [n].
        damping: [N m s/rad or N s/m], [n].
        friction: [N m or N], [n].
        lines: (torque at rest, fall of it per speed) of each straight piece that bounds the torque while the motor
            drives, infinite and 0 where there is none, [n, MOST_LINES, 2].
    """

    velocity: np.ndarray
    acceleration: np.ndarray
    jerk: np.ndarray
    torque: np.ndarray
    damping: np.ndarray
    friction: np.ndarray
    lines: np.ndarray

    @property
    def speed_matters(self) -> bool:
        """Whether torques, or their limits, depend on the speed itself and not on its square alone."""
        return bool(np.any(self.damping > 0.0) or np.any(np.isfinite(self.lines[:, :, 0])))


@lru_cache(maxsize=32)
def axis_limits(character: Character) -> AxisLimits:
    """Limits of every degree of freedom, in the columns of `packed_tree(character).dof_names`.

    A joint that follows another one hands its limits to its leader through the gear. A spherical joint bounds the
    length of a vector; each of its three columns gets that bound over sqrt 3, which is on the safe side.
    """
    tree = packed_tree(character)
    n = len(tree.dof_names)
    bounds = {kind: np.full(n, np.inf) for kind in ("velocity", "acceleration", "jerk", "torque")}
    lines = np.zeros((n, MOST_LINES, 2))
    lines[:, :, 0] = np.inf
    for joint in character.free_joints:
        columns = [d for d, owner in enumerate(tree.dof_joints) if owner is not None and owner.name == joint.name]
        ball = joint.type is JointType.SPHERICAL
        for k, d in enumerate(columns):
            limits = joint.limits[0 if ball else k]
            _tighten(bounds, d, limits, math.sqrt(3.0) if ball else 1.0)
            if limits.torque is None and limits.curve is not None:
                bounds["torque"][d] = limits.curve.torques[0] / (math.sqrt(3.0) if ball else 1.0)
            if limits.curve is not None and not ball:
                _put_lines(lines[d], limits.curve)
    for joint in character.joints:
        if joint.coupling is not None and joint.coupling.ratio != 0.0:
            d = tree.dof_names.index(joint.coupling.leader)
            moves_only = Limits(
                velocity=joint.limits[0].velocity,
                acceleration=joint.limits[0].acceleration,
                jerk=joint.limits[0].jerk,
            )
            _tighten(bounds, d, moves_only, abs(joint.coupling.ratio))
    return AxisLimits(**bounds, damping=tree.damping, friction=tree.friction, lines=lines)


def _tighten(bounds: dict[str, np.ndarray], column: int, limits: Limits, divisor: float) -> None:
    for kind, values in bounds.items():
        bound = getattr(limits, kind)
        if bound is not None:
            values[column] = min(values[column], bound / divisor)


def _put_lines(lines: np.ndarray, curve: TorqueSpeedCurve) -> None:
    """Straight pieces whose lowest is nowhere above the curve, up to its last speed.

    A curve that bends downward is the lowest of its own pieces. Of any other one, the straight line from its first to
    its last point is taken, lowered until no point of the curve is below it.
    """
    speeds, torques = np.array(curve.speeds), np.array(curve.torques)
    falls = -np.diff(torques) / np.diff(speeds)
    if np.all(np.diff(falls) >= 0.0) and len(falls) <= MOST_LINES:
        lines[: len(falls), 0] = torques[:-1] + falls * speeds[:-1]
        lines[: len(falls), 1] = falls
        return
    fall = (torques[0] - torques[-1]) / (speeds[-1] - speeds[0])
    lines[0, 0], lines[0, 1] = np.min(torques + fall * speeds), fall
