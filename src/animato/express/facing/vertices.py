"""Corner configurations of a facing problem: all joints but three stand on kinks or limits.

The cost is a sum over joints with corners, and facing takes three equations, so good solutions tend to have three
joints off their corners, as in linear programming. With the other joints fixed, three turns about i < j < k face the
target in closed form. Write the fixed turns around them P, A, B, S:

    P exp(a_i q_i) A exp(a_j q_j) B exp(a_k q_k) S = T

The component of the last axis along the first, p . T s with p = P a_i and s = S^-1 a_k, depends on q_j alone:

    p . T s = offset + radius cos(q_j - angle)

which has two roots. Then q_i is the angle about p from w(q_j) = P A exp(a_j q_j) B a_k to T s, and -q_k the angle
about s from u(q_j) = (A exp(a_j q_j) B S)^-1 a_i to T^-1 p. All but T is known beforehand: w and u are
of the form x_0 + x_1 cos q_j + x_2 sin q_j.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing.arrays import COS_PHASE, LEVEL, LOWER, SIN_PHASE, TURN, UPPER, WEIGHT, FacingArrays
from animato.express.facing.vertex_choices import AT_LOWER, AT_UPPER, FOLDED, HELD, MIRRORED, STRETCHED, VertexChoices
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import Vector, about, conjugate, cross, dot, quaternion, rotated, times, vector

_DEGENERATE = 1e-9  # radius below which q_j does not matter
_ROUNDING = 1e-9  # [rad] by which an angle may miss a limit and still be inside


P, S, OFFSET, PER_RADIUS, COS_ANGLE, SIN_ANGLE, W, U, COST = 0, 3, 6, 7, 8, 9, 10, 19, 28
"""First columns of `known`: p and s (3 each), then numbers, then x_0, x_1, x_2 of w and of u (9 each), and a number."""

SYMMETRIC = 3
"""Column of `free`."""


class Vertices(NamedTuple):
    """Corner configurations, most promising first, for kernels.

    Attributes:
        free: The three joints i < j < k that are solved for; SYMMETRIC is 1 where half a turn about the facing axis
            only adds half a turn to q_k, [p, 4].
        angles: Of the other joints [rad], [p, m].
        known: What is known before the target is, and COST of the fixed joints, [p, 29].
    """

    free: np.ndarray
    angles: np.ndarray
    known: np.ndarray


def build_vertices(problem: FacingArrays, choices: VertexChoices, facing: np.ndarray, *, count: int) -> Vertices:
    """The corner configurations of a posture.

    Args:
        problem: The problem.
        choices: Of its chain, most promising first.
        facing: The facing axis in the world at zero, [3].
        count: How many to keep of those that exist.
    """
    m = len(problem.axis)
    count = min(count, len(choices.free))
    vertices = Vertices(np.empty((count, 4), dtype=np.int64), np.empty((count, m)), np.empty((count, 29)))
    kept = _fill(problem, choices, facing[None], vertices) if count else 0
    order = np.argsort(vertices.known[:kept, COST], kind="stable")
    return Vertices(*(np.ascontiguousarray(array[order]) for array in vertices))


@inlined_kernel
def cost_at(problem: FacingArrays, i: int, q: float) -> float:
    """Cost of one joint at an angle."""
    weight = problem.cost[i, WEIGHT]
    if weight == 0.0:
        return 0.0
    cp, sp = problem.cost[i, COS_PHASE], problem.cost[i, SIN_PHASE]
    if problem.signed:
        return weight * abs(np.sin(0.5 * q) * cp - np.cos(0.5 * q) * sp)
    return weight * abs(np.cos(q) * cp + np.sin(q) * sp - problem.cost[i, LEVEL])


@inlined_kernel
def cost_of(problem: FacingArrays, i: int, c: float, s: float) -> float:
    """Cost of one joint from the cosine and sine of its angle."""
    weight = problem.cost[i, WEIGHT]
    if weight == 0.0:
        return 0.0
    cp, sp = problem.cost[i, COS_PHASE], problem.cost[i, SIN_PHASE]
    if problem.signed:  # |sin(x / 2)| from cos x, where x is the angle from the posture
        away = c * (cp * cp - sp * sp) + s * 2.0 * cp * sp
        return weight * np.sqrt(max(0.0, 0.5 - 0.5 * away))
    return weight * abs(c * cp + s * sp - problem.cost[i, LEVEL])


@inlined_kernel
def equal_inside(q: float, near: float, lower: float, upper: float) -> float:
    """The angle equal to q that is inside the limits and there nearest to `near`; where none is, the nearest miss."""
    if abs(q - near) > 0.5 * TURN:
        q += TURN * np.round((near - q) / TURN)
    if q < lower - _ROUNDING:
        q += TURN * np.ceil((lower - _ROUNDING - q) / TURN)
        if q > upper + _ROUNDING and q - upper > lower - (q - TURN):
            q -= TURN
    elif q > upper + _ROUNDING:
        q -= TURN * np.ceil((q - upper - _ROUNDING) / TURN)
        if q < lower - _ROUNDING and lower - q > q + TURN - upper:
            q += TURN
    return q


@kernel
def _place(problem: FacingArrays, i: int, where: int) -> float:
    """Angle of a fixed joint, nan where it may not stand there or is not to be counted twice."""
    posture, lower, upper = problem.kinks[i, 0], problem.limits[i, LOWER], problem.limits[i, UPPER]
    if where == HELD:
        return posture
    if where == MIRRORED:
        mirror = equal_inside(problem.kinks[i, 1], posture, lower, upper)
        apart = abs(mirror - posture)
        if mirror < lower - 1e-9 or mirror > upper + 1e-9 or abs(apart - TURN * np.round(apart / TURN)) < 1e-9:
            return np.nan
        return min(max(mirror, lower), upper)
    stop = lower if where == AT_LOWER else upper
    if not np.isfinite(stop) or abs(stop - posture) < 1e-9:
        return np.nan
    if where == AT_UPPER and abs(upper - lower - TURN) < 1e-9:
        return np.nan
    return stop


@kernel
def _fill(problem: FacingArrays, choices: VertexChoices, facing: np.ndarray, out: Vertices) -> int:
    """Writes the first vertices that exist; gives their count. facing [1, 3]."""
    fixed = np.empty((4, 4))
    free = np.empty(3, np.int64)
    kept = 0
    for choice in range(len(choices.free)):
        if kept == len(out.free):
            break
        angles, stretched = out.angles[kept], -1
        exists = True
        for i in range(len(problem.axis)):
            where = choices.place[choice, i]
            if where in (STRETCHED, FOLDED):
                stretched = i
            else:
                angles[i] = _place(problem, i, where)
                exists = exists and not np.isnan(angles[i])
        for n in range(3):
            free[n] = choices.free[choice, n]
        if exists and stretched >= 0:
            free[1] = stretched
            _fix(problem, angles, free, fixed)
            angles[stretched] = _stretch(problem, free, fixed, choices.place[choice, stretched] == FOLDED)
            exists = not np.isnan(angles[stretched])
            free[1] = choices.free[choice, 1]
        if not exists:
            continue
        for n in range(3):
            out.free[kept, n] = free[n]
        _fix(problem, angles, free, fixed)
        if not _closed_form(problem, fixed, out, kept):
            continue
        cost = 0.0
        for i in range(len(angles)):
            if i not in (free[0], free[1], free[2]):
                cost += cost_at(problem, i, angles[i])
        out.known[kept, COST] = cost
        s = (out.known[kept, S], out.known[kept, S + 1], out.known[kept, S + 2])
        out.free[kept, SYMMETRIC] = 1 if abs(dot(vector(facing, 0), s)) > 1.0 - 1e-12 else 0
        kept += 1
    return kept


@kernel
def _fix(problem: FacingArrays, angles: np.ndarray, free: np.ndarray, fixed: np.ndarray) -> None:
    """Writes the turns P, A, B, S around the free joints, wxyz, [4, 4]."""
    fixed[:] = 0.0
    fixed[:, 0] = 1.0
    slot = 0
    for i in range(len(angles)):
        if slot < 3 and i == free[slot]:
            slot += 1
            continue
        turned = times(quaternion(fixed, slot), about(vector(problem.axis, i), angles[i]))
        fixed[slot, 0], fixed[slot, 1], fixed[slot, 2], fixed[slot, 3] = turned


@inlined_kernel
def _middle(problem: FacingArrays, free: np.ndarray, fixed: np.ndarray) -> tuple[float, float]:
    """Radius times cosine and sine of `angle`."""
    u = rotated(conjugate(quaternion(fixed, 1)), vector(problem.axis, free[0]))
    v = rotated(quaternion(fixed, 2), vector(problem.axis, free[2]))
    parts = _turning(vector(problem.axis, free[1]), v, 1.0)
    return dot(u, parts[1]), dot(u, parts[2])


@kernel
def _stretch(problem: FacingArrays, free: np.ndarray, fixed: np.ndarray, folded: bool) -> float:
    """Angle of the middle joint at which p . T s is largest or, folded, smallest; nan where limits forbid it."""
    even, odd = _middle(problem, free, fixed)
    if even * even + odd * odd < _DEGENERATE**2:
        return np.nan
    j = free[1]
    lower, upper = problem.limits[j, LOWER], problem.limits[j, UPPER]
    angle = np.arctan2(odd, even) + (0.5 * TURN if folded else 0.0)
    angle = equal_inside(angle, problem.kinks[j, 0], lower, upper)
    if angle < lower - _ROUNDING or angle > upper + _ROUNDING:
        return np.nan
    return min(max(angle, lower), upper)


@kernel
def _closed_form(problem: FacingArrays, fixed: np.ndarray, out: Vertices, n: int) -> bool:
    """Writes what is known of vertex n before the target is; False where q_j does not matter."""
    ai, aj = vector(problem.axis, out.free[n, 0]), vector(problem.axis, out.free[n, 1])
    ak = vector(problem.axis, out.free[n, 2])
    first, second, third, last = quaternion(fixed, 0), quaternion(fixed, 1), quaternion(fixed, 2), quaternion(fixed, 3)
    p, s = rotated(first, ai), rotated(conjugate(last), ak)
    u, v = rotated(conjugate(second), ai), rotated(third, ak)
    x0, x1, x2 = _turning(aj, v, 1.0)
    even, odd = dot(u, x1), dot(u, x2)
    radius = np.sqrt(even * even + odd * odd)
    if radius < _DEGENERATE:
        return False
    before, behind = times(first, second), conjugate(times(third, last))
    w0, w1, w2 = rotated(before, x0), rotated(before, x1), rotated(before, x2)
    y0, y1, y2 = _turning(aj, u, -1.0)
    u0, u1, u2 = rotated(behind, y0), rotated(behind, y1), rotated(behind, y2)
    for c in range(3):
        out.known[n, P + c], out.known[n, S + c] = p[c], s[c]
        out.known[n, W + c], out.known[n, W + 3 + c], out.known[n, W + 6 + c] = w0[c], w1[c], w2[c]
        out.known[n, U + c], out.known[n, U + 3 + c], out.known[n, U + 6 + c] = u0[c], u1[c], u2[c]
    out.known[n, OFFSET], out.known[n, PER_RADIUS] = dot(u, x0), 1.0 / radius
    out.known[n, COS_ANGLE], out.known[n, SIN_ANGLE] = even / radius, odd / radius
    return True


@inlined_kernel
def _turning(axis: Vector, v: Vector, sign: float) -> tuple[Vector, Vector, Vector]:
    """x_0, x_1, x_2 with exp(sign axis q) v = x_0 + x_1 cos q + x_2 sin q."""
    along = dot(axis, v)
    x0 = (along * axis[0], along * axis[1], along * axis[2])
    side = cross(axis, v)
    return x0, (v[0] - x0[0], v[1] - x0[1], v[2] - x0[2]), (sign * side[0], sign * side[1], sign * side[2])
