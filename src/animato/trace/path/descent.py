"""The control points of a path by damped least squares, within their bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.algebra.banded import BandedMatrix
from animato.mechanics.tree import point_hessians_kernel, point_jacobians_kernel
from animato.outcome import Outcome
from animato.solvers import LeastSquaresOptions, solve_least_squares
from animato.spatial.basis import ORDER, combine_rows
from animato.trace.path.assembly import assemble_path, path_cost
from animato.trace.path.constraints import Measured, PlaceRows, add_rows, measured_relations, put_missing, rows_from
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
        outcome: How it ended.
    """

    control_points: np.ndarray
    residuals: np.ndarray
    deviation: float
    cost: tuple[float, ...]
    outcome: Outcome


@dataclass(frozen=True, eq=False)
class PathIterate:
    """Control points and what follows from them.

    Attributes:
        control_points: [c, n].
        q: The path at the problem's places, [m, n].
        residuals: f - x of all targets there, [m, 3 t].
        J: df/dq there, [m, 3 t n].
        deviation: f_g and what directions add to it [m^2].
        cost: The objective, with what rows cost [m^2].
        rows: What else must be kept, each with what it misses, negative where it has room [m], [k].
    """

    control_points: np.ndarray
    q: np.ndarray
    residuals: np.ndarray
    J: np.ndarray
    deviation: float
    cost: float
    rows: tuple[tuple[PlaceRows, np.ndarray], ...] = ()


@dataclass(frozen=True, eq=False)
class Keeping:
    """What a descent must keep besides limits, as penalties.

    Attributes:
        rows: Of bodies that must stay apart, as they were where the descent begins.
        stiffness: Of relations, of all of their rows together.
        relation_shift: Of the rows of relations at the problem's places [m], [k].
        around, within: Control points, [c, n], and how far from them the rows may be trusted [rad or m].
    """

    rows: PlaceRows
    stiffness: float
    relation_shift: np.ndarray
    around: np.ndarray
    within: float


def relation_rows(problem: PathProblem, point: PathIterate, stiffness: float, shift: np.ndarray) -> PlaceRows:
    """Rows of the relations at the problem's places, from the kinematics of a path there."""
    measured = measured_at_places(problem, point)
    each = np.searchsorted(problem.places, measured.s)
    share = stiffness / len(problem.places)
    return rows_from(measured, (problem.first[each], problem.values[each]), point.q[each], share, shift)


def measured_at_places(problem: PathProblem, point: PathIterate) -> Measured:
    """What relations say at the problem's places."""
    count, n = len(problem.places), point.q.shape[1]
    begin = len(problem.sketch.points)
    assert problem.relations is not None
    chosen = slice(begin, begin + len(problem.relations.markers))
    places = (point.residuals + problem.targets).reshape(count, -1, 3)[:, chosen]
    return measured_relations(problem.relations, problem.places, places, point.J.reshape(count, -1, 3, n)[:, chosen])


class PathModel:
    """Equation 5 with a rest posture for `solve_least_squares`; the unknowns are the control points in a row, [c n]."""

    has_curvature = True

    def __init__(self, problem: PathProblem, rest: np.ndarray, keeping: Keeping | None = None) -> None:
        self.problem, self.rest, self.keeping = problem, rest, keeping
        lower, upper = problem.lower, problem.upper
        if keeping is not None:
            lower = np.maximum(lower, keeping.around - keeping.within)
            upper = np.minimum(upper, keeping.around + keeping.within)
        self.lower, self.upper = (np.ascontiguousarray(bound).reshape(-1) for bound in (lower, upper))

    def evaluate(self, x: np.ndarray) -> PathIterate:
        """The path of control points [c n]."""
        point = evaluated(self.problem, x.reshape(self.problem.lower.shape), self.rest)
        return point if self.keeping is None else self._kept(point, self.keeping)

    def _kept(self, point: PathIterate, keeping: Keeping) -> PathIterate:
        """With what the constraints cost; relations are made anew everywhere, since their derivatives are there."""
        sets = [keeping.rows]
        if self.problem.relations is not None:
            sets.append(relation_rows(self.problem, point, keeping.stiffness, keeping.relation_shift))
        cost, told = point.cost, []
        for rows in sets:
            missing = np.empty(len(rows.first))
            cost += put_missing(rows, point.control_points, missing)
            told.append((rows, missing))
        return replace(point, cost=cost, rows=tuple(told))

    def assemble(self, point: PathIterate, *, exact: bool) -> tuple[np.ndarray, BandedMatrix]:
        """Gradient and Hessian; see `assembled`."""
        gradient, matrix = assembled(self.problem, point, self.rest, exact=exact)
        for rows, missing in point.rows:
            add_rows(rows, missing, matrix.band, gradient)
        return gradient, matrix


def descend(
    problem: PathProblem,
    control_points: np.ndarray,
    rest: np.ndarray,
    *,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
    keeping: Keeping | None = None,
) -> Descent:
    """Minimizes equation 5 from given control points, by damped least squares with a banded matrix.

    Second derivatives of the kinematics are used where Gauss and Newton's approximation foretells the gain badly, as
    where the sketch is out of reach.

    Args:
        problem: The problem.
        control_points: Start, [c, n]; brought into the bounds.
        rest: Posture of the pull, [n].
        iterations: At most.
        tolerance: Relative gain at which to stop.
        keeping: What else the path must keep, as penalties.
    """
    options = LeastSquaresOptions(iterations=iterations, tolerance=tolerance, longest_step=LONGEST_STEP, stage="path")
    found = solve_least_squares(PathModel(problem, rest, keeping), control_points.reshape(-1), options)
    now = found.point
    return Descent(now.control_points, now.residuals, now.deviation, found.costs, found.outcome)


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
) -> tuple[np.ndarray, BandedMatrix]:
    """Gradient [c n] and Hessian, a band [c n, 4 n], of the cost.

    Args:
        problem: The problem.
        now: Where.
        rest: Posture of the pull, [n].
        exact: With second derivatives of the kinematics; Gauss and Newton's approximation otherwise.
    """
    n, size = now.q.shape[1], now.control_points.size
    hessians = np.empty((len(now.q), n * n if exact else 0))
    if exact:
        kinematics = problem.kinematics
        point_hessians_kernel(
            kinematics.tree.arrays, kinematics.chains, now.q, now.residuals * problem.weight, hessians
        )
    band, gradient = np.empty((size, ORDER * n)), np.empty(size)
    assemble_path(
        problem.first,
        problem.values,
        problem.share,
        problem.weight,
        now.residuals,
        now.J,
        hessians,
        problem.gram,
        now.control_points - rest,
        band,
        gradient,
    )
    return gradient, BandedMatrix(band)
