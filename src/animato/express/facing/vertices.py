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
from animato.express.facing.vertex_table import (
    ALONG,
    ANGLES,
    AXES,
    BLOCK_ROWS,
    COS_ANGLE,
    FANS,
    FIRST,
    FIXED,
    FREE,
    LANES,
    LAST,
    MIDDLE,
    OFFSET,
    PER_RADIUS,
    PRICE,
    RADIUS,
    SHARED,
    SIN_ANGLE,
    TURNED,
    P,
    S,
    U,
    Vertices,
    W,
)
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import Vector, about, conjugate, cross, dot, quaternion, rotated, times, vector
from animato.kernels.single_angle import cosine_and_sine

MISS = 0.15
"""Price of missing a limit by one radian, per unit of the posture's weight."""

_DIGITS = 12  # of a cost that count: corners that only differ by rounding stay in the order of their choice
_DEGENERATE = 1e-9  # radius below which q_j does not matter
_ROUNDING = 1e-9  # [rad] by which an angle may miss a limit and still be inside


_OFFSET, _RADIUS, _COST = range(3)  # columns of `_Corners.middle`


class _Corners(NamedTuple):
    """Corner configurations before they are packed.

    Attributes:
        records: As `Vertices` has them, [p, ANGLES + m].
        middle: Offset and radius of the middle joint, and the cost of the fixed ones, [p, 3].
    """

    records: np.ndarray
    middle: np.ndarray


