"""A banded matrix with groups of local unknowns that are eliminated first.

    [ A    B^T ] [x]   [f]
    [ B    D   ] [y] = [g]        A banded, D one small block a group, B of each group over a window of x

A clip whose contact forces at a frame meet the postures of that frame and its neighbours alone has this shape: without
the forces the band A - B^T D^-1 B is as narrow as that of the postures. Unknowns are x, then y group by group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.banded import BandedFactor, BandedMatrix
from animato.spatial.compiled import released_kernel


@dataclass(frozen=True, eq=False)
class CondensedFactor:
    """Factors of the groups and of the band that is left.

    Attributes:
        groups: L^-1 of each group, [g, l, l], with L L^T = D.
        carried: L^-1 B, [g, l, v].
        columns: Window of each group in x, [g, v].
        band: Factor of A - B^T D^-1 B.
    """

    groups: np.ndarray
    carried: np.ndarray
    columns: np.ndarray
    band: BandedFactor

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution for a right-hand side [N]."""
        size = len(self.band.band)
        y = (self.groups @ right[size:].reshape(len(self.groups), -1, 1))[:, :, 0]
        along = (y[:, None] @ self.carried)[:, 0]
        x = self.band.solve(right[:size] - np.bincount(self.columns.ravel(), along.ravel(), size))
        y = y - (self.carried @ x[self.columns][:, :, None])[:, :, 0]
        return np.concatenate([x, (y[:, None] @ self.groups)[:, 0].ravel()])


@dataclass(frozen=True, eq=False)
class CondensedMatrix:
    """The matrix; what `SymmetricMatrix` asks of it.

    Attributes:
        band: A, [M, w], as in `banded`; w is at least v.
        groups: D, [g, l, l], symmetric.
        coupling: B, [g, l, v].
        starts: Where the window of each group begins in x, [g]; windows end within x.
    """

    band: np.ndarray
    groups: np.ndarray
    coupling: np.ndarray
    starts: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """Window of each group in x, [g, v]."""
        return self.starts[:, None] + np.arange(self.coupling.shape[2])

    @property
    def diagonal(self) -> np.ndarray:
        """Its diagonal, [M + g l]."""
        return np.concatenate([self.band[:, -1], np.diagonal(self.groups, axis1=1, axis2=2).ravel()])

    def product(self, x: np.ndarray) -> np.ndarray:
        """The product with unknowns [M + g l]."""
        size, columns = len(self.band), self.columns
        y = x[size:].reshape(len(self.groups), -1)
        along = (y[:, None] @ self.coupling)[:, 0]
        first = BandedMatrix(self.band).product(x[:size]) + np.bincount(columns.ravel(), along.ravel(), size)
        second = self.groups @ y[:, :, None] + self.coupling @ x[:size][columns][:, :, None]
        return np.concatenate([first, second.ravel()])

    def form(self, x: np.ndarray) -> float:
        """x^T A x."""
        return float(x @ self.product(x))

    def factored(self, added: np.ndarray | float, held: np.ndarray) -> CondensedFactor | None:
        """By Cholesky's method, groups first; see `SymmetricMatrix`."""
        size, columns = len(self.band), self.columns
        shape = self.groups.shape[:2]
        wanted = np.broadcast_to(added, len(held))
        still = held[size:].reshape(shape)
        moves = ~still
        groups = np.where(moves[:, :, None] & moves[:, None, :], self.groups, 0.0)
        own = np.arange(shape[1])
        groups[:, own, own] = np.where(still, 1.0, groups[:, own, own] + wanted[size:].reshape(shape))
        try:
            inverse = np.linalg.inv(np.linalg.cholesky(groups))
        except np.linalg.LinAlgError:
            return None
        carried = inverse @ np.where(moves[:, :, None] & ~held[columns][:, None, :], self.coupling, 0.0)
        left = self.band.copy()
        left[:, -1] += wanted[:size]
        _subtract_windows(self.starts, np.ascontiguousarray(carried.transpose(0, 2, 1) @ carried), left)
        band = BandedMatrix(left).factored(0.0, held[:size])
        return None if band is None else CondensedFactor(inverse, carried, columns, band)


@released_kernel
def _subtract_windows(starts: np.ndarray, squares: np.ndarray, band: np.ndarray) -> None:
    """Subtracts the lower triangles of squares [g, v, v] from a band where their windows are."""
    last = band.shape[1] - 1
    for g in range(len(starts)):
        for i in range(squares.shape[1]):
            row, first = starts[g] + i, last - i
            for j in range(i + 1):
                band[row, first + j] -= squares[g, i, j]
