"""Squares and rows of single moments, brought to control points."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def add_moment_squares(first: np.ndarray, values: np.ndarray, squares: np.ndarray, band: np.ndarray) -> None:
    """Adds, for each moment, (b b^T) x W to a band [N, 4 columns], with b [4] of the control points and W [c, c]."""
    columns = squares.shape[1]
    last = band.shape[1] - 1
    for moment in range(len(first)):
        for i in range(4):
            for j in range(i + 1):
                share = values[moment, i] * values[moment, j]
                if share == 0.0:
                    continue
                for c in range(columns):
                    row = (first[moment] + i) * columns + c
                    at = last - (i - j) * columns - c
                    for other in range(columns if j < i else c + 1):
                        band[row, at + other] += share * squares[moment, c, other]


@kernel
def add_moment_pulls(first: np.ndarray, values: np.ndarray, pull: np.ndarray, out: np.ndarray) -> None:
    """Adds, for each moment, b x pull [c] to a gradient [N]."""
    columns = pull.shape[1]
    for moment in range(len(first)):
        for k in range(4):
            for c in range(columns):
                out[(first[moment] + k) * columns + c] += values[moment, k] * pull[moment, c]


@kernel
def put_wide_rows(
    moments: np.ndarray,
    rows: np.ndarray,
    b0: np.ndarray,
    b1: np.ndarray,
    b2: np.ndarray,
    by_q: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
    out: np.ndarray,
) -> None:
    """Writes derivatives of chosen rows of moments by the four control points, [chosen, 4 columns]."""
    columns = by_q.shape[2]
    for n in range(len(moments)):
        t, r = moments[n], rows[n]
        for k in range(4):
            x, y, z = b0[t, k], b1[t, k], b2[t, k]
            for c in range(columns):
                out[n, k * columns + c] = x * by_q[t, r, c] + y * by_v[t, r, c] + z * by_a[t, r, c]
