"""The path alone as unknown, with the best timing of each path that is tried: equation 10 of Luo and Hauser (2012).

What a path is worth, phi(P) = f_g(P) + alpha f_c(P) + min over b of (beta f_t + gamma t_f), changes with P as the
Lagrangian does where b stays: its gradient costs no more than the multipliers of the inner problem. A barrier on the
limits keeps phi smooth.
"""

from __future__ import annotations

import numpy as np

from animato.outcome import Outcome, Progress, Stage, Status
from animato.solvers import InteriorOptions, InteriorPoint
from animato.trace.coupled import CoupledModel, CoupledProblem, TimingModel, slowed, solve_timing

_GAP = 1e-3  # of the objective: what the barrier costs
_INNER_ITERATIONS = 60


class PathValue:
    """phi(P) and its gradient."""

    def __init__(self, problem: CoupledProblem, told: Stage) -> None:
        self.told = told
        self.model = CoupledModel(problem)
        self.b = problem.start_b
        self.paths = 0
        self._mu: float | None = None

    def __call__(self, points: np.ndarray) -> tuple[float, np.ndarray]:
        """The value of control points [c n] and its slope."""
        self.paths += 1
        x = slowed(self.model, np.concatenate([points, self.b]))
        if self._mu is None:  # one barrier for all paths
            first = self.model.at(x)
            self._mu = _GAP * first.cost / len(first.most_used)
        timing = InteriorPoint(TimingModel(self.model, points), InteriorOptions(least_cost=0.0))
        found = timing.centre(x[self.model.start :], self._mu, iterations=_INNER_ITERATIONS)
        self.b = found.x
        system = self.model.newton_system(found.point, found.weights, path_moves=False)
        self.told.step(found.merit)
        return found.merit, (system.gradient + system.pressed)[: self.model.start]


def iterate_paths(problem: CoupledProblem, *, progress: Progress | None = None) -> tuple[np.ndarray, float, Outcome]:
    """Control points [c, n], objective, and how it ended.

    Args:
        problem: The problem; its options bound the number of paths, about, and the objective's relative tolerance.
        progress: Told of every path that is tried.
    """
    from scipy.optimize import minimize

    tolerance, iterations = problem.options.tolerance, problem.options.iterations
    value = PathValue(problem, Stage("one path after another", progress, iterations))
    bounds = np.stack([problem.path.lower.ravel(), problem.path.upper.ravel()], axis=1)
    found = minimize(
        value,
        problem.start_points.ravel(),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxfun": iterations, "maxiter": iterations, "ftol": tolerance, "gtol": 0.0, "maxcor": 30},
    )
    points = found.x
    x = np.concatenate([points, value.b])
    point, _ = solve_timing(value.model, x, tolerance=tolerance, iterations=100)
    solved = bool(found.success)
    reason = "no path near it is better" if solved else f"{value.paths} paths were not enough"
    status = Status.SOLVED if solved else Status.OUT_OF_ITERATIONS
    return points.reshape(problem.start_points.shape), point.cost, Outcome(status, reason, value.paths)
