"""A primal-dual interior point for timing problems, from a strictly feasible start and in O(N) a step."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.arrays import FIXED_DURATION, Change, Gains, Iterate, TimingArrays
from animato.solvers.timing.line_search import Trial, barrier_slope, limited, line_search, longest_step
from animato.solvers.timing.newton import CONVEX, NEWTON, backward_kernel, forward_kernel
from animato.solvers.timing.times import costates_kernel, objective_kernel, times_kernel

SOLVED, STALLED, OUT_OF_ITERATIONS = 0, 1, 2
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
def _move(
    p: TimingArrays,
    now: Iterate,
    step: float,
    mu: float,
    change: Change,
    extra: np.ndarray,
    inverse: np.ndarray,
) -> float:
    """Takes the step in all unknowns and multipliers; returns the sum of all products afterwards."""
    dual_step = 1.0
    for j in range(len(now.slack)):
        # from here on `inverse` holds the change of the multiplier
        inverse[j] = (mu - now.row_dual[j] * change.slack[j]) * inverse[j] - now.row_dual[j]
        dual_step = limited(dual_step, now.row_dual[j], inverse[j])
    for i in range(len(now.b)):
        if p.moves[i]:
            dual_step = limited(dual_step, now.b_dual[i], _next_dual(now.b_dual[i], now.b[i], change.b[i], mu))
    total = 0.0
    for i in range(len(now.bends)):
        now.bends[i] += step * change.bends[i]
    for j in range(len(now.slack)):
        dual = now.row_dual[j] + dual_step * inverse[j]
        now.slack[j] += step * change.slack[j]
        now.row_dual[j] = _kept_near(dual, now.slack[j], mu)
        total += now.row_dual[j] * now.slack[j]
    for i in range(len(now.b)):
        if p.moves[i]:
            dual = now.b_dual[i] + dual_step * _next_dual(now.b_dual[i], now.b[i], change.b[i], mu)
            now.b[i] += step * change.b[i]
            now.b_dual[i] = _kept_near(dual, now.b[i], mu)
            total += now.b_dual[i] * now.b[i]
        if p.may_wait[i]:
            room = now.waits[i] - p.least_wait[i]
            dual = max(now.wait_dual[i] + _next_dual(now.wait_dual[i], room, change.waits[i], mu), 0.0)
            now.waits[i] += step * change.waits[i]
            room = now.waits[i] - p.least_wait[i]
            now.wait_dual[i] = _kept_near(dual, room, mu)
            total += now.wait_dual[i] * room
    if p.relaxed:
        for i in range(len(p.widths)):
            for k in range(2):
                room = now.extra[i, k]
                dual = max(now.extra_dual[i, k] + _next_dual(now.extra_dual[i, k], room, change.extra[i, k], mu), 0.0)
                now.extra[i, k] = extra[i, k]
                now.extra_dual[i, k] = _kept_near(dual, now.extra[i, k], mu)
                total += now.extra_dual[i, k] * now.extra[i, k]
    return total


@inlined_kernel
def _constraint_count(p: TimingArrays, rows: int) -> int:
    """All that the barrier keeps positive."""
    total = rows + (2 * len(p.widths) if p.relaxed else 0)
    for i in range(len(p.widths) + 1):
        total += int(p.moves[i]) + int(p.may_wait[i])
    return total


@inlined_kernel
def _next_barrier(
    p: TimingArrays,
    now: Iterate,
    mu: float,
    first_mu: float,
    least_mu: float,
    step: float,
    decrement: float,
    constraints: int,
    newton: bool,
    short: int,
    recentred: int,
) -> tuple[float, int, int]:
    """The next barrier parameter, how many short steps there were in a row, and how often that led to a larger one."""
    near = 1.0 if newton and not p.relaxed else _CENTRED
    short = short + 1 if step < _SHORT else 0
    if short >= _MOST_SHORT and recentred < _MOST_RECENTRED:
        # too near to limits for what is still to be gained: a larger barrier leads away from them
        mu = min(3.0 * mu, first_mu) if p.relaxed else max(10.0 * mu, 10.0 * abs(decrement) / constraints)
        start_duals(p, now, mu)
        short, recentred = 0, recentred + 1
    elif abs(decrement) <= near * mu * constraints:
        quick = step > 0.9 and abs(decrement) <= 0.3 * near * mu * constraints
        mu = max(mu * (0.05 if quick else 0.2), least_mu)
    return mu, short, recentred


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
    count, rows = len(p.widths), len(now.slack)
    constraints = _constraint_count(p, rows)
    times, costates = np.empty((count, 3)), np.empty((count, 3))
    gains = Gains(np.zeros((count, 7)), np.zeros((count, 7)), np.zeros((count, 2, 7)), np.zeros((count + 1, 7)))
    gradient, bend_gradient, ends, inverse = np.empty(count + 1), np.empty(count), np.zeros(2), np.empty(rows)
    b, waits, extra = np.zeros(count + 1), np.zeros(count + 1), np.zeros((count, 2))
    trial = Trial(b, np.zeros(count), waits, extra, np.zeros((count, 3)))
    db, dwaits, dextra = np.zeros(count + 1), np.zeros(count + 1), np.zeros((count, 2))
    change = Change(db, np.zeros(count), dwaits, dextra, np.zeros((count, 3)), np.empty(rows))
    nu = state[2]
    times_kernel(p, now.b, now.bends, now.waits, now.extra, times)
    objective = objective_kernel(p, times)
    penalty, short, recentred, first_mu = 0.0, 0, 0, mu
    straight = _STRAIGHT * abs(objective) / count
    for iteration in range(most_iterations):
        state[0], state[1], state[2], state[3] = iteration, objective, nu, mu
        multiplier = costates_kernel(p, times, nu, costates)
        model = NEWTON
        while not backward_kernel(
            p, now, times, costates, multiplier, mu, model, straight, gains, gradient, bend_gradient, inverse, ends
        ):
            model += 1
            if model > CONVEX:
                return STALLED
        forward_kernel(p, now, gains, ends, change)
        price = nu + ends[1]
        longest = longest_step(p, now, 1.0 if model == NEWTON or p.relaxed else _LONGEST, change)
        slope = barrier_slope(p, now, costates, gradient, bend_gradient, mu, change)
        if p.mode == FIXED_DURATION:
            off = times[-1, 2] - p.duration
            penalty = max(penalty, 10.0 * abs(price) / p.duration)
            slope -= ends[1] * off + penalty * off * off
        step, value = line_search(
            p, now, times, objective, change, longest, slope, mu, straight, price, penalty, inverse, trial
        )
        if step == 0.0:
            return STALLED
        products = _move(p, now, step, mu, change, trial.extra, inverse)
        nu += step * ends[1]
        times[:] = trial.times
        objective = value
        state[0], state[1], state[2], state[3] = iteration + 1, objective, nu, mu
        missed = abs(times[-1, 2] - p.duration) if p.mode == FIXED_DURATION else 0.0
        settled = abs(slope) <= tolerance * objective and missed <= 1e-8 * p.duration
        if products <= 2.0 * tolerance * objective and settled:
            return SOLVED
        least_mu = 0.5 * tolerance * objective / constraints
        mu, short, recentred = _next_barrier(
            p, now, mu, first_mu, least_mu, step, slope, constraints, model == NEWTON, short, recentred
        )
    return OUT_OF_ITERATIONS
