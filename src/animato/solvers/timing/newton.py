"""One Newton step of a timing problem in O(N): a quadratic model carried from the last segment to the first.

The model is a quadratic form in (t, b, v, theta, nu, k): time and b at the start of a segment, b at its end, the
duration that relative timing scales with, the multiplier of t_N = theta, and the bend of the segment. Each segment adds
its terms, puts t_end = t + its duration, and eliminates k and v = b_{i+1}. What is left at the start is a form in theta
and nu alone; the step then runs forward through the stored gains.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.arrays import ABSOLUTE, FIXED_DURATION, RELATIVE, Change, Gains, Iterate, TimingArrays
from animato.solvers.timing.form import (
    NU,
    SIZE,
    THETA,
    K,
    T,
    V,
    add_error,
    add_segment,
    b_becomes_v,
    clear,
    eliminate,
    is_convex,
    put_time,
)
from animato.solvers.timing.times import Curvature, Slopes, half_curvature, half_time

NEWTON, CAREFUL, CONVEX = range(3)
"""Models of a step. Newton's own, without the negative curvature of those segments alone that have no minimum with it;
the same, where in addition all that follows a segment must be convex in its t and b; without any negative curvature."""

_ROUNDING = 1e-13


@inlined_kernel
def _row_terms(p: TimingArrays, now: Iterate, i: int, mu: float, inverse: np.ndarray) -> tuple[Curvature, Slopes]:
    """Curvature and slopes, in b, v and k, of the barrier terms of a segment's rows."""
    bb = bv = vv = bk = vk = kk = 0.0
    slope_b = slope_v = slope_k = 0.0
    for j in range(p.first_row[i], p.first_row[i + 1]):
        alpha, beta, kappa = p.rows[j, 0], p.rows[j, 1], p.rows[j, 2]
        stiff, push = now.row_dual[j] * inverse[j], mu * inverse[j]
        bb += stiff * alpha * alpha
        bv += stiff * alpha * beta
        vv += stiff * beta * beta
        bk += stiff * alpha * kappa
        vk += stiff * beta * kappa
        kk += stiff * kappa * kappa
        slope_b += push * alpha
        slope_v += push * beta
        slope_k += push * kappa
    return (bb, bv, vv, bk, vk, kk), (slope_b, slope_v, slope_k)


@inlined_kernel
def _weighted(weight_1: float, first: Curvature, weight_2: float, second: Curvature, rows: Curvature) -> Curvature:
    """Curvature of the delays of both halves and of the rows; the second half has b and v the other way round."""
    bb_1, bv_1, vv_1, bk_1, vk_1, kk_1 = first
    vv_2, bv_2, bb_2, vk_2, bk_2, kk_2 = second
    return (
        weight_1 * bb_1 + weight_2 * bb_2 + rows[0],
        weight_1 * bv_1 + weight_2 * bv_2 + rows[1],
        weight_1 * vv_1 + weight_2 * vv_2 + rows[2],
        weight_1 * bk_1 + weight_2 * bk_2 + rows[3],
        weight_1 * vk_1 + weight_2 * vk_2 + rows[4],
        weight_1 * kk_1 + weight_2 * kk_2 + rows[5],
    )


@kernel
def _without_bend_and_end(H: np.ndarray, g: np.ndarray, i: int, p: TimingArrays, gains: Gains, model: int) -> bool:
    """Eliminates k and v; false where the form has no minimum in them, or what is left is not as the model wants."""
    floor = _ROUNDING if model == CONVEX else 0.0
    size = H[V, V]  # before k is gone: what is left of it is known up to rounding of this
    if not eliminate(H, g, K, 0.0, 0.0, floor * H[K, K], gains.bends[i]):
        return False
    clear(H, g, K)
    if p.moves[i + 1] and not eliminate(H, g, V, 0.0, 0.0, floor * size, gains.v[i]):
        return False
    clear(H, g, V)
    return model != CAREFUL or is_convex(H, p.moves[i])


