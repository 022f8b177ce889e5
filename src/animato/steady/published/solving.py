"""The paper's optimization: the objective of eqs. 19 to 25, its continuous adjoint, BFGS."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize

from animato.described import Described
from animato.errors import OptionError
from animato.mechanics.simulation import Linearization, State, Trajectory, simulate_and_linearize
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.steady.optimization import SteadyModel, SteadyPoint
from animato.steady.problem import Problem
from animato.steady.published.continuous_adjoint import continuous_gradient
from animato.steady.published.orientation_term import orientation_term
from animato.steady.published.simpson import simpson_weights

TOLERANCE = 1e-4
"""Of the gradient, relative to the first one."""

ITERATIONS = 100
"""Of BFGS at the most."""

_FAILED = 1e3  # what a run that does not converge counts, in units of the artist's objective


@dataclass(frozen=True, eq=False)
class PublishedObjective:
    """The objective, integrated by Simpson's rule, with its gradients; the nominal model alone, without limits.

    Attributes:
        problem: What is asked for.
        baumgarte: alpha of the adjoint's loops [1/s].
    """

    problem: Problem
    baumgarte: float = 20.0

    def value(self, x: np.ndarray) -> float:
        """F at control points x [size]; infinite where the simulation does not converge."""
        run, linearization = self._simulated(x)
        return np.inf if linearization is None else self._terms(x, run)[0]

    def value_and_gradient(self, x: np.ndarray, *, exact: bool = False) -> tuple[float, np.ndarray]:
        """F and its gradient [size]: by the continuous adjoint, or the exact one of the discrete run."""
        problem = self.problem
        run, linearization = self._simulated(x)
        if linearization is None:
            return np.inf, np.zeros(problem.basis.size)
        value, by_points, by_turns = self._terms(x, run)
        weights = simpson_weights(len(problem.times), problem.step_s)
        if exact:
            w = weights[:, None, None]
            profile = linearization.adjoint(w * by_points, w * by_turns)
        else:
            profile = continuous_gradient(linearization, by_points, by_turns, weights, baumgarte=self.baumgarte)
        gradient = problem.back(*profile) + problem.regularizer @ (x - problem.artist) + problem.smoother @ x
        gradient[problem.basis.held] = 0.0
        return value, np.asarray(gradient)

    def _simulated(self, x: np.ndarray) -> tuple[Trajectory, Linearization | None]:
        problem, scenario = self.problem, self.problem.scenarios[0]
        start = State(scenario.start, np.zeros(scenario.system.unknown_count), scenario.start_forces)
        motors = np.stack(problem.theta(x), axis=1)
        return simulate_and_linearize(scenario.system, motors, problem.step_s, start=start, torques=False)

    def _terms(self, x: np.ndarray, run: Trajectory) -> tuple[float, np.ndarray, np.ndarray]:
        """F, and the derivatives of its integrand by points and turns, [time, body, 3] each."""
        problem, scenario = self.problem, self.problem.scenarios[0]
        widths = np.full(len(problem.times), problem.step_s)
        widths[[0, -1]] *= 0.5
        places, turns = (each / widths[:, None] for each in (problem.place_weights, problem.turn_weights))
        off = run.points - scenario.target_points
        turned, by_turns = orientation_term(run.rotations, scenario.target_rotations)
        integrand = np.sum(0.5 * places * np.sum(off**2, axis=2) + turns * turned, axis=1)
        value = float(simpson_weights(len(widths), problem.step_s) @ integrand)
        change = x - problem.artist
        value += 0.5 * float(change @ (problem.regularizer @ change) + x @ (problem.smoother @ x))
        return value, places[..., None] * off, turns[..., None] * by_turns


@dataclass(frozen=True, eq=False, repr=False)
class PublishedSolution(Described):
    """What the published method found, and how it got there.

    Attributes:
        problem: What was asked for, with its nominal model alone.
        outcome: How the search ended; limits were not looked at.
        before: The artist's profiles, and what comes of them.
        after: Those that were found.
        history: Every step, the artist's profiles as number 0.
        seconds: The search took [s].
        gradient_norms: Of the gradient at each entry of the history.
        evaluations: Simulations with their adjoints.
    """

    problem: Problem
    outcome: Outcome
    before: SteadyPoint
    after: SteadyPoint
    history: tuple[Iteration, ...]
    seconds: float
    gradient_norms: np.ndarray
    evaluations: int

    @property
    def objectives(self) -> np.ndarray:
        """F of the artist's profiles, then after each step: the convergence plot, [step]."""
        return np.array([step.objective for step in self.history])

    @property
    def clock_s(self) -> np.ndarray:
        """When each was reached [s], [step]."""
        return np.array([step.seconds for step in self.history])

    def peak(self, point: SteadyPoint) -> float:
        """Largest distance of a tracked body from its target over the clip [m]."""
        off = point.runs[0].points - self.problem.scenarios[0].target_points
        return float(np.linalg.norm(off, axis=2).max())

    def facts(self) -> dict[str, str]:
        """At a glance."""
        first, last = (100.0 * self.peak(point) for point in (self.before, self.after))
        return {
            "outcome": str(self.outcome),
            "objective": f"{self.objectives[-1]:.4g} ({self.objectives[0]:.4g} before)",
            "off target": f"{last:.3g} cm at most ({first:.3g} cm before)",
            "steps": str(len(self.history) - 1),
            "simulations": str(self.evaluations),
            "solved in": f"{self.seconds:.2g} s",
        }


