"""Solving the geometric problem of `trace`, and what there is to say about the result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.algebra.banded import factor_band, solve_band
from animato.described import Described
from animato.outcome import Outcome, Progress, Stage, Status
from animato.spatial.basis import ORDER, combine_rows
from animato.trace.path.assembly import spline_gram
from animato.trace.path.constrained import Kept, constrained, hold_anyhow, kept_by
from animato.trace.path.descent import ITERATIONS, Descent, descend, evaluated
from animato.trace.path.joint_path import JointPath
from animato.trace.path.knots import most_control_points
from animato.trace.path.problem import PathProblem, path_gram, reach_tolerance, refined
from animato.trace.path.reach import OutOfReach, find_out_of_reach, reach_distances
from animato.trace.path.start import PathStart, find_starts, peaks

_MOST_FITS = 3
_SAME_WALK = 0.1  # [rad or m] by which walks from different postures must differ to be worth a fit
_FAR = 10.0  # times the tolerance of reach: a path so far off does not follow the drawing
_REFINEMENTS = 2
_MORE = 1.6  # times as many control points
_VISIBLE = 2.0  # times the tolerance of reach that smoothing may take at one place
_GOOD_ENOUGH = 1.5  # times what inverse kinematics at single places leaves [m^2]


@dataclass(frozen=True, eq=False, repr=False)
class PathFit(Described):
    """The closest feasible path to a sketch.

    Attributes:
        problem: What was solved, refined where it refined itself.
        path: Within the joint limits everywhere.
        deviations: Distance of each point from the sketch at the problem's places [m], [m, point].
        deviation: f_g, the weighted mean squared deviation [m^2].
        roughness: f_c, the integral of |p''|^2.
        out_of_reach: Stretches that no path could follow, and what held them.
        cost: The objective after each step of the fit, falling.
        outcome: How the fit ended.
        kept: Whether bodies stay apart and points together, where that was asked for.
    """

    problem: PathProblem
    path: JointPath
    deviations: np.ndarray
    deviation: float
    roughness: float
    out_of_reach: tuple[OutOfReach, ...]
    cost: tuple[float, ...]
    outcome: Outcome
    kept: Kept | None = None

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "outcome": str(self.outcome.status),
            "control points": str(self.path.control_point_count),
            "off the sketch": f"{1000.0 * self.mean_deviation:.3g} mm, at most {1000.0 * self.max_deviation:.3g} mm",
            "out of reach": f"{len(self.out_of_reach)} stretches" if self.out_of_reach else "nothing",
        }

    @property
    def s(self) -> np.ndarray:
        """Places at which path and sketch were compared, [m]."""
        return self.problem.places

    @property
    def mean_deviation(self) -> float:
        """Mean distance of the points from the sketch [m]."""
        return float(self.deviations.mean())

    @property
    def max_deviation(self) -> float:
        """Largest distance of a point from the sketch [m]."""
        return float(self.deviations.max())

    @property
    def notes(self) -> tuple[str, ...]:
        """What was given up, in plain sentences."""
        unfinished = () if self.outcome.solved else (self.outcome.reason,)
        broken = () if not self.not_kept else (self.not_kept,)
        return (*(one.reason for one in self.out_of_reach), *broken, *unfinished)

    @property
    def not_kept(self) -> str:
        """What keeps a path with constraints from being used: one that does not hold, or what it costs; else empty."""
        if self.kept is None or self.kept.broken:
            return "" if self.kept is None else self.kept.broken
        # ways through the air may give way
        drawn = np.where(self.problem.sketch.is_down(self.s)[:, None], self.deviations, 0.0)
        if self.out_of_reach or drawn.max() < _FAR * reach_tolerance(self.problem):
            return ""
        place, point = np.unravel_index(int(np.argmax(drawn)), drawn.shape)
        return (
            f"What must be kept clear, or together, takes '{self.problem.sketch.points[point]}' "
            f"{1000.0 * drawn.max():.0f} mm off the drawing at s = {self.s[place]:.3f}."
        )

    @cached_property
    def path_cost(self) -> float:
        """f_g + alpha f_c + pull f_r, with the pull to the start posture, whichever one the fit was pulled to."""
        return evaluated(self.problem, self.path.control_points, self.problem.kinematics.start).cost


def solve_path(
    problem: PathProblem,
    *,
    start: JointPath | np.ndarray | None = None,
    iterations: int = ITERATIONS,
    progress: Progress | None = None,
) -> PathFit:
    """Fits a joint path to a sketch.

    Args:
        problem: From `build_path_problem`. Where it left control points and alpha to be found, more of them are taken
            as long as reachable parts of the sketch are visibly cut.
        start: Control points to begin with, [c, n], or a path; by inverse kinematics from several postures where not
            given.
        iterations: At most this many steps from each start.
        progress: Told of every descent.
    """
    stage = Stage("fitting the path", progress)
    if start is not None:
        points = _control_points(problem, start) if isinstance(start, JointPath) else start
        fit = descend(problem, points, problem.kinematics.start, iterations=iterations)
        stage.step(fit.cost[-1])
        return _finished(problem, fit, problem.kinematics.start, stage)
    starts, floor = find_starts(problem)
    stage.step()
    fit, rest = _best_of(problem, starts, floor, iterations, stage)
    distances = reach_distances(problem, *_followed(problem, fit))
    most = most_control_points(len(problem.kinematics.names))
    for _ in range(_REFINEMENTS):
        count = min(int(np.ceil(_MORE * problem.control_point_count)), most)
        if count <= problem.control_point_count or not _smoothed_away(problem, fit, distances):
            break
        finer = refined(problem, count)
        again = descend(finer, _same_path(problem, fit, finer), rest, iterations=iterations)
        stage.step(again.cost[-1])
        if again.deviation >= fit.deviation:
            break
        problem, fit = finer, again
        distances = reach_distances(problem, *_followed(problem, fit))
    return _finished(problem, fit, rest, stage)


def _finished(problem: PathProblem, fit: Descent, rest: np.ndarray, stage: Stage) -> PathFit:
    """The fit, after it was brought to keep bodies apart and points together, where that was asked for."""
    kept = None
    if constrained(problem):
        fit, kept = hold_anyhow(problem, fit, rest)
        stage.step(fit.cost[-1])
    return _result(problem, fit, reach_distances(problem, *_followed(problem, fit)), kept)


def fit_at(problem: PathProblem, control_points: np.ndarray) -> PathFit:
    """What there is to say about given control points [c, n], whatever they were found by."""
    now = evaluated(problem, control_points, problem.kinematics.start)
    given = Outcome(Status.SOLVED, "given")
    fit = Descent(now.control_points, now.residuals, now.deviation, (now.cost,), given)
    kept = kept_by(problem, now.control_points) if constrained(problem) else None
    return _result(problem, fit, reach_distances(problem, *_followed(problem, fit)), kept)


def _control_points(problem: PathProblem, path: JointPath) -> np.ndarray:
    """Those of a path, [c, n]; about so where it has other knots."""
    return path.control_points if np.array_equal(path.knots, problem.knots) else path.at(peaks(problem.knots))


def _smoothed_away(problem: PathProblem, fit: Descent, distances: np.ndarray) -> bool:
    """Whether more control points, where they and alpha are to be found, could bring the path nearer.

    Joints that pass near a stretched arm, or a cusp, ask for more pieces than the drawing itself.
    """
    loss = float((_distances(problem, fit) - distances).max())
    return problem.automatic and loss > _VISIBLE * reach_tolerance(problem)


def _same_path(problem: PathProblem, fit: Descent, finer: PathProblem) -> np.ndarray:
    """Control points with which the knots of a finer problem come nearest to the path that was found."""
    points = JointPath(problem.kinematics.names, problem.knots, fit.control_points).at(finer.places)
    right = np.zeros((finer.control_point_count, points.shape[1]))
    for a in range(ORDER):
        np.add.at(right, finer.first + a, finer.share[:, None] * finer.values[:, a, None] * points)
    band = finer.gram.copy()  # its smoothness decides where knots stand closer than places
    spline_gram(finer.first, finer.values, finer.share, 1.0, band)
    band[:, -1] += 1e-12
    if factor_band(band):
        solve_band(band, right)
        return right
    return JointPath(problem.kinematics.names, problem.knots, fit.control_points).at(peaks(finer.knots))


def _best_of(
    problem: PathProblem, starts: list[PathStart], floor: float, iterations: int, stage: Stage
) -> tuple[Descent, np.ndarray]:
    """Fits from the best start, and from others only where that one ends farther from the sketch than it must."""
    best, rest = descend(problem, starts[0].control_points, starts[0].rest, iterations=iterations), starts[0].rest
    stage.step(best.cost[-1])
    tried = [starts[0]]
    for one in starts[1:]:
        if _follows(problem, best) or best.deviation < _GOOD_ENOUGH * floor or len(tried) == _MOST_FITS:
            break
        if any(np.abs(one.control_points - other.control_points).max() < _SAME_WALK for other in tried):
            continue
        tried.append(one)
        fit = descend(problem, one.control_points, one.rest, iterations=iterations)
        stage.step(fit.cost[-1])
        if fit.deviation < best.deviation * (1.0 - 1e-3):
            best, rest = fit, one.rest
    return best, rest


def _follows(problem: PathProblem, fit: Descent) -> bool:
    """Whether a fit is where it should be on the whole; single places may be cut by smoothing."""
    distances, tolerance = _distances(problem, fit), reach_tolerance(problem)
    return bool(np.sqrt(np.mean(distances**2)) < tolerance and distances.max() < 5.0 * tolerance)


def _distances(problem: PathProblem, fit: Descent) -> np.ndarray:
    count = len(problem.sketch.points)
    return np.asarray(np.linalg.norm(fit.residuals.reshape(len(problem.places), -1, 3)[:, :count], axis=2))


def _followed(problem: PathProblem, fit: Descent) -> tuple[np.ndarray, np.ndarray]:
    """The path at the problem's places, [m, n], and how far its points are from the sketch there [m], [m, point]."""
    q = np.empty((len(problem.places), len(problem.kinematics.names)))
    combine_rows(problem.first, problem.values, fit.control_points, q)
    return q, _distances(problem, fit)


