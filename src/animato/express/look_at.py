"""One answer for one point: joints that look at it and hold a posture."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.express.facing_problem import FacingProblem
from animato.express.facing_solver import Reach, solve_facing
from animato.express.gaze import Gaze, solve_gaze

_THERE = 1e-7  # [rad] by which the line of sight may miss the point
_GLOBAL_SOLVES = 15  # a search over all solutions may go to and fro between two; the local one then ends it


def look_at(problem: FacingProblem, point: ArrayLike, start: ArrayLike | None = None, *, roll: float = 0.0) -> Gaze:
    """Joints that look at a point from where the eye then is.

    The first part looks at all solutions for each direction. Where it has not come to rest on one, a second part goes
    on from the best of them in small steps.

    Args:
        problem: The posture to hold; best with free roll.
        point: In the world [m], [3].
        start: Joint positions to begin with [rad or m], [n]; the posture where not given.
        roll: Turn about the line of sight from upright [rad]; means nothing where the roll is free.

    Raises:
        MotionError: The point is not 3 finite numbers.
    """
    best = _settled(problem, point, problem.posture if start is None else start, "global", _GLOBAL_SOLVES, roll)
    if best.miss_rad < _THERE:
        return best
    polished = _settled(problem, point, best.positions, "local", 3 * _GLOBAL_SOLVES, roll)
    return polished if polished.miss_rad < best.miss_rad else best


def _settled(
    problem: FacingProblem, point: ArrayLike, start: ArrayLike, reach: Reach, solves: int, roll: float
) -> Gaze:
    last = np.array(start, dtype=np.float64)

    def solve(target_wxyz: np.ndarray) -> np.ndarray:
        last[:] = solve_facing(problem, target_wxyz, last, reach=reach).positions
        return last

    return solve_gaze(problem.chain, point, solve, start, roll=roll, max_solves=solves)
