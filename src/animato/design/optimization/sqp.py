"""Sequential quadratic programming with an L1 merit function, for design problems."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from animato.algebra.sparse_lu_analysis import SingularMatrixError
from animato.design.optimization.evaluation import DesignPoint, Evaluation, References, evaluated, normalized_point
from animato.design.optimization.program import ProgramBuilder
from animato.design.problem import Problem
from animato.design.terms import FLOOR
from animato.mechanics.loops.constraints import factor_constraints
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.solvers.stage_qp import Direction, StageQP, search_direction

_ARMIJO = 1e-4
_FIRST_FLOOR = 0.3
_FLOOR_SHRINK = 0.4
_FIRST_VELOCITY = 0.1
_VELOCITY_SHRINK = 0.4
_WINDOW = 4
"""Iterations over which the fall of the objective is judged."""
_SHORTEST = 1.0 / 512.0
_MOST_DAMPING = 1e8
_CLOSED = 1e-7
"""Largest constraint row [m or 1] of an iterate that may be the last."""
_NEARLY_CLOSED = 1e-3
"""Largest row, kept or redundant, of any iterate, unless the one before was worse."""


@dataclass(frozen=True, kw_only=True)
class DesignIteration(Iteration):
    """What an iteration did, for progress and charts.

    Attributes:
        objective: After it.
        tracking: Its part of the targets.
        violation: Largest constraint row after it [m or 1].
        step: Length of the step, 1 for a whole one.
        damping: Added to the curvature of design and controls.
        dropped: Largest redundant row of joints after it [m or 1].
    """

    objective: float
    tracking: float
    violation: float
    step: float
    damping: float
    dropped: float


@dataclass(frozen=True, eq=False)
class SqpResult:
    """Where the iterations ended.

    Attributes:
        last: The last point.
        references: Of the regularization then.
        multipliers: lambda^C, shape [step, row].
        outcome: How it ended.
        history: Of all iterations.
    """

    last: Evaluation
    references: References
    multipliers: np.ndarray
    outcome: Outcome
    history: tuple[DesignIteration, ...]


class Sqp:
    """One solve; holds what changes from iteration to iteration."""

    def __init__(
        self,
        problem: Problem,
        start: DesignPoint,
        references: References,
        *,
        progress: Progress | None = None,
        done: tuple[DesignIteration, ...] = (),
    ) -> None:
        """Prepares the first iteration.

        Args:
            problem: With its options.
            start: Where to begin.
            references: Of the regularization.
            progress: Told of every iteration.
            done: Iterations of a solve that this one goes on from.
        """
        self.problem, self.options, self.progress, self.done = problem, problem.options, progress, done
        smooth = np.all(np.isfinite(problem.references))  # profiles that were given need no ironing
        first_velocity = problem.weights.velocity if smooth else max(_FIRST_VELOCITY, problem.weights.velocity)
        self.references = replace(references, floor=_FIRST_FLOOR, velocity=first_velocity)
        self.builder = ProgramBuilder(problem)
        self.here = evaluated(problem, start, self.references)
        self.multipliers = np.zeros((problem.step_count, self.builder.size))
        self.merit_weights = np.zeros((problem.step_count, self.builder.states))
        self.sides = factor_constraints(problem.mechanism, self.here.jacobians.state).determinant_sign
        self.damping = 1e-3
        self.stopped_by_limits = False
        self.towards_limits: Direction | None = None  # the last direction that limits stopped
        self.trouble = "No step makes the design any better."
        self.analysis: Any = None
        self.history: list[DesignIteration] = []
        self.began = time.perf_counter()

    def run(self) -> SqpResult:
        """Iterates to the end."""
        seen: list[float] = []
        for number in range(1, self.options.iterations + 1):
            before = self.here.objective.total
            length = self._iterated()
            if length == 0.0:
                return self._result(Status.STALLED, self.trouble)
            self._note(number, length)
            now = self.here.objective.total
            seen.append(now)
            if number & (number - 1) == 0 and number > 1 and self.problem.design_free:
                self._move_reference()
            if not self._smooth_enough:
                if length >= 0.5 or before - now < 0.05 * before:
                    self._free_velocities()
                seen = []
            if self._settled(seen):
                if not self._lowered_floor():
                    share = f"{self.options.tolerance:g}"
                    return self._result(Status.SOLVED, f"The objective fell by less than {share} of itself.")
                seen = []
        return self._result(Status.OUT_OF_ITERATIONS, f"Stopped after {self.options.iterations} iterations.")

    def _settled(self, seen: list[float]) -> bool:
        """Whether the objective has all but stopped falling, with loops closed."""
        least, last = self.options.tolerance, seen[-1] if seen else 0.0
        few = len(self.history) > _WINDOW and len(seen) > 1 and abs(seen[-2] - last) <= 0.01 * least * last
        long = len(seen) > _WINDOW and seen[-1 - _WINDOW] - last <= _WINDOW * least * max(last, 1e-12)
        return (few or long) and _worst(self.here) <= _CLOSED

    def _iterated(self) -> float:
        """One direction and the step along it; how long it was, 0 where none was found."""
        while self.damping < _MOST_DAMPING:
            try:
                direction, program = self._direction(self.towards_limits)
                length, gain = self._searched(direction, program, 1.0)
                self.towards_limits = direction if length == 0.0 and self.stopped_by_limits else None
                if self.towards_limits is not None:
                    direction, program = self._direction(direction)
                if length == 0.0:
                    length, gain = self._searched(direction, program, _SHORTEST)
            except SingularMatrixError as error:
                self.trouble = str(error)
                return 0.0
            if length > 0.0:
                grow = 4.0 if gain < 0.25 else 1.0 if gain < 0.7 else 0.3
                self.damping = max(self.damping * grow, 1e-9)
                return length
            self.damping *= 16.0
        return 0.0

    def _direction(self, ahead: Direction | None) -> tuple[Direction, StageQP]:
        exact = self.multipliers if self.options.hessian == "exact" else None
        program = self.builder.program(self.here, self.references, damping=self.damping, multipliers=exact, ahead=ahead)
        convexify = self.options.method == "arrow" and exact is not None
        found = search_direction(program, method=self.options.method, analysis=self.analysis, convexify=convexify)
        self.analysis = found.analysis
        return found, program

    def _searched(self, step: Direction, program: StageQP, shortest: float) -> tuple[float, float]:
        """Line search on f + sum mu |C|, with mu by Powell's rule; takes the step it finds.

        Returns:
            Length of the step, and what it gained as a share of what a whole step should have gained.
        """
        here, states = self.here, self.builder.states
        size = np.abs(step.lambda_c[:, :states])
        self.merit_weights = np.maximum(size, 0.5 * (size + self.merit_weights))
        old = self._merit(here)
        slope = float(np.sum(program.gs * step.ds) + np.sum(program.gu * step.du) + np.sum(program.gv * step.dv))
        slope += float(np.sum(program.gp * step.dp)) - float(np.sum(self.merit_weights * np.abs(here.jacobians.values)))
        length = 1.0
        while length >= shortest:
            trial = self._trial(step, length)
            new = np.inf if trial is None else self._merit(trial)
            if trial is not None and new <= old + _ARMIJO * length * min(slope, 0.0) and self._sound(trial):
                self.here = trial
                self.multipliers = self.multipliers + length * (step.lambda_c - self.multipliers)
                return length, (old - new) / max(-0.5 * slope, 1e-300)
            self.stopped_by_limits = trial is not None and new - old < 2.0 * (
                float(trial.objective.limits.sum()) - float(here.objective.limits.sum())
            )
            length *= 0.5
        return 0.0, 0.0

    def _trial(self, step: Direction, length: float) -> Evaluation | None:
        """The point a step leads to, with its states corrected to second order; None where a pose is singular."""
        p, u, s = self.here.point.design, self.here.point.controls, self.here.point.states
        if self.problem.design_free:
            p = p + length * step.dp
        if self.problem.controls_free:
            u = np.where(self.problem.held, u, u + length * step.du)
        mechanism = self.problem.mechanism
        point = normalized_point(mechanism, DesignPoint(p, u, s + length * step.ds[:, : self.builder.states]))
        for enough in (0.1 * _CLOSED, 100.0 * _CLOSED):
            found = evaluated(self.problem, point, self.references)
            if _worst(found) <= enough:
                return found
            factors = factor_constraints(mechanism, found.jacobians.state)
            correction = factors.solve(found.jacobians.values)
            if not np.all(np.isfinite(correction)) or np.max(np.abs(correction)) > 1.0:
                return None
            point = normalized_point(mechanism, replace(point, states=point.states - correction))
        return evaluated(self.problem, point, self.references)

    def _sound(self, trial: Evaluation) -> bool:
        """Whether loops are about as closed as before, on the same side of all singular poses, and can be built."""
        if _worst(trial) > max(_NEARLY_CLOSED, _worst(self.here)):
            return False
        if largest_redundant(self.problem, trial) > max(_NEARLY_CLOSED, largest_redundant(self.problem, self.here)):
            return False
        sides = factor_constraints(self.problem.mechanism, trial.jacobians.state).determinant_sign
        return bool(np.all(sides == self.sides))

    def _merit(self, at: Evaluation) -> float:
        return at.objective.total + float(np.sum(self.merit_weights * np.abs(at.jacobians.values)))

    def _move_reference(self) -> None:
        """Regularization follows the design, ever more rarely."""
        self._refer(replace(self.references, design=self.here.point.design))

    @property
    def _smooth_enough(self) -> bool:
        return self.references.velocity <= self.problem.weights.velocity

    def _free_velocities(self) -> None:
        """Controls begin smooth, so that jumps of inverse kinematics are ironed out, and become free."""
        least = self.problem.weights.velocity
        self._refer(replace(self.references, velocity=max(least, _VELOCITY_SHRINK * self.references.velocity)))

    def _lowered_floor(self) -> bool:
        """Makes barriers steeper where a limit is nearer than what they are exact for."""
        floor = self.references.floor
        if floor <= FLOOR or self._nearest_limit() >= floor:
            return False
        self._refer(replace(self.references, floor=max(FLOOR, _FLOOR_SHRINK * floor)))
        return True

    def _nearest_limit(self) -> float:
        """Smallest distance to a limit as a share of its margin."""
        limits, point = self.problem.limits, self.here.point
        shares = (
            limits.control_bounds.shares(point.controls),
            limits.velocity_bounds.shares(self.here.velocities),
            limits.design_bounds.shares(point.design[None]),
        )
        return min(float(np.min(part, initial=np.inf)) for part in shares)

    def _refer(self, references: References) -> None:
        """Changes what the objective refers to."""
        self.references = references
        self.here = evaluated(self.problem, self.here.point, self.references)

    def _note(self, number: int, length: float) -> None:
        objective = self.here.objective
        dropped = largest_redundant(self.problem, self.here)
        note = DesignIteration(
            stage="placing the joints",
            number=len(self.done) + number,
            total=len(self.done) + self.options.iterations,
            objective=objective.total,
            tracking=float(objective.tracking.sum()),
            violation=_worst(self.here),
            step=length,
            damping=self.damping,
            dropped=dropped,
            seconds=time.perf_counter() - self.began,
        )
        self.history.append(note)
        if self.progress is not None:
            self.progress(note)

    def _result(self, status: Status, reason: str) -> SqpResult:
        history = (*self.done, *self.history)
        outcome = Outcome(status, reason, len(history))
        return SqpResult(self.here, self.references, self.multipliers, outcome, history)


def _worst(at: Evaluation) -> float:
    """Largest constraint row [m or 1]."""
    return float(np.max(np.abs(at.jacobians.values), initial=0.0))


def largest_redundant(problem: Problem, at: Evaluation) -> float:
    """Largest redundant row of joints at a point [m or 1]."""
    mechanism = problem.mechanism
    if not mechanism.counts.redundant_passive:
        return 0.0
    redundant = np.isin(mechanism.dropped, mechanism.row_indices("redundant"))
    return float(np.max(np.abs(at.soft[0].values[:, redundant]), initial=0.0))
