"""How far to go along a Newton step of a timing problem."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.arrays import FIXED_DURATION, Change, Iterate, TimingArrays
from animato.solvers.timing.times import half_time, objective_kernel, times_kernel

_TO_BOUNDARY = 0.995
_HALVINGS = 30


class Trial(NamedTuple):
    """A point a step away.

    Attributes:
        b: [N + 1].
        bends: [N].
        waits: [N + 1].
        extra: [N, 2].
        times: [N, 3].
    """

    b: np.ndarray
    bends: np.ndarray
    waits: np.ndarray
    extra: np.ndarray
    times: np.ndarray


@inlined_kernel
def limited(step: float, value: float, change: float) -> float:
    """The step that leaves a positive value positive, at most the given one."""
    return min(step, -_TO_BOUNDARY * value / change) if change < 0.0 else step


@kernel
def longest_step(p: TimingArrays, now: Iterate, most: float, change: Change) -> float:
    """Writes the change of slacks, and returns the longest step that leaves all of them positive, at most `most`."""
    step = most
    for i in range(len(p.widths)):
        for j in range(p.first_row[i], p.first_row[i + 1]):
            change.slack[j] = (
                -p.rows[j, 0] * change.b[i] - p.rows[j, 1] * change.b[i + 1] - p.rows[j, 2] * change.bends[i]
            )
            step = limited(step, now.slack[j], change.slack[j])
    for i in range(len(now.b)):
        if p.moves[i]:
            step = limited(step, now.b[i], change.b[i])
        if p.may_wait[i]:
            step = limited(step, now.waits[i] - p.least_wait[i], change.waits[i])
    return step


@kernel
def _log_growth(
    p: TimingArrays, now: Iterate, step: float, change: Change, extra: np.ndarray, inverse: np.ndarray
) -> float:
    """Sum of the logarithms of (new value / old value) of all that must stay positive."""
    total, product = 0.0, 1.0
    for j in range(len(now.slack)):
        product *= 1.0 + step * change.slack[j] * inverse[j]
        if product < 1e-200 or product > 1e200:
            total += np.log(product)
            product = 1.0
    for i in range(len(now.b)):
        if p.moves[i]:
            product *= 1.0 + step * change.b[i] / now.b[i]
        if p.may_wait[i]:
            product *= 1.0 + step * change.waits[i] / (now.waits[i] - p.least_wait[i])
        if p.relaxed and i < len(p.widths):
            product *= extra[i, 0] / now.extra[i, 0]
            product *= extra[i, 1] / now.extra[i, 1]
        if product < 1e-200 or product > 1e200:
            total += np.log(product)
            product = 1.0
    return total + np.log(product)


@kernel
def _put_trial(p: TimingArrays, now: Iterate, times: np.ndarray, step: float, change: Change, trial: Trial) -> bool:
    """Writes the point a step away. Relaxed, times move in a straight line and leave room; else they follow from b.

    Returns:
        False where a half segment would be left with no room at all.
    """
    for i in range(len(trial.b)):
        trial.b[i] = now.b[i] + step * change.b[i]
        trial.waits[i] = now.waits[i] + step * change.waits[i]
    for i in range(len(trial.bends)):
        trial.bends[i] = now.bends[i] + step * change.bends[i]
    if not p.relaxed:
        times_kernel(p, trial.b, trial.bends, trial.waits, trial.extra, trial.times)
        return True
    for i in range(len(p.widths)):
        for k in range(3):
            trial.times[i, k] = times[i, k] + step * change.times[i, k]
        first, _ = half_time(p.widths[i], trial.b[i], trial.b[i + 1], trial.bends[i])
        second, _ = half_time(p.widths[i], trial.b[i + 1], trial.b[i], trial.bends[i])
        trial.extra[i, 0] = trial.times[i, 1] - trial.times[i, 0] - first
        trial.extra[i, 1] = trial.times[i, 2] - trial.times[i, 1] - second
        for k in range(2):
            if not trial.extra[i, k] > (1.0 - _TO_BOUNDARY) * now.extra[i, k]:
                return False
    return True


@kernel
def barrier_slope(
    p: TimingArrays,
    now: Iterate,
    costates: np.ndarray,
    gradient: np.ndarray,
    bend_gradient: np.ndarray,
    mu: float,
    change: Change,
) -> float:
    """Change of the barrier function along the step."""
    total = 0.0
    for i in range(len(change.bends)):
        total += bend_gradient[i] * change.bends[i]
    for i in range(len(now.b)):
        if p.moves[i]:
            total += gradient[i] * change.b[i]
        if p.may_wait[i]:
            total += (costates[i, 0] - mu / (now.waits[i] - p.least_wait[i])) * change.waits[i]
    if p.relaxed:
        for i in range(len(p.widths)):
            for k in range(2):
                total += (costates[i, 1 + k] - mu / now.extra[i, k]) * change.extra[i, k]
    return total


@inlined_kernel
def _merit_change(
    p: TimingArrays,
    now: Iterate,
    times: np.ndarray,
    gain: float,
    straight: float,
    price: float,
    penalty: float,
    trial: Trial,
) -> float:
    """Change of the merit of a trial, from that of objective and barrier: with the cost of bends, and of the duration.

    Where the duration is fixed, the merit is an augmented Lagrangian at the new multiplier `price`.
    """
    for i in range(len(trial.bends)):
        gain += 0.5 * straight * (trial.bends[i] ** 2 - now.bends[i] ** 2) / p.most_bent[i] ** 2
    if p.mode == FIXED_DURATION:
        off, new_off = times[-1, 2] - p.duration, trial.times[-1, 2] - p.duration
        gain += price * (new_off - off) + 0.5 * penalty * (new_off * new_off - off * off)
    return gain


@kernel
def line_search(
    p: TimingArrays,
    now: Iterate,
    times: np.ndarray,
    objective: float,
    change: Change,
    longest: float,
    slope: float,
    mu: float,
    straight: float,
    price: float,
    penalty: float,
    inverse: np.ndarray,
    trial: Trial,
) -> tuple[float, float]:
    """Halves the step until it is good; doubles one that is good and long as long as that is better.

    Args:
        p: The problem.
        now: Where the step begins.
        times: There, [N, 3].
        objective: There.
        change: The step, slacks included.
        longest: How far it may go at most.
        slope: Of the merit along it.
        mu: Barrier parameter.
        straight: Cost of sum (k / most bent)^2 / 2.
        price: Multiplier of the fixed duration.
        penalty: Of missing it.
        inverse: 1 / slack, [row].
        trial: Where the step ends, written.

    Returns:
        Its length, 0 where none is good, and the objective there.
    """
    step, improved, best, value = min(longest, 1.0), False, np.inf, objective
    for _ in range(_HALVINGS):
        if not _put_trial(p, now, times, step, change, trial):
            step *= 0.5
            continue
        value = objective_kernel(p, trial.times)
        growth = _log_growth(p, now, step, change, trial.extra, inverse)
        gain = _merit_change(p, now, times, value - objective - mu * growth, straight, price, penalty, trial)
        if improved and gain >= best:  # one step too far: back to the one before, which was good
            step, best, longest = 0.5 * step, np.inf, 0.5 * step
            continue
        # rounding of the objective must not stop the last steps
        if improved or gain <= 1e-4 * step * slope + 1e-13 * abs(objective):
            improved, best = True, gain
            if step < 1.0 or 2.0 * step > longest:
                break
            step *= 2.0
            continue
        step *= 0.5
    return step if improved else 0.0, value
