"""Solves a facing problem for a target, or for many."""

from __future__ import annotations

import math
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError, OptionError
from animato.express.facing.arrays import LOW, LOWER
from animato.express.facing.budget import search_within
from animato.express.facing.errors import FacingError, FacingErrors
from animato.express.facing.facing import REACHED, Facing, FacingBatch, status_of
from animato.express.facing.kernel import Effort
from animato.express.facing.once import COMBINED, ITERATIONS, ORIENTATION, POSITIONS, POSTURE, SHAPE, face_all
from animato.express.facing.problem import FacingProblem
from animato.kernels.one_thread import one_blas_thread

Reach = Literal["global", "local"]
REACHES = ("global", "local")

DEFAULT_EFFORT = Effort()
_NO_STARTS = np.empty((0, 0))  # beside the corners
_NO_ERROR = FacingError(math.nan, math.nan, math.nan, math.nan)


def solve_facing(
    problem: FacingProblem,
    target_wxyz: ArrayLike,
    previous: np.ndarray | None = None,
    *,
    budget_s: float | None = None,
    reach: Reach = "global",
    closeness: float = 0.0,
    effort: Effort = DEFAULT_EFFORT,
) -> Facing:
    """Finds joint positions that face a target and hold the posture. Never raises for what the numbers are.

    The default method looks at the whole space of solutions, so its answer does not depend on where the chain was. It
    faces the target exactly wherever it can and minimizes the problem's error among those solutions; where it cannot,
    it minimizes the combined error. Without a budget the same arguments always give the same answer.

    Args:
        problem: From `build_facing_problem`.
        target_wxyz: Orientation asked of the end-point, in the world, [4]; of any length but zero.
        previous: Positions before this [rad or m], [n]. They are one of the starts, decide between angles that differ
            by whole turns, and are the answer where the target is no rotation.
        budget_s: Time after which the best answer so far is given [s]; None for no bound.
        reach: "global", or "local" to go from `previous` (the posture where not given) to the solution next to it.
        closeness: Weight of half the squared distance from `previous` [1/rad^2], added to what is minimized.
        effort: How much the default method does.

    Raises:
        OptionError: An option is not one of those allowed.
        MotionError: An array has the wrong length.
    """
    begin = perf_counter()
    try:
        sound = reach in REACHES and 0.0 <= closeness < math.inf
        sound = sound and (effort is DEFAULT_EFFORT or min(effort[:2]) >= 1)
        sound = sound and (budget_s is None or budget_s > -math.inf)
    except TypeError:
        sound = False
    if not sound:
        raise _bad_option(reach, closeness, effort, budget_s)
    target = checked_target(target_wxyz)[None]
    before = None if previous is None else checked_previous(problem, previous)
    near = problem.psi if before is None else _turning(problem, before)
    globally = reach == "global"
    bounds = LOW if globally else LOWER
    starts = _NO_STARTS if globally and before is None and budget_s is None else near[None]
    if budget_s is None:
        answer, complete = np.empty((1, POSITIONS + len(problem.posture))), True
        face_all(problem.packed, *effort, globally, starts, near, closeness, bounds, target, answer)
    else:
        request = (starts, near, closeness, bounds)
        answer, complete = search_within(problem, request, effort, target, begin + budget_s, corners=globally)
    row = answer[0]
    combined, orientation, posture, shape, iterations, *_ = row.tolist()
    if math.isnan(orientation):
        return held(problem, before, begin)
    status = status_of(orientation, complete=complete)
    error = FacingError(combined, orientation, posture, shape)
    seconds = perf_counter() - begin
    return Facing(row[POSITIONS:], error, orientation < REACHED, complete, status, seconds, int(iterations))


