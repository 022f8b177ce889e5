"""Blocks of rows with their derivatives, and what they are for: residuals to be made small, or limits to be held.

A block is a family of copies of one small function, such as the rows of every frame of a clip. Copy k sees its own few
unknowns x[columns[k]] and nothing else. Copies whose unknowns lie near one another in x make the normal matrix banded;
`normal_assembly` finds the storage that fits. A new idea is a new block in a tuple.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from animato.solvers.losses import Loss, Square


class RowBlock(Protocol):
    """c copies of a function of w unknowns with r rows.

    Attributes:
        columns: Which unknowns each copy sees, no unknown twice, [c, w] integers.
    """

    @property
    def columns(self) -> np.ndarray: ...  # noqa: D102

    def values(self, x: np.ndarray) -> np.ndarray:
        """Rows of all copies, [c, r], for their unknowns x [c, w]."""
        ...

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        """Their derivatives, [c, r, w]."""
        ...

    def curvatures(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
        """Second derivatives of sum_r weights[c, r] row_r, [c, w, w]; None where the block leaves them out."""
        ...


@dataclass(frozen=True, eq=False)
class LinearBlock:
    """Rows A x - b; what regularizers and limits on spline control points are made of.

    Attributes:
        columns: [c, w].
        matrix: A, [c, r, w] or [r, w] for all copies.
        offset: b, [c, r], [r] or a number.
    """

    columns: np.ndarray
    matrix: np.ndarray
    offset: np.ndarray | float = 0.0

    def values(self, x: np.ndarray) -> np.ndarray:
        """Rows, [c, r]."""
        return np.asarray((self.jacobians(x) @ x[:, :, None])[:, :, 0] - self.offset)

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        """A for every copy."""
        return np.broadcast_to(self.matrix, (len(x), *self.matrix.shape[-2:]))

    def curvatures(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
        """There is none."""
        return None


@dataclass(frozen=True, eq=False)
class Residuals:
    """A block to be made small: it costs sum_c rho(sum_r weight row^2).

    Attributes:
        block: Its rows.
        weight: Of squares, to be spread over [c, r].
        loss: rho, over each copy as a whole.
    """

    block: RowBlock
    weight: np.ndarray | float = 1.0
    loss: Loss = field(default_factory=Square)

    def cost(self, values: np.ndarray) -> float:
        """Of values [c, r]."""
        return float(self.loss.values(np.sum(self.weight * values**2, axis=1)).sum())

    def pulls(self, values: np.ndarray) -> np.ndarray:
        """The weight of squares as the loss leaves it, rho' weight, [c, r]."""
        slopes = self.loss.slopes(np.sum(self.weight * values**2, axis=1))
        return slopes[:, None] * np.broadcast_to(self.weight, values.shape)


@dataclass(frozen=True, eq=False)
class Limits:
    """A block to be held within limits, lower <= row <= upper; rows should be of the order of 1.

    Attributes:
        block: Its rows.
        lower, upper: To be spread over [c, r]; infinite where there is none, equal for an equality.
        price: What crossing costs for each unit of a row; infinite for a hard limit.
    """

    block: RowBlock
    lower: np.ndarray | float = -np.inf
    upper: np.ndarray | float = np.inf
    price: np.ndarray | float = np.inf


def gathered(block: RowBlock, x: np.ndarray) -> np.ndarray:
    """The unknowns that each copy of a block sees, [c, w]."""
    return x[block.columns]


def pressed(columns: np.ndarray, jacobians: np.ndarray, force: np.ndarray, size: int) -> np.ndarray:
    """J^T force of a block, [N], for force [c, r]."""
    along = (force[:, None, :] @ jacobians)[:, 0]
    return np.bincount(columns.ravel(), along.ravel(), size)
