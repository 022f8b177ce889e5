"""What each end-point is to face, for kernels; and what keeps one facing just as it does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from animato.character import EndPoint
from animato.express.gaze import DIRECTION, ORIENTATION, POINT, facing_direction
from animato.express.problem import Target
from animato.spatial import quaternions


class Goals(NamedTuple):
    """Of all end-points, the most important first.

    Attributes:
        active: Whether it has one, [K].
        kinds: ORIENTATION, DIRECTION or POINT, [K].
        numbers: A quaternion wxyz, or a direction or point [m] and 0; then the roll from upright [rad], [K, 5].
        tolerances: Turn about the facing axis that costs nothing [rad], [K].
    """

    active: np.ndarray
    kinds: np.ndarray
    numbers: np.ndarray
    tolerances: np.ndarray


def goals_of(end_points: Sequence[EndPoint], targets: Mapping[str, Target], tolerance_rad: float | None) -> Goals:
    """The goals that targets are.

    Args:
        end_points: The most important first.
        targets: By end-point; those without have none.
        tolerance_rad: Turn about the facing axis that costs nothing; where not given, any for targets without a roll
            and none for others.
    """
    count = len(end_points)
    active, kinds = np.zeros(count, np.bool_), np.zeros(count, np.int64)
    numbers, tolerances = np.zeros((count, 5)), np.zeros(count)
    for k, end_point in enumerate(end_points):
        target = targets.get(end_point.name)
        if target is None:
            continue
        active[k] = True
        tolerances[k] = (math.pi if target.any_roll else 0.0) if tolerance_rad is None else tolerance_rad
        if target.quaternion_wxyz is not None:
            kinds[k], numbers[k, :4] = ORIENTATION, target.quaternion_wxyz
        elif target.direction is not None:
            kinds[k], numbers[k, :3] = DIRECTION, target.direction
        elif target.point is not None:
            kinds[k], numbers[k, :3] = POINT, target.point
        numbers[k, 4] = target.roll_rad or 0.0
    return Goals(active, kinds, numbers, tolerances)


def keep_facing(goals: Goals, k: int, end_point: EndPoint, pose: np.ndarray) -> None:
    """Makes the goal of an end-point what it faces already from a pose, however far that is from its target.

    Whoever then moves its joints changes nothing of how well it faces: its orientation stays, or where any roll will do
    its direction, or the point at the target's distance that its line of sight goes through.

    Args:
        goals: Row k is written.
        k: Which one.
        end_point: The same.
        pose: Orientation wxyz and position [m], [7].
    """
    forward = np.asarray(end_point.forward) / np.linalg.norm(end_point.forward)
    looking = quaternions.rotate(pose[:4], forward)
    free = goals.tolerances[k] >= math.pi
    if goals.kinds[k] == POINT:
        away = float(np.linalg.norm(goals.numbers[k, :3] - pose[4:]))
        goals.numbers[k, :3] = pose[4:] + away * looking
        if not free:
            level = facing_direction(end_point, looking)
            turned = quaternions.multiply(quaternions.conjugate(level), pose[:4])
            goals.numbers[k, 4], goals.tolerances[k] = 2.0 * math.atan2(float(turned[1:] @ forward), turned[0]), 0.0
    elif goals.kinds[k] == DIRECTION and free:
        goals.numbers[k, :3] = looking
    else:
        goals.kinds[k], goals.tolerances[k] = ORIENTATION, 0.0
        goals.numbers[k, :4] = pose[:4]