@inlined_kernel
def _put_end(p: TimingArrays, end: float, multiplier: float, H: np.ndarray, g: np.ndarray) -> None:
    """Writes the form at the end of the path, which is reached at a time `end`: duration and t_N = theta."""
    H[:], g[:] = 0.0, 0.0
    if p.mode != ABSOLUTE:
        H[T, NU] = H[NU, T] = 1.0
    if p.mode == RELATIVE:
        H[THETA, NU] = H[NU, THETA] = -1.0
        g[T], g[THETA] = multiplier, p.gamma - multiplier
    else:
        g[T] = multiplier + p.gamma
    if p.mode == FIXED_DURATION:
        g[NU] = end - p.duration


@inlined_kernel
def _add_error_at(
    p: TimingArrays, times: np.ndarray, i: int, k: int, scale: float, H: np.ndarray, g: np.ndarray
) -> None:
    """Adds the timing error at the start (0), middle (1) or end (2) of a segment."""
    share = p.drawn[i, k] if p.mode == RELATIVE else 0.0
    add_error(H, g, p.weights[i, k], times[i, k] - scale * p.drawn[i, k], share)


@inlined_kernel
def _without_extra(
    p: TimingArrays, now: Iterate, i: int, half: int, mu: float, H: np.ndarray, g: np.ndarray, gains: Gains
) -> bool:
    """Eliminates the time that half a segment takes beyond what b says, where there is any."""
    if not p.relaxed:
        return True
    room = now.extra[i, half]
    return bool(eliminate(H, g, T, now.extra_dual[i, half] / room, -mu / room, 0.0, gains.extra[i, half]))


@inlined_kernel
def _carry_times(
    p: TimingArrays,
    now: Iterate,
    times: np.ndarray,
    i: int,
    scale: float,
    mu: float,
    first: Slopes,
    second: Slopes,
    H: np.ndarray,
    g: np.ndarray,
    gains: Gains,
) -> bool:
    """Carries t from the end of a segment to its start, through both halves; false where there is no minimum.

    Slopes of both halves are by b, v and k.
    """
    _add_error_at(p, times, i, 2, scale, H, g)
    if not _without_extra(p, now, i, 1, mu, H, g, gains):
        return False
    put_time(H, g, second[0], second[1], second[2])
    _add_error_at(p, times, i, 1, scale, H, g)
    if not _without_extra(p, now, i, 0, mu, H, g, gains):
        return False
    put_time(H, g, first[0], first[1], first[2])
    _add_error_at(p, times, i, 0, scale, H, g)
    return True


@inlined_kernel
def _barrier_terms(
    p: TimingArrays, now: Iterate, i: int, mu: float, straight: float, inverse: np.ndarray
) -> tuple[Curvature, Slopes]:
    """Curvature and slopes, in b, v and k, of all that is in the barrier function of a segment but its times."""
    (bb, bv, vv, bk, vk, kk), (slope_b, slope_v, slope_k) = _row_terms(p, now, i, mu, inverse)
    stiffness = straight / (p.most_bent[i] * p.most_bent[i])
    kk += stiffness
    slope_k += stiffness * now.bends[i]
    if p.moves[i + 1]:
        vv += now.b_dual[i + 1] / now.b[i + 1]
        slope_v -= mu / now.b[i + 1]
    return (bb, bv, vv, bk, vk, kk), (slope_b, slope_v, slope_k)


@inlined_kernel
def _copy_form(H: np.ndarray, g: np.ndarray, H_to: np.ndarray, g_to: np.ndarray) -> None:
    for n in range(SIZE):
        g_to[n] = g[n]
        for m in range(SIZE):
            H_to[n, m] = H[n, m]


