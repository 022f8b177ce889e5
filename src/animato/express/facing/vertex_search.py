"""Tries corner configurations against a target and keeps the most promising as starts.

A corner that faces the target inside the limits is a solution; one that misses its limits, or whose middle joint cannot
reach, is brought to the nearest limit and kept as a start with its miss added to its cost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing.arrays import LOWER, OWN, TURN, UPPER, FacingArrays
from animato.express.facing.descent import zero
from animato.express.facing.vertex_table import (
    ALONG,
    ANGLES,
    BLOCK_ROWS,
    COS_ANGLE,
    FIXED,
    FREE,
    LANES,
    MINUS,
    PER_RADIUS,
    PRICE,
    ROUNDING,
    SHARED,
    SIN_ANGLE,
    TURNED,
    P,
    S,
    U,
    Vertices,
    W,
    price_block,
)
from animato.express.facing.vertices import MISS, cost_at, cost_of, equal_inside
from animato.kernels.compiled import inlined_kernel
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
from animato.kernels.uncounted import uncounted_kernel

NOTHING = 1e30  # price of an empty place in the pool
PERFECT = 1e-12  # cost below which nothing better exists
_ROUNDING = 1e-12  # by which the middle joint may fail to reach
_INSIDE = 1e-9  # [rad] by which a limit may be missed
_SAME = 1e-10  # difference in price below which two starts are mirror images of one another


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


@uncounted_kernel
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


@uncounted_kernel
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
def _three(rows: np.ndarray, n: int, first: int) -> Vector:
    """Three columns of a row."""
    return rows[n, first], rows[n, first + 1], rows[n, first + 2]


@inlined_kernel
def _fan(rows: np.ndarray, n: int, first: int, c: float, s: float) -> Vector:
    """x_0 + x_1 c + x_2 s of a vertex."""
    return (
        rows[n, first] + c * rows[n, first + 3] + s * rows[n, first + 6],
        rows[n, first + 1] + c * rows[n, first + 4] + s * rows[n, first + 7],
        rows[n, first + 2] + c * rows[n, first + 5] + s * rows[n, first + 8],
    )


@inlined_kernel
def _angle_about(axis: Vector, start: Vector, end: Vector) -> tuple[float, float]:
    """Sine and cosine, up to a factor, of the angle about a unit axis from one direction to another.

    Both are 0 where the directions lie along the axis and there is no angle.
    """
    return dot(axis, cross(start, end)), dot(start, end) - dot(axis, start) * dot(axis, end)


@inlined_kernel
def _place_free(vertices: Vertices, n: int, qi: float, qj: float, qk: float, spare: np.ndarray) -> None:
    """Writes the angles of a vertex, its free joints included, [1, m]."""
    records = vertices.records
    for joint in range(spare.shape[1]):
        spare[0, joint] = records[n, ANGLES + joint]
    spare[0, int(records[n, FREE])], spare[0, int(records[n, FREE + 1])] = qi, qj
    spare[0, int(records[n, FREE + 2])] = qk


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
def _turned(c: float, s: float, other_c: float, other_s: float) -> tuple[float, float]:
    """Cosine and sine of the sum of two angles."""
    return c * other_c - s * other_s, s * other_c + c * other_s


@inlined_kernel
def _middle_cosine(records: np.ndarray, n: int, along: float) -> tuple[float, float]:
    """Cosine of q_j - angle for p . T s, and by how much the middle joint cannot reach."""
    cosine = (along - records[n, ALONG]) * records[n, PER_RADIUS]
    beyond = max(0.0, abs(cosine) - 1.0)
    beyond = beyond / records[n, PER_RADIUS] if beyond > _ROUNDING else 0.0
    return min(max(cosine, -1.0), 1.0), beyond


@inlined_kernel
def _inside(problem: FacingArrays, i: int, q: float, near: float) -> tuple[float, float]:
    """The angle of joint i equal to q inside its limits, and by how much it misses them."""
    lower, upper = problem.limits[i, LOWER], problem.limits[i, UPPER]
    q = equal_inside(q, near, lower, upper)
    return min(max(q, lower), upper), _miss(q, lower, upper)


@inlined_kernel
def _whole_price(problem: FacingArrays, price: float, near: np.ndarray, pull: float, spare: np.ndarray) -> float:
    """A price and what it costs not to be near [m], of a row [1, m]."""
    if pull > 0.0:
        total = 0.0
        for i in range(len(near)):
            total += 0.5 * pull * problem.cost[i, OWN] * (spare[0, i] - near[i]) ** 2
        price += total
    return price


@uncounted_kernel
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
    lanes: np.ndarray,
) -> tuple[int, int]:
    """Offers configurations of vertices to the pools; gives the vertex to go on with and the units of work it took.

    The loops are in one function because a call for each vertex would count references to all arrays, which costs more
    than the arithmetic.

    Args:
        problem: The problem.
        vertices: Its corners.
        first: The one to begin with.
        allowance: How many units of work may be spent: one for a vertex and one for a configuration of it.
        targets: exp(a_1 q_1) ... exp(a_m q_m) that are asked for, wxyz, [1 or 2, 4].
        near: Angles to stay near to [rad], [m].
        pull: Weight of half the squared distance from them.
        faced: Where to keep those that face the target inside the limits.
        missed: Where to keep the others.
        spare: Memory, [1, m].
        lanes: Memory, [FOUND_ROWS * LANES].
    """
    records, rate, doubt = vertices.records, MISS * problem.posture, ROUNDING * problem.posture
    tried, block, T = 0, -1, quaternion(targets, 0)
    bars = _bars(faced, missed)
    dearest = max(faced.price[len(faced.price) - 1], missed.price[len(missed.price) - 1])
    for n in range(first, len(records)):
        if tried >= allowance or faced.price[0] <= PERFECT:
            return n, tried
        lane = n % LANES
        if n // LANES != block:
            block = n // LANES
            price_block(vertices.blocks, block, T, len(targets) == 2, problem.signed, rate, lanes)
        if vertices.blocks[(block * BLOCK_ROWS + PRICE) * LANES + lane] - doubt >= dearest:
            return len(records), tried  # the rest costs more than all that is kept
        tried += 1
        for root in range(2):
            if lanes[(MINUS + root) * LANES + lane] - doubt >= max(bars.faced, bars.missed):
                continue
            p, s = _three(records, n, P), _three(records, n, S)
            y = rotated(T, s)
            cosine, beyond = _middle_cosine(records, n, dot(p, y))
            sine = np.sqrt(1.0 - cosine * cosine)
            if root == 1 and sine <= 1e-9:
                continue
            tried += 1
            i, j, k = int(records[n, FREE]), int(records[n, FREE + 1]), int(records[n, FREE + 2])
            cj, sj = _turned(cosine, sine if root == 1 else -sine, records[n, COS_ANGLE], records[n, SIN_ANGLE])
            price = records[n, FIXED] + cost_of(problem, j, cj, sj)
            if _too_dear(price, beyond, rate, bars):
                continue
            qj, outside = _inside(problem, j, np.arctan2(sj, cj), near[j])
            miss = beyond + outside
            if _too_dear(price, miss, rate, bars):
                continue
            si, ci = _angle_about(p, _fan(records, n, W, cj, sj), y)
            size = np.sqrt(si * si + ci * ci)
            lined_up = size < 1e-8  # axes i and k: only their sum counts
            qi, outside = _inside(problem, i, near[i] if lined_up else np.arctan2(si, ci), near[i])
            miss += outside
            if lined_up or outside > 0.0:
                price += cost_at(problem, i, qi)
            else:
                price += cost_of(problem, i, ci / size, si / size)
            if _too_dear(price, miss, rate, bars):
                continue
            turned = int(records[n, TURNED])
            sk, ck = _angle_about(s, _fan(records, n, U, cj, sj), rotated(conjugate(T), p))
            qk = -np.arctan2(sk, ck)
            if lined_up:
                _place_free(vertices, n, qi, qj, 0.0, spare)
                qk = _closing_angle(problem, spare, k, quaternion(targets, turned))
            shared = records[n, SHARED] > 0.0  # both ways up at once: they differ by half a turn of joint k
            for up in range(len(targets) if shared else 1):
                angle, outside = _inside(problem, k, qk + 0.5 * TURN * up, near[k])
                total, missing = price + cost_at(problem, k, angle), miss + outside
                if not _too_dear(total, missing, rate, bars):
                    _place_free(vertices, n, qi, qj, angle, spare)
                    total = _whole_price(problem, total + rate * missing, near, pull, spare)
                    offer(faced if missing == 0.0 else missed, total, spare, zero(), up if shared else turned)
                    bars = _bars(faced, missed)
                    dearest = max(faced.price[len(faced.price) - 1], missed.price[len(missed.price) - 1])
    return len(records), tried
