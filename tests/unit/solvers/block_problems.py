"""Problems with known answers that know no robot, made of blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from animato.solvers.block_models import BlockModel
from animato.solvers.blocks import LinearBlock, Residuals
from animato.solvers.losses import Cauchy


@dataclass(frozen=True, eq=False)
class RosenbrockBlock:
    """(10 (y - x^2), 1 - x) of every pair of neighbours; least, 0, where all unknowns are 1."""

    columns: np.ndarray

    def values(self, x: np.ndarray) -> np.ndarray:
        return np.stack([10.0 * (x[:, 1] - x[:, 0] ** 2), 1.0 - x[:, 0]], axis=1)

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        J = np.zeros((len(x), 2, 2))
        J[:, 0, 0], J[:, 0, 1], J[:, 1, 0] = -20.0 * x[:, 0], 10.0, -1.0
        return J

    def curvatures(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
        bends = np.zeros((len(x), 2, 2))
        bends[:, 0, 0] = -20.0 * weights[:, 0]
        return bends


@dataclass(frozen=True, eq=False)
class PowellBlock:
    """Powell's singular function: the Jacobian loses rank at the answer, 0."""

    columns: np.ndarray

    def values(self, x: np.ndarray) -> np.ndarray:
        a, b, c, d = x.T
        return np.stack(
            [a + 10.0 * b, np.sqrt(5.0) * (c - d), (b - 2.0 * c) ** 2, np.sqrt(10.0) * (a - d) ** 2], axis=1
        )

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        a, b, c, d = x.T
        J = np.zeros((len(x), 4, 4))
        J[:, 0, 0], J[:, 0, 1] = 1.0, 10.0
        J[:, 1, 2], J[:, 1, 3] = np.sqrt(5.0), -np.sqrt(5.0)
        J[:, 2, 1], J[:, 2, 2] = 2.0 * (b - 2.0 * c), -4.0 * (b - 2.0 * c)
        J[:, 3, 0], J[:, 3, 3] = 2.0 * np.sqrt(10.0) * (a - d), -2.0 * np.sqrt(10.0) * (a - d)
        return J

    def curvatures(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
        bends = np.zeros((len(x), 4, 4))
        for row, factor, way in ((2, 2.0, [0.0, 1.0, -2.0, 0.0]), (3, 2.0 * np.sqrt(10.0), [1.0, 0.0, 0.0, -1.0])):
            bends += (factor * weights[:, row])[:, None, None] * np.outer(way, way)
        return bends


@dataclass(frozen=True, eq=False)
class CircleBlock:
    """x^2 + y^2 of pairs of unknowns: as a residual against a target out of reach it is far from linear."""

    columns: np.ndarray
    offset: float = 0.0

    def values(self, x: np.ndarray) -> np.ndarray:
        return np.sum(x**2, axis=1, keepdims=True) - self.offset

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        return 2.0 * x[:, None, :]

    def curvatures(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
        return 2.0 * weights[:, :, None] * np.eye(x.shape[1])


def pairs(size: int) -> np.ndarray:
    """Columns of all neighbours, [size - 1, 2]."""
    return np.stack([np.arange(size - 1), np.arange(1, size)], axis=1)


@dataclass(frozen=True, eq=False)
class Case:
    """A problem, where to begin, and where it ends.

    Attributes:
        model: Builds it.
        start: [N].
        answer: [N].
        near: How near an answer must be.
    """

    model: Callable[[], BlockModel]
    start: np.ndarray
    answer: np.ndarray
    near: float = 1e-6


def _fit_with_outliers() -> BlockModel:
    """A line 1 + 2 t through points of which four lie far away."""
    t = np.linspace(0.0, 1.0, 21)
    y = 1.0 + 2.0 * t
    y[[3, 8, 9, 17]] += np.array([30.0, -20.0, 25.0, 40.0])
    matrix = np.stack([np.ones_like(t), t], axis=1)[:, None, :]
    rows = LinearBlock(np.tile([0, 1], (len(t), 1)), matrix, y[:, None])
    return BlockModel(2, [Residuals(rows, loss=Cauchy(0.01))])


def _root_of_out_of_reach() -> float:
    """The x at which (x^2 + 3)^2 + (x - 1)^2 is least: 4 x^3 + 14 x = 2."""
    roots = np.roots([4.0, 0.0, 14.0, -2.0])
    return float(roots[np.abs(roots.imag) < 1e-12].real[0])


CASES = {
    "rosenbrock": Case(
        lambda: BlockModel(2, [Residuals(RosenbrockBlock(pairs(2)))]), np.array([-1.2, 1.0]), np.ones(2)
    ),
    "rosenbrock in a box": Case(
        lambda: BlockModel(2, [Residuals(RosenbrockBlock(pairs(2)))], upper=np.array([0.5, np.inf])),
        np.array([-1.2, 1.0]),
        np.array([0.5, 0.25]),
    ),
    "a chain of them": Case(
        lambda: BlockModel(60, [Residuals(RosenbrockBlock(pairs(60)))]), np.linspace(0.5, 1.5, 60), np.ones(60)
    ),
    "powell": Case(
        lambda: BlockModel(4, [Residuals(PowellBlock(np.arange(4)[None]))]),
        np.array([3.0, -1.0, 0.0, 1.0]),
        np.zeros(4),
        near=2e-2,  # the cost is of fourth order there: 1e-10 of it is this near
    ),
    "out of reach": Case(
        lambda: BlockModel(
            2,
            [Residuals(CircleBlock(pairs(2), -3.0)), Residuals(LinearBlock(pairs(2), np.eye(2), np.array([1.0, 0.0])))],
        ),
        np.array([2.0, 1.5]),
        np.array([_root_of_out_of_reach(), 0.0]),
    ),
    "outliers": Case(_fit_with_outliers, np.array([1.5, 1.0]), np.array([1.0, 2.0]), near=1e-4),
}
