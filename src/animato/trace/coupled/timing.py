"""Timing error and duration as a function of b, with all second derivatives.

Times are sums of half segments. A half segment h delays every moment after it, so that the second derivatives with
respect to two of them are a sum over the moments after the later one: with c_p and sigma_q collected once, an entry of
two grid points apart is one product.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.solvers.timing import (
    RELATIVE,
    TimingArrays,
    costates_kernel,
    half_curvature,
    half_time,
    objective_kernel,
    times_kernel,
)


@kernel
def timing_cost_kernel(p: TimingArrays, b: np.ndarray, waits: np.ndarray) -> float:
    """The objective of the timing alone."""
    count = len(p.widths)
    times = np.empty((count, 3))
    times_kernel(p, b, np.zeros(count), waits, np.zeros((count, 2)), times)
    return objective_kernel(p, times)


@kernel
def duration_kernel(p: TimingArrays, b: np.ndarray, waits: np.ndarray) -> float:
    """The duration t_f."""
    total = 0.0
    for i in range(len(p.widths)):
        first, _ = half_time(p.widths[i], b[i], b[i + 1], 0.0)
        second, _ = half_time(p.widths[i], b[i + 1], b[i], 0.0)
        total += waits[i] + first + second
    return total


@kernel
def duration_slope_kernel(p: TimingArrays, b: np.ndarray, slope: np.ndarray) -> None:
    """Adds the change of the duration with b, [N + 1]."""
    for i in range(len(p.widths)):
        _, (near, far, _) = half_time(p.widths[i], b[i], b[i + 1], 0.0)
        slope[i] += near
        slope[i + 1] += far
        _, (near, far, _) = half_time(p.widths[i], b[i + 1], b[i], 0.0)
        slope[i] += far
        slope[i + 1] += near


@kernel
def press_duration_kernel(
    p: TimingArrays,
    b: np.ndarray,
    stiff: float,
    force: float,
    dual: float,
    first: int,
    pressed: np.ndarray,
    H: np.ndarray,
) -> None:
    """Adds the row t_f / duration to a Newton system.

    Args:
        p: Widths, and the wanted duration.
        b: [N + 1].
        stiff: Weight of the square of a change of the row.
        force: Weight of a change.
        dual: Multiplier.
        first: Where b begins among the unknowns.
        pressed: [size].
        H: Lower triangle, [size, size].
    """
    slope = np.zeros(len(b))
    duration_slope_kernel(p, b, slope)
    slope /= p.duration
    for r in range(len(b)):
        pressed[first + r] += force * slope[r]
        for e in range(r + 1):
            H[first + r, first + e] += stiff * slope[r] * slope[e]
    z = dual / p.duration
    for i in range(len(p.widths)):
        n1, f1, ff1, _, _, _ = half_curvature(p.widths[i], b[i], b[i + 1], 0.0)
        n2, f2, ff2, _, _, _ = half_curvature(p.widths[i], b[i + 1], b[i], 0.0)
        H[first + i, first + i] += z * (n1 + ff2)
        H[first + i + 1, first + i + 1] += z * (ff1 + n2)
        H[first + i + 1, first + i] += z * (f1 + f2)


@kernel
def timing_derivatives_kernel(
    p: TimingArrays, b: np.ndarray, waits: np.ndarray, first: int, gradient: np.ndarray, H: np.ndarray
) -> None:
    """Adds the gradient and the lower triangle of the second derivatives of the timing's objective.

    Args:
        p: Widths, drawn times and weights.
        b: [N + 1].
        waits: [N + 1].
        first: Where b begins among the unknowns.
        gradient: [size].
        H: [size, size].
    """
    count = len(p.widths)
    times, costates = np.empty((count, 3)), np.empty((count, 3))
    times_kernel(p, b, np.zeros(count), waits, np.zeros((count, 2)), times)
    costates_kernel(p, times, 0.0, costates)
    relative = p.mode == RELATIVE
    # sums over the moments that a half segment delays
    after, after_drawn = np.empty(2 * count), np.empty(2 * count)
    total = total_drawn = squares = 0.0
    for i in range(count - 1, -1, -1):
        for k in range(2, 0, -1):
            total += p.weights[i, k]
            total_drawn += p.weights[i, k] * p.drawn[i, k]
            after[2 * i + k - 1], after_drawn[2 * i + k - 1] = total, total_drawn
        total += p.weights[i, 0]
        total_drawn += p.weights[i, 0] * p.drawn[i, 0]
        for k in range(3):
            squares += p.weights[i, k] * p.drawn[i, k] ** 2
    # slope[h, 0]: of half segment h by b at the start of its segment, slope[h, 1]: at its end
    slope = np.empty((2 * count, 2))
    own, of_after, of_drawn = np.zeros(count + 1), np.zeros(count + 1), np.zeros(count + 1)
    for i in range(count):
        _, (near, far, _) = half_time(p.widths[i], b[i], b[i + 1], 0.0)
        slope[2 * i, 0], slope[2 * i, 1] = near, far
        _, (near, far, _) = half_time(p.widths[i], b[i + 1], b[i], 0.0)
        slope[2 * i + 1, 0], slope[2 * i + 1, 1] = far, near
        n1, f1, ff1, _, _, _ = half_curvature(p.widths[i], b[i], b[i + 1], 0.0)
        n2, f2, ff2, _, _, _ = half_curvature(p.widths[i], b[i + 1], b[i], 0.0)
        c1, c2 = costates[i, 1], costates[i, 2]
        H[first + i, first + i] += c1 * n1 + c2 * ff2
        H[first + i + 1, first + i + 1] += c1 * ff1 + c2 * n2
        H[first + i + 1, first + i] += c1 * f1 + c2 * f2
        for k in range(2):
            h = 2 * i + k
            for end in range(2):
                gradient[first + i + end] += costates[i, 1 + k] * slope[h, end]
                own[i + end] += slope[h, end]
                of_after[i + end] += slope[h, end] * after[h]
                of_drawn[i + end] += slope[h, end] * after_drawn[h]
    for r in range(count + 1):
        for e in range(r - 1):
            H[first + r, first + e] += 2.0 * own[e] * of_after[r]
        for e in range(max(0, r - 1), r + 1):
            near_sum = 0.0
            for h in range(max(0, 2 * r - 2), min(2 * count, 2 * r + 2)):
                for k in range(max(0, 2 * e - 2), min(2 * count, 2 * e + 2)):
                    near_sum += slope[h, r - h // 2] * slope[k, e - k // 2] * after[max(h, k)]
            H[first + r, first + e] += 2.0 * near_sum
        if relative:
            for e in range(r + 1):
                value = squares * own[r] * own[e] - of_drawn[r] * own[e] - own[r] * of_drawn[e]
                H[first + r, first + e] += 2.0 * value
