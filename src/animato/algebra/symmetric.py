"""Symmetric matrices as solvers see them, whatever their storage.

Solvers ask four things of a matrix: its diagonal, products, the form x^T A x, and a factor of A + diag(added) in which
some unknowns are held. A held unknown has a row and a column of the identity: its solution is its right-hand side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from animato.algebra.lapack import factor_dense, solve_dense
from animato.kernels.compiled import kernel


class SymmetricFactor(Protocol):
    """Something that solves."""

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The x of (A + diag(added)) x = right, [N], with x = right where unknowns are held."""
        ...


class SymmetricMatrix(Protocol):
    """A symmetric matrix A of N unknowns."""

    @property
    def diagonal(self) -> np.ndarray:
        """Its diagonal, [N]."""
        ...

    def product(self, x: np.ndarray) -> np.ndarray:
        """A x for x [N]."""
        ...

    def form(self, x: np.ndarray) -> float:
        """x^T A x for x [N]."""
        ...

    def factored(self, added: np.ndarray | float, held: np.ndarray) -> SymmetricFactor | None:
        """A factor of A + diag(added), [N], without what is held, [N] bool; None where not positive definite."""
        ...


@dataclass(frozen=True, eq=False)
class DenseFactor:
    """A Cholesky factor.

    Attributes:
        lower: L, [N, N]; what is above its diagonal is not used.
    """

    lower: np.ndarray

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution for a right-hand side [N], or for several, [k, N]."""
        x = np.array(right, dtype=np.float64)
        solve_dense(self.lower, x.reshape(-1, len(self.lower)))
        return x


@dataclass(frozen=True, eq=False)
class DenseMatrix:
    """A symmetric matrix in full.

    Attributes:
        lower: [N, N]; only its lower triangle is read.
    """

    lower: np.ndarray

    @property
    def diagonal(self) -> np.ndarray:
        """Its diagonal, [N]."""
        return np.diagonal(self.lower)

    def product(self, x: np.ndarray) -> np.ndarray:
        """A x."""
        out = np.empty(len(x))
        _dense_product(self.lower, x, out)
        return out

    def form(self, x: np.ndarray) -> float:
        """x^T A x."""
        return float(x @ self.product(x))

    def factored(self, added: np.ndarray | float, held: np.ndarray) -> DenseFactor | None:
        """By Cholesky's method; see `SymmetricMatrix`."""
        factor = np.empty_like(self.lower)
        _put_dense(self.lower, self.diagonal + added, held, factor)
        return DenseFactor(factor) if factor_dense(factor) else None


@kernel
def _dense_product(lower: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """Writes A x, with A given by its lower triangle."""
    for r in range(len(x)):
        total = lower[r, r] * x[r]
        for c in range(r):
            total += lower[r, c] * x[c]
            out[c] += lower[r, c] * x[r]
        out[r] = total


@kernel
def _put_dense(lower: np.ndarray, diagonal: np.ndarray, held: np.ndarray, out: np.ndarray) -> None:
    """Writes a lower triangle with another diagonal, and with unit rows and columns for what is held."""
    for r in range(len(diagonal)):
        if held[r]:
            out[r, :r] = 0.0
            out[r, r] = 1.0
            continue
        for c in range(r):
            out[r, c] = 0.0 if held[c] else lower[r, c]
        out[r, r] = diagonal[r]
