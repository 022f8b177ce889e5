"""Corner configurations packed for the search: what all need in lanes, what few need in records.

For a target most corners are left out by their price alone, and that takes no angles, only products: with y = T s,
z = T^-1 p, and w and u written in the cosine and sine of q_j - angle, sine and cosine of q_i are w . (y x p) and
w . (y - (p . y) p), those of -q_k are u . (z x s) and u . (z - (p . y) s), all up to one factor. So these numbers stand
in blocks of LANES corners, number by number, where the processor takes several corners at once; everything else about
a corner is in its record, and only read of corners that are worth it.

A joint that would have to be beyond its limits is brought to the nearest one, which can make it cheaper by its weight
for each radian, but is charged for the miss. So a joint counts with its cost, or with the share of it that the charge
is of the weight where that is less; or with the charge for the miss, which is no less than what the cosine of the angle
from the middle of its limits lacks to that of the limits. No corner costs less than what is found here, but for
ROUNDING: blocks are in single precision, so that they take half the memory, which is mostly waited for, and half the
time. Where that is not enough, with the middle joint stretched or the other two nearly in line, a corner counts as
cheap.

Facing upside down is the same target with s and u turned by half a turn about the facing axis. So a corner is here
twice, one for each way up, unless half a turn about the facing axis only adds half a turn to q_k: then it is shared.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.quaternions import Quaternion, Vector, cross, dot
from animato.kernels.uncounted import uncounted_kernel

LANES = 16
"""Corners of a block."""

AXES, OFFSET, RADIUS, FANS, MIDDLE, FIRST, LAST, PRICE, BLOCK_ROWS = 0, 6, 7, 8, 26, 32, 38, 44, 45
"""First rows of a block: p and s (3 each); offset / radius, radius; w and u, each as what does not depend on q_j, goes
with the cosine and goes with the sine (9 each); even, odd and base of the costs of q_j - angle, q_i and q_k, each
followed by the same of their misses (6 each); the cost of the fixed joints; and how many rows."""

P, S, COS_ANGLE, SIN_ANGLE, W, U = 0, 3, 6, 7, 8, 17
FREE, SHARED, TURNED, ALONG, PER_RADIUS, FIXED, ANGLES = 26, 29, 30, 31, 32, 33, 34
"""First columns of a record: p and s (3 each), two numbers, x_0, x_1, x_2 of w and of u (9 each), the joints i < j < k,
1 where it is shared, 1 where it is for the second target, offset, 1 / radius, the cost of the fixed joints, and the
angles of all joints (m)."""

MINUS, PLUS, FOUND_ROWS = range(3)
"""Rows of what is found of a block: the least price with either sine; and how many rows."""

ROUNDING = 1e-3
"""By which the least price may be too high, per unit of the posture's weight."""

_ZERO: Any = np.float32(0.0)  # a number of another precision would make all of them double
_ONE: Any = np.float32(1.0)
_STRETCHED = np.float32(1e-4)  # square of the sine of q_j - angle below which single precision does not tell it
_NARROW = np.float32(0.05)  # radius below which it does not tell the cosine
_LINED_UP = np.float32(1e-3)  # square of the factor below which it does not tell sine and cosine of q_i and q_k


class Vertices(NamedTuple):
    """Corner configurations, most promising first, for kernels.

    Attributes:
        blocks: What all corners need in single precision, infinitely dear where there is none,
            [b * BLOCK_ROWS * LANES].
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
        return np.sqrt(-x if x < _ZERO else _ZERO)
    return abs(x)


@inlined_kernel
def _miss(line: Vector, c: float, s: float) -> float:
    """What missing the limits costs at least, from cosine and sine."""
    lacking = line[2] - line[0] * c - line[1] * s
    return lacking if lacking > _ZERO else _ZERO


@inlined_kernel
def _free_cost(line: Vector, limits: Vector, c: float, s: float, signed: bool, either: bool) -> float:
    """Least cost of a free joint from cosine and sine up to a factor; with `either`, also of half a turn more."""
    square = c * c + s * s
    known = square > _LINED_UP
    scale = _ONE / np.sqrt(square if known else _ONE)
    c, s = scale * c, scale * s
    x, missing = line[0] * c + line[1] * s, _miss(limits, c, s)
    cost = _cost(x - line[2], signed)
    cost = missing if missing > cost else cost
    if either:
        other, missing = _cost(-x - line[2], signed), _miss(limits, -c, -s)
        other = missing if missing > other else other
        cost = other if other < cost else cost
    return cost if known else _ZERO


@inlined_kernel
def _fan_along(block: np.ndarray, row: int, lane: int, cosine: float, sine: float, v: Vector) -> tuple[float, float]:
    """Component along v of w or u: what both sines share, and what goes with the sign of the sine."""
    still, even, odd = _three(block, row, lane), _three(block, row + 3, lane), _three(block, row + 6, lane)
    return dot(still, v) + cosine * dot(even, v), sine * dot(odd, v)


@inlined_kernel
def _matrix(q: Quaternion) -> tuple[Any, ...]:
    """The rotation matrix of a quaternion, row by row, in single precision."""
    w, x, y, z = q
    return (
        np.float32(1.0 - 2.0 * (y * y + z * z)),
        np.float32(2.0 * (x * y - w * z)),
        np.float32(2.0 * (x * z + w * y)),
        np.float32(2.0 * (x * y + w * z)),
        np.float32(1.0 - 2.0 * (x * x + z * z)),
        np.float32(2.0 * (y * z - w * x)),
        np.float32(2.0 * (x * z - w * y)),
        np.float32(2.0 * (y * z + w * x)),
        np.float32(1.0 - 2.0 * (x * x + y * y)),
    )


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
    R = _matrix(target)
    for lane in range(LANES):
        p, s, radius = _three(block, AXES, lane), _three(block, AXES + 3, lane), _at(block, RADIUS, lane)
        y = dot((R[0], R[1], R[2]), s), dot((R[3], R[4], R[5]), s), dot((R[6], R[7], R[8]), s)
        z = dot((R[0], R[3], R[6]), p), dot((R[1], R[4], R[7]), p), dot((R[2], R[5], R[8]), p)
        along = dot(p, y)
        cosine = along / radius - _at(block, OFFSET, lane)
        beyond = abs(cosine) - _ONE
        beyond = beyond * radius if beyond > _ZERO else _ZERO
        cosine = _ONE if cosine > _ONE else cosine
        cosine = -_ONE if cosine < -_ONE else cosine
        square = _ONE - cosine * cosine
        told = square > _STRETCHED and radius > _NARROW
        sine = np.sqrt(square)
        line, limits = _three(block, MIDDLE, lane), _three(block, MIDDLE + 3, lane)
        even, odd = cosine * line[0] - line[2], sine * line[1]
        minus = _cost(even - odd, signed) + _miss(limits, cosine, -sine)
        plus = _cost(even + odd, signed) + _miss(limits, cosine, sine)
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
        price = _at(block, PRICE, lane) + np.float32(rate) * beyond
        found[lane] = price + (minus if told else _ZERO)
        found[LANES + lane] = price + (plus if told else _ZERO)