@inlined_kernel
def _without_segment(
    p: TimingArrays,
    now: Iterate,
    i: int,
    delay_1: float,
    delay_2: float,
    rows: Curvature,
    slopes: Slopes,
    model: int,
    H: np.ndarray,
    g: np.ndarray,
    before: np.ndarray,
    g_before: np.ndarray,
    gains: Gains,
) -> bool:
    """Adds the terms of a segment and eliminates its k and v, with as much negative curvature as leaves a minimum.

    Where delays of its halves are worth something, in (delay_1, delay_2) below 0, their curvature is negative: all of
    it, half of it and none of it are tried. `before` [6, 6] and `g_before` [6] are memory.
    """
    b, v, k, width = now.b[i], now.b[i + 1], now.bends[i], p.widths[i]
    halves = half_curvature(width, b, v, k), half_curvature(width, v, b, k)
    doubtful = model != CONVEX and not p.relaxed and (delay_1 < 0.0 or delay_2 < 0.0)
    if doubtful:
        _copy_form(H, g, before, g_before)
    for less in range(3):
        if less > 0:
            _copy_form(before, g_before, H, g)
        keep = 0.0 if model == CONVEX else 1.0 - 0.5 * less
        weight_1 = delay_1 if delay_1 > 0.0 else keep * delay_1
        weight_2 = delay_2 if delay_2 > 0.0 else keep * delay_2
        if p.relaxed:  # a delay costs what the room for it is worth, and that is never negative
            weight_1, weight_2 = now.extra_dual[i, 0], now.extra_dual[i, 1]
        add_segment(H, g, _weighted(weight_1, halves[0], weight_2, halves[1], rows), slopes)
        if _without_bend_and_end(H, g, i, p, gains, model):
            return True
        if not doubtful:
            return False
    return False


@kernel
def backward_kernel(
    p: TimingArrays,
    now: Iterate,
    times: np.ndarray,
    costates: np.ndarray,
    multiplier: float,
    mu: float,
    model: int,
    straight: float,
    gains: Gains,
    gradient: np.ndarray,
    bend_gradient: np.ndarray,
    inverse: np.ndarray,
    ends: np.ndarray,
) -> bool:
    """Carries the model from the end to the start.

    Args:
        p: The problem.
        now: The present iterate.
        times: Its times, [N, 3].
        costates: Its costates, [N, 3].
        multiplier: Of t_N = theta.
        mu: Barrier parameter.
        model: NEWTON, CAREFUL or CONVEX: how much of the negative curvature is kept.
        straight: Cost of sum (k / most bent)^2 / 2, small: it keeps bends that gain nothing at 0.
        gains: Written.
        gradient: Of the barrier function with respect to b, written, [N + 1].
        bend_gradient: The same with respect to k, [N].
        inverse: 1 / slack, written, [row].
        ends: (d theta, d nu), written, [2].

    Returns:
        False where the model is not convex.
    """
    count = len(p.widths)
    end = times[-1, 2]
    scale = end if p.mode == RELATIVE else 1.0
    H, g = np.empty((SIZE, SIZE)), np.empty(SIZE)
    before, g_before = np.empty((SIZE, SIZE)), np.empty(SIZE)
    _put_end(p, end, multiplier, H, g)
    for i in range(count + 1):
        gradient[i] = 0.0
    for j in range(len(inverse)):  # in a loop of its own, which vectorizes
        inverse[j] = 1.0 / now.slack[j]
    for i in range(count - 1, -1, -1):
        _, (by_b_1, by_v_1, by_k_1) = half_time(p.widths[i], now.b[i], now.b[i + 1], now.bends[i])
        _, (by_v_2, by_b_2, by_k_2) = half_time(p.widths[i], now.b[i + 1], now.b[i], now.bends[i])
        first, second = (by_b_1, by_v_1, by_k_1), (by_b_2, by_v_2, by_k_2)
        if not _carry_times(p, now, times, i, scale, mu, first, second, H, g, gains):
            return False
        rows, slopes = _barrier_terms(p, now, i, mu, straight, inverse)
        delay_1, delay_2 = costates[i, 1], costates[i, 2]
        gradient[i] += slopes[0] + delay_1 * by_b_1 + delay_2 * by_b_2
        gradient[i + 1] += slopes[1] + delay_1 * by_v_1 + delay_2 * by_v_2
        bend_gradient[i] = slopes[2] + delay_1 * by_k_1 + delay_2 * by_k_2
        if not _without_segment(p, now, i, delay_1, delay_2, rows, slopes, model, H, g, before, g_before, gains):
            return False
        if p.may_wait[i]:
            room = now.waits[i] - p.least_wait[i]
            if not eliminate(H, g, T, now.wait_dual[i] / room, -mu / room, 0.0, gains.waits[i]):
                return False
        b_becomes_v(H, g, p.moves[i])
    return _solve_ends(p, H, g, ends)