def _result(problem: PathProblem, fit: Descent, distances: np.ndarray, kept: Kept | None = None) -> PathFit:
    kinematics, steps = problem.kinematics, len(fit.cost) - 1
    q, deviations = _followed(problem, fit)
    outcome = Outcome(Status.SOLVED, "The path cannot be brought nearer.", steps)
    if not fit.outcome.solved:
        reason = f"The path was still improving after {steps} steps."
        outcome = Outcome(Status.OUT_OF_ITERATIONS, reason, steps)
    return PathFit(
        problem=problem,
        path=JointPath(kinematics.names, problem.knots, fit.control_points, kinematics.held),
        deviations=deviations,
        deviation=float(problem.share @ (deviations**2 @ problem.sketch.weights)),
        roughness=_form(path_gram(problem.knots, 1.0, 0.0), fit.control_points),
        out_of_reach=find_out_of_reach(problem, q, distances),
        cost=fit.cost,
        outcome=outcome,
        kept=kept,
    )


def _form(gram: np.ndarray, points: np.ndarray) -> float:
    """sum_ij G_ij P_i . P_j for a band G [c, 4]."""
    total = float(np.sum(gram[:, -1] * np.sum(points**2, axis=1)))
    for d in range(1, gram.shape[1]):
        total += 2.0 * float(np.sum(gram[d:, -1 - d] * np.sum(points[d:] * points[:-d], axis=1)))
    return total
