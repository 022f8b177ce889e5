"""Tries corner configurations against a target and keeps the most promising as starts.

A corner that faces the target inside the limits is a solution; one that misses its limits, or whose middle joint cannot
reach, is brought to the nearest limit and kept as a start with its miss added to its cost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing.arrays import LOWER, OWN, TURN, UPPER, FacingArrays
from animato.express.facing.vertices import (
    COS_ANGLE,
    COST,
    OFFSET,
    PER_RADIUS,
    SIN_ANGLE,
    SYMMETRIC,
    P,
    S,
    U,
    Vertices,
    W,
    cost_at,
    cost_of,
    equal_inside,
)
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import (
    IDENTITY,
    Quaternion,
    Vector,
    about,
    conjugate,
    cross,
    dot,
    quaternion,
    rotated,
    times,
    vector,
)

NOTHING = 1e30  # price of an empty place in the pool
PERFECT = 1e-12  # cost below which nothing better exists
_INSIDE = 1e-9  # [rad] by which a limit may be missed
_MISS = 0.15  # price of missing by one radian, per unit of the posture's weight
_SAME = 1e-10  # difference in price below which two starts are mirror images of one another
_ROUNDING = 1e-12  # by which the middle joint may fail to reach


class Pool(NamedTuple):
    """Starts, cheapest first.

    Attributes:
        angles: [rad], [size, m].
        price: Cost and miss, NOTHING where empty, [size].
        upside_down: Which of the targets a start is for, [size].
    """

    angles: np.ndarray
    price: np.ndarray
    upside_down: np.ndarray


@kernel
def offer(pool: Pool, price: float, rows: np.ndarray, row: int, upside_down: int) -> None:
    """Keeps a row of angles as a start where it is cheap enough and no mirror image of one that is there."""
    size, m = pool.angles.shape
    if price >= pool.price[size - 1]:
        return
    place = size - 1
    for n in range(size):
        if pool.price[n] >= price - _SAME:
            if pool.price[n] <= price + _SAME:
                return
            place = n
            break
    for n in range(size - 1, place, -1):
        pool.price[n], pool.upside_down[n] = pool.price[n - 1], pool.upside_down[n - 1]
        for i in range(m):
            pool.angles[n, i] = pool.angles[n - 1, i]
    pool.price[place], pool.upside_down[place] = price, upside_down
    for i in range(m):
        pool.angles[place, i] = rows[row, i]


@inlined_kernel
def _miss(q: float, lower: float, upper: float) -> float:
    outside = max(lower - q, q - upper)
    return outside if outside > _INSIDE else 0.0


@kernel
def _closing_angle(problem: FacingArrays, spare: np.ndarray, k: int, target: Quaternion) -> float:
    """Angle of joint k that faces the target as far as that joint can, the others being at spare [1, m]."""
    before, behind = IDENTITY, IDENTITY
    for i in range(spare.shape[1]):
        if i < k:
            before = times(before, about(vector(problem.axis, i), spare[0, i]))
        elif i > k:
            behind = times(behind, about(vector(problem.axis, i), spare[0, i]))
    w, x, y, z = times(times(conjugate(before), target), conjugate(behind))
    return 2.0 * np.arctan2(dot((x, y, z), vector(problem.axis, k)), w)


@inlined_kernel
def _fan(rows: np.ndarray, n: int, first: int, c: float, s: float) -> Vector:
    """x_0 + x_1 c + x_2 s of a vertex."""
    return (
        rows[n, first] + c * rows[n, first + 3] + s * rows[n, first + 6],
        rows[n, first + 1] + c * rows[n, first + 4] + s * rows[n, first + 7],
        rows[n, first + 2] + c * rows[n, first + 5] + s * rows[n, first + 8],
    )


@inlined_kernel
def _angle_about(axis: Vector, start: Vector, end: Vector) -> tuple[float, bool]:
    """Angle about a unit axis from one direction to another, and whether they lie along the axis and it has none."""
    sine = dot(axis, cross(start, end))
    cosine = dot(start, end) - dot(axis, start) * dot(axis, end)
    return np.arctan2(sine, cosine), sine * sine + cosine * cosine < 1e-16


@inlined_kernel
def _place_free(vertices: Vertices, n: int, qi: float, qj: float, qk: float, spare: np.ndarray) -> None:
    """Writes the angles of a vertex, its free joints included, [1, m]."""
    for joint in range(spare.shape[1]):
        spare[0, joint] = vertices.angles[n, joint]
    spare[0, vertices.free[n, 0]], spare[0, vertices.free[n, 1]], spare[0, vertices.free[n, 2]] = qi, qj, qk


class Bars(NamedTuple):
    """Prices that a configuration must be below to be kept.

    Attributes:
        faced: Where it faces the target inside the limits.
        missed: Where it does not.
    """

    faced: float
    missed: float


@inlined_kernel
def _bars(faced: Pool, missed: Pool) -> Bars:
    """The prices of now: a start that misses is of no use where one that faces is cheaper."""
    dearest = missed.price[len(missed.price) - 1]
    return Bars(faced.price[len(faced.price) - 1], min(dearest, faced.price[0]))


@inlined_kernel
def _too_dear(price: float, miss: float, rate: float, bars: Bars) -> bool:
    """Whether a configuration that costs so much, and misses by [rad], is not to be kept."""
    return price + rate * miss >= (bars.faced if miss == 0.0 else bars.missed)


@inlined_kernel
def _middle_cosine(known: np.ndarray, n: int, along: float) -> tuple[float, float]:
    """Cosine of q_j - angle for p . T s, and by how much the middle joint cannot reach."""
    cosine = (along - known[n, OFFSET]) * known[n, PER_RADIUS]
    beyond = max(0.0, abs(cosine) - 1.0)
    beyond = beyond / known[n, PER_RADIUS] if beyond > _ROUNDING else 0.0
    return min(max(cosine, -1.0), 1.0), beyond


@inlined_kernel
def _inside(problem: FacingArrays, i: int, q: float, near: float) -> tuple[float, float]:
    """The angle of joint i equal to q inside its limits, and by how much it misses them."""
    lower, upper = problem.limits[i, LOWER], problem.limits[i, UPPER]
    q = equal_inside(q, near, lower, upper)
    return min(max(q, lower), upper), _miss(q, lower, upper)


@inlined_kernel
def _distance_cost(problem: FacingArrays, near: np.ndarray, pull: float, spare: np.ndarray) -> float:
    """Cost of not being near [m], of a row [1, m]."""
    total = 0.0
    for i in range(len(near)):
        total += 0.5 * pull * problem.cost[i, OWN] * (spare[0, i] - near[i]) ** 2
    return total


@kernel
def try_vertices(
    problem: FacingArrays,
    vertices: Vertices,
    first: int,
    allowance: int,
    targets: np.ndarray,
    near: np.ndarray,
    pull: float,
    faced: Pool,
    missed: Pool,
    spare: np.ndarray,
) -> tuple[int, int]:
    """Offers configurations of vertices to the pools; gives the vertex to go on with and how many were tried.

    The loops are in one function because a call for each vertex would count references to all arrays, which costs more
    than the arithmetic.

    Args:
        problem: The problem.
        vertices: Its corners.
        first: The one to begin with.
        allowance: How many configurations may be tried.
        targets: exp(a_1 q_1) ... exp(a_m q_m) that are asked for, wxyz, [1 or 2, 4].
        near: Angles to stay near to [rad], [m].
        pull: Weight of half the squared distance from them.
        faced: Where to keep those that face the target inside the limits.
        missed: Where to keep the others.
        spare: Memory, [1, m].
    """
    known, rate = vertices.known, _MISS * problem.posture
    tried, n = 0, first - 1
    while n + 1 < len(vertices.free) and tried < allowance and faced.price[0] > PERFECT:
        n += 1
        if known[n, COST] >= max(faced.price[len(faced.price) - 1], missed.price[len(missed.price) - 1]):
            return len(vertices.free), tried  # the rest costs more than all that is kept
        i, j, k = vertices.free[n, 0], vertices.free[n, 1], vertices.free[n, 2]
        p, s = (known[n, P], known[n, P + 1], known[n, P + 2]), (known[n, S], known[n, S + 1], known[n, S + 2])
        bars = _bars(faced, missed)
        shared = vertices.free[n, SYMMETRIC] == 1  # both ways up at once: they differ by half a turn of joint k
        for way in range(1 if shared else len(targets)):
            T = quaternion(targets, way)
            y = rotated(T, s)
            cosine, beyond = _middle_cosine(known, n, dot(p, y))
            sine = np.sqrt(1.0 - cosine * cosine)
            for _ in range(2 if sine > 1e-9 else 1):
                tried += 1
                sine = -sine
                cj = cosine * known[n, COS_ANGLE] - sine * known[n, SIN_ANGLE]
                sj = sine * known[n, COS_ANGLE] + cosine * known[n, SIN_ANGLE]
                price = known[n, COST] + cost_of(problem, j, cj, sj)
                if price + rate * beyond >= max(bars.faced, bars.missed):
                    continue
                qj, outside = _inside(problem, j, np.arctan2(sj, cj), near[j])
                miss = beyond + outside
                if _too_dear(price, miss, rate, bars):
                    continue
                qi, lined_up = _angle_about(p, _fan(known, n, W, cj, sj), y)
                if lined_up:  # axes i and k: only the sum of their angles counts
                    qi = near[i]
                qi, outside = _inside(problem, i, qi, near[i])
                miss += outside
                price += cost_at(problem, i, qi)
                if _too_dear(price, miss, rate, bars):
                    continue
                if lined_up:
                    _place_free(vertices, n, qi, qj, 0.0, spare)
                    qk = _closing_angle(problem, spare, k, T)
                else:
                    qk = -_angle_about(s, _fan(known, n, U, cj, sj), rotated(conjugate(T), p))[0]
                for up in range(len(targets) if shared else 1):
                    angle, outside = _inside(problem, k, qk + 0.5 * TURN * up, near[k])
                    missing, total = miss + outside, price + cost_at(problem, k, angle)
                    if _too_dear(total, missing, rate, bars):
                        continue
                    total += rate * missing
                    _place_free(vertices, n, qi, qj, angle, spare)
                    if pull > 0.0:
                        total += _distance_cost(problem, near, pull, spare)
                    offer(faced if missing == 0.0 else missed, total, spare, 0, up if shared else way)
                    bars = _bars(faced, missed)
    return n + 1, tried
