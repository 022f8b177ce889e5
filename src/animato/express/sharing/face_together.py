"""One answer for the targets of several end-points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.errors import unknown_name
from animato.express.facing import solve_facing
from animato.express.gaze import facing_direction, look_at
from animato.express.problem import Problem, Target
from animato.express.sharing.body import ChainBody
from animato.express.sharing.goals import goals_of, keep_facing
from animato.express.sharing.search import searched
from animato.motion import Posture


@dataclass(frozen=True, eq=False)
class SharedFacing:
    """One answer for all end-points.

    Attributes:
        posture: Where all coordinates that move are.
        errors_rad: By which angle each end-point that has a target is off it, the most important first.
    """

    posture: Posture
    errors_rad: dict[str, float]


def find_shared_facing(problem: Problem, targets: Mapping[str, Target]) -> SharedFacing:
    """Faces with several end-points, each with what those before it leave over, and holds the posture with the rest.

    The most important end-point that has a target is solved alone, over all ways to face it. The others are sought from
    many starts among the ways in which it faces just as well.

    Args:
        problem: With chains to its end-points.
        targets: By end-point; those without ask for nothing.

    Raises:
        UnknownNameError: A target is for an end-point that is not among them.
    """
    end_points, options = problem.end_points, problem.options
    for name in targets:
        if name not in [one.name for one in end_points]:
            raise unknown_name("end-point", name, [one.name for one in end_points], "what faces")
    body, goals = ChainBody(problem), goals_of(end_points, targets, options.roll_tolerance_rad)
    asked = goals._replace(kinds=goals.kinds.copy(), numbers=goals.numbers.copy(), tolerances=goals.tolerances.copy())
    lower, upper = (np.array([one.range[side] for one in problem.limits]) for side in (0, 1))
    pull = problem.held.copy()
    leading = next((one for one in end_points if one.name in targets), None)
    if leading is not None:
        k, columns = end_points.index(leading), problem.columns(leading.name)
        own = _alone(problem.alone(leading.name), targets[leading.name])
        pull[columns] = own
        keep_facing(goals, k, leading, body.poses(pull)[k])
        lower[columns] = np.maximum(lower[columns], own - options.give_way_rad)
        upper[columns] = np.minimum(upper[columns], own + options.give_way_rad)
    found = searched(body, goals, pull, lower, upper, pull)
    errors = zip(end_points, body.errors(asked, found.positions), strict=True)
    return SharedFacing(
        Posture(problem.names, found.positions, "several end-points that face"),
        {one.name: float(error) for one, error in errors if one.name in targets},
    )


def _alone(problem: Problem, target: Target) -> np.ndarray:
    """Joints of one end-point that face a target, over all ways that are found [rad or m], [n]."""
    tolerance = problem.options.roll_tolerance_rad
    if tolerance is None:
        tolerance = math.pi if target.any_roll else 0.0
    facing, roll = problem.facing(tolerance), target.roll_rad or 0.0
    if target.point is not None:
        return look_at(facing, target.point, roll=roll).positions
    wanted = target.quaternion_wxyz
    if target.direction is not None:
        wanted = tuple(facing_direction(problem.chain.end_point, target.direction, roll=roll))
    return solve_facing(facing, wanted or ()).positions
