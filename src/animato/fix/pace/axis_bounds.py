"""The limits of motion and torque of a character's degrees of freedom, as arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from animato.character import Character, JointType, Limits, TorqueSpeedCurve
from animato.mechanics.tree import packed_tree

_MOST_LINES = 4  # straight pieces of a torque-speed curve that are kept


class BallBounds(NamedTuple):
    """Limits of the length of a spherical joint's three columns, infinite where there is none."""

    dof: int
    velocity: float
    acceleration: float
    jerk: float
    torque: float


class AxisBounds(NamedTuple):
    """One number a degree of freedom, infinite where there is no limit and for spherical joints.

    Attributes:
        velocity: [rad/s or m/s], [dof].
        acceleration: [rad/s^2 or m/s^2], [dof].
        jerk: [rad/s^3 or m/s^3], [dof].
        torque: At rest [N m or N], [dof].
        lines: (torque at rest, its fall per speed) of straight pieces that bound the torque while the motor drives,
            infinite and 0 where there are none, [dof, line, 2].
        balls: Those of spherical joints.
    """

    velocity: np.ndarray
    acceleration: np.ndarray
    jerk: np.ndarray
    torque: np.ndarray
    lines: np.ndarray
    balls: tuple[BallBounds, ...]

    @property
    def any_torque(self) -> bool:
        """Whether a motor has a limit of torque."""
        return bool(np.any(np.isfinite(self.torque))) or any(np.isfinite(ball.torque) for ball in self.balls)


@lru_cache(maxsize=32)
def axis_bounds(character: Character) -> AxisBounds:
    """Limits in the columns of `packed_tree(character).dof_names`; a joint that follows hands its own to its leader."""
    tree = packed_tree(character)
    count = len(tree.dof_names)
    kinds = {kind: np.full(count, np.inf) for kind in ("velocity", "acceleration", "jerk", "torque")}
    lines = np.zeros((count, _MOST_LINES, 2))
    lines[:, :, 0] = np.inf
    balls = []
    for joint in character.free_joints:
        columns = [d for d, owner in enumerate(tree.dof_joints) if owner is not None and owner.name == joint.name]
        if joint.type is JointType.SPHERICAL:
            own = joint.limits[0]
            stated = (own.velocity, own.acceleration, own.jerk, stall_torque(own))
            balls.append(BallBounds(columns[0], *(np.inf if one is None else one for one in stated)))
            continue
        for d, own in zip(columns, joint.limits, strict=True):
            _tighten(kinds, d, own, 1.0)
            stall = stall_torque(own)
            kinds["torque"][d] = np.inf if stall is None else stall
            if own.curve is not None:
                _put_lines(lines[d], own.curve)
    for joint in character.joints:
        if joint.coupling is not None and joint.coupling.ratio != 0.0:
            _tighten(kinds, tree.dof_names.index(joint.coupling.leader), joint.limits[0], abs(joint.coupling.ratio))
    return AxisBounds(**kinds, lines=lines, balls=tuple(balls))


def stall_torque(limits: Limits) -> float | None:
    """What the motor gives at rest [N m or N], None where it has no limit."""
    if limits.torque is not None:
        return limits.torque
    return float(limits.curve.torques[0]) if limits.curve is not None else None


def _tighten(kinds: dict[str, np.ndarray], dof: int, limits: Limits, ratio: float) -> None:
    for kind in ("velocity", "acceleration", "jerk"):
        bound = getattr(limits, kind)
        if bound is not None:
            kinds[kind][dof] = min(kinds[kind][dof], bound / ratio)


def _put_lines(lines: np.ndarray, curve: TorqueSpeedCurve) -> None:
    """Straight pieces whose lowest is nowhere above the curve; of one that does not bend downward, a single line."""
    speeds, torques = np.array(curve.speeds), np.array(curve.torques)
    falls = -np.diff(torques) / np.diff(speeds)
    if np.all(np.diff(falls) >= 0.0) and len(falls) <= _MOST_LINES:
        lines[: len(falls), 0] = torques[:-1] + falls * speeds[:-1]
        lines[: len(falls), 1] = falls
        return
    fall = (torques[0] - torques[-1]) / (speeds[-1] - speeds[0])
    lines[0, 0], lines[0, 1] = np.min(torques + fall * speeds), fall
