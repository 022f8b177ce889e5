"""A primal-dual interior point for timing problems, from a strictly feasible start and in O(N) a step."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.arrays import FIXED_DURATION, TimingArrays
from animato.solvers.timing.newton import NEWTON, Gains, Iterate, backward_kernel, forward_kernel
from animato.solvers.timing.times import costates_kernel, half_time, objective_kernel, times_kernel

SOLVED, STALLED, OUT_OF_ITERATIONS = 0, 1, 2
_TO_BOUNDARY = 0.995
_DUAL_SPREAD = 1e8
_SHORT, _MOST_SHORT, _MOST_RECENTRED = 0.1, 2, 4  # what a short step is, how many in a row, and how often
_CENTRED = 0.03  # how much nearer to the central path, where the problem is not convex, before the barrier falls
_LONGEST = 16.0  # steps, where the model leaves negative curvature out and so comes too short
_STRAIGHT = 1e-6  # of the objective: what bends may cost at most for being there


@kernel
def slack_kernel(p: TimingArrays, b: np.ndarray, bends: np.ndarray, slack: np.ndarray) -> None:
    """Writes h - alpha b_i - beta b_{i+1} - kappa k_i of every row."""
    for i in range(len(p.widths)):
        for j in range(p.first_row[i], p.first_row[i + 1]):
            slack[j] = p.rows[j, 3] - p.rows[j, 0] * b[i] - p.rows[j, 1] * b[i + 1] - p.rows[j, 2] * bends[i]


@inlined_kernel
def _limit(step: float, value: float, change: float) -> float:
    """The step that leaves a positive value positive, at most the given one."""
    return min(step, -_TO_BOUNDARY * value / change) if change < 0.0 else step


@inlined_kernel
def _next_dual(dual: float, value: float, change: float, mu: float) -> float:
    """Change of a multiplier that goes with the change of what it multiplies."""
    return (mu - dual * change) / value - dual


@inlined_kernel
def _kept_near(dual: float, value: float, mu: float) -> float:
    """A multiplier brought into a wide band about mu / value, so that none is lost."""
    product = dual * value
    if product * _DUAL_SPREAD < mu:
        return mu / (value * _DUAL_SPREAD)
    if product > mu * _DUAL_SPREAD:
        return mu * _DUAL_SPREAD / value
    return dual


@kernel
def start_duals(p: TimingArrays, now: Iterate, mu: float) -> None:
    """Slacks of the start, and multipliers with all products equal to mu."""
    slack_kernel(p, now.b, now.bends, now.slack)
    for j in range(len(now.slack)):
        now.row_dual[j] = mu / now.slack[j]
    for i in range(len(now.b)):
        now.b_dual[i] = mu / now.b[i] if p.moves[i] else 0.0
        now.wait_dual[i] = mu / (now.waits[i] - p.least_wait[i]) if p.may_wait[i] else 0.0
    for i in range(len(p.widths)):
        for k in range(2):
            now.extra_dual[i, k] = mu / now.extra[i, k] if p.relaxed else 0.0


@kernel
def _primal_step(
    p: TimingArrays,
    now: Iterate,
    most: float,
    db: np.ndarray,
    dbends: np.ndarray,
    dwaits: np.ndarray,
    dslack: np.ndarray,
) -> float:
    """Writes the change of slacks, and returns the longest step that leaves all of them positive, at most `most`."""
    step = most
    for i in range(len(p.widths)):
        for j in range(p.first_row[i], p.first_row[i + 1]):
            dslack[j] = -p.rows[j, 0] * db[i] - p.rows[j, 1] * db[i + 1] - p.rows[j, 2] * dbends[i]
            step = _limit(step, now.slack[j], dslack[j])
    for i in range(len(now.b)):
        if p.moves[i]:
            step = _limit(step, now.b[i], db[i])
        if p.may_wait[i]:
            step = _limit(step, now.waits[i] - p.least_wait[i], dwaits[i])
    return step


@kernel
def _log_growth(
    p: TimingArrays,
    now: Iterate,
    step: float,
    db: np.ndarray,
    dwaits: np.ndarray,
    extra: np.ndarray,
    dslack: np.ndarray,
    inverse: np.ndarray,
) -> float:
    """Sum of the logarithms of (new value / old value) of all that must stay positive."""
    total, product = 0.0, 1.0
    for j in range(len(now.slack)):
        product *= 1.0 + step * dslack[j] * inverse[j]
        if product < 1e-200 or product > 1e200:
            total += np.log(product)
            product = 1.0
    for i in range(len(now.b)):
        if p.moves[i]:
            product *= 1.0 + step * db[i] / now.b[i]
        if p.may_wait[i]:
            product *= 1.0 + step * dwaits[i] / (now.waits[i] - p.least_wait[i])
        if p.relaxed and i < len(p.widths):
            product *= extra[i, 0] / now.extra[i, 0]
            product *= extra[i, 1] / now.extra[i, 1]
        if product < 1e-200 or product > 1e200:
            total += np.log(product)
            product = 1.0
    return total + np.log(product)


@kernel
def _trial(
    p: TimingArrays,
    now: Iterate,
    step: float,
    db: np.ndarray,
    dbends: np.ndarray,
    dwaits: np.ndarray,
    times: np.ndarray,
    dtimes: np.ndarray,
    b: np.ndarray,
    bends: np.ndarray,
    waits: np.ndarray,
    extra: np.ndarray,
    trial: np.ndarray,
) -> bool:
    """The point a step away. Relaxed, times move in a straight line and leave room; else they follow from b.

    Returns:
        False where a half segment would be left with no room at all.
    """
    for i in range(len(b)):
        b[i] = now.b[i] + step * db[i]
        waits[i] = now.waits[i] + step * dwaits[i]
    for i in range(len(bends)):
        bends[i] = now.bends[i] + step * dbends[i]
    if not p.relaxed:
        times_kernel(p, b, bends, waits, extra, trial)
        return True
    for i in range(len(p.widths)):
        for k in range(3):
            trial[i, k] = times[i, k] + step * dtimes[i, k]
        first, _ = half_time(p.widths[i], b[i], b[i + 1], bends[i])
        second, _ = half_time(p.widths[i], b[i + 1], b[i], bends[i])
        extra[i, 0] = trial[i, 1] - trial[i, 0] - first
        extra[i, 1] = trial[i, 2] - trial[i, 1] - second
        for k in range(2):
            if not extra[i, k] > (1.0 - _TO_BOUNDARY) * now.extra[i, k]:
                return False
    return True


@kernel
def _slope(
    p: TimingArrays,
    now: Iterate,
    costates: np.ndarray,
    gradient: np.ndarray,
    bend_gradient: np.ndarray,
    mu: float,
    db: np.ndarray,
    dbends: np.ndarray,
    dwaits: np.ndarray,
    dextra: np.ndarray,
) -> float:
    """Change of the barrier function along the step."""
    total = 0.0
    for i in range(len(dbends)):
        total += bend_gradient[i] * dbends[i]
    for i in range(len(now.b)):
        if p.moves[i]:
            total += gradient[i] * db[i]
        if p.may_wait[i]:
            total += (costates[i, 0] - mu / (now.waits[i] - p.least_wait[i])) * dwaits[i]
    if p.relaxed:
        for i in range(len(p.widths)):
            for k in range(2):
                total += (costates[i, 1 + k] - mu / now.extra[i, k]) * dextra[i, k]
    return total


@kernel
def _move(
    p: TimingArrays,
    now: Iterate,
    step: float,
    mu: float,
    db: np.ndarray,
    dbends: np.ndarray,
    dwaits: np.ndarray,
    dextra: np.ndarray,
    extra: np.ndarray,
    dslack: np.ndarray,
    inverse: np.ndarray,
) -> float:
    """Takes the step in all unknowns and multipliers; returns the sum of all products afterwards."""
    dual_step = 1.0
    for j in range(len(now.slack)):
        # from here on `inverse` holds the change of the multiplier
        inverse[j] = (mu - now.row_dual[j] * dslack[j]) * inverse[j] - now.row_dual[j]
        dual_step = _limit(dual_step, now.row_dual[j], inverse[j])
    for i in range(len(now.b)):
        if p.moves[i]:
            dual_step = _limit(dual_step, now.b_dual[i], _next_dual(now.b_dual[i], now.b[i], db[i], mu))
    total = 0.0
    for i in range(len(now.bends)):
        now.bends[i] += step * dbends[i]
    for j in range(len(now.slack)):
        dual = now.row_dual[j] + dual_step * inverse[j]
        now.slack[j] += step * dslack[j]
        now.row_dual[j] = _kept_near(dual, now.slack[j], mu)
        total += now.row_dual[j] * now.slack[j]
    for i in range(len(now.b)):
        if p.moves[i]:
            dual = now.b_dual[i] + dual_step * _next_dual(now.b_dual[i], now.b[i], db[i], mu)
            now.b[i] += step * db[i]
            now.b_dual[i] = _kept_near(dual, now.b[i], mu)
            total += now.b_dual[i] * now.b[i]
        if p.may_wait[i]:
            room = now.waits[i] - p.least_wait[i]
            dual = max(now.wait_dual[i] + _next_dual(now.wait_dual[i], room, dwaits[i], mu), 0.0)
            now.waits[i] += step * dwaits[i]
            room = now.waits[i] - p.least_wait[i]
            now.wait_dual[i] = _kept_near(dual, room, mu)
            total += now.wait_dual[i] * room
    if p.relaxed:
        for i in range(len(p.widths)):
            for k in range(2):
                room = now.extra[i, k]
                dual = max(now.extra_dual[i, k] + _next_dual(now.extra_dual[i, k], room, dextra[i, k], mu), 0.0)
                now.extra[i, k] = extra[i, k]
                now.extra_dual[i, k] = _kept_near(dual, now.extra[i, k], mu)
                total += now.extra_dual[i, k] * now.extra[i, k]
    return total


@kernel
def interior_point_kernel(
    p: TimingArrays, now: Iterate, mu: float, tolerance: float, most_iterations: int, state: np.ndarray
) -> int:
    """Minimizes in place.

    Each step solves for the barrier function f - mu sum log(slacks); mu falls when the step was long. Where Newton's
    model is not convex, its negative curvature is taken back.

    Args:
        p: The problem.
        now: A strictly feasible start with multipliers; the answer on return.
        mu: First barrier parameter.
        tolerance: Of the objective, relative.
        most_iterations: When to give up.
        state: (iterations, objective, nu, mu) on return, [4]; nu is read first.

    Returns:
        SOLVED, STALLED or OUT_OF_ITERATIONS.
    """
    count = len(p.widths)
    constraints = len(now.slack) + (2 * count if p.relaxed else 0)
    for i in range(count + 1):
        constraints += int(p.moves[i]) + int(p.may_wait[i])
    times, costates, trial = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 3))
    gains = Gains(np.zeros((count, 7)), np.zeros((count, 7)), np.zeros((count, 2, 7)), np.zeros((count + 1, 7)))
    gradient, bend_gradient, ends = np.empty(count + 1), np.empty(count), np.zeros(2)
    bends, dbends = np.zeros(count), np.zeros(count)
    db, dwaits, dextra = np.zeros(count + 1), np.zeros(count + 1), np.zeros((count, 2))
    b, waits, extra, dtimes = np.zeros(count + 1), np.zeros(count + 1), np.zeros((count, 2)), np.zeros((count, 3))
    dslack, inverse = np.empty(len(now.slack)), np.empty(len(now.slack))
    nu = state[2]
    times_kernel(p, now.b, now.bends, now.waits, now.extra, times)
    objective = objective_kernel(p, times)
    penalty, short, recentred, first_mu = 0.0, 0, 0, mu
    straight = _STRAIGHT * abs(objective) / count
    for iteration in range(most_iterations):
        state[0], state[1], state[2], state[3] = iteration, objective, nu, mu
        multiplier = costates_kernel(p, times, nu, costates)
        convex = False
        for model in range(3):
            if backward_kernel(
                p, now, times, costates, multiplier, mu, model, straight, gains, gradient, bend_gradient, inverse, ends
            ):
                convex = True
                break
        if not convex:
            return STALLED
        forward_kernel(p, now, gains, ends, db, dbends, dwaits, dextra, dtimes)
        off = times[-1, 2] - p.duration if p.mode == FIXED_DURATION else 0.0
        price = nu + ends[1]
        longest = _primal_step(p, now, 1.0 if model == NEWTON or p.relaxed else _LONGEST, db, dbends, dwaits, dslack)
        slope = _slope(p, now, costates, gradient, bend_gradient, mu, db, dbends, dwaits, dextra)
        if p.mode == FIXED_DURATION:
            # the merit is an augmented Lagrangian at the new multiplier
            penalty = max(penalty, 10.0 * abs(price) / p.duration)
            slope -= ends[1] * off + penalty * off * off
        decrement = -slope
        step, improved, best = min(longest, 1.0), False, np.inf
        for _ in range(30):
            if not _trial(p, now, step, db, dbends, dwaits, times, dtimes, b, bends, waits, extra, trial):
                step *= 0.5
                continue
            value = objective_kernel(p, trial)
            growth = _log_growth(p, now, step, db, dwaits, extra, dslack, inverse)
            gain = value - objective - mu * growth
            for i in range(count):
                gain += 0.5 * straight * (bends[i] ** 2 - now.bends[i] ** 2) / p.most_bent[i] ** 2
            if p.mode == FIXED_DURATION:
                new_off = trial[-1, 2] - p.duration
                gain += price * (new_off - off) + 0.5 * penalty * (new_off * new_off - off * off)
            # rounding of the objective must not stop the last steps
            if improved and gain >= best:  # one step too far: back to the one before, which was good
                step, best, longest = 0.5 * step, np.inf, 0.5 * step
                continue
            if improved or gain <= 1e-4 * step * slope + 1e-13 * abs(objective):
                improved, best = True, gain
                if step < 1.0 or 2.0 * step > longest:
                    break
                step *= 2.0
                continue
            step *= 0.5
        if not improved:
            return STALLED
        products = _move(p, now, step, mu, db, dbends, dwaits, dextra, extra, dslack, inverse)
        nu += step * ends[1]
        for i in range(count):
            for k in range(3):
                times[i, k] = trial[i, k]
        objective = value
        state[0], state[1], state[2], state[3] = iteration + 1, objective, nu, mu
        missed = abs(times[-1, 2] - p.duration) if p.mode == FIXED_DURATION else 0.0
        settled = abs(decrement) <= tolerance * objective and missed <= 1e-8 * p.duration
        if products <= 2.0 * tolerance * objective and settled:
            return SOLVED
        near = 1.0 if model == NEWTON and not p.relaxed else _CENTRED
        short = short + 1 if step < _SHORT else 0
        if short >= _MOST_SHORT and recentred < _MOST_RECENTRED:
            # too near to limits for what is still to be gained: a larger barrier leads away from them
            mu = min(3.0 * mu, first_mu) if p.relaxed else max(10.0 * mu, 10.0 * abs(decrement) / constraints)
            start_duals(p, now, mu)
            short, recentred = 0, recentred + 1
        elif abs(decrement) <= near * mu * constraints:
            quick = step > 0.9 and abs(decrement) <= 0.3 * near * mu * constraints
            mu = max(mu * (0.05 if quick else 0.2), 0.5 * tolerance * objective / constraints)
    return OUT_OF_ITERATIONS
