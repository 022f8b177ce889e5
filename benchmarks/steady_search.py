"""Ways to search for profiles: Gauss-Newton, BFGS and L-BFGS preconditioned, to one and the same objective.

All three get the same objective without limits, whose barriers only ours has, and the same exact gradient by the
discrete adjoint. Times are processor times, so that other programs do not count.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import cholesky_banded, solve_banded
from scipy.optimize import minimize

from animato import steady
from animato.outcome import Iteration
from animato.solvers import LeastSquaresOptions, solve_least_squares
from animato.steady.optimization import SteadyModel
from benchmarks.row import Row

SLACK = 1.02
"""The objective counts as reached at so much of the best known, which Gauss-Newton finds with a tight tolerance."""

PUBLISHED_ITERATIONS = 100
"""Of BFGS; it goes on beyond them, up to PATIENCE times our time, to see when it would get there."""

PATIENCE = 40.0

_BAND = 3  # neighbours of a control point of a cubic spline


class Trace:
    """Objectives, and the processor time at which each was reached."""

    def __init__(self) -> None:
        self.begin = time.process_time()
        self.costs: list[float] = []
        self.seconds: list[float] = []

    def add(self, cost: float) -> None:
        """The objective is now this."""
        self.costs.append(cost)
        self.seconds.append(time.process_time() - self.begin)

    @property
    def best(self) -> float:
        """The least objective."""
        return min(self.costs)

    def after(self, iterations: int) -> float:
        """The objective after so many iterations."""
        return min(self.costs[:iterations])

    def seconds_to(self, cost: float) -> float:
        """When an objective was reached [s]; all the time that was spent where it was not."""
        return next((at for at, one in zip(self.seconds, self.costs, strict=True) if one <= cost), self.seconds[-1])


def unlimited(problem_options: steady.Options) -> steady.Options:
    """The same without limits, so that every method can minimize it."""
    return replace(problem_options, limits=False, torque=False, acceleration_factor=0.0)


def gauss_newton(model: SteadyModel) -> Trace:
    """Ours, as `steady.solve` uses it."""
    trace = Trace()

    def tell(iteration: Iteration) -> None:
        if iteration.objective is not None:
            trace.add(float(iteration.objective))

    options = LeastSquaresOptions(iterations=30, tolerance=1e-6, first_damping=1e-6)
    solve_least_squares(model, model.problem.artist.copy(), options, progress=tell)
    return trace


def quasi_newton(model: SteadyModel, *, preconditioned: bool, goal: float, patience_s: float) -> Trace:
    """BFGS as published, or L-BFGS in the coordinates in which the banded near matrix is the identity.

    Args:
        model: The objective.
        preconditioned: Which of both.
        goal: Objective at which it may stop.
        patience_s: Processor time after which it must [s].
    """
    problem = model.problem
    free = ~problem.basis.held
    trace, last = Trace(), [np.inf]
    lift, lower = _coordinates(problem, free) if preconditioned else (None, None)

    def evaluate(y: np.ndarray) -> tuple[float, np.ndarray]:
        x = problem.artist.copy()
        x[free] += y if lift is None else _solve_upper(lift, y)
        point = model.evaluate(x)
        if not np.isfinite(point.cost):
            return 1e6, np.zeros_like(y)
        gradient, _ = model.assemble(point, exact=False)
        last[0] = float(point.cost)
        by_free = gradient[free]
        return last[0], by_free if lower is None else _solve_lower(lower, by_free)

    def tell(_: Any) -> None:
        trace.add(last[0])
        if last[0] <= goal or (trace.seconds[-1] > patience_s and len(trace.costs) >= PUBLISHED_ITERATIONS):
            raise StopIteration

    start = np.zeros(int(free.sum()))
    options: dict[str, Any] = {"maxiter": 100_000, "gtol": 1e-12}
    if preconditioned:
        options |= {"maxcor": 20, "ftol": 1e-12, "maxfun": 1_000_000}
    method = "L-BFGS-B" if preconditioned else "BFGS"
    minimize(evaluate, start, jac=True, method=method, callback=tell, options=options)
    return trace


def _coordinates(problem: steady.Problem, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Upper factor R of the near matrix R^T R of what is free, and R^T, both as bands of scipy."""
    near = problem.near_matrix.tocsr()[free][:, free]
    band = np.zeros((_BAND + 1, near.shape[0]))
    for offset in range(_BAND + 1):
        band[_BAND - offset, offset:] = near.diagonal(offset)
    upper = cholesky_banded(band)
    lower = np.zeros_like(upper)
    for offset in range(_BAND + 1):
        lower[offset, : upper.shape[1] - offset] = upper[_BAND - offset, offset:]
    return upper, lower


def _solve_upper(upper: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.asarray(solve_banded((0, _BAND), upper, y))


def _solve_lower(lower: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.asarray(solve_banded((_BAND, 0), lower, y))


def search_rows(name: str, problem: steady.Problem, *, with_bfgs: bool = True) -> list[Row]:
    """Times to the same objective, as ratios over ours, and how far BFGS gets in the published iterations."""
    model = SteadyModel(problem, None)
    model.evaluate(problem.artist)  # compiles
    ours = gauss_newton(model)
    goal = SLACK * ours.best
    spent = ours.seconds_to(goal)
    patience = PATIENCE * spent
    rows = [Row(f"{name}.gn_s", spent, "s", "lower")]
    peers = {"lbfgs": "gn_vs_lbfgs_preconditioned"} | ({"bfgs": "gn_vs_bfgs"} if with_bfgs else {})
    for peer, word in peers.items():
        found = quasi_newton(model, preconditioned=peer == "lbfgs", goal=goal, patience_s=patience)
        theirs, at_least = found.seconds_to(goal), "" if found.best <= goal else ", not reached"
        published = found.after(PUBLISHED_ITERATIONS) / ours.best
        rows += [
            Row(f"{name}.{word}", theirs / spent, "times faster", "higher", f"{peer}, s{at_least}", theirs),
            Row(f"{name}.{word}.objective", 1.0, "of the best", "lower", f"{peer}, 100 iterations", published),
        ]
    return rows


def rod_search_rows() -> list[Row]:
    """On the one rod, with the published number of parameters."""
    options = unlimited(steady.Options(control_points=150))
    return search_rows("rod", steady.build("rod", "rod_swing", options, tracked=("ball",)))
