"""The coupled problem in an interior point: path and timing in one Newton step, or the timing of a path that stays."""

from __future__ import annotations

import numpy as np

from animato.algebra.symmetric import DenseMatrix
from animato.outcome import Outcome, Progress
from animato.solvers import InteriorOptions, InteriorPoint, RowWeights
from animato.trace.coupled.point import CoupledModel, CoupledPoint, CoupledSystem

_START_SHARE = 0.9  # of the limits


def solve_together(
    model: CoupledModel,
    x: np.ndarray,
    *,
    tolerance: float,
    iterations: int,
    first_gap: float = 1.0,
    progress: Progress | None = None,
) -> tuple[CoupledPoint, Outcome, RowWeights]:
    """Minimizes over path and timing; gives the point, how it ended, and the multipliers of the rows.

    Args:
        model: Of the problem.
        x: Start: control points, then b, [size]; it need not be feasible.
        tolerance: Of the objective, relative.
        iterations: At most.
        first_gap: What all barriers together cost at first, in objectives.
        progress: Told of every step.
    """
    options = _options(tolerance, iterations, first_gap)
    found = InteriorPoint(model, options).solve(feasible_start(model, x), progress=progress)
    return found.point, found.outcome, found.weights


def solve_timing(
    model: CoupledModel, x: np.ndarray, *, tolerance: float, iterations: int
) -> tuple[CoupledPoint, Outcome]:
    """Minimizes over b alone, with the path of x; arguments as in `solve_together`."""
    start = feasible_start(model, x, path_moves=False)
    timing = TimingModel(model, x[: model.start])
    found = InteriorPoint(timing, _options(tolerance, iterations, 1.0)).solve(start[model.start :])
    return found.point, found.outcome


def feasible_start(model: CoupledModel, x: np.ndarray, *, path_moves: bool = True) -> np.ndarray:
    """A little inside the bounds, and slowed until all limits leave some room."""
    room = np.minimum(1e-3, 1e-2 * (model.upper - model.lower))
    room[model.start :] *= x[model.start :].max()
    moves = model.free & (path_moves | (np.arange(len(x)) >= model.start))
    return slowed(model, np.where(moves, np.minimum(np.maximum(x, model.lower + room), model.upper - room), x))


def slowed(model: CoupledModel, x: np.ndarray) -> np.ndarray:
    """The same path, slowed until all limits leave some room, where that helps: shares are linear in b."""
    still = np.concatenate([x[: model.start], np.zeros(len(x) - model.start)])
    resting = model.at(still).most_used
    left, used = 1.0 - resting, model.at(x).most_used - resting
    with np.errstate(divide="ignore", invalid="ignore"):
        share = float(np.min(np.where(used > 0.0, _START_SHARE * np.maximum(left, 0.0) / used, np.inf)))
    if not 1e-3 < share < 1.0:
        return x
    return np.concatenate([x[: model.start], share * x[model.start :]])


class TimingModel:
    """The coupled problem with a path that stays: b alone is unknown, [N + 1]."""

    row_price = None

    def __init__(self, model: CoupledModel, points: np.ndarray) -> None:
        """For control points in a row, [c n]."""
        self.model, self.points = model, points
        self.lower, self.upper, self.free = (each[model.start :] for each in (model.lower, model.upper, model.free))
        self.row_lower, self.row_upper = model.row_lower, model.row_upper

    def at(self, x: np.ndarray) -> CoupledPoint:
        """The path with b."""
        return self.model.at(np.concatenate([self.points, x]))

    def newton_system(self, point: CoupledPoint, weights: RowWeights) -> TimingSystem:
        """The part of the Newton system that has to do with b."""
        return TimingSystem(self.model.newton_system(point, weights, path_moves=False))


class TimingSystem:
    """The part of a Newton system that has to do with b."""

    def __init__(self, whole: CoupledSystem) -> None:
        self._whole, start = whole, whole.model.start
        self.gradient, self.pressed = whole.gradient[start:], whole.pressed[start:]
        self.matrix = DenseMatrix(np.ascontiguousarray(whole.matrix.lower[start:, start:]))

    def change(self, dx: np.ndarray) -> np.ndarray:
        """First-order change of the used shares along a change of b, [m]."""
        return self._whole.change(np.concatenate([np.zeros(self._whole.model.start), dx]))


def _options(tolerance: float, iterations: int, first_gap: float) -> InteriorOptions:
    return InteriorOptions(
        tolerance=tolerance, iterations=iterations, first_gap=first_gap, least_cost=0.0, stage="path and timing"
    )
