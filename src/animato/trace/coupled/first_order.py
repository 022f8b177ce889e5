"""How well the first-order conditions of a coupled optimum hold."""

from __future__ import annotations

import numpy as np

from animato.solvers import RowWeights
from animato.trace.coupled.point import CoupledModel, CoupledPoint

FIRST_ORDER_TOLERANCE = 2e-4
"""Share of the objective that `first_order_gain` may be for an answer to count as an optimum."""

_SMALL = 0.01
_AT_BOUND = 1e-3  # of a range


def first_order_gain(model: CoupledModel, point: CoupledPoint, weights: RowWeights) -> float:
    """Share of the objective that small changes could gain, limits respected, to first order.

    The slope of the Lagrangian f' + J^T z would be 0 at an optimum, but for unknowns at a bound that it presses them
    against. Here it is multiplied with changes of 1 %: of what a joint covers along the path, for its control points,
    and of b itself. All are summed as if every one of them helped.

    Args:
        model: Of the problem.
        point: The answer.
        weights: Of the rows, with the multipliers of the answer.
    """
    pressing = RowWeights(np.zeros_like(weights.force), weights.multiplier, weights.multiplier, weights.negligible)
    system = model.newton_system(point, pressing)
    slope = system.gradient + system.pressed
    room = _AT_BOUND * np.where(np.isfinite(model.upper), model.upper - model.lower, np.maximum(point.x, 1e-300))
    slope = np.where(point.x - model.lower <= room, np.minimum(slope, 0.0), slope)
    slope = np.where(model.upper - point.x <= room, np.maximum(slope, 0.0), slope)
    points, b = model.split(point.x)
    change = _SMALL * np.concatenate([np.broadcast_to(np.ptp(points, axis=0), points.shape).ravel(), b])
    return float(np.abs(slope * change)[model.free].sum() / point.cost)
