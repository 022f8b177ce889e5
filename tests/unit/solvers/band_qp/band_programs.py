"""Random banded programs, and the same written out in full for another solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from animato.solvers.band_qp import BandProgram, NarrowRows, WideRows

SPAN = 4


@dataclass(frozen=True)
class Written:
    """min 1/2 x^T H x + g^T x + price . e  with  A x - e <= upper, e >= 0, as dense matrices.

    Attributes:
        H, g, A, upper, price: As in `BandProgram`.
        held: Unknowns that stay.
    """

    H: np.ndarray
    g: np.ndarray
    A: np.ndarray
    upper: np.ndarray
    price: np.ndarray
    held: np.ndarray

    @staticmethod
    def of(program: BandProgram) -> Written:
        """Entry by entry, from the definition of a band and of rows."""
        size, width = program.hessian.shape
        H = np.zeros((size, size))
        for r in range(size):
            for c in range(max(0, r - width + 1), r + 1):
                H[r, c] = H[c, r] = program.hessian[r, width - 1 - (r - c)]
        columns, narrow, wide = program.columns, program.narrow, program.wide
        A = np.zeros((program.row_count, size))
        for n in range(len(narrow)):
            for k in range(SPAN):
                A[n, (narrow.first[n] + k) * columns + narrow.column[n]] = narrow.coefficients[n, k]
        for n in range(len(wide)):
            begin = wide.first[n] * columns
            A[len(narrow) + n, begin : begin + width] = wide.coefficients[n]
        return Written(H, program.gradient, A, program.upper, program.price, program.held)

    def cost(self, x: np.ndarray) -> float:
        """What unknowns cost at best: each elastic row pays for what it is beyond its limit, and no more."""
        over = np.maximum(self.A @ x - self.upper, 0.0)
        elastic = np.isfinite(self.price)
        return float(0.5 * x @ self.H @ x + self.g @ x + self.price[elastic] @ over[elastic])

    def crossed(self, x: np.ndarray) -> float:
        """How far beyond its limit the worst hard row is."""
        over = (self.A @ x - self.upper)[~np.isfinite(self.price)]
        return float(max(over.max(initial=0.0), 0.0))

    def by_clarabel(self, start: np.ndarray) -> np.ndarray:
        """Unknowns at the optimum, [N]."""
        import clarabel

        size, elastic = len(self.g), np.flatnonzero(np.isfinite(self.price))
        extra = np.zeros((len(self.upper), len(elastic)))
        extra[elastic, np.arange(len(elastic))] = -1.0
        kept = np.eye(size)[self.held]
        rows = [
            np.hstack([kept, np.zeros((len(kept), len(elastic)))]),
            np.hstack([self.A, extra]),
            np.hstack([np.zeros((len(elastic), size)), -np.eye(len(elastic))]),
        ]
        right = np.concatenate([start[self.held], self.upper, np.zeros(len(elastic))])
        H = scipy.sparse.csc_matrix(np.pad(self.H, (0, len(elastic))))
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
        cones = [clarabel.ZeroConeT(len(kept)), clarabel.NonnegativeConeT(len(right) - len(kept))]
        A = scipy.sparse.csc_matrix(np.vstack(rows))
        g = np.concatenate([self.g, self.price[elastic]])
        return np.array(clarabel.DefaultSolver(H, g, A, right, cones, settings).solve().x)[:size]


def random_program(
    rng: np.random.Generator, *, points: int = 12, columns: int = 2, rows: int = 15, held: bool = True
) -> tuple[BandProgram, np.ndarray]:
    """A program and a start; of its rows about half are hard, and some point meets all of these."""
    size, width = points * columns, SPAN * columns
    lower = np.tril(rng.normal(size=(size, size)))
    lower[np.subtract.outer(np.arange(size), np.arange(size)) >= width] = 0.0
    H = lower @ lower.T + 0.3 * np.eye(size)
    band = np.zeros((size, width))
    for r in range(size):
        for c in range(max(0, r - width + 1), r + 1):
            band[r, width - 1 - (r - c)] = H[r, c]
    stays = np.zeros(size, dtype=bool)
    if held:
        stays[: 2 * columns] = True
        stays[rng.integers(0, size, columns)] = True
    start = rng.normal(size=size)
    inside = np.where(stays, start, start + 0.5 * rng.normal(size=size))

    def rows_of(count: int, wide: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        first = rng.integers(0, points - SPAN + 1, count)
        price = np.where(rng.random(count) < 0.5, np.inf, 10.0 ** rng.uniform(-1.5, 1.5, count))
        return first, rng.normal(size=(count, wide)), price

    first, coefficients, price = rows_of(rows, SPAN)
    narrow = NarrowRows(first, rng.integers(0, columns, rows), coefficients, np.zeros(rows), price)
    first, coefficients, price = rows_of(rows, width)
    wide = WideRows(first, coefficients, np.zeros(rows), price)
    blank = BandProgram(band, 3.0 * rng.normal(size=size), narrow, wide, stays)
    # Elastic rows may contradict one another.
    room = np.where(np.isfinite(blank.price), rng.normal(size=2 * rows), rng.uniform(0.01, 1.0, 2 * rows))
    upper = blank.products(inside) + room
    narrow = NarrowRows(narrow.first, narrow.column, narrow.coefficients, upper[:rows], narrow.price)
    wide = WideRows(wide.first, wide.coefficients, upper[rows:], wide.price)
    return BandProgram(band, blank.gradient, narrow, wide, stays), start
