"""Quadratic programs in the coefficients of a cubic spline, with rows that may be broken at a price.

Minimizes 1/2 x' H x + g' x + price * sum(e) with A x - e <= h and e >= 0. Every row belongs to a place on the spline
and reaches the four coefficients that count there, so A' D A has a band of seven; H has the same band and a full last
row, for what the end of the spline does to all of it. A step of the interior point therefore costs O(n).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve_banded, cholesky_banded

from animato.kernels.compiled import kernel

REACH = 4
"""Coefficients that a row reaches: those of a cubic spline at one place."""

_MOST_STEPS = 60
_LEAST_SPARE = 1e-14  # of the price
_SHARE = 0.995  # of the way to the nearest bound
_PIVOT = 1e-13  # of the largest diagonal entry: what keeps the matrix positive


class ElasticProgram(NamedTuple):
    """The arrays of the program.

    Attributes:
        band: Lower band of H without its last row and column, [REACH, n].
        border: Last row of H, its corner last, [n + 1].
        gradient: g, [n + 1].
        first: First coefficient of each place, rising, [place].
        functionals: What rows are made of at each place, by coefficient, [place, part, REACH].
        first_row: Rows of place m are first_row[m] to first_row[m + 1], [place + 1].
        rows: Each row by its parts, [row, part].
        room: h, [row].
        price: What breaking a row by 1 costs.
        fixed: Unknowns that stay 0, [n + 1].
    """

    band: np.ndarray
    border: np.ndarray
    gradient: np.ndarray
    first: np.ndarray
    functionals: np.ndarray
    first_row: np.ndarray
    rows: np.ndarray
    room: np.ndarray
    price: float
    fixed: np.ndarray

    def change_of(self, x: np.ndarray) -> float:
        """What the objective changes by, without the price of what is beyond limits."""
        return float(x @ (0.5 * _hessian_times(self, x) + self.gradient))


@kernel
def _rows_kernel(p: ElasticProgram, x: np.ndarray, values: np.ndarray) -> None:
    """Writes A x."""
    parts = p.functionals.shape[1]
    made = np.empty(parts)
    for m in range(len(p.first)):
        for k in range(parts):
            made[k] = 0.0
            for c in range(REACH):
                made[k] += p.functionals[m, k, c] * x[p.first[m] + c]
        for r in range(p.first_row[m], p.first_row[m + 1]):
            values[r] = 0.0
            for k in range(parts):
                values[r] += p.rows[r, k] * made[k]


@kernel
def _transposed_kernel(p: ElasticProgram, duals: np.ndarray, values: np.ndarray) -> None:
    """Adds A' z."""
    parts = p.functionals.shape[1]
    made = np.empty(parts)
    for m in range(len(p.first)):
        made[:] = 0.0
        for r in range(p.first_row[m], p.first_row[m + 1]):
            for k in range(parts):
                made[k] += p.rows[r, k] * duals[r]
        for c in range(REACH):
            for k in range(parts):
                values[p.first[m] + c] += p.functionals[m, k, c] * made[k]


@kernel
def _normal_kernel(p: ElasticProgram, weights: np.ndarray, band: np.ndarray, border: np.ndarray) -> None:
    """Adds A' D A, with D by row."""
    parts, last = p.functionals.shape[1], len(border) - 1
    local, half = np.empty((parts, parts)), np.empty((parts, REACH))
    for m in range(len(p.first)):
        local[:] = 0.0
        for r in range(p.first_row[m], p.first_row[m + 1]):
            for k in range(parts):
                for other in range(k + 1):
                    local[k, other] += weights[r] * p.rows[r, k] * p.rows[r, other]
        for k in range(parts):
            for other in range(k):
                local[other, k] = local[k, other]
        for k in range(parts):
            for c in range(REACH):
                half[k, c] = 0.0
                for other in range(parts):
                    half[k, c] += local[k, other] * p.functionals[m, other, c]
        for c in range(REACH):
            for d in range(c + 1):
                total = 0.0
                for k in range(parts):
                    total += p.functionals[m, k, c] * half[k, d]
                row, column = p.first[m] + c, p.first[m] + d
                if row == last:
                    border[column] += total
                else:
                    band[c - d, column] += total


