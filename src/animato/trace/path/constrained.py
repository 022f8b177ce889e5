"""The fit of a path that must keep more than its limits: bodies apart, points together.

An augmented Lagrangian around the descent. In each round the rows of bodies are made anew where the path is, the
descent goes as far as they may be trusted with them as penalties, and what is still missing shifts what the next round
asks for. Between the places at which rows stand the path is then looked at until it is proven clear; where it is not,
places are added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.spatial.basis import basis_rows
from animato.trace.path.constraints import Measured, Proof, Watch, measured_relations, rows_from
from animato.trace.path.descent import Descent, Keeping, descend, evaluated, measured_at_places
from animato.trace.path.joint_path import JointPath
from animato.trace.path.problem import PathProblem, reach_tolerance
from animato.trace.path.start import PathStart, other_starts

TOLERANCE = 1e-5
"""By how much rows may miss [m]."""

SPARE = 1e-3
"""Beyond the clearance, what is asked for at places, so that little is to be proven in between [m]."""

RELATION_TOLERANCE = 1e-3
"""By how much points may miss a relation between places [m]."""

_ROUNDS = 40
_STEPS = 12
_WITHIN, _LEAST_WITHIN = 0.25, 0.02  # [rad or m] of control points in a round
_STIFF, _STIFFER, _STIFFEST = 100.0, 4.0, 1e6
_SLOW = 0.5  # of what was missing: a round that leaves more makes the rows stiffer
_SETTLED = 1e-3  # of the cost, from round to round
_PROOFS = 4
_OTHERS, _TRIED = 24, 4  # starts to look at, and those of them to go on from
_COARSE = 40


@dataclass(frozen=True)
class Kept:
    """What became of the constraints of a path.

    Attributes:
        clearance: How near bodies come to one another, where that was asked for.
        relation_m: By how much points miss the relation they should keep [m].
        holds: Whether all of it holds.
        rounds: It took.
    """

    clearance: Proof | None
    relation_m: float
    holds: bool
    rounds: int

    @property
    def broken(self) -> str:
        """What does not hold, in one sentence; empty where all does."""
        if self.holds:
            return ""
        if self.relation_m > RELATION_TOLERANCE:
            return f"Points that should keep together part by {1000.0 * self.relation_m:.1f} mm."
        clear = self.clearance
        if clear is None or not clear.pair:
            return "It is not proven that bodies stay apart between the places that were looked at."
        first, second = clear.pair
        if clear.least < 0.0:
            return f"'{first}' and '{second}' overlap by {-1000.0 * clear.least:.1f} mm, at s = {clear.s:.3f}."
        return f"'{first}' and '{second}' come within {1000.0 * clear.least:.1f} mm, at s = {clear.s:.3f}."


def constrained(problem: PathProblem) -> bool:
    """Whether there is anything to keep besides limits."""
    return problem.watch is not None or problem.relations is not None


def kept_by(problem: PathProblem, control_points: np.ndarray) -> Kept:
    """Whether a path keeps what it must, between places too."""
    return _judged(problem, control_points, problem.places, 0)


def hold_anyhow(problem: PathProblem, fit: Descent, rest: np.ndarray) -> tuple[Descent, Kept]:
    """Brings a path to keep what it must; where that takes it off the sketch, the robot tries to stand otherwise.

    Args:
        problem: With a watch, or relations.
        fit: The best path without them.
        rest: Posture of its pull, [n].
    """
    kept = kept_by(problem, fit.control_points)
    if kept.holds:
        return fit, kept
    best, kept = hold(problem, fit.control_points, rest)
    near = 2.0 * max(reach_tolerance(problem), float(np.sqrt(fit.deviation)))
    if problem.watch is None or (kept.holds and np.sqrt(best.deviation) < near):
        return best, kept
    for start in _least_missing(problem, problem.watch, other_starts(problem, _OTHERS))[:_TRIED]:
        found, then = hold(problem, start.control_points, start.rest)
        if (not then.holds, found.deviation) < (not kept.holds, best.deviation):
            best, kept = found, then
        if kept.holds and np.sqrt(best.deviation) < near:
            break
    return best, kept


def _least_missing(problem: PathProblem, watch: Watch, starts: list[PathStart]) -> list[PathStart]:
    """Starts in the order of what bodies overlap by, on the whole."""
    s = np.linspace(0.0, 1.0, _COARSE)
    paths = [JointPath(problem.kinematics.names, problem.knots, start.control_points) for start in starts]
    missing = [float(np.sum(watch.measured(s, path.at(s), SPARE).missing)) for path in paths]
    return [starts[k] for k in np.argsort(missing, kind="stable")]


def hold(problem: PathProblem, start: np.ndarray, rest: np.ndarray) -> tuple[Descent, Kept]:
    """Brings a path to keep what it must, as near to the sketch as that allows, from where it is.

    Args:
        problem: With a watch, or relations.
        start: Control points, [c, n].
        rest: Posture of the pull, [n].
    """
    s, rounds, points = problem.places, 0, start
    for _ in range(_PROOFS):
        fit, used = _held_at(problem, points, rest, s)
        rounds, points = rounds + used, fit.control_points
        kept = _judged(problem, points, s, rounds)
        clear = kept.clearance
        if kept.holds or clear is None or not len(np.setdiff1d(clear.broken, s)):
            break
        s = np.union1d(s, clear.broken)
    return fit, kept


class _Memory:
    """What rows ask for beyond their limits: the more, the longer they were missed."""

    def __init__(self) -> None:
        self._shifts: dict[tuple[float, int], float] = {}

    def of(self, rows: Measured) -> np.ndarray:
        """Shifts of rows [m], [k]."""
        keys = zip(rows.s.tolist(), rows.keys.tolist(), strict=True)
        return np.array([self._shifts.get(key, 0.0) for key in keys])

    def update(self, rows: Measured, factor: float) -> None:
        """After a round that left rows so; stiffness grows by a factor."""
        shift = rows.wanted - rows.values + self.of(rows)
        shift = np.where(rows.equal, shift, np.maximum(shift, 0.0)) / factor
        keys = zip(rows.s.tolist(), rows.keys.tolist(), strict=True)
        self._shifts = dict(zip(keys, shift.tolist(), strict=True))


def _held_at(problem: PathProblem, points: np.ndarray, rest: np.ndarray, s: np.ndarray) -> tuple[Descent, int]:
    """The same at given places alone, and how many rounds it took."""
    stiffness, within, before, cost = _STIFF, _WITHIN, np.inf, np.inf
    bodies, relations = _Memory(), _Memory()
    apart, together = _measured(problem, points, rest, s)
    for number in range(1, _ROUNDS + 1):
        q = JointPath(problem.kinematics.names, problem.knots, points).at(apart.s)
        places = basis_rows(problem.knots, apart.s)
        rows = rows_from(apart, places, q, stiffness / len(s), bodies.of(apart))
        keeping = Keeping(rows, stiffness, relations.of(together), points, within)
        fit = descend(problem, points, rest, iterations=_STEPS, keeping=keeping)
        points = fit.control_points
        apart, together = _measured(problem, points, rest, s)
        worst = max(float(one.missing.max(initial=0.0)) for one in (apart, together))
        settled = abs(cost - fit.deviation) <= _SETTLED * max(fit.deviation, reach_tolerance(problem) ** 2)
        if worst <= TOLERANCE and (settled or number >= _ROUNDS // 2):
            break
        cost = fit.deviation
        within = max(0.5 * within, _LEAST_WITHIN) if worst > before else within
        factor = _STIFFER if worst > _SLOW * before and stiffness < _STIFFEST else 1.0
        stiffness, before = stiffness * factor, worst
        bodies.update(apart, factor)
        relations.update(together, factor)
    return fit, number


def _measured(problem: PathProblem, points: np.ndarray, rest: np.ndarray, s: np.ndarray) -> tuple[Measured, Measured]:
    """Of bodies at places s, and of relations at the problem's own."""
    nothing = np.zeros(0)
    none = Measured(nothing, nothing, nothing, np.zeros((0, points.shape[1])), nothing > 0.0, nothing.astype(int))
    apart = together = none
    if problem.watch is not None:
        q = JointPath(problem.kinematics.names, problem.knots, points).at(s)
        apart = problem.watch.measured(s, q, SPARE)
    if problem.relations is not None:
        together = measured_at_places(problem, evaluated(problem, points, rest))
    return apart, together


def _judged(problem: PathProblem, points: np.ndarray, s: np.ndarray, rounds: int) -> Kept:
    path = JointPath(problem.kinematics.names, problem.knots, points)
    clear, missed = None, 0.0
    if problem.watch is not None:
        clear = problem.watch.proof(problem.knots, points, s, path.at)
    if problem.relations is not None:
        fine = np.linspace(0.0, 1.0, 4 * len(s) + 1)
        places, J = problem.kinematics.jacobians(path.at(fine))
        begin = len(problem.sketch.points)
        chosen = slice(begin, begin + len(problem.relations.markers))
        missed = float(measured_relations(problem.relations, fine, places[:, chosen], J[:, chosen]).missing.max())
    holds = (clear is None or clear.proven) and missed <= RELATION_TOLERANCE
    return Kept(clear, missed, holds, rounds)
