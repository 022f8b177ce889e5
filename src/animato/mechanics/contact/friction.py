"""Forces at points that push and do not slip, and how a wrench is shared among them."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

FRICTION = 0.7
"""Friction coefficient of soles on the floor, where none is given: rubber on wood or tiles, with something to spare."""

CONE_SIDES = 8
"""Sides of the pyramid inside a friction cone; with 8 it loses at most 8 % of the friction, halfway between edges."""

REGULARIZATION = 1e-3
"""Of forces against the wrench they add up to: spreads the load evenly, and leaves about 1e-6 of it."""

_NEWTON_STEPS = 60
_SUFFICIENT = 1e-4  # of the decrease that the slope promises


def friction_cone(friction: float = FRICTION, sides: int = CONE_SIDES) -> np.ndarray:
    """Edges of a pyramid inside a friction cone about z, of unit length, [side, 3].

    Forces on a point are sums of edges with weights that are not negative: they push, and their
    horizontal part is at most `friction` times their vertical one.

    Args:
        friction: Coefficient.
        sides: Of the pyramid, at least 3; the first edge leans to x.
    """
    angles = 2.0 * np.pi * np.arange(sides) / sides
    edges = np.stack([friction * np.cos(angles), friction * np.sin(angles), np.ones(sides)], axis=1)
    return np.asarray(edges / np.sqrt(1.0 + friction * friction))


def shared_wrench(columns: np.ndarray, wrench: np.ndarray, regularization: float = REGULARIZATION) -> np.ndarray:
    """The weights x >= 0 of columns A that give a wrench b best: least |A x - b|^2 + r^2 |x|^2.

    Solved for the residual y = b - A x, which has as few entries as the wrench: x = max(0, A^T y) / r^2,
    so y + A max(0, A^T y) / r^2 = b, by Newton steps on all moments at once. This equation is the
    slope of a convex function, piecewise quadratic, so that a step from the right set of active
    columns ends at the answer. An active-set method takes a moment at a time and stops short of it,
    as many columns are nearly the same.

    Args:
        columns: A, [time, row, column]; columns of zeros are never used.
        wrench: b, [time, row].
        regularization: r.

    Returns:
        x, [time, column].
    """
    stiffness = regularization**-2
    residual = np.zeros_like(wrench)
    unsettled = np.arange(len(wrench))
    for step in range(_NEWTON_STEPS):
        a, b, y = columns[unsettled], wrench[unsettled], residual[unsettled]
        now = _along(a, y if step else b) > 0.0
        chosen = np.where(now[:, None], a, 0.0)
        hessian = np.eye(wrench.shape[1]) + stiffness * np.matmul(chosen, chosen.transpose(0, 2, 1))
        target = np.linalg.solve(hessian, b[..., None])[..., 0]  # the answer, if these columns are the right ones
        same = (_along(a, target) > 0.0) == now
        settled = same.all(axis=1)
        size = np.where(settled, 1.0, _step_sizes(a, b, y, target - y, stiffness))
        residual[unsettled] = y + size[:, None] * (target - y)
        unsettled = unsettled[~settled]
        if unsettled.size == 0:
            break
    weights = stiffness * np.maximum(0.0, _along(columns, residual))
    for moment in unsettled:
        weights[moment] = _one_by_one(columns[moment], wrench[moment], regularization)
    return weights


def _along(columns: np.ndarray, wrench: np.ndarray) -> np.ndarray:
    """A^T b of each moment, [time, column]."""
    return np.asarray(np.matmul(wrench[:, None], columns)[:, 0])


def _step_sizes(a: np.ndarray, b: np.ndarray, y: np.ndarray, way: np.ndarray, stiffness: float) -> np.ndarray:
    """How far to go, by halving until each function falls enough, [time]."""

    def values(at: np.ndarray) -> np.ndarray:
        push = np.maximum(0.0, _along(a, at))
        return np.asarray(
            0.5 * np.sum(at * at, axis=1) + 0.5 * stiffness * np.sum(push * push, axis=1) - np.sum(at * b, axis=1)
        )

    push = np.maximum(0.0, _along(a, y))
    slope = np.sum(way * (y + stiffness * np.matmul(a, push[..., None])[..., 0] - b), axis=1)
    start, size = values(y), np.ones(len(y))
    for _ in range(30):
        short = values(y + size[:, None] * way) > start + _SUFFICIENT * size * slope
        if not short.any():
            break
        size[short] *= 0.5
    return size


def _one_by_one(columns: np.ndarray, wrench: np.ndarray, regularization: float) -> np.ndarray:
    """The same of one moment by the active-set method of Lawson and Hanson."""
    width = columns.shape[1]
    stacked = np.vstack([columns, regularization * np.eye(width)])
    return np.asarray(nnls(stacked, np.concatenate([wrench, np.zeros(width)]), maxiter=30 * width)[0])
