"""A banded symmetric matrix with a dense border, factored as L D L^T.

    [ T    E ] [x]   [f]
    [ E^T  S ] [y] = [g]        T banded, S small and dense

Rows of T are eliminated first, which leaves S - E^T T^-1 E for y. The band is stored as in `algebra.banded`. Factors
are L D L^T and not Cholesky's, because the signs of D tell how many eigenvalues are negative.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from animato.algebra.gram import gram
from animato.kernels.compiled import kernel
from animato.kernels.lanes import LANES, lanes, put_lanes


@kernel
def _factor_band(band: np.ndarray, border: np.ndarray, shift: float, out: np.ndarray) -> None:
    """L and D, where the diagonal would be, of a band [row, width + 1], and border = L^-1 border.

    The border has lanes of columns, [row * blocks + block, LANES].
    """
    width = band.shape[1] - 1  # also the place of the diagonal
    blocks = len(border) // max(1, len(band))
    for i in range(len(band)):
        first = max(0, i - width)
        for j in range(first, i):
            value = band[i, width - i + j]
            for m in range(max(first, j - width), j):
                value -= out[i, width - i + m] * out[j, width - j + m]  # here still L D
            out[i, width - i + j] = value
        pivot = band[i, width] + shift
        for j in range(first, i):
            factor = out[i, width - i + j] / out[j, width]
            pivot -= factor * out[i, width - i + j]
            out[i, width - i + j] = factor
        out[i, width] = pivot
        for b in range(blocks):
            value_here = lanes(border, i * blocks + b)
            for j in range(first, i):
                value_here = value_here - out[i, width - i + j] * lanes(border, j * blocks + b)
            put_lanes(border, i * blocks + b, value_here)


@kernel
def _band_forward(factors: np.ndarray, x: np.ndarray) -> None:
    """X = L^-1 x in place."""
    width = factors.shape[1] - 1
    for i in range(len(x)):
        total = x[i]
        for k in range(max(0, width - i), width):
            total -= factors[i, k] * x[i - width + k]
        x[i] = total


@kernel
def _band_backward(factors: np.ndarray, x: np.ndarray) -> None:
    """X = L^-T x in place."""
    width = factors.shape[1] - 1
    for i in range(len(x) - 1, -1, -1):
        value = x[i]
        for k in range(max(0, width - i), width):
            x[i - width + k] -= factors[i, k] * value


@dataclass(frozen=True, eq=False)
class BandedArrow:
    """Factors of a bordered banded matrix.

    Attributes:
        factors: L with the pivots D in place of its diagonal, a band [row, width + 1].
        carried: L^-1 E, shape [row, border].
        corner: S - E^T T^-1 E, shape [border, border].
        corner_factors: Factors of the corner, in the form of `factors`.
        negative: Negative eigenvalues of the whole matrix: as many as negative pivots.
        smallest: Smallest absolute pivot, relative to the largest entry of the diagonal.
    """

    factors: np.ndarray
    carried: np.ndarray
    corner: np.ndarray
    corner_factors: np.ndarray
    negative: int
    smallest: float

    @property
    def convex(self) -> bool:
        """Whether the matrix is positive definite, by more than rounding."""
        return self.negative == 0 and self.smallest > 1e-13

    def solve(self, f: np.ndarray, g: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The x and y of a right-hand side."""
        x = f.astype(float, copy=True)
        _band_forward(self.factors, x)
        y = g - (x / self.factors[:, -1]) @ self.carried
        if len(y) and self.negative:  # the corner may need pivots
            y = lapack.dsysv(self.corner, y, lower=1)[2]
        elif len(y):
            _band_forward(self.corner_factors, y)
            y /= self.corner_factors[:, -1]
            _band_backward(self.corner_factors, y)
        x = (x - self.carried @ y) / self.factors[:, -1]
        _band_backward(self.factors, x)
        return x, y


def factor_banded_arrow(
    band: np.ndarray, border: np.ndarray, corner: np.ndarray, shift: float = 0.0, corner_shift: float = 0.0
) -> BandedArrow:
    """Factors a bordered banded matrix, with something added to its diagonal.

    Args:
        band: T, a band [row, width + 1].
        border: E, shape [row, border].
        corner: S, shape [border, border].
        shift: Added to every diagonal entry of T.
        corner_shift: Added to every diagonal entry of S.
    """
    count = len(corner)
    carried = np.zeros((len(band), -(-count // LANES) * LANES))
    carried[:, :count] = border
    factors = np.zeros_like(band)
    _factor_band(band, carried.reshape(-1, LANES), shift, factors)
    with np.errstate(all="ignore"):  # without a shift a pivot may be zero, which shows in `smallest`
        schur = corner + corner_shift * np.eye(count) - _square(carried, factors[:, -1])[:count, :count]
    schur = 0.5 * (schur + schur.T)
    lower = np.zeros((count, count))
    for d in range(count):
        lower[d:, count - 1 - d] = np.diagonal(schur, -d)
    corner_factors = np.zeros_like(lower)
    _factor_band(lower, np.empty((0, LANES)), 0.0, corner_factors)
    pivots = np.concatenate([factors[:, -1], corner_factors[:, -1] if count else []])
    scale = max(np.abs(band[:, -1]).max(initial=0.0), np.abs(np.diag(corner)).max(initial=0.0), 1e-300)
    smallest = float(np.abs(pivots).min(initial=np.inf) / scale)
    negative = int((pivots < 0.0).sum())
    smallest = smallest if np.isfinite(pivots).all() else 0.0
    return BandedArrow(factors, carried[:, :count], schur, corner_factors, negative, smallest)


def _square(x: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    """X^T D^-1 x of a tall matrix; only what lies on and above the diagonal is computed, then mirrored."""
    width = x.shape[1]
    blocks = width // LANES
    pairs = (blocks + 1) // 2
    above = 2 * np.arange(pairs) + 1 >= np.arange(blocks)[:, None]
    last = np.where(above, len(x), 0).astype(np.int64).ravel()
    out = np.empty((width * blocks, LANES))
    rows = np.arange(len(x))
    weighted = x / pivots[:, None]
    gram(np.zeros_like(last), last, rows, x.reshape(-1, LANES), weighted.reshape(-1, LANES), out)
    upper = np.triu(out.reshape(width, width))
    return upper + np.triu(upper, 1).T
