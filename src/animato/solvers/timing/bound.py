"""A proven lower bound of a timing problem, from the multipliers of its convex relaxation.

The relaxation lets each half of a segment take longer than b says: dt >= T(b) with T convex. For multipliers
lambda >= 0 of these and z >= 0 of the rows, the Lagrangian

    L(t, b, k) = f(t) + sum lambda (T(b, k) - dt) + sum z (alpha b_i + beta b_{i+1} + kappa k_i - h)

is below f on every feasible motion. In t it is a sum of parabolas, one a moment, whose least values are known. In b and
k it is convex, so it lies above its tangent at any point, and the tangent's least value over 0 <= b <= highest and
|k| <= largest bend is a sum of one term a grid point and one a segment. Nothing has to have converged for this to be
true.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.arrays import ABSOLUTE, RELATIVE, Iterate, TimingArrays
from animato.solvers.timing.solver import TimingSolution
from animato.solvers.timing.times import costates_kernel, half_time, times_kernel


@inlined_kernel
def _least_of(weight: float, slope: float, most: float) -> float:
    """The least value of weight e^2 - slope e over |e| <= most."""
    if abs(slope) <= 2.0 * weight * most:
        return -0.25 * slope * slope / weight if weight > 0.0 else 0.0
    return (weight * most - abs(slope)) * most


@kernel
def _least_over_times(p: TimingArrays, delays: np.ndarray, longest: float) -> float:
    """The least value, over all times, of f - sum delays dt - the same of waits beyond the least.

    With e = t - r drawn, and what a moment adds to the sum written as slope t, all moments fall apart. Relative timing
    leaves a term in the duration alone, which lies between 0 and the longest.
    """
    count = len(p.widths)
    total, of_duration = 0.0, p.gamma
    for i in range(count):
        for k in range(3):
            following = delays[i + 1, 0] if i + 1 < count else 0.0
            after = delays[i, k + 1] if k < 2 else following
            slope = delays[i, k] - after
            if i == count - 1 and k == 2 and p.mode != ABSOLUTE:
                # t_N is the duration itself: there is no error there if it is relative, and it is known if fixed
                if p.mode == RELATIVE:
                    of_duration -= slope
                else:
                    error = p.duration - p.drawn[i, k]
                    total += p.weights[i, k] * error * error + (p.gamma - slope) * p.duration
                continue
            if p.mode == RELATIVE:
                of_duration -= slope * p.drawn[i, k]
            else:
                total -= slope * p.drawn[i, k]
            if i == 0 and k == 0 and not p.may_wait[0]:
                continue  # t = 0 there
            if i == count - 1 and k == 2:  # absolute: the last moment has the cost of the duration as well
                total += p.gamma * p.drawn[i, k]
                slope -= p.gamma
            total += _least_of(p.weights[i, k], slope, longest)
    if p.mode == RELATIVE:
        total += min(of_duration, 0.0) * longest
    return total


@inlined_kernel
def _shared(p: TimingArrays, delays: np.ndarray, i: int) -> float:
    """The delay cost between two moments that are one, so that both of their errors come out the same."""
    before, after = p.weights[i - 1, 2], p.weights[i, 0]
    if before + after == 0.0:
        return float(delays[i - 1, 2])
    return float((after * delays[i - 1, 2] + before * delays[i, 1]) / (before + after))


@kernel
def bound_delays(p: TimingArrays, now: Iterate, nu: float, delays: np.ndarray) -> None:
    """Writes the multipliers of the times of an iterate, none of an inequality below 0, [N, 3]."""
    count = len(p.widths)
    times = np.empty((count, 3))
    times_kernel(p, now.b, now.bends, now.waits, now.extra, times)
    costates_kernel(p, times, nu, delays)
    for i in range(count):
        for k in range(3):
            if k > 0 or p.may_wait[i]:  # of inequalities
                delays[i, k] = max(delays[i, k], 0.0)
    for i in range(1, count):
        if not p.may_wait[i]:  # no time passes between the end of a segment and the start of the next
            delays[i, 0] = _shared(p, delays, i)


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
    delays = np.empty((count, 3))
    bound_delays(p, now, nu, delays)
    total = _least_over_times(p, delays, longest)
    slope = np.zeros(count + 1)
    for i in range(count):
        k = now.bends[i]
        time_1, (by_b_1, by_v_1, by_k_1) = half_time(p.widths[i], now.b[i], now.b[i + 1], k)
        time_2, (by_v_2, by_b_2, by_k_2) = half_time(p.widths[i], now.b[i + 1], now.b[i], k)
        delay_1, delay_2 = delays[i, 1], delays[i, 2]
        total += delay_1 * time_1 + delay_2 * time_2
        slope[i] += delay_1 * by_b_1 + delay_2 * by_b_2
        slope[i + 1] += delay_1 * by_v_1 + delay_2 * by_v_2
        bend_slope = delay_1 * by_k_1 + delay_2 * by_k_2
        if p.may_wait[i]:
            total += delays[i, 0] * p.least_wait[i]
        for j in range(p.first_row[i], p.first_row[i + 1]):
            total -= now.row_dual[j] * now.slack[j]
            slope[i] += now.row_dual[j] * p.rows[j, 0]
            slope[i + 1] += now.row_dual[j] * p.rows[j, 1]
            bend_slope += now.row_dual[j] * p.rows[j, 2]
        total += min(bend_slope * (p.most_bent[i] - k), -bend_slope * (p.most_bent[i] + k))
    for i in range(count + 1):
        if p.moves[i]:
            total += min(-slope[i] * now.b[i], slope[i] * (highest[i] - now.b[i]))
    return total


def timing_lower_bound(problem: TimingArrays, solution: TimingSolution, highest: np.ndarray, longest: float) -> float:
    """No feasible motion has a smaller objective than this.

    Args:
        problem: The problem, relaxed or not.
        solution: Of the relaxation, for a bound that is worth something.
        highest: No feasible b is larger, [N + 1].
        longest: No motion that is better than the best known one takes longer.
    """
    return float(lower_bound_kernel(problem, solution.iterate, solution.multiplier, highest, longest))
