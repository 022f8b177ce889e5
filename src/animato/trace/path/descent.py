"""Newton's method on the control points of a path, within their bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.banded import band_form
from animato.mechanics.tree import point_bends_kernel, point_jacobians_kernel
from animato.spatial.basis import ORDER, combine_rows
from animato.trace.path.assembly import assemble_path, box_step, path_cost
from animato.trace.path.problem import PathProblem

ITERATIONS = 100
TOLERANCE = 2e-4
LONGEST_STEP = 1.0
"""[rad or m] of a control point; farther away the kinematics is not what the step was made for."""


@dataclass(frozen=True, eq=False)
class Descent:
    """How a fit went.

    Attributes:
        control_points: The best, within their bounds, [c, n].
        residuals: Of all targets at all places, [m, 3 t].
        deviation: f_g and what directions add to it [m^2].
        cost: f_g + alpha f_c + pull f_r of each iterate, falling.
        converged: Whether it ended because nothing more was to be gained.
    """

    control_points: np.ndarray
    residuals: np.ndarray
    deviation: float
    cost: tuple[float, ...]
    converged: bool


@dataclass(frozen=True, eq=False)
class PathIterate:
    """Control points and what follows from them.

    Attributes:
        control_points: [c, n].
        q: The path at the problem's places, [m, n].
        residuals: f - x of all targets there, [m, 3 t].
        J: df/dq there, [m, 3 t n].
        deviation: f_g and what directions add to it [m^2].
        cost: The objective [m^2].
    """

    control_points: np.ndarray
    q: np.ndarray
    residuals: np.ndarray
    J: np.ndarray
    deviation: float
    cost: float


def descend(
    problem: PathProblem,
    control_points: np.ndarray,
    rest: np.ndarray,
    *,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Descent:
    """Minimizes equation 5 from given control points.

    Each step solves the banded Newton system within the bounds, with Levenberg's damping. Second derivatives of the
    kinematics are used where Gauss and Newton's approximation foretells the gain badly, as where the sketch is out of
    reach, and where the system with them is positive definite.

    Args:
        problem: The problem.
        control_points: Start, [c, n]; brought into the bounds.
        rest: Posture of the pull, [n].
        iterations: At most.
        tolerance: Relative gain at which to stop.
    """
    now = evaluated(problem, np.clip(control_points, problem.lower, problem.upper), rest)
    lower, upper = (np.ascontiguousarray(bound).reshape(-1) for bound in (problem.lower, problem.upper))
    band, gradient = assembled(problem, now, rest, exact=False)
    factor, step = np.empty_like(band), np.empty_like(gradient)
    history, damping, growth, converged = [now.cost], 1e-7, 4.0, False
    fresh, exact = False, False
    for _ in range(iterations):
        if damping > 1e6:
            break
        if fresh:
            band, gradient = assembled(problem, now, rest, exact=exact)
        x = now.control_points.reshape(-1)
        if not box_step(band, damping * float(np.mean(band[:, -1])), gradient, x, lower, upper, factor, step):
            damping, fresh = max(5.0 * damping, 1e-6), False  # until the matrix is positive definite
            continue
        moved = step[:, 0] * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-300))
        trial = np.clip(x + moved, lower, upper)
        expected = -2.0 * float(moved @ gradient[:, 0]) - band_form(band, moved)
        then = evaluated(problem, trial.reshape(now.control_points.shape), rest)
        gain = now.cost - then.cost
        good = gain > 1e-3 * expected > 0.0
        # where the model is far from the truth the second derivatives of the kinematics are missing
        wrong = not 0.25 * expected < gain < 2.0 * expected
        if good:
            small = gain <= tolerance * now.cost and damping < 0.1  # a strongly damped step is short for that reason
            now, fresh, exact = then, True, exact or wrong
            history.append(now.cost)
            trust = 1.0 - (2.0 * gain / expected - 1.0) ** 3  # Nielsen's rule
            damping, growth = max(1e-9, damping * max(0.1, trust)), 4.0
            if small:
                converged = True
                break
            continue
        if 0.0 <= expected <= 0.1 * tolerance * now.cost:
            converged = True
            break
        fresh = wrong and not exact
        exact = exact or fresh
        damping, growth = max(growth * damping, 1e-3 if fresh else 1e-7), 2.0 * growth
    return Descent(now.control_points, now.residuals, now.deviation, tuple(history), converged)


def evaluated(problem: PathProblem, control_points: np.ndarray, rest: np.ndarray) -> PathIterate:
    """Objective and derivatives of the kinematics for control points [c, n] and a posture of the pull [n]."""
    kinematics = problem.kinematics
    m, n, rows = len(problem.places), control_points.shape[1], len(problem.weight)
    q, residuals, J, parts = np.empty((m, n)), np.empty((m, rows)), np.empty((m, rows * n)), np.empty(2)
    combine_rows(problem.first, problem.values, control_points, q)
    point_jacobians_kernel(kinematics.tree.arrays, kinematics.chains, q, residuals, J)
    residuals -= problem.targets
    path_cost(residuals, problem.share, problem.weight, problem.gram, control_points - rest, parts)
    return PathIterate(control_points, q, residuals, J, float(parts[0]), float(parts.sum()))


def assembled(
    problem: PathProblem, now: PathIterate, rest: np.ndarray, *, exact: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Half the Hessian as a band [c n, 4 n], and half the gradient [c n, 1], of the cost.

    Args:
        problem: The problem.
        now: Where.
        rest: Posture of the pull, [n].
        exact: With second derivatives of the kinematics; Gauss and Newton's approximation otherwise.
    """
    n, size = now.q.shape[1], now.control_points.size
    bends = np.empty((len(now.q), n * n if exact else 0))
    if exact:
        kinematics = problem.kinematics
        point_bends_kernel(kinematics.tree.arrays, kinematics.chains, now.q, now.residuals * problem.weight, bends)
    band, gradient = np.empty((size, ORDER * n)), np.empty((size, 1))
    assemble_path(
        problem.first,
        problem.values,
        problem.share,
        problem.weight,
        now.residuals,
        now.J,
        bends,
        problem.gram,
        now.control_points - rest,
        band,
        gradient,
    )
    return band, gradient
