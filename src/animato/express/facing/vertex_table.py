"""Corner configurations packed for the search: what all need in lanes, what few need in records.

For a target most corners are left out by their price alone, and that takes no angles, only products: with y = T s,
z = T^-1 p, and w and u written in the cosine and sine of q_j - angle, sine and cosine of q_i are w . (y x p) and
w . (y - (p . y) p), those of -q_k are u . (z x s) and u . (z - (p . y) s), all up to one factor. So these numbers stand
in blocks of LANES corners, number by number, where the processor takes several corners at once; everything else about
a corner is in its record, and only read of corners that are worth it.

A joint that would have to be beyond its limits is brought to the nearest one, which can make it cheaper by its weight
for each radian, but is charged for the miss. So a joint counts with its cost, or with the share of it that the charge
is of the weight where that is less; or with the charge for the miss, which is no less than what the cosine of the angle
from the middle of its limits lacks to that of the limits. No corner costs less than what is found here.

Facing upside down is the same target with s and u turned by half a turn about the facing axis. So a corner is here
twice, one for each way up, unless half a turn about the facing axis only adds half a turn to q_k: then it is shared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.quaternions import Quaternion, Vector, conjugate, cross, dot, rotated
from animato.kernels.uncounted import uncounted_kernel

LANES = 16
"""Corners of a block."""

AXES, OFFSET, RADIUS, FANS, MIDDLE, FIRST, LAST, PRICE, BLOCK_ROWS = 0, 6, 7, 8, 26, 32, 38, 44, 45
"""First rows of a block: p and s (3 each); offset / radius, radius; w and u, each as what does not depend on q_j, goes
with the cosine and goes with the sine (9 each); even, odd and base of the costs of q_j - angle, q_i and q_k, each
followed by the same of their misses (6 each); the cost of the fixed joints; and how many rows."""

P, S, COS_ANGLE, SIN_ANGLE, W, U, FREE, SHARED, TURNED, ANGLES = 0, 3, 6, 7, 8, 17, 26, 29, 30, 31
"""First columns of a record: p and s (3 each), two numbers, x_0, x_1, x_2 of w and of u (9 each), the joints i < j < k,
1 where it is shared, 1 where it is for the second target, and the angles of all joints (m)."""

COSINE, BEYOND, MINUS, PLUS, FOUND_ROWS = range(5)
"""Rows of what is found of a block: the cosine of q_j - angle, by how much the middle joint cannot reach, and the least
price with either sine; and how many rows."""

_ROUNDING = 1e-12  # by which the middle joint may fail to reach
_LINED_UP = 1e-14  # square of the factor below which sine and cosine of q_i and q_k say nothing


class Vertices(NamedTuple):
    """Corner configurations, most promising first, for kernels.

    Attributes:
        blocks: What all corners need, infinitely dear where there is none, [b * BLOCK_ROWS * LANES].
        records: What some need, [p, ANGLES + m].
    """

    blocks: np.ndarray
    records: np.ndarray


def none_of(vertices: Vertices) -> Vertices:
    """No corners of the same chain."""
    return Vertices(vertices.blocks[:0], vertices.records[:0])


@inlined_kernel
def _at(block: np.ndarray, row: int, lane: int) -> float:
    return block[row * LANES + lane]


@inlined_kernel
def _three(block: np.ndarray, row: int, lane: int) -> Vector:
    return _at(block, row, lane), _at(block, row + 1, lane), _at(block, row + 2, lane)


@inlined_kernel
def _cost(x: float, signed: bool) -> float:
    """Cost of a joint from x = even cos q + odd sin q - base."""
    if signed:
        return np.sqrt(-x if x < 0.0 else 0.0)
    return abs(x)


@inlined_kernel
def _miss(line: Vector, c: float, s: float) -> float:
    """What missing the limits costs at least, from cosine and sine."""
    lacking = line[2] - line[0] * c - line[1] * s
    return lacking if lacking > 0.0 else 0.0


@inlined_kernel
def _free_cost(line: Vector, limits: Vector, c: float, s: float, signed: bool, either: bool) -> float:
    """Least cost of a free joint from cosine and sine up to a factor; with `either`, also of half a turn more."""
    square = c * c + s * s
    known = square > _LINED_UP
    scale = 1.0 / np.sqrt(square if known else 1.0)
    c, s = scale * c, scale * s
    x, missing = line[0] * c + line[1] * s, _miss(limits, c, s)
    cost = _cost(x - line[2], signed)
    cost = missing if missing > cost else cost
    if either:
        other, missing = _cost(-x - line[2], signed), _miss(limits, -c, -s)
        other = missing if missing > other else other
        cost = other if other < cost else cost
    return cost if known else 0.0


@inlined_kernel
def _fan_along(block: np.ndarray, row: int, lane: int, cosine: float, sine: float, v: Vector) -> tuple[float, float]:
    """Component along v of w or u: what both sines share, and what goes with the sign of the sine."""
    still, even, odd = _three(block, row, lane), _three(block, row + 3, lane), _three(block, row + 6, lane)
    return dot(still, v) + cosine * dot(even, v), sine * dot(odd, v)


@uncounted_kernel
def price_block(
    blocks: np.ndarray, n: int, target: Quaternion, either: bool, signed: bool, rate: float, found: np.ndarray
) -> None:
    """Writes what a target makes of a block.

    Indices are plain offsets in arrays of one dimension: the compiler takes several lanes at once only where it sees
    that what is written is not what is read.

    Args:
        blocks: As `Vertices` has them.
        n: The block.
        target: exp(a_1 q_1) ... exp(a_m q_m) that is asked for, wxyz.
        either: Whether upside down will do.
        signed: Whether costs are those of the shape error.
        rate: Price of missing by one radian.
        found: Rows of LANES numbers, [FOUND_ROWS * LANES].
    """
    block = blocks[n * BLOCK_ROWS * LANES : (n + 1) * BLOCK_ROWS * LANES]
    back = conjugate(target)
    for lane in range(LANES):
        p, s, radius = _three(block, AXES, lane), _three(block, AXES + 3, lane), _at(block, RADIUS, lane)
        y, z = rotated(target, s), rotated(back, p)
        along = dot(p, y)
        cosine = along / radius - _at(block, OFFSET, lane)
        beyond = abs(cosine) - 1.0
        beyond = beyond * radius if beyond > _ROUNDING else 0.0
        cosine = 1.0 if cosine > 1.0 else cosine
        cosine = -1.0 if cosine < -1.0 else cosine
        sine = np.sqrt(1.0 - cosine * cosine)
        price = _at(block, PRICE, lane) + rate * beyond
        line, limits = _three(block, MIDDLE, lane), _three(block, MIDDLE + 3, lane)
        even, odd = cosine * line[0] - line[2], sine * line[1]
        minus = price + _cost(even - odd, signed) + _miss(limits, cosine, -sine)
        plus = price + _cost(even + odd, signed) + _miss(limits, cosine, sine)
        line, limits = _three(block, FIRST, lane), _three(block, FIRST + 3, lane)
        across = y[0] - along * p[0], y[1] - along * p[1], y[2] - along * p[2]
        even, odd = _fan_along(block, FANS, lane, cosine, sine, cross(y, p))
        c, turned = _fan_along(block, FANS, lane, cosine, sine, across)
        minus += _free_cost(line, limits, c - turned, even - odd, signed, False)
        plus += _free_cost(line, limits, c + turned, even + odd, signed, False)
        line, limits = _three(block, LAST, lane), _three(block, LAST + 3, lane)
        across = z[0] - along * s[0], z[1] - along * s[1], z[2] - along * s[2]
        even, odd = _fan_along(block, FANS + 9, lane, cosine, sine, cross(s, z))
        c, turned = _fan_along(block, FANS + 9, lane, cosine, sine, across)
        minus += _free_cost(line, limits, c - turned, even - odd, signed, either)
        plus += _free_cost(line, limits, c + turned, even + odd, signed, either)
        found[lane], found[LANES + lane] = cosine, beyond
        found[2 * LANES + lane], found[3 * LANES + lane] = minus, plus
