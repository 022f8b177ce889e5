"""Cubic B-spline basis functions: at most four are not zero anywhere, so they are kept as rows of four."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from animato.errors import SplineError
from animato.kernels.compiled import kernel

DEGREE = 3
ORDER = DEGREE + 1


@kernel
def span_of(knots: np.ndarray, x: float, from_left: bool) -> int:
    """Index s with knots[s] <= x < knots[s + 1], or knots[s] < x <= knots[s + 1] when `from_left`."""
    low, high = DEGREE, len(knots) - ORDER - 1
    while low < high:
        middle = (low + high + 1) // 2
        if knots[middle] < x or (knots[middle] == x and not from_left):
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def basis_one(knots: np.ndarray, span: int, x: float, derivative: int, out: np.ndarray) -> None:
    """The four basis functions that live on a span, or their derivative, by Cox and de Boor.

    Low-degree functions are raised to degree 3 - derivative first; each derivative then takes
    differences of them, p (N_i / (t_{i+p} - t_i) - N_{i+1} / (t_{i+p+1} - t_{i+1})).
    """
    out[:] = 0.0
    out[0] = 1.0
    for p in range(1, ORDER - derivative):
        saved = 0.0
        for r in range(p):
            right = knots[span + r + 1] - x
            left = x - knots[span + 1 - p + r]
            share = out[r] / (right + left)
            out[r] = saved + right * share
            saved = left * share
        out[p] = saved
    for p in range(ORDER - derivative, ORDER):
        saved = 0.0
        for r in range(p):
            width = knots[span + r + 1] - knots[span + 1 - p + r]
            share = p * out[r] / width
            out[r] = saved - share
            saved = share
        out[p] = saved


@kernel
def basis_rows_kernel(
    knots: np.ndarray, points: np.ndarray, derivative: int, from_left: bool, first: np.ndarray, values: np.ndarray
) -> None:
    """Fills, for each point, the first of the four functions and their four values."""
    low, high = knots[DEGREE], knots[len(knots) - ORDER]
    for n in range(len(points)):
        x = min(max(points[n], low), high)
        span = span_of(knots, x, from_left)
        first[n] = span - DEGREE
        basis_one(knots, span, x, derivative, values[n])


@kernel
def combine_rows(first: np.ndarray, values: np.ndarray, control_points: np.ndarray, out: np.ndarray) -> None:
    """Writes, for each row, the sum of the four basis values times their control points."""
    for n in range(len(first)):
        for d in range(control_points.shape[1]):
            total = 0.0
            for k in range(ORDER):
                total += values[n, k] * control_points[first[n] + k, d]
            out[n, d] = total


def basis_rows(
    knots: np.ndarray, points: np.ndarray, *, derivative: int = 0, from_left: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Evaluates the basis.

    Args:
        knots: Clamped knot vector, shape [n + 4].
        points: Where, shape [m]; points outside the knots are moved to the nearer end.
        derivative: 0 to 3.
        from_left: Take the limit from the left where a point is a knot; counts for derivative 3.

    Returns:
        Index of the first non-zero function, shape [m], and the values of the four, shape [m, 4].
    """
    if not 0 <= derivative <= DEGREE:
        raise SplineError(f"A cubic spline has derivatives 0 to 3, asked for {derivative}.")
    points = np.ascontiguousarray(points, dtype=np.float64)
    first = np.empty(len(points), dtype=np.int64)
    values = np.empty((len(points), ORDER))
    basis_rows_kernel(np.ascontiguousarray(knots, dtype=np.float64), points, derivative, from_left, first, values)
    return first, values


def basis_matrix(knots: np.ndarray, points: np.ndarray, *, derivative: int = 0) -> csr_array:
    """The sparse matrix B with B @ control_points = the spline (or its derivative) at the points."""
    first, values = basis_rows(knots, points, derivative=derivative)
    columns = first[:, None] + np.arange(ORDER)
    starts = np.arange(len(first) + 1) * ORDER
    shape = (len(first), len(knots) - ORDER)
    return csr_array((values.ravel(), columns.ravel(), starts), shape=shape)


def clamped_knots(breakpoints: np.ndarray) -> np.ndarray:
    """The knot vector whose spline starts at the first and ends at the last control point.

    Args:
        breakpoints: Where the polynomial pieces meet, both ends included, strictly rising, shape [m].

    Returns:
        Knots with both ends fourfold, shape [m + 6]; the spline has m + 2 control points.
    """
    points = np.asarray(breakpoints, dtype=np.float64)
    if points.ndim != 1 or len(points) < 2 or not np.all(np.isfinite(points)) or np.any(np.diff(points) <= 0.0):
        raise SplineError("Breakpoints of a spline must be at least 2 finite numbers that strictly rise.")
    return np.concatenate([np.repeat(points[0], DEGREE), points, np.repeat(points[-1], DEGREE)])
