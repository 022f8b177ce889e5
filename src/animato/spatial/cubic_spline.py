"""Clamped non-uniform cubic B-splines: evaluating, interpolating, fitting, resampling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, solve_banded, solveh_banded

from animato.errors import SplineError
from animato.spatial.basis import DEGREE, ORDER, basis_rows, clamped_knots, combine_rows

_GAUSS = 1.0 / np.sqrt(3.0)  # two-point Gauss quadrature integrates a product of two lines exactly


@dataclass(frozen=True, eq=False)
class CubicSpline:
    """A curve f(x) = sum_i B_i(x) P_i with clamped knots; outside them it holds its end values.

    Attributes:
        knots: Shape [n + 4], both ends fourfold.
        control_points: P, shape [n, d].
    """

    knots: np.ndarray
    control_points: np.ndarray

    def __call__(self, points: ArrayLike, *, derivative: int = 0, from_left: bool = False) -> np.ndarray:
        """Values, or a derivative, at the points [m]; shape [m, d].

        Args:
            points: Where to evaluate.
            derivative: 0 to 3. The third is constant on each piece and jumps at the knots.
            from_left: Which side counts where a point is a knot.
        """
        where = np.atleast_1d(np.asarray(points, dtype=np.float64))
        first, values = basis_rows(self.knots, where, derivative=derivative, from_left=from_left)
        out = np.empty((len(where), self.control_points.shape[1]))
        combine_rows(first, values, self.control_points, out)
        return out

    def third_derivative(self, points: ArrayLike) -> np.ndarray:
        """The third derivative, at a knot the mean of both sides, which is second-order accurate."""
        return 0.5 * (self(points, derivative=3) + self(points, derivative=3, from_left=True))

    def resampled(self, points: ArrayLike) -> CubicSpline:
        """The spline that passes through this one at the given points and has its pieces there."""
        return interpolate(points, self(points))

    @property
    def domain(self) -> tuple[float, float]:
        """Where the curve begins and ends."""
        return float(self.knots[DEGREE]), float(self.knots[-ORDER])


def _samples(x: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    points = np.ascontiguousarray(x, dtype=np.float64)
    values = np.asarray(y, dtype=np.float64)
    values = np.ascontiguousarray(values[:, None] if values.ndim == 1 else values)
    if points.ndim != 1 or values.ndim != 2 or len(points) != len(values) or len(points) == 0:
        raise SplineError(f"A spline needs as many values as points, given {values.shape} at {points.shape}.")
    if not (np.all(np.isfinite(points)) and np.all(np.isfinite(values))):
        raise SplineError("A spline cannot pass through values that are not finite.")
    return points, values


def interpolate(x: ArrayLike, y: ArrayLike) -> CubicSpline:
    """The cubic spline through all samples, with the not-a-knot condition at both ends.

    One, two or three samples give a constant, a line or a parabola.

    Args:
        x: Strictly rising, shape [m].
        y: Shape [m, d] or [m].
    """
    points, values = _samples(x, y)
    if np.any(np.diff(points) <= 0.0):
        raise SplineError("The points of an interpolating spline must strictly rise.")
    count = len(points)
    if count < ORDER:
        return _low_degree(points, values)
    knots = clamped_knots(np.concatenate([points[:1], points[2:-2], points[-1:]]))
    first, rows = basis_rows(knots, points)
    band = np.zeros((2 * DEGREE + 1, count))
    columns = first[:, None] + np.arange(ORDER)
    band[DEGREE + np.arange(count)[:, None] - columns, columns] = rows
    return CubicSpline(knots, solve_banded((DEGREE, DEGREE), band, values))


def _low_degree(points: np.ndarray, values: np.ndarray) -> CubicSpline:
    """The polynomial through fewer than four samples, as one cubic piece."""
    if len(points) == 1:
        return CubicSpline(clamped_knots(points[0] + np.array((0.0, 1.0))), np.repeat(values, ORDER, axis=0))
    where = np.linspace(points[0], points[-1], ORDER)
    total = np.zeros((ORDER, values.shape[1]))
    for i in range(len(points)):
        others = np.delete(points, i)
        weight = np.prod((where[:, None] - others) / (points[i] - others), axis=1)
        total += weight[:, None] * values[i]
    return interpolate(where, total)


def fit(
    x: ArrayLike,
    y: ArrayLike,
    breakpoints: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    smoothing: float = 0.0,
) -> CubicSpline:
    """The spline with given breakpoints that minimizes sum w |f(x) - y|^2 + smoothing * integral |f''|^2.

    Args:
        x: Samples, in any order, shape [m].
        y: Shape [m, d] or [m].
        breakpoints: Where pieces meet, both ends included.
        weights: w, shape [m]; 1 where not given.
        smoothing: At least 0; 0 is plain least squares.

    Raises:
        SplineError: Some piece has too few samples to be determined; smoothing would determine it.
    """
    points, values = _samples(x, y)
    knots = clamped_knots(np.asarray(breakpoints, dtype=np.float64))
    if smoothing < 0.0:
        raise SplineError(f"The smoothing of a spline must be at least 0, given {smoothing}.")
    w = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=np.float64)
    first, rows = basis_rows(knots, points)
    count = len(knots) - ORDER
    band = np.zeros((ORDER, count))
    _add_gram(band, first, rows, w)
    if smoothing > 0.0:
        middles = 0.5 * (knots[DEGREE:-ORDER] + knots[ORDER:-DEGREE])
        halves = 0.5 * np.diff(knots[DEGREE:-DEGREE])
        for side in (-_GAUSS, _GAUSS):
            bend_first, bend_rows = basis_rows(knots, middles + side * halves, derivative=2)
            _add_gram(band, bend_first, bend_rows, smoothing * halves)
    right = np.zeros((count, values.shape[1]))
    for k in range(ORDER):
        np.add.at(right, first + k, (w * rows[:, k])[:, None] * values)
    try:
        return CubicSpline(knots, solveh_banded(band, right, lower=True))
    except LinAlgError:
        raise SplineError(
            "Some pieces of the spline hold too few samples to be determined. "
            "Use fewer breakpoints, more samples, or a smoothing above 0."
        ) from None


def _add_gram(band: np.ndarray, first: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> None:
    """Adds rows^T diag(weights) rows to a symmetric matrix kept as its lower bands."""
    for low in range(ORDER):
        for high in range(low, ORDER):
            np.add.at(band[high - low], first + low, weights * rows[:, low] * rows[:, high])