class _Search:
    """What BFGS asks for, and what it is told."""

    def __init__(self, objective: PublishedObjective, iterations: int, progress: Progress | None) -> None:
        self.objective, self.progress, self.total = objective, progress, iterations
        self.free = ~objective.problem.basis.held
        self.begin, self.evaluations = time.perf_counter(), 0
        self.history: list[Iteration] = []
        self.objectives: list[float] = []
        self.norms: list[float] = []
        self.best = objective.problem.artist.copy()
        self._last: tuple[np.ndarray, float, np.ndarray] = (np.empty(0), np.inf, np.empty(0))

    def evaluate(self, y: np.ndarray) -> tuple[float, np.ndarray]:
        x = self.objective.problem.artist.copy()
        x[self.free] = y
        value, gradient = self.objective.value_and_gradient(x)
        self.evaluations += 1
        if not np.isfinite(value):
            value = _FAILED * self.objectives[0] if self.objectives else np.inf
        self._last = (y.copy(), value, gradient[self.free])
        return value, gradient[self.free]

    def tell(self, y: np.ndarray) -> None:
        """After each step."""
        where, value, gradient = self._last
        if not np.array_equal(where, y):
            value, gradient = self.evaluate(y)
        self.best[self.free] = y
        self.objectives.append(value)
        self.norms.append(float(np.linalg.norm(gradient)))
        seconds = time.perf_counter() - self.begin
        step = Iteration(
            stage="BFGS, as published",
            number=len(self.objectives) - 1,
            total=self.total,
            objective=value,
            seconds=seconds,
        )
        self.history.append(step)
        if self.progress is not None:
            self.progress(step)


def solve_published(
    problem: Problem,
    *,
    tolerance: float = TOLERANCE,
    iterations: int = ITERATIONS,
    baumgarte: float = 20.0,
    progress: Progress | None = None,
) -> PublishedSolution:
    """Solves a problem as the paper does: BFGS on the continuous adjoint's gradient.

    It knows neither limits nor spreads: the nominal model counts, and motors may do what they like.

    Args:
        problem: What is asked for.
        tolerance: Of the gradient's norm, relative to that of the artist's profiles.
        iterations: Of BFGS at the most.
        baumgarte: alpha of the adjoint's loops [1/s].
        progress: Told of every step. An interrupt (Ctrl-C) ends the search with what has been found so far.
    """
    if not 0.0 < tolerance < 1.0 or iterations < 1:
        raise OptionError(
            f"`tolerance` is a share below 1 and `iterations` at least 1, given {tolerance} and {iterations}."
        )
    search = _Search(PublishedObjective(problem, baumgarte), iterations, progress)
    start = problem.artist[search.free]
    search.tell(start)
    options = {"maxiter": iterations, "gtol": tolerance * search.norms[0], "norm": 2}
    try:
        found = minimize(search.evaluate, start, jac=True, method="BFGS", callback=search.tell, options=options)
        outcome = _outcome(int(found.status), len(search.objectives) - 1)
    except KeyboardInterrupt:
        outcome = Outcome(Status.OUT_OF_ITERATIONS, "interrupted", len(search.objectives) - 1)
    seconds = time.perf_counter() - search.begin
    model = SteadyModel(replace(problem, scenarios=problem.scenarios[:1]), None)
    before, after = model.evaluate(problem.artist), model.evaluate(search.best)
    return PublishedSolution(
        model.problem,
        outcome,
        before,
        after,
        tuple(search.history),
        seconds,
        np.array(search.norms),
        search.evaluations,
    )


def _outcome(status: int, steps: int) -> Outcome:
    if status == 0:
        return Outcome(Status.SOLVED, "the gradient is as small as was asked for", steps)
    if status == 1:
        return Outcome(Status.OUT_OF_ITERATIONS, "stopped at the iteration limit", steps)
    return Outcome(Status.STALLED, "no step along the search direction lowers the objective", steps)
