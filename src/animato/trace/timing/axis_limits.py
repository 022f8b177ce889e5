"""The limits of a character's degrees of freedom as arrays."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from animato.character import Character, JointType, Limits, TorqueSpeedCurve
from animato.errors import unknown_name
from animato.mechanics.tree import packed_tree
from animato.trace.options import Bound, parsed_bounds

KINDS_BY_DIRECTION = ("velocity", "acceleration")
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
        up, down: Velocity and acceleration by direction, both positive, [2, n]. `velocity`, `acceleration` and `torque`
            are the smaller of both.
        lines: (torque at rest, fall of it per speed) of each straight piece that bounds the torque while the motor
            drives, infinite and 0 where there is none, [n, MOST_LINES, 2].
    """

    velocity: np.ndarray
    acceleration: np.ndarray
    jerk: np.ndarray
    torque: np.ndarray
    damping: np.ndarray
    friction: np.ndarray
    up: np.ndarray
    down: np.ndarray
    lines: np.ndarray

    @property
    def speed_matters(self) -> bool:
        """Whether torques, or their limits, depend on the speed itself and not on its square alone."""
        return bool(np.any(self.damping > 0.0) or np.any(np.isfinite(self.lines[:, :, 0])))


@lru_cache(maxsize=32)
def axis_limits(character: Character, bounds: tuple[str, ...] = ()) -> AxisLimits:
    """Limits of every degree of freedom, in the columns of `packed_tree(character).dof_names`.

    A joint that follows another one hands its limits to its leader through the gear. A spherical joint bounds the
    length of a vector; each of its three columns gets that bound over sqrt 3, which is on the safe side.

    Args:
        character: Whose limits.
        bounds: Further ones by direction, as in `Options.bounds`.

    Raises:
        UnknownNameError: A bound of a joint that the character does not have, or that does not move by itself.
    """
    tree = packed_tree(character)
    n = len(tree.dof_names)
    limits = {kind: np.full(n, np.inf) for kind in ("velocity", "acceleration", "jerk", "torque")}
    lines = np.zeros((n, MOST_LINES, 2))
    lines[:, :, 0] = np.inf
    for joint in character.free_joints:
        columns = [d for d, owner in enumerate(tree.dof_joints) if owner is not None and owner.name == joint.name]
        ball = joint.type is JointType.SPHERICAL
        for k, d in enumerate(columns):
            own = joint.limits[0 if ball else k]
            _tighten(limits, d, own, math.sqrt(3.0) if ball else 1.0)
            if own.torque is None and own.curve is not None:
                limits["torque"][d] = own.curve.torques[0] / (math.sqrt(3.0) if ball else 1.0)
            if own.curve is not None and not ball:
                _put_lines(lines[d], own.curve)
    for joint in character.joints:
        if joint.coupling is not None and joint.coupling.ratio != 0.0:
            d = tree.dof_names.index(joint.coupling.leader)
            moves_only = Limits(
                velocity=joint.limits[0].velocity,
                acceleration=joint.limits[0].acceleration,
                jerk=joint.limits[0].jerk,
            )
            _tighten(limits, d, moves_only, abs(joint.coupling.ratio))
    up = np.stack([limits["velocity"], limits["acceleration"]])
    down = up.copy()
    for bound in parsed_bounds(bounds):
        d = column_of(character, bound)
        if bound.kind in KINDS_BY_DIRECTION:
            row = KINDS_BY_DIRECTION.index(bound.kind)
            up[row, d], down[row, d] = min(up[row, d], bound.upper), min(down[row, d], -bound.lower)
            limits[bound.kind][d] = min(up[row, d], down[row, d])
        else:
            limits["torque"][d] = min(limits["torque"][d], bound.upper, -bound.lower)
    return AxisLimits(**limits, damping=tree.damping, friction=tree.friction, up=up, down=down, lines=lines)


def column_of(character: Character, bound: Bound) -> int:
    """The degree of freedom that a bound is about."""
    names = packed_tree(character).dof_names
    if bound.joint not in names:
        raise unknown_name("joint", bound.joint, names, character.name)
    return names.index(bound.joint)


def torque_bounds(character: Character, bounds: tuple[str, ...], q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Largest torques upward and downward in poses, both positive [N m or N], [m, n] each.

    Args:
        character: Whose own limits hold, too.
        bounds: As in `Options.bounds`. Those with a position are straight in between, and constant beyond the last.
        q: Coordinates, [m, coordinate].
    """
    own = axis_limits(character).torque
    most, least = np.tile(own, (len(q), 1)), np.tile(own, (len(q), 1))
    tables: dict[str, list[Bound]] = {}
    for bound in parsed_bounds(bounds):
        if bound.kind != "torque":
            continue
        if bound.at is not None:
            tables.setdefault(bound.joint, []).append(bound)
            continue
        d = column_of(character, bound)
        most[:, d], least[:, d] = np.minimum(most[:, d], bound.upper), np.minimum(least[:, d], -bound.lower)
    for joint, table in tables.items():
        table.sort(key=lambda bound: bound.at or 0.0)
        d = column_of(character, table[0])
        position = q[:, packed_tree(character).coordinate_names.index(joint)]
        places = [bound.at or 0.0 for bound in table]
        most[:, d] = np.minimum(most[:, d], np.interp(position, places, [bound.upper for bound in table]))
        least[:, d] = np.minimum(least[:, d], np.interp(position, places, [-bound.lower for bound in table]))
    return most, least


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
