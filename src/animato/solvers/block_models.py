"""Problems made of blocks, as `least_squares` and `interior_point` want them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.algebra.symmetric import SymmetricMatrix
from animato.solvers.blocks import Limits, Residuals, gathered, pressed
from animato.solvers.interior_rows import RowWeights
from animato.solvers.normal_assembly import NormalRows, normal_layout


@dataclass(frozen=True, eq=False)
class BlockPoint:
    """Unknowns and the rows of all blocks there.

    Attributes:
        x: [N].
        residuals: Values of each block of residuals, [c, r] each.
        rows: Values of all limits, one block after the other, [m].
        cost: The objective.
    """

    x: np.ndarray
    residuals: tuple[np.ndarray, ...]
    rows: np.ndarray
    cost: float


@dataclass(frozen=True, eq=False)
class BlockSystem:
    """Gradient, force of the rows, and matrix of one Newton step, and J dx of the limits.

    Attributes:
        gradient: f', [N].
        pressed: J^T force, [N].
        matrix: f'' + J^T stiffness J + sum multiplier g''.
        jacobians: Of each block of limits with the columns it sees.
    """

    gradient: np.ndarray
    pressed: np.ndarray
    matrix: SymmetricMatrix
    jacobians: tuple[tuple[np.ndarray, np.ndarray], ...]

    def change(self, dx: np.ndarray) -> np.ndarray:
        """J dx, [m]."""
        parts = [(J @ dx[columns][:, :, None]).ravel() for columns, J in self.jacobians]
        return np.concatenate(parts) if parts else np.zeros(0)


class BlockModel:
    """Residuals to be made small within bounds and limits.

    With no limits it is a problem for `solve_least_squares`, with or without for `InteriorPoint`.
    """

    def __init__(
        self,
        size: int,
        residuals: Sequence[Residuals],
        limits: Sequence[Limits] = (),
        *,
        lower: np.ndarray | float = -np.inf,
        upper: np.ndarray | float = np.inf,
        curved: bool = True,
    ) -> None:
        """Prepares a problem.

        Args:
            size: Number of unknowns, N.
            residuals: What is made small.
            limits: What is held.
            lower: Bounds of the unknowns, to be spread over [N].
            upper: The same.
            curved: Whether second derivatives of the blocks may be used.
        """
        self.size, self.residuals, self.limits = size, tuple(residuals), tuple(limits)
        self.lower, self.upper = (np.array(np.broadcast_to(bound, size), dtype=float) for bound in (lower, upper))
        self.free = np.ones(size, dtype=bool)
        self.has_curvature = curved
        blocks = [term.block for term in self.residuals] + [limit.block for limit in self.limits]
        self._layout = normal_layout(blocks, size)
        self._shapes = [limit.block.values(np.zeros(limit.block.columns.shape)).shape for limit in self.limits]
        self.row_lower = self._spread([limit.lower for limit in self.limits])
        self.row_upper = self._spread([limit.upper for limit in self.limits])
        self.row_price: np.ndarray | None = self._spread([limit.price for limit in self.limits])

    def _spread(self, values: list[np.ndarray | float]) -> np.ndarray:
        """Values of each block of limits over all its rows, [m]."""
        parts = [np.broadcast_to(value, shape).ravel() for value, shape in zip(values, self._shapes, strict=True)]
        return np.concatenate(parts).astype(float) if parts else np.zeros(0)

    def at(self, x: np.ndarray) -> BlockPoint:
        """The point of unknowns [N]."""
        values = tuple(term.block.values(gathered(term.block, x)) for term in self.residuals)
        rows = [limit.block.values(gathered(limit.block, x)).ravel() for limit in self.limits]
        cost = sum(term.cost(found) for term, found in zip(self.residuals, values, strict=True))
        return BlockPoint(x, values, np.concatenate(rows) if rows else np.zeros(0), float(cost))

    evaluate = at

    def assemble(self, point: BlockPoint, *, exact: bool) -> tuple[np.ndarray, SymmetricMatrix]:
        """F' and F'', or Gauss and Newton's part of it, of the residuals."""
        gradient, rows = self._residual_rows(point, exact=exact)
        return gradient, self._layout.assembled(rows)

    def newton_system(self, point: BlockPoint, weights: RowWeights) -> BlockSystem:
        """The Newton system of residuals and limits."""
        gradient, rows = self._residual_rows(point, exact=self.has_curvature)
        force, done, jacobians = np.zeros(self.size), 0, []
        for limit, shape in zip(self.limits, self._shapes, strict=True):
            block, part = limit.block, slice(done, done + shape[0] * shape[1])
            local, done = gathered(block, point.x), part.stop
            J = block.jacobians(local)
            stiffness, along, dual = (
                each[part].reshape(shape) for each in (weights.stiffness, weights.force, weights.multiplier)
            )
            bends = block.curvatures(local, dual) if self.has_curvature else None
            rows.append(NormalRows(block.columns, J, stiffness, bends, weights.negligible))
            force += pressed(block.columns, J, along, self.size)
            jacobians.append((block.columns, J))
        return BlockSystem(gradient, force, self._layout.assembled(rows), tuple(jacobians))

    def _residual_rows(self, point: BlockPoint, *, exact: bool) -> tuple[np.ndarray, list[NormalRows]]:
        """The gradient of the residuals' cost, and their part of the matrix."""
        gradient, rows = np.zeros(self.size), []
        for term, values in zip(self.residuals, point.residuals, strict=True):
            block, local = term.block, gathered(term.block, point.x)
            J, pulls = block.jacobians(local), 2.0 * term.pulls(values)
            bends = block.curvatures(local, pulls * values) if exact else None
            rows.append(NormalRows(block.columns, J, pulls, bends))
            gradient += pressed(block.columns, J, pulls * values, self.size)
        return gradient, rows
