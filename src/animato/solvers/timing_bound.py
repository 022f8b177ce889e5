"""A proven lower bound of a timing problem, from the multipliers of its convex relaxation.

The relaxation lets each half of a segment take longer than b says: dt >= T(b) with T convex. For multipliers
lambda >= 0 of these and z >= 0 of the rows, the Lagrangian

    L(t, b, k) = f(t) + sum lambda (T(b, k) - dt) + sum z (alpha b_i + beta b_{i+1} + kappa k_i - h)

is below f on every feasible motion. It is convex, so it lies above its tangent at any point, and the tangent's least
value over 0 <= b <= highest and |k| <= largest bend is a sum of one term a grid point and one a segment. Nothing has to
have converged for this to be true.
"""

from __future__ import annotations

import numpy as np

from animato.solvers.timing_arrays import FIXED_DURATION, TimingArrays
from animato.solvers.timing_newton import Iterate
from animato.solvers.timing_solver import TimingSolution
from animato.solvers.timing_times import costates_kernel, half_time, objective_kernel, times_kernel
from animato.spatial.compiled import kernel


@kernel
def lower_bound_kernel(p: TimingArrays, now: Iterate, nu: float, highest: np.ndarray, longest: float) -> float:
    """The bound.

    Args:
        p: A problem; whether it is relaxed makes no difference.
        now: Any point inside the limits with its multipliers.
        nu: Multiplier of t_N = duration.
        highest: No feasible b is larger, [N + 1].
        longest: No motion that is better than the best known one takes longer.
    """
    count = len(p.widths)
    times, costates = np.empty((count, 3)), np.empty((count, 3))
    times_kernel(p, now.b, now.bends, now.waits, now.extra, times)
    costates_kernel(p, times, nu, costates)
    total = objective_kernel(p, times)
    if p.mode == FIXED_DURATION:
        total += nu * (times[-1, 2] - p.duration)
    worst = 0.0  # the most negative delay cost; multipliers must not be negative, so it is paid for instead
    slope = np.zeros(count + 1)
    for i in range(count):
        k = now.bends[i]
        time_1, (by_b_1, by_v_1, by_k_1) = half_time(p.widths[i], now.b[i], now.b[i + 1], k)
        time_2, (by_v_2, by_b_2, by_k_2) = half_time(p.widths[i], now.b[i + 1], now.b[i], k)
        delay_1, delay_2 = costates[i, 1], costates[i, 2]
        total -= delay_1 * (time_1 + now.extra[i, 0]) + delay_2 * (time_2 + now.extra[i, 1])
        worst = min(worst, delay_1, delay_2)
        delay_1, delay_2 = max(delay_1, 0.0), max(delay_2, 0.0)
        total += delay_1 * time_1 + delay_2 * time_2
        slope[i] += delay_1 * by_b_1 + delay_2 * by_b_2
        slope[i + 1] += delay_1 * by_v_1 + delay_2 * by_v_2
        bend_slope = delay_1 * by_k_1 + delay_2 * by_k_2
        if p.may_wait[i]:
            delay = costates[i, 0]
            worst = min(worst, delay)
            total += max(delay, 0.0) * p.least_wait[i] - delay * now.waits[i]
        for j in range(p.first_row[i], p.first_row[i + 1]):
            total -= now.row_dual[j] * now.slack[j]
            slope[i] += now.row_dual[j] * p.rows[j, 0]
            slope[i + 1] += now.row_dual[j] * p.rows[j, 1]
            bend_slope += now.row_dual[j] * p.rows[j, 2]
        total += min(bend_slope * (p.most_bent[i] - k), -bend_slope * (p.most_bent[i] + k))
    for i in range(count + 1):
        if p.moves[i]:
            total += min(-slope[i] * now.b[i], slope[i] * (highest[i] - now.b[i]))
    return total + worst * longest


def timing_lower_bound(problem: TimingArrays, solution: TimingSolution, highest: np.ndarray, longest: float) -> float:
    """No feasible motion has a smaller objective than this.

    Args:
        problem: The problem, relaxed or not.
        solution: Of the relaxation, for a bound that is worth something.
        highest: No feasible b is larger, [N + 1].
        longest: No motion that is better than the best known one takes longer.
    """
    return float(lower_bound_kernel(problem, solution.iterate, solution.multiplier, highest, longest))
