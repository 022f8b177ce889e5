"""Where a joint comes to rest when it brakes as hard as its limits allow: closed forms.

A command is a uniform cubic B-spline. Its newest control point p, the difference v to the one before
and the difference a of the last two differences make up a joint's state. Units are samples: with the
sampling time h, limits are V = h velocity, A = h^2 acceleration, J = h^3 jerk, and one sample does

    a <- a + j,   v <- v + a,   p <- p + v,   |j| <= J, |a| <= A, |v| <= V.

R(n + f) = n (n - 1) / 2 + n f is the sum of what is left of a quantity n + f while it falls by one a
sample, T(n + f) = n (n + 1) / 2 + (n + 1) f the same with the quantity itself; n whole, 0 <= f < 1.
Both are continuous. The hardest braking that never turns round takes a = -sign(v) J T^-1(|v| / J), as
far as |a| <= A and |j| <= J let it, and is exact: it ends in v = 0, a = 0 after finitely many samples.
"""

from __future__ import annotations

import math

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def left_after(quantity: float) -> float:
    """R: sum of quantity - 1, quantity - 2, ... while positive."""
    n = np.floor(quantity)
    return n * (n - 1.0) / 2.0 + n * (quantity - n)


@kernel
def quantity_of_sum(total: float) -> float:
    """T^-1: the quantity that sums to `total` while it falls by one a sample; 0 for a negative total."""
    if not total > 0.0:
        return 0.0
    if math.isinf(total):
        return total
    n = np.floor((math.sqrt(1.0 + 8.0 * total) - 1.0) / 2.0)
    return n + (total - n * (n + 1.0) / 2.0) / (n + 1.0)


@kernel
def braking(v: float, a: float, acceleration: float, jerk: float) -> float:
    """The next a of the hardest braking from velocity v to rest, all in samples; limits may be infinite."""
    if math.isinf(jerk):
        return min(max(-v, -acceleration), acceleration)
    wanted = -math.copysign(jerk * quantity_of_sum(abs(v) / jerk), v)
    wanted = min(max(wanted, a - jerk), a + jerk)
    return min(max(wanted, -acceleration), acceleration)


@kernel
def mirror(v: float, a: float, jerk: float) -> float:
    """+1 where braking first lowers a, -1 where it first raises it."""
    if math.isinf(jerk):
        return 1.0 if v >= 0.0 else -1.0
    return 1.0 if v + math.copysign(jerk * left_after(abs(a) / jerk), a) >= 0.0 else -1.0


@kernel
def stopping_distance(v: float, a: float, acceleration: float, jerk: float) -> float:
    """How far p still goes, with its sign, under `braking` until v = 0 and a = 0."""
    if math.isinf(acceleration) and math.isinf(jerk):
        return 0.0
    side = mirror(v, a, jerk)
    v, a = side * v, side * a
    if math.isinf(jerk):
        held = np.floor(v / acceleration)
        return side * held * (v - acceleration * (held + 1.0) / 2.0)
    # a falls by J a sample. As if it had begun between 0 and J, `begun` samples ago (ahead, if negative).
    begun = -np.floor(a / jerk)
    f = a / jerk + begun
    fast = v / jerk + begun * (begun + 1.0) / 2.0 - f * begun
    # It may fall until n^2 - 2 f n + f = fast: from there on a rises again and v just reaches 0.
    room = f * f - f + fast
    falls = max(np.floor(f + math.sqrt(room)) if room > 0.0 else 0.0, begun, 0.0)
    lowest = max(np.floor(acceleration / jerk + f), begun)
    n = min(falls, lowest)
    distance = fast * (n - begun) + f * (n * (n + 1.0) - begun * (begun + 1.0)) / 2.0
    distance -= (n * (n + 1.0) * (n + 2.0) - begun * (begun + 1.0) * (begun + 2.0)) / 6.0
    fast += f * n - n * (n + 1.0) / 2.0
    if falls >= lowest:
        share = acceleration / jerk
        held = max(np.floor((fast - left_after(share)) / share), 0.0)
        distance += held * (fast - share * (held + 1.0) / 2.0)
        fast -= share * held
    rest = quantity_of_sum(fast)
    n = np.floor(rest)
    distance += n * (n + 1.0) * ((n - 1.0) / 6.0 + (rest - n) / 2.0)
    return side * jerk * distance


@kernel
def level_stopping_distance(v: float, a: float, acceleration: float, jerk: float) -> float:
    """The part of a stopping distance that is left once a has come to 0: half of a way that nothing cuts short."""
    if not math.isinf(jerk):
        v += math.copysign(jerk * left_after(abs(a) / jerk), a)
    return stopping_distance(v, 0.0, acceleration, jerk)


@kernel
def turning_distance(v: float, a: float, jerk: float) -> float:
    """How far p goes the wrong way, with its sign, before `braking` turns it round; 0 where it never does."""
    if math.isinf(jerk):
        return 0.0
    side = mirror(v, a, jerk)
    v, a = side * v / jerk, side * a / jerk
    if v >= 0.0:
        return 0.0
    half = a - 0.5
    n = max(np.floor(half - math.sqrt(max(half * half + 2.0 * v, 0.0))), 0.0)
    return side * jerk * n * (v + (n + 1.0) * (a / 2.0 - (n + 2.0) / 6.0))
