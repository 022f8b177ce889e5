"""A convex quadratic program whose unknowns are control points of a cubic spline.

Unknowns are x[i, c], control point i of column c. Whatever looks at a curve at one moment sees four neighbouring
control points, so that the objective is banded and every row is short: a narrow row looks at one column, such as the
speed of one joint, a wide row at all columns, such as a torque.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.solvers.band_qp.row_kernels import narrow_products, wide_products

SPAN = 4
"""Control points that one row sees."""


@dataclass(frozen=True, eq=False)
class NarrowRows:
    """Rows sum_k a[k] x[first + k, column] <= upper.

    Attributes:
        first: The first control point, [row].
        column: [row].
        coefficients: a, [row, 4].
        upper: [row].
        price: What each unit beyond `upper` costs, infinite where nothing may be, [row].
    """

    first: np.ndarray
    column: np.ndarray
    coefficients: np.ndarray
    upper: np.ndarray
    price: np.ndarray

    def __len__(self) -> int:
        return len(self.first)

    def chosen(self, rows: np.ndarray) -> NarrowRows:
        """Some of them."""
        return NarrowRows(
            self.first[rows], self.column[rows], self.coefficients[rows], self.upper[rows], self.price[rows]
        )

    @staticmethod
    def none() -> NarrowRows:
        """No rows."""
        whole, real = np.zeros(0, dtype=np.int64), np.zeros(0)
        return NarrowRows(whole, whole, np.zeros((0, SPAN)), real, real)


@dataclass(frozen=True, eq=False)
class WideRows:
    """Rows a . x[first : first + 4] <= upper, over all columns.

    Attributes:
        first: The first control point, [row].
        coefficients: a, control point by control point, [row, 4 columns].
        upper: [row].
        price: What each unit beyond `upper` costs, infinite where nothing may be, [row].
    """

    first: np.ndarray
    coefficients: np.ndarray
    upper: np.ndarray
    price: np.ndarray

    def __len__(self) -> int:
        return len(self.first)

    def chosen(self, rows: np.ndarray) -> WideRows:
        """Some of them."""
        return WideRows(self.first[rows], self.coefficients[rows], self.upper[rows], self.price[rows])

    @staticmethod
    def none(columns: int) -> WideRows:
        """No rows."""
        return WideRows(np.zeros(0, dtype=np.int64), np.zeros((0, SPAN * columns)), np.zeros(0), np.zeros(0))


@dataclass(frozen=True, eq=False)
class BandProgram:
    """min 1/2 x^T H x + g^T x + price . e  with  A x - e <= upper,  e >= 0.

    Attributes:
        hessian: H, rows of its lower triangle as in `algebra.banded`, [N, 4 columns], N = points times columns.
        gradient: g, [N].
        narrow, wide: The rows A.
        held: Unknowns that keep the value of the start, [N].
    """

    hessian: np.ndarray
    gradient: np.ndarray
    narrow: NarrowRows
    wide: WideRows
    held: np.ndarray

    @property
    def columns(self) -> int:
        """Unknowns a control point."""
        return self.hessian.shape[1] // SPAN

    @property
    def row_count(self) -> int:
        """Of both kinds."""
        return len(self.narrow) + len(self.wide)

    def without_idle_rows(self) -> BandProgram:
        """The same without rows that look at nothing but what is held: no answer can change them."""
        columns, free = self.columns, ~self.held.reshape(-1, self.hessian.shape[1] // SPAN)
        narrow, wide = self.narrow, self.wide
        ahead = np.arange(SPAN)
        moves = np.any(
            (narrow.coefficients != 0.0) & free[narrow.first[:, None] + ahead, narrow.column[:, None]], axis=1
        )
        seen = free[wide.first[:, None] + ahead].reshape(len(wide), SPAN * columns)
        felt = np.any((wide.coefficients != 0.0) & seen, axis=1)
        if moves.all() and felt.all():
            return self
        return BandProgram(self.hessian, self.gradient, narrow.chosen(moves), wide.chosen(felt), self.held)

    def products(self, x: np.ndarray) -> np.ndarray:
        """A x, narrow rows first, [row]."""
        out, split = np.empty(self.row_count), len(self.narrow)
        narrow = self.narrow
        narrow_products(narrow.first, narrow.column, narrow.coefficients, x, self.columns, out[:split])
        wide_products(self.wide.first, self.wide.coefficients, x, out[split:])
        return out

    @property
    def upper(self) -> np.ndarray:
        """Of all rows, narrow ones first, [row]."""
        return np.concatenate([self.narrow.upper, self.wide.upper])

    @property
    def price(self) -> np.ndarray:
        """Of all rows, narrow ones first, [row]."""
        return np.concatenate([self.narrow.price, self.wide.price])