class _Bordered:
    """A factored matrix with a band and a full last row."""

    def __init__(self, band: np.ndarray, border: np.ndarray, fixed: np.ndarray) -> None:
        n = band.shape[1]
        self.fixed = fixed
        held = np.flatnonzero(fixed[:n])
        border = border.copy()
        border[:n][fixed[:n]] = 0.0
        for i in held:
            band[:, i] = 0.0
            for k in range(1, min(REACH, int(i) + 1)):
                band[k, i - k] = 0.0
            band[0, i] = 1.0
        band[0] += _PIVOT * band[0].max()
        self.factor = (cholesky_banded(band, lower=True, check_finite=False), True)
        self.border = border[:n]
        self.across = cho_solve_banded(self.factor, self.border, check_finite=False)
        self.corner = float(border[n] - self.border @ self.across)

    def solve(self, right: np.ndarray) -> np.ndarray:
        right = np.where(self.fixed, 0.0, right)
        inner = cho_solve_banded(self.factor, right[:-1], check_finite=False)
        last = 0.0
        if not self.fixed[-1]:
            last = (right[-1] - self.border @ inner) / max(self.corner, 1e-300)
        return np.append(inner - last * self.across, last)


def _hessian_times(p: ElasticProgram, x: np.ndarray) -> np.ndarray:
    """H x."""
    n = p.band.shape[1]
    inner, product = x[:n], np.zeros(n + 1)
    product[:n] = p.band[0] * inner + p.border[:n] * x[n]
    for k in range(1, REACH):
        product[k:n] += p.band[k, : n - k] * inner[: n - k]
        product[: n - k] += p.band[k, : n - k] * inner[k:]
    product[n] = p.border @ x
    return product


def solve_elastic(p: ElasticProgram, tolerance: float = 1e-6) -> tuple[np.ndarray, bool]:
    """The minimizer, and whether it was found, by a primal-dual interior point with predictor and corrector.

    Args:
        p: The program.
        tolerance: Of the sum of all products of slacks and multipliers, relative to the price.
    """
    size, count = len(p.gradient), len(p.room)
    x = np.zeros(size)
    value, right = np.empty(count), np.empty(size)
    duals = np.full(count, min(0.5, 10.0 / max(count, 1)) * p.price)
    slack = np.maximum(p.room, 1e-2)
    excess = np.maximum(slack - p.room, 1e-2)
    for _ in range(_MOST_STEPS):
        _rows_kernel(p, x, value)
        missed = value - excess + slack - p.room
        spare = np.maximum(p.price - duals, _LEAST_SPARE * p.price)  # rounding may leave nothing
        dual_missed = _hessian_times(p, x) + p.gradient
        _transposed_kernel(p, duals, dual_missed)
        dual_missed[p.fixed] = 0.0
        gap = float(slack @ duals + excess @ spare)
        mu = gap / (2 * count)
        if gap <= tolerance * p.price and np.abs(missed).max(initial=0.0) <= 1e-9:
            return x, True
        weights = 1.0 / (excess / spare + slack / duals)
        band, border = p.band.copy(), p.border.copy()
        _normal_kernel(p, weights, band, border)
        try:
            matrix = _Bordered(band, border, p.fixed)
        except np.linalg.LinAlgError:
            return x, False
        slack_product, excess_product = slack * duals, excess * spare
        target = np.zeros(count)
        correction = np.zeros(count), np.zeros(count)
        for corrected in (False, True):
            # changes of slack and excess with that of the multiplier put in
            slack_now = (target - correction[0] - slack_product) / duals
            excess_now = (target - correction[1] - excess_product) / spare
            short = -missed + excess_now - slack_now
            right[:] = -dual_missed
            _transposed_kernel(p, weights * short, right)
            step = matrix.solve(right)
            _rows_kernel(p, step, value)
            dual_step = weights * (value - short)
            slack_step = slack_now - slack / duals * dual_step
            excess_step = excess_now + excess / spare * dual_step
            length = min(_longest(slack, slack_step), _longest(excess, excess_step))
            dual_length = min(_longest(duals, dual_step), _longest(spare, -dual_step))
            if not corrected:
                ahead = float(
                    (slack + length * slack_step) @ (duals + dual_length * dual_step)
                    + (excess + length * excess_step) @ (spare - dual_length * dual_step)
                )
                target = np.full(count, mu * min(1.0, ahead / gap) ** 3)
                correction = slack_step * dual_step, -excess_step * dual_step
        length = dual_length = min(length, dual_length)
        x = x + length * step
        slack, excess = slack + length * slack_step, excess + length * excess_step
        duals = duals + dual_length * dual_step
    return x, False


def _longest(values: np.ndarray, changes: np.ndarray) -> float:
    """The longest step, at most 1, that keeps all values positive."""
    falls = changes < 0.0
    if not falls.any():
        return 1.0
    return float(min(1.0, _SHARE * np.min(-values[falls] / changes[falls])))
