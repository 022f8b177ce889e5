"""The quadratic form that a Newton step of a timing problem carries along: terms put in, unknowns taken out.

Its unknowns are t, b, v, theta, nu and k: time and b at the start of a segment, b at its end, the duration that
relative timing scales with, the multiplier of t_N = theta, and the bend of the segment.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.times import Curvature, Slopes

T, B, V, THETA, NU, K = range(6)
SIZE = 6


@kernel
def add_error(H: np.ndarray, g: np.ndarray, weight: float, error: float, share: float) -> None:
    """Adds weight (t - theta share)^2, at its present value `error`."""
    twice = 2.0 * weight
    H[T, T] += twice
    g[T] += twice * error
    H[T, THETA] -= twice * share
    H[THETA, T] -= twice * share
    H[THETA, THETA] += twice * share * share
    g[THETA] -= twice * error * share


@inlined_kernel
def add_segment(H: np.ndarray, g: np.ndarray, curvature: Curvature, slopes: Slopes) -> None:
    """Adds a form in b, v and k: bb, bv, vv, bk, vk, kk and b, v, k."""
    bb, bv, vv, bk, vk, kk = curvature
    H[B, B] += bb
    H[V, V] += vv
    H[K, K] += kk
    H[B, V] += bv
    H[V, B] += bv
    H[B, K] += bk
    H[K, B] += bk
    H[V, K] += vk
    H[K, V] += vk
    g[B] += slopes[0]
    g[V] += slopes[1]
    g[K] += slopes[2]


@kernel
def put_time(H: np.ndarray, g: np.ndarray, by_b: float, by_v: float, by_k: float) -> None:
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
def eliminate(
    H: np.ndarray, g: np.ndarray, k: int, own_curvature: float, own_slope: float, least: float, gain: np.ndarray
) -> bool:
    """Minimizes over an unknown that enters as t or v (k) does, with terms of its own; t itself stays.

    Args:
        H: The form's matrix, changed in place.
        g: Its slopes, changed in place.
        k: Which unknown.
        own_curvature: Of terms that only this unknown has.
        own_slope: Of the same terms.
        least: Where its curvature is less, it is raised to this; 0 to fail instead.
        gain: What the unknown then is: a constant, and its change with all others. Written, [7].

    Returns:
        False where there is no minimum.
    """
    pivot = max(H[k, k] + own_curvature, least)
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


@inlined_kernel
def clear(H: np.ndarray, g: np.ndarray, k: int) -> None:
    """Takes an unknown out of the form."""
    for m in range(SIZE):
        H[k, m] = 0.0
        H[m, k] = 0.0
    g[k] = 0.0


@inlined_kernel
def b_becomes_v(H: np.ndarray, g: np.ndarray, moves: bool) -> None:
    """B at the start of a segment is v of the one before."""
    if moves:
        for m in range(SIZE):
            if m != B:
                H[V, m] = H[m, V] = H[B, m]
        H[V, V] = H[B, B]
        g[V] = g[B]
    clear(H, g, B)


@inlined_kernel
def is_convex(H: np.ndarray, moves: bool) -> bool:
    """Whether the form is convex in t and, if that moves, b."""
    if not moves:
        return bool(H[T, T] >= 0.0)
    return bool(H[B, B] >= 0.0 and H[T, T] >= 0.0 and H[T, T] * H[B, B] >= H[T, B] * H[T, B])
