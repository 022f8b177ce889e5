"""One answer for one point: joints that look at it and hold a posture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from animato.express.facing import FacingProblem, Reach, solve_facing
from animato.express.gaze.gaze_objective import Gaze, gaze_steps, miss_of_point, tip_pose
from animato.express.gaze.sight import build_sight
from animato.express.gaze.sight_correction import sighted

_THERE = 1e-7  # [rad] by which the line of sight may miss the point
_GLOBAL_SOLVES = 15  # a search over all solutions may go to and fro between two; the local one then ends it
_STEPS = 60  # of Newton's method, where neither has come to rest
_STARTS = 16  # of those: where the others have got to, and some far from the posture
_GOLDEN = 0.6180339887498949


def look_at(problem: FacingProblem, point: ArrayLike, start: ArrayLike | None = None, *, roll: float = 0.0) -> Gaze:
    """Joints that look at a point from where the eye then is.

    The first part looks at all solutions for each direction. Where it has not come to rest on one, a second part goes
    on from the best of them in small steps; a third brings the line of sight alone to the point, from several starts.

    Args:
        problem: The posture to hold; best with free roll.
        point: In the world [m], [3].
        start: Joint positions to begin with [rad or m], [n]; the posture where not given.
        roll: Turn about the line of sight from upright [rad]; means nothing where the roll is free.

    Raises:
        MotionError: The point is not 3 finite numbers.
    """
    *_, last = look_at_steps(problem, point, start, roll=roll)
    return last


def look_at_steps(
    problem: FacingProblem, point: ArrayLike, start: ArrayLike | None = None, *, roll: float = 0.0
) -> Iterator[Gaze]:
    """The same one solve at a time, for whoever has other things to do: the best answer so far after each of them."""
    best: Gaze | None = None
    reaches: tuple[tuple[Reach, int], ...] = (("global", _GLOBAL_SOLVES), ("local", 3 * _GLOBAL_SOLVES))
    for reach, solves in reaches:
        begin = best.positions if best is not None else problem.posture if start is None else start
        for gaze in _settling(problem, point, begin, reach, solves, roll):
            best = gaze if best is None or best.solves == 0 or gaze.miss_rad < best.miss_rad else best
            yield best
        if best is not None and best.miss_rad < _THERE:
            return
    for n in range(_STARTS):
        if best is not None:
            begin = best.positions if n == 0 else _spread(problem, n)
            other = _sighted(problem, begin, np.asarray(point, dtype=np.float64), roll, best.solves)
            best = other if _nearer(problem, other, best) else best
            yield best


def _settling(
    problem: FacingProblem, point: ArrayLike, start: ArrayLike, reach: Reach, solves: int, roll: float
) -> Iterator[Gaze]:
    last = np.array(start, dtype=np.float64)

    def solve(target_wxyz: np.ndarray) -> np.ndarray:
        last[:] = solve_facing(problem, target_wxyz, last, reach=reach).positions
        return last

    return gaze_steps(problem.chain, point, solve, start, roll=roll, max_solves=solves)


def _sighted(problem: FacingProblem, start: np.ndarray, point: np.ndarray, roll: float, solves: int) -> Gaze:
    """The nearest joints to a start whose line of sight goes through the point."""
    chain, positions = problem.chain, np.empty(len(problem.posture))
    goal = np.array([*point, 0.0, roll])
    sighted(build_sight(chain), goal, problem.roll_tolerance > 0.0, _STEPS, start, positions)
    tip, eye = tip_pose(chain, positions)
    return Gaze(positions, tip, eye, miss_of_point(chain, positions, point), solves, False)


def _spread(problem: FacingProblem, n: int) -> np.ndarray:
    """The n-th start, farther and farther from the posture, by multiples of the golden ratio."""
    arrays, posture = problem.chain.arrays, problem.posture
    lower, upper = np.maximum(arrays.lower, posture - np.pi), np.minimum(arrays.upper, posture + np.pi)
    share = (0.5 + _GOLDEN * n * np.arange(1.0, len(posture) + 1.0)) % 1.0
    return posture + n / _STARTS * (lower + share * (upper - lower) - posture)


def _nearer(problem: FacingProblem, one: Gaze, other: Gaze) -> bool:
    """Whether an answer is better: it meets the point where the other does not, or is nearer to the posture."""
    if max(one.miss_rad, other.miss_rad) < _THERE:
        return bool(np.linalg.norm(one.positions - problem.posture) < np.linalg.norm(other.positions - problem.posture))
    return one.miss_rad < other.miss_rad