def build_vertices(
    problem: FacingArrays, choices: VertexChoices, facing: np.ndarray, *, symmetric: bool, count: int
) -> Vertices:
    """The corner configurations of a posture.

    Args:
        problem: The problem.
        choices: Of its chain, most promising first.
        facing: The facing axis in the world at zero, [3].
        symmetric: Whether upside down will do.
        count: How many to keep of those that exist.
    """
    m = len(problem.axis)
    count = min(count, len(choices.free))
    corners = _Corners(np.empty((count, ANGLES + m)), np.empty((count, 3)))
    kept = _fill(problem, choices, facing[None], corners) if count else 0
    order = np.argsort(np.round(corners.middle[:kept, _COST], _DIGITS), kind="stable")
    if symmetric:
        order = np.repeat(order, np.where(corners.records[order, SHARED] > 0.0, 1, 2))
    vertices = Vertices(
        np.zeros(-(-len(order) // LANES) * BLOCK_ROWS * LANES, dtype=np.float32), corners.records[order]
    )
    if symmetric and len(order) > 0:
        vertices.records[1:, TURNED] = order[1:] == order[:-1]
        _turn_records(vertices.records, facing[None])
    _fill_blocks(problem, vertices, corners.middle[order])
    return vertices


@kernel
def _turn_records(records: np.ndarray, facing: np.ndarray) -> None:
    """Turns s and u of records for the second target by half a turn about the facing axis [1, 3]."""
    axis = vector(facing, 0)
    for n in range(len(records)):
        if records[n, TURNED] > 0.0:
            for first in (S, U, U + 3, U + 6):
                v = (records[n, first], records[n, first + 1], records[n, first + 2])
                along = 2.0 * dot(axis, v)
                for c in range(3):
                    records[n, first + c] = along * axis[c] - v[c]


@kernel
def _fill_blocks(problem: FacingArrays, vertices: Vertices, middle: np.ndarray) -> None:
    """Writes the blocks of records and of what is known of their middle joints, [p, 3]."""
    blocks = vertices.blocks.reshape((-1, BLOCK_ROWS, LANES))
    blocks[:, RADIUS], blocks[:, PRICE] = 1.0, np.inf
    for n in range(len(middle)):
        block, record, lane = blocks[n // LANES], vertices.records[n], n % LANES
        radius, c, s = middle[n, _RADIUS], record[COS_ANGLE], record[SIN_ANGLE]
        for a in range(6):
            block[AXES + a, lane] = record[P + a]
        block[OFFSET, lane], block[RADIUS, lane] = middle[n, _OFFSET] / radius, radius
        record[ALONG], record[PER_RADIUS], record[FIXED] = middle[n, _OFFSET], 1.0 / radius, middle[n, _COST]
        for a in range(3):
            for fan in range(2):
                first, row = record[W + 9 * fan :], FANS + 9 * fan + a
                block[row, lane] = first[a]
                block[row + 3, lane], block[row + 6, lane] = _turned_back(first[a + 3], first[a + 6], c, s)
        rate = MISS * problem.posture
        for slot, row in ((0, FIRST), (1, MIDDLE), (2, LAST)):
            joint = int(record[FREE + slot])
            line, limits = _cost_line(problem, joint, np.inf if slot == 1 else rate), _miss_line(problem, joint, rate)
            block[row + 2, lane], block[row + 5, lane] = line[2], limits[2]
            c, s = (record[COS_ANGLE], record[SIN_ANGLE]) if slot == 1 else (1.0, 0.0)
            block[row, lane], block[row + 1, lane] = _turned_back(line[0], line[1], c, s)
            block[row + 3, lane], block[row + 4, lane] = _turned_back(limits[0], limits[1], c, s)
        block[PRICE, lane] = middle[n, _COST]


@inlined_kernel
def _miss_line(problem: FacingArrays, i: int, rate: float) -> tuple[float, float, float]:
    """even, odd and base of what missing the limits of a joint costs at least."""
    lower, upper = problem.limits[i, LOWER], problem.limits[i, UPPER]
    half = 0.5 * (upper - lower)
    if not half < 0.5 * TURN:
        return 0.0, 0.0, 0.0
    return rate * np.cos(lower + half), rate * np.sin(lower + half), rate * np.cos(half)


@inlined_kernel
def _turned_back(even: float, odd: float, c: float, s: float) -> tuple[float, float]:
    """What goes with cosine and sine of an angle, for that angle less one of which cosine and sine are given."""
    return even * c + odd * s, odd * c - even * s


@inlined_kernel
def _cost_line(problem: FacingArrays, i: int, rate: float) -> tuple[float, float, float]:
    """even, odd and base of a joint's cost, or of as much of it as missing limits costs; see `price_block`."""
    weight, cp, sp = problem.cost[i, WEIGHT], problem.cost[i, COS_PHASE], problem.cost[i, SIN_PHASE]
    counted = min(weight, rate)
    if problem.signed:  # weight |sin(x / 2)| is the root of weight^2 (1 - cos x) / 2
        base = 0.5 * counted * counted
        return base * (cp * cp - sp * sp), base * 2.0 * cp * sp, base
    return counted * cp, counted * sp, counted * problem.cost[i, LEVEL]


@inlined_kernel
def cost_at(problem: FacingArrays, i: int, q: float) -> float:
    """Cost of one joint at an angle."""
    weight = problem.cost[i, WEIGHT]
    if weight == 0.0:
        return 0.0
    cp, sp = problem.cost[i, COS_PHASE], problem.cost[i, SIN_PHASE]
    c, s = cosine_and_sine(0.5 * q if problem.signed else q)
    if problem.signed:
        return weight * abs(s * cp - c * sp)
    return weight * abs(c * cp + s * sp - problem.cost[i, LEVEL])


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
def _fill(problem: FacingArrays, choices: VertexChoices, facing: np.ndarray, out: _Corners) -> int:
    """Writes the first vertices that exist; gives their count. facing [1, 3]."""
    fixed = np.empty((4, 4))
    free = np.empty(3, np.int64)
    kept = 0
    for choice in range(len(choices.free)):
        if kept == len(out.records):
            break
        record, stretched = out.records[kept], -1
        angles = record[ANGLES:]
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
        _fix(problem, angles, free, fixed)
        if not _closed_form(problem, fixed, free, out, kept):
            continue
        for n in range(3):
            record[FREE + n] = free[n]
        cost = 0.0
        for i in range(len(angles)):
            if i not in (free[0], free[1], free[2]):
                cost += cost_at(problem, i, angles[i])
        out.middle[kept, _COST] = cost
        s = (record[S], record[S + 1], record[S + 2])
        record[TURNED] = 0.0
        record[SHARED] = 1.0 if abs(dot(vector(facing, 0), s)) > 1.0 - 1e-12 else 0.0
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
def _closed_form(problem: FacingArrays, fixed: np.ndarray, free: np.ndarray, out: _Corners, n: int) -> bool:
    """Writes what is known of vertex n before the target is; False where q_j does not matter."""
    ai, aj, ak = vector(problem.axis, free[0]), vector(problem.axis, free[1]), vector(problem.axis, free[2])
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
    record = out.records[n]
    for c in range(3):
        record[P + c], record[S + c] = p[c], s[c]
        record[W + c], record[W + 3 + c], record[W + 6 + c] = w0[c], w1[c], w2[c]
        record[U + c], record[U + 3 + c], record[U + 6 + c] = u0[c], u1[c], u2[c]
    record[COS_ANGLE], record[SIN_ANGLE] = even / radius, odd / radius
    out.middle[n, _OFFSET], out.middle[n, _RADIUS] = dot(u, x0), radius
    return True


@inlined_kernel
def _turning(axis: Vector, v: Vector, sign: float) -> tuple[Vector, Vector, Vector]:
    """x_0, x_1, x_2 with exp(sign axis q) v = x_0 + x_1 cos q + x_2 sin q."""
    along = dot(axis, v)
    x0 = (along * axis[0], along * axis[1], along * axis[2])
    side = cross(axis, v)
    return x0, (v[0] - x0[0], v[1] - x0[1], v[2] - x0[2]), (sign * side[0], sign * side[1], sign * side[2])
