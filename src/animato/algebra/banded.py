"""Symmetric banded matrices: one storage for kernels and for LAPACK.

Row r of a band [N, w] holds columns r - w + 1 to r of the lower triangle, the diagonal last; places before the first
column are not read. Read column by column this is LAPACK's own storage of an upper band, so that both factor the same
memory. Narrow bands are quicker in our kernels, which other kernels may call; wide ones in LAPACK.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.lapack import factor_wide_band, solve_wide_band
from animato.kernels.compiled import kernel

WIDE = 16
"""Width from which on LAPACK is quicker, measured for 30 to 1500 rows: even there, twice as quick at 100."""

_PANEL = 4


@kernel
def factor_band(band: np.ndarray) -> bool:
    """Replaces a band by its Cholesky factor; False where the matrix is not positive definite.

    Four finished columns at a time are subtracted from the rows after them, in an inner loop that runs along a row:
    it vectorizes and touches each row a quarter as often as column by column.
    """
    size, width = band.shape
    last = width - 1
    panel = np.zeros((_PANEL, width + _PANEL))  # finished columns, from row k on
    for k in range(0, size, _PANEL):
        columns = min(_PANEL, size - k)
        end = min(size, k + last + columns)  # rows that the panel reaches
        panel[:] = 0.0
        for c in range(columns):
            row, reach = k + c, min(size, k + c + width)
            for before in range(c):
                factor = panel[before, c]
                for r in range(row, min(reach, k + before + width)):
                    band[r, last - r + row] -= panel[before, r - k] * factor
            pivot = band[row, last]
            if not pivot > 0.0:
                return False
            root = np.sqrt(pivot)
            for r in range(row, reach):
                value = band[r, last - r + row] / root
                panel[c, r - k], band[r, last - r + row] = value, value
        for r in range(k + columns, end):
            f0, f1, f2, f3 = panel[0, r - k], panel[1, r - k], panel[2, r - k], panel[3, r - k]
            first = max(k + columns, r - last)
            to, of = last - r + first, first - k
            for e in range(r - first + 1):
                band[r, to + e] -= (
                    f0 * panel[0, of + e] + f1 * panel[1, of + e] + f2 * panel[2, of + e] + f3 * panel[3, of + e]
                )
    return True


@kernel
def solve_band(factor: np.ndarray, x: np.ndarray) -> None:
    """Replaces columns of x [N, d] by the solutions for a factored band."""
    size, width = factor.shape
    for c in range(x.shape[1]):
        for r in range(size):
            total = x[r, c]
            for k in range(max(0, r - width + 1), r):
                total -= factor[r, width - 1 - r + k] * x[k, c]
            x[r, c] = total / factor[r, width - 1]
        for r in range(size - 1, -1, -1):
            value = x[r, c] / factor[r, width - 1]
            x[r, c] = value
            for k in range(max(0, r - width + 1), r):
                x[k, c] -= factor[r, width - 1 - r + k] * value


@kernel
def band_form(band: np.ndarray, x: np.ndarray) -> float:
    """x^T A x for a band A and a vector x [N]."""
    size, width = band.shape
    total = 0.0
    for r in range(size):
        row = 0.5 * band[r, width - 1] * x[r]
        for k in range(max(0, r - width + 1), r):
            row += band[r, width - 1 - r + k] * x[k]
        total += 2.0 * row * x[r]
    return total


@kernel
def band_product(band: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """Writes A x for a band A and a vector x [N]."""
    size, width = band.shape
    for r in range(size):
        total = band[r, width - 1] * x[r]
        for k in range(max(0, r - width + 1), r):
            total += band[r, width - 1 - r + k] * x[k]
            out[k] += band[r, width - 1 - r + k] * x[r]
        out[r] = total


@kernel
def _hold(band: np.ndarray, held: np.ndarray) -> None:
    """Gives what is held unit rows and columns."""
    size, width = band.shape
    for r in range(size):
        if held[r]:
            band[r, :] = 0.0
            band[r, width - 1] = 1.0
            for d in range(1, min(width, size - r)):
                band[r + d, width - 1 - d] = 0.0


@kernel
def _put_band(band: np.ndarray, diagonal: np.ndarray, held: np.ndarray, out: np.ndarray) -> None:
    """Writes a band with another diagonal, and with unit rows and columns for what is held."""
    size, width = band.shape
    for r in range(size):
        for k in range(width):
            out[r, k] = band[r, k]
        out[r, width - 1] = diagonal[r]
    _hold(out, held)


@dataclass(frozen=True, eq=False)
class BandedFactor:
    """A Cholesky factor.

    Attributes:
        band: Rows of L, [N, w].
    """

    band: np.ndarray

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution for a right-hand side [N]."""
        x = np.array(right, dtype=np.float64)
        if self.band.shape[1] < WIDE:
            solve_band(self.band, x[:, None])
        else:
            solve_wide_band(self.band, x[None])
        return x


@dataclass(frozen=True, eq=False)
class BandedMatrix:
    """A symmetric matrix with nothing far from its diagonal; what `SymmetricMatrix` asks of it.

    Attributes:
        band: Rows of its lower triangle, [N, w].
    """

    band: np.ndarray

    @property
    def diagonal(self) -> np.ndarray:
        """Its diagonal, [N]."""
        return self.band[:, -1]

    def product(self, x: np.ndarray) -> np.ndarray:
        """A x."""
        out = np.empty(len(x))
        band_product(self.band, x, out)
        return out

    def form(self, x: np.ndarray) -> float:
        """x^T A x."""
        return float(band_form(self.band, x))

    def factored(self, added: np.ndarray | float, held: np.ndarray) -> BandedFactor | None:
        """By Cholesky's method; see `SymmetricMatrix`."""
        factor = np.empty_like(self.band)
        _put_band(self.band, self.diagonal + added, held, factor)
        done = factor_band(factor) if self.band.shape[1] < WIDE else factor_wide_band(factor)
        return BandedFactor(factor) if done else None


def factored_in_place(band: np.ndarray, held: np.ndarray) -> BandedFactor | None:
    """The factor of a band [N, w] in its own memory, for solvers that fill it anew each time.

    Args:
        band: Overwritten.
        held: Rows and columns that count as those of the unit matrix, [N].
    """
    _hold(band, held)
    done = factor_band(band) if band.shape[1] < WIDE else factor_wide_band(band)
    return BandedFactor(band) if done else None
