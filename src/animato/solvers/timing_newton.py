"""One Newton step of a timing problem in O(N): a quadratic model carried from the last segment to the first.

The model is a quadratic form in (t, b, v, theta, nu, k): time and b at the start of a segment, b at its end, the
duration that relative timing scales with, the multiplier of t_N = theta, and the bend of the segment. Each segment adds
its terms, puts t_end = t + its duration, and eliminates k and v = b_{i+1}. What is left at the start is a form in theta
and nu alone; the step then runs forward through the stored gains.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.solvers.timing_arrays import ABSOLUTE, FIXED_DURATION, RELATIVE, TimingArrays
from animato.solvers.timing_times import half_curvature, half_time
from animato.spatial.compiled import inlined_kernel, kernel

T, B, V, THETA, NU, K = range(6)
SIZE = 6


class Iterate(NamedTuple):
    """A point of the interior-point method: unknowns and the multipliers of what they must not cross.

    Attributes:
        b: [N + 1].
        bends: k, [N].
        waits: [N + 1].
        extra: Time that halves of segments take beyond what b says, [N, 2]; 0 unless relaxed.
        slack: h - alpha b_i - beta b_{i+1} - kappa k_i, [row].
        row_dual, b_dual, wait_dual, extra_dual: Multipliers, same shapes.
    """

    b: np.ndarray
    bends: np.ndarray
    waits: np.ndarray
    extra: np.ndarray
    slack: np.ndarray
    row_dual: np.ndarray
    b_dual: np.ndarray
    wait_dual: np.ndarray
    extra_dual: np.ndarray


class Gains(NamedTuple):
    """What an eliminated unknown does: a constant, then its change with t, b, v, theta, nu and k."""

    v: np.ndarray  # [N, 7]
    bends: np.ndarray  # [N, 7]
    extra: np.ndarray  # [N, 2, 7]
    waits: np.ndarray  # [N + 1, 7]


@kernel
def _add_error(H: np.ndarray, g: np.ndarray, weight: float, error: float, share: float) -> None:
    """Adds weight (t - theta share)^2, at its present value `error`."""
    twice = 2.0 * weight
    H[T, T] += twice
    g[T] += twice * error
    H[T, THETA] -= twice * share
    H[THETA, T] -= twice * share
    H[THETA, THETA] += twice * share * share
    g[THETA] -= twice * error * share


@kernel
def _put_time(H: np.ndarray, g: np.ndarray, by_b: float, by_v: float, by_k: float) -> None:
    """Replaces t by t + by_b b + by_v v + by_k k."""
    for m in range(SIZE):
        H[m, B] += by_b * H[m, T]
        H[m, V] += by_v * H[m, T]
        H[m, K] += by_k * H[m, T]
    for m in range(SIZE):
        H[B, m] += by_b * H[T, m]
        H[V, m] += by_v * H[T, m]
        H[K, m] += by_k * H[T, m]
    g[B] += by_b * g[T]
    g[V] += by_v * g[T]
    g[K] += by_k * g[T]


@kernel
def _eliminate(H: np.ndarray, g: np.ndarray, k: int, own_curvature: float, own_slope: float, gain: np.ndarray) -> bool:
    """Minimizes over an unknown that enters as t or v (k) does, with terms of its own; t itself stays."""
    pivot = H[k, k] + own_curvature
    if not pivot > 0.0:
        return False
    inverse = 1.0 / pivot
    slope = g[k] + own_slope
    gain[0] = -slope * inverse
    for m in range(SIZE):
        gain[1 + m] = -H[k, m] * inverse
    row = (H[k, 0], H[k, 1], H[k, 2], H[k, 3], H[k, 4], H[k, 5])
    for m in range(SIZE):
        g[m] += gain[1 + m] * slope
        for n in range(SIZE):
            H[m, n] += gain[1 + m] * row[n]
    return True


@kernel
def backward_kernel(
    p: TimingArrays,
    now: Iterate,
    times: np.ndarray,
    costates: np.ndarray,
    multiplier: float,
    mu: float,
    keep: float,
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
        keep: Share of the negative curvature that is kept, 1 for Newton's own model, 0 for a convex one.
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
    H, g = np.zeros((SIZE, SIZE)), np.zeros(SIZE)
    if p.mode != ABSOLUTE:
        H[T, NU] = H[NU, T] = 1.0
    if p.mode == RELATIVE:
        H[THETA, NU] = H[NU, THETA] = -1.0
        g[T], g[THETA] = multiplier, p.gamma - multiplier
    else:
        g[T] = multiplier + p.gamma
    if p.mode == FIXED_DURATION:
        g[NU] = end - p.duration
    for i in range(count + 1):
        gradient[i] = 0.0
    for i in range(count - 1, -1, -1):
        b, v, k, width = now.b[i], now.b[i + 1], now.bends[i], p.widths[i]
        share = (0.0, 0.0, 0.0)
        if p.mode == RELATIVE:
            share = (p.drawn[i, 0], p.drawn[i, 1], p.drawn[i, 2])
        _, (by_b_1, by_v_1, by_k_1) = half_time(width, b, v, k)
        _, (by_v_2, by_b_2, by_k_2) = half_time(width, v, b, k)
        delay_1, delay_2 = costates[i, 1], costates[i, 2]
        _add_error(H, g, p.weights[i, 2], times[i, 2] - scale * p.drawn[i, 2], share[2])
        if p.relaxed:
            room = now.extra[i, 1]
            if not _eliminate(H, g, T, now.extra_dual[i, 1] / room, -mu / room, gains.extra[i, 1]):
                return False
        _put_time(H, g, by_b_2, by_v_2, by_k_2)
        _add_error(H, g, p.weights[i, 1], times[i, 1] - scale * p.drawn[i, 1], share[1])
        if p.relaxed:
            room = now.extra[i, 0]
            if not _eliminate(H, g, T, now.extra_dual[i, 0] / room, -mu / room, gains.extra[i, 0]):
                return False
        _put_time(H, g, by_b_1, by_v_1, by_k_1)
        _add_error(H, g, p.weights[i, 0], times[i, 0] - scale * p.drawn[i, 0], share[0])
        bb_1, bv_1, vv_1, bk_1, vk_1, kk_1 = half_curvature(width, b, v, k)
        vv_2, bv_2, bb_2, vk_2, bk_2, kk_2 = half_curvature(width, v, b, k)
        if p.relaxed:  # a delay costs what the room for it is worth, and that is never negative
            weight_1, weight_2 = now.extra_dual[i, 0], now.extra_dual[i, 1]
        else:
            weight_1 = delay_1 if delay_1 > 0.0 else keep * delay_1
            weight_2 = delay_2 if delay_2 > 0.0 else keep * delay_2
        bb, bv, vv = (
            weight_1 * bb_1 + weight_2 * bb_2,
            weight_1 * bv_1 + weight_2 * bv_2,
            weight_1 * vv_1 + weight_2 * vv_2,
        )
        bk, vk, kk = (
            weight_1 * bk_1 + weight_2 * bk_2,
            weight_1 * vk_1 + weight_2 * vk_2,
            weight_1 * kk_1 + weight_2 * kk_2,
        )
        stiffness = straight / (p.most_bent[i] * p.most_bent[i])
        kk += stiffness
        slope_b, slope_v, slope_k = 0.0, 0.0, stiffness * k
        for j in range(p.first_row[i], p.first_row[i + 1]):
            alpha, beta, kappa = p.rows[j, 0], p.rows[j, 1], p.rows[j, 2]
            inverse[j] = 1.0 / now.slack[j]
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
        if p.moves[i + 1]:
            vv += now.b_dual[i + 1] / v
            slope_v -= mu / v
        H[B, B] += bb
        H[V, V] += vv
        H[K, K] += kk
        H[B, V] += bv
        H[V, B] += bv
        H[B, K] += bk
        H[K, B] += bk
        H[V, K] += vk
        H[K, V] += vk
        g[B] += slope_b
        g[V] += slope_v
        g[K] += slope_k
        gradient[i] += slope_b + delay_1 * by_b_1 + delay_2 * by_b_2
        gradient[i + 1] += slope_v + delay_1 * by_v_1 + delay_2 * by_v_2
        bend_gradient[i] = slope_k + delay_1 * by_k_1 + delay_2 * by_k_2
        if not _eliminate(H, g, K, 0.0, 0.0, gains.bends[i]):
            return False
        for m in range(SIZE):
            H[K, m] = 0.0
            H[m, K] = 0.0
        g[K] = 0.0
        if p.moves[i + 1] and not _eliminate(H, g, V, 0.0, 0.0, gains.v[i]):
            return False
        # b at the start of this segment is v of the one before
        for m in range(SIZE):
            H[V, m] = 0.0
            H[m, V] = 0.0
        g[V] = 0.0
        if p.may_wait[i]:
            room = now.waits[i] - p.least_wait[i]
            if not _eliminate(H, g, T, now.wait_dual[i] / room, -mu / room, gains.waits[i]):
                return False
        if p.moves[i]:
            for m in range(SIZE):
                if m != B:
                    H[V, m] = H[m, V] = H[B, m]
            H[V, V] = H[B, B]
            g[V] = g[B]
        for m in range(SIZE):
            H[B, m] = 0.0
            H[m, B] = 0.0
        g[B] = 0.0
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
def forward_kernel(
    p: TimingArrays,
    now: Iterate,
    gains: Gains,
    ends: np.ndarray,
    db: np.ndarray,
    dbends: np.ndarray,
    dwaits: np.ndarray,
    dextra: np.ndarray,
    dtimes: np.ndarray,
) -> None:
    """Runs the step through the gains; times change as their linear model says."""
    dt = 0.0
    db[0] = 0.0
    for i in range(len(p.widths)):
        dwaits[i] = dextra[i, 0] = dextra[i, 1] = 0.0
        if p.may_wait[i]:
            dwaits[i] = _response(gains.waits[i], dt, 0.0, 0.0, 0.0, ends)
            dt += dwaits[i]
        dtimes[i, 0] = dt
        db[i + 1] = _response(gains.v[i], dt, db[i], 0.0, 0.0, ends) if p.moves[i + 1] else 0.0
        dbends[i] = _response(gains.bends[i], dt, db[i], db[i + 1], 0.0, ends)
        _, (by_b_1, by_v_1, by_k_1) = half_time(p.widths[i], now.b[i], now.b[i + 1], now.bends[i])
        _, (by_v_2, by_b_2, by_k_2) = half_time(p.widths[i], now.b[i + 1], now.b[i], now.bends[i])
        dt += by_b_1 * db[i] + by_v_1 * db[i + 1] + by_k_1 * dbends[i]
        if p.relaxed:
            dextra[i, 0] = _response(gains.extra[i, 0], dt, db[i], db[i + 1], dbends[i], ends)
            dt += dextra[i, 0]
        dtimes[i, 1] = dt
        dt += by_b_2 * db[i] + by_v_2 * db[i + 1] + by_k_2 * dbends[i]
        if p.relaxed:
            dextra[i, 1] = _response(gains.extra[i, 1], dt, db[i], db[i + 1], dbends[i], ends)
            dt += dextra[i, 1]
        dtimes[i, 2] = dt
