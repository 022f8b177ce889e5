"""One step of the local facing solver: a small quadratic program with corners, by an active set.

    minimize  sum_i  g_i d_i + h_i d_i^2 / 2   subject to   sum_i J_i d_i + slack lambda = e,   lo_i <= d_i <= hi_i

J_i [3] is the axis of joint i in the world, e the rotation vector that is left to turn. slack = 0 asks for the
orientation exactly; slack > 0 is the optimality condition of adding |e - sum J d|^2 / (2 slack) to the cost. A joint
that stands on a kink has the cost s |d|: it stays (d = 0) while the pull y_i = J_i . lambda is at most s, and leaves in
the direction of the pull with slope s beyond that. With the free joints' d_i = (y_i - g_i) / h_i, lambda solves the
3 x 3 system (sum_free J_i J_i^T / h_i + slack I) lambda = e - sum_held J_i d_i + sum_free J_i g_i / h_i.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.quaternions import Vector
from animato.kernels.uncounted import uncounted_kernel

FREE, AT_LOW, AT_HIGH, ON_KINK = range(4)
Symmetric = tuple[float, float, float, float, float, float]
"""Upper triangle of a symmetric 3 x 3 matrix: 00, 01, 02, 11, 12, 22."""
_OUTSIDE = 1e-12  # [rad] by which a step may miss its bounds
_NO_DETERMINANT = 1e-13  # share of the cube of the trace below which a determinant is rounding
_ROUNDING = 1e-16  # share of the largest pivot below which others are rounding
_WRONG_PULL = 1e-9  # by which a multiplier may have the wrong sign


G, H, LO, HI, S, D, PULL = range(7)
"""Rows of a program over joints, [7, m]: slope and curvature of the cost, bounds of the step [rad], slope on either
side of the kink a joint stands on, the step [rad], and y_i = J_i . lambda."""


@uncounted_kernel
def _eliminated(K: Symmetric, r: Vector) -> Vector:
    """The solution x of K x = r, by L D L^T from the largest entry of the diagonal on; pivots stay above rounding."""
    a, b, c, d, f, g = K
    if d > a and d >= g:
        y, x, z = _eliminated_in_order((d, b, f, a, c, g), (r[1], r[0], r[2]))
    elif g > a:
        z, y, x = _eliminated_in_order((g, f, c, d, b, a), (r[2], r[1], r[0]))
    else:
        x, y, z = _eliminated_in_order(K, r)
    return x, y, z


@inlined_kernel
def _eliminated_in_order(K: Symmetric, r: Vector) -> Vector:
    a, b, c, d, f, g = K
    least = _ROUNDING * a
    l1, l2 = b / a, c / a
    d2, e2 = max(d - l1 * b, least), f - l1 * c
    l3 = e2 / d2
    d3 = max(g - l2 * c - l3 * e2, least)
    y1 = r[1] - l1 * r[0]
    z = (r[2] - l2 * r[0] - l3 * y1) / d3
    y = y1 / d2 - l3 * z
    return r[0] / a - l1 * y - l2 * z, y, z


@inlined_kernel
def solve_symmetric(K: Symmetric, r: Vector) -> Vector:
    """The solution x of K x = r, by cofactors; by elimination where hardly anything is left of the determinant.

    Cofactors take one division instead of three in a row. Where all free joints turn about nearly the same axis, the
    determinant is a difference of large numbers that says nothing, and elimination still tells the large part of x.
    """
    a, b, c, d, f, g = K
    A, B, C = d * g - f * f, c * f - b * g, b * f - c * d
    D, E, F = a * g - c * c, b * c - a * f, a * d - b * b
    determinant, trace = a * A + b * B + c * C, a + d + g
    if determinant < _NO_DETERMINANT * trace * trace * trace:
        return _eliminated(K, r)
    scale = 1.0 / determinant
    return (
        scale * (A * r[0] + B * r[1] + C * r[2]),
        scale * (B * r[0] + D * r[1] + E * r[2]),
        scale * (C * r[0] + E * r[1] + F * r[2]),
    )


@inlined_kernel
def _system(
    program: np.ndarray, state: np.ndarray, J: np.ndarray, slot: int, e: Vector, slack: float
) -> tuple[Symmetric, Vector]:
    """Matrix and right-hand side for the joints that are held now."""
    k00, k01, k02, k11, k12, k22 = slack, 0.0, 0.0, slack, 0.0, slack
    r0, r1, r2 = e
    for i in range(len(state)):
        x, y, z = J[slot, i, 0], J[slot, i, 1], J[slot, i, 2]
        if state[i] == FREE:
            inverse = 1.0 / program[H, i]
            push = program[G, i] * inverse
            k00 += x * x * inverse
            k01 += x * y * inverse
            k02 += x * z * inverse
            k11 += y * y * inverse
            k12 += y * z * inverse
            k22 += z * z * inverse
        else:
            push = -program[D, i]
        r0 += x * push
        r1 += y * push
        r2 += z * push
    return (k00, k01, k02, k11, k12, k22), (r0, r1, r2)


@inlined_kernel
def _most_outside(program: np.ndarray, state: np.ndarray) -> int:
    """The free joint furthest outside its bounds, -1 where none is; writes d of the free joints."""
    worst, who = _OUTSIDE, -1
    for i in range(len(state)):
        if state[i] == FREE:
            program[D, i] = (program[PULL, i] - program[G, i]) / program[H, i]
            outside = max(program[LO, i] - program[D, i], program[D, i] - program[HI, i])
            if outside > worst:
                worst, who = outside, i
    return who


@inlined_kernel
def _most_wronged(program: np.ndarray, state: np.ndarray) -> int:
    """The held joint that pulls away the most from where it is held, -1 where none does."""
    worst, who = _WRONG_PULL, -1
    for i in range(len(state)):
        wrong = 0.0
        if state[i] == ON_KINK:
            wrong = abs(program[PULL, i]) - program[S, i]
        elif state[i] == AT_LOW:
            wrong = program[PULL, i] - program[G, i] - program[H, i] * program[D, i]
        elif state[i] == AT_HIGH:
            wrong = program[G, i] + program[H, i] * program[D, i] - program[PULL, i]
        if wrong > worst:
            worst, who = wrong, i
    return who


@uncounted_kernel
def solve_step(
    program: np.ndarray, state: np.ndarray, J: np.ndarray, slot: int, e: Vector, slack: float
) -> tuple[Symmetric, Vector]:
    """Writes d, starting from the given states; gives the last matrix and lambda.

    J [slot, m, 3]. Bounds are taken up worst first, then held joints are let go worst first.
    """
    m = len(state)
    system = ((1.0, 0.0, 0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    multiplier = (0.0, 0.0, 0.0)
    for _ in range(4 * m):
        system = _system(program, state, J, slot, e, slack)
        multiplier = solve_symmetric(system[0], system[1])
        for i in range(m):
            program[PULL, i] = (
                J[slot, i, 0] * multiplier[0] + J[slot, i, 1] * multiplier[1] + J[slot, i, 2] * multiplier[2]
            )
        who = _most_outside(program, state)
        if who >= 0:
            if program[D, who] < program[LO, who]:
                program[D, who], state[who] = program[LO, who], AT_LOW
            else:
                program[D, who], state[who] = program[HI, who], AT_HIGH
            continue
        who = _most_wronged(program, state)
        if who < 0:
            return system[0], multiplier
        if state[who] == ON_KINK:
            if program[PULL, who] > 0.0:
                program[G, who], program[LO, who] = program[S, who], 0.0
            else:
                program[G, who], program[HI, who] = -program[S, who], 0.0
        state[who] = FREE
    for i in range(m):  # the active set did not settle: stay inside the bounds at least
        program[D, i] = min(max(program[D, i], program[LO, i]), program[HI, i])
    return system[0], multiplier