@kernel
def _solve_ends(p: TimingArrays, H: np.ndarray, g: np.ndarray, ends: np.ndarray) -> bool:
    """(d theta, d nu) that make the remaining form stationary."""
    ends[0] = ends[1] = 0.0
    if p.mode == ABSOLUTE:
        return True
    if not H[NU, NU] < 0.0:
        return False
    if p.mode == FIXED_DURATION:
        ends[1] = -g[NU] / H[NU, NU]
        return True
    curvature = H[THETA, THETA] - H[THETA, NU] * H[THETA, NU] / H[NU, NU]
    if not curvature > 0.0:
        return False
    ends[0] = -(g[THETA] - H[THETA, NU] * g[NU] / H[NU, NU]) / curvature
    ends[1] = -(g[NU] + H[THETA, NU] * ends[0]) / H[NU, NU]
    return True


@inlined_kernel
def _response(gain: np.ndarray, t: float, b: float, v: float, k: float, ends: np.ndarray) -> float:
    return gain[0] + gain[1] * t + gain[2] * b + gain[3] * v + gain[4] * ends[0] + gain[5] * ends[1] + gain[6] * k


@kernel
def forward_kernel(p: TimingArrays, now: Iterate, gains: Gains, ends: np.ndarray, change: Change) -> None:
    """Runs the step through the gains; times change as their linear model says. Slacks are left out."""
    dt = 0.0
    change.b[0] = 0.0
    for i in range(len(p.widths)):
        change.waits[i] = change.extra[i, 0] = change.extra[i, 1] = 0.0
        if p.may_wait[i]:
            change.waits[i] = _response(gains.waits[i], dt, 0.0, 0.0, 0.0, ends)
            dt += change.waits[i]
        change.times[i, 0] = dt
        change.b[i + 1] = _response(gains.v[i], dt, change.b[i], 0.0, 0.0, ends) if p.moves[i + 1] else 0.0
        change.bends[i] = _response(gains.bends[i], dt, change.b[i], change.b[i + 1], 0.0, ends)
        _, (by_b_1, by_v_1, by_k_1) = half_time(p.widths[i], now.b[i], now.b[i + 1], now.bends[i])
        _, (by_v_2, by_b_2, by_k_2) = half_time(p.widths[i], now.b[i + 1], now.b[i], now.bends[i])
        dt += by_b_1 * change.b[i] + by_v_1 * change.b[i + 1] + by_k_1 * change.bends[i]
        if p.relaxed:
            change.extra[i, 0] = _response(gains.extra[i, 0], dt, change.b[i], change.b[i + 1], change.bends[i], ends)
            dt += change.extra[i, 0]
        change.times[i, 1] = dt
        dt += by_b_2 * change.b[i] + by_v_2 * change.b[i + 1] + by_k_2 * change.bends[i]
        if p.relaxed:
            change.extra[i, 1] = _response(gains.extra[i, 1], dt, change.b[i], change.b[i + 1], change.bends[i], ends)
            dt += change.extra[i, 1]
        change.times[i, 2] = dt