@one_blas_thread
def solve_facings(
    problem: FacingProblem,
    targets_wxyz: ArrayLike,
    *,
    effort: Effort = DEFAULT_EFFORT,
) -> FacingBatch:
    """Solves for many targets, each on its own, in one compiled call.

    Args:
        problem: From `build_facing_problem`.
        targets_wxyz: Orientations asked of the end-point, in the world, [m, 4]. Where one is no rotation, the answer is
            the posture and its errors are no numbers.
        effort: How much the default method does.

    Raises:
        MotionError: The array has the wrong shape.
    """
    targets = checked_targets(targets_wxyz)
    answers = np.empty((len(targets), POSITIONS + len(problem.posture)))
    face_all(problem.packed, *effort, True, _NO_STARTS, problem.psi, 0.0, LOW, targets, answers)
    return _batch(answers[:, POSITIONS:].copy(), answers)


def batch_of(problem: FacingProblem, angles: np.ndarray, found: np.ndarray) -> FacingBatch:
    """Answers of a compiled solver: turning angles [m, turning] and what it found [m, 5]."""
    positions = np.tile(problem.posture, (len(angles), 1))
    positions[:, problem.turns.columns] = angles[:, : len(problem.turns.columns)]
    return _batch(positions, found)


def _batch(positions: np.ndarray, found: np.ndarray) -> FacingBatch:
    errors = FacingErrors(found[:, COMBINED], found[:, ORIENTATION], found[:, POSTURE], found[:, SHAPE])
    return FacingBatch(positions, errors, found[:, ITERATIONS].astype(np.int64))


def checked_target(target_wxyz: ArrayLike) -> np.ndarray:
    """A target as an array [4]; raises a MotionError where it is none."""
    target = numbers(target_wxyz, "A target")
    if target.shape != (4,):
        raise MotionError(f"A target is a quaternion wxyz of 4 numbers; given an array of shape {target.shape}.")
    return target


def checked_targets(targets_wxyz: ArrayLike) -> np.ndarray:
    """Targets as an array [m, 4]; raises a MotionError where they are none."""
    targets = numbers(targets_wxyz, "Targets")
    if targets.ndim != 2 or targets.shape[1] != 4:
        raise MotionError(f"Targets are quaternions wxyz, [m, 4]; given an array of shape {targets.shape}.")
    return targets


def numbers(values: ArrayLike, what: str) -> np.ndarray:
    """An own array of what was given; raises a MotionError where it is no numbers."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise MotionError(f"{what} must be numbers, not {values!r:.60}.") from None


def _bad_option(reach: str, closeness: float, effort: Effort, budget_s: float | None) -> OptionError:
    if reach not in REACHES:
        return OptionError(f"`reach` must be 'global' or 'local', not {reach!r}.")
    if min(effort[:2]) < 1:
        return OptionError(f"`effort` must keep at least one start of each kind, not {effort.faced}, {effort.missed}.")
    if budget_s is not None and not (isinstance(budget_s, int | float) and budget_s > -math.inf):
        return OptionError(f"`budget_s` must be a number of seconds or None, not {budget_s!r}.")
    return OptionError(f"`closeness` must be a number 0 or more, not {closeness!r}.")


def checked_previous(problem: FacingProblem, previous: ArrayLike) -> np.ndarray | None:
    """Previous positions inside the limits, or None where they are no numbers."""
    values = previous if isinstance(previous, np.ndarray) else numbers(previous, "Previous positions")
    if values.shape != problem.posture.shape:
        raise MotionError(f"Previous positions must be of shape {problem.posture.shape}; given {values.shape}.")
    if not np.isfinite(values).all():
        return None
    arrays = problem.chain.arrays
    return np.minimum(np.maximum(values, arrays.lower), arrays.upper)


def _turning(problem: FacingProblem, positions: np.ndarray) -> np.ndarray:
    """Angles of the turning joints, [m]; the roll joint starts at 0."""
    angles = np.zeros(len(problem.psi))
    angles[: len(problem.turns.columns)] = positions[problem.turns.columns]
    return angles


def held(problem: FacingProblem, before: np.ndarray | None, begin: float) -> Facing:
    """The answer to a target that is none: the last good one."""
    positions = problem.posture.copy() if before is None else before
    kept = "the posture" if before is None else "the previous answer"
    status = f"The target is no rotation (not a number, or of zero length); {kept} is kept."
    return Facing(positions, _NO_ERROR, False, False, status, perf_counter() - begin, 0)
