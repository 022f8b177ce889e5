"""Elimination and substitution of sparse matrices of one pattern, eight of them at once.

Factors are kept as [block, slot, LANES]: lane l of block b belongs to matrix b * LANES + l.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel
from animato.kernels.lanes import LANES, lanes, put_lanes, spread, where_larger


class LuPattern(NamedTuple):
    """Where L and U of one matrix have entries, and so of all that share its pattern.

    Attributes:
        l_start: Entries of L in column k: l_start[k] .. l_start[k + 1], [size + 1].
        l_row: Their rows.
        u_start: Entries of U in row k, without the pivot: u_start[k] .. u_start[k + 1], [size + 1].
        u_col: Their columns.
    """

    l_start: np.ndarray
    l_row: np.ndarray
    u_start: np.ndarray
    u_col: np.ndarray


@kernel
def factor_block(
    size: int, l_start: np.ndarray, u_start: np.ndarray, target: np.ndarray, slots: np.ndarray, growth: np.ndarray
) -> None:
    """Turns entries [slot, LANES] into factors; pivots are left inverted. growth [1, LANES] gets the largest |L|."""
    first_l, first_u = size, size + l_start[size]
    t = 0
    largest = spread(0.0)
    for k in range(size):
        inverse = 1.0 / lanes(slots, k)
        put_lanes(slots, k, inverse)
        for e in range(first_l + l_start[k], first_l + l_start[k + 1]):
            factor = lanes(slots, e) * inverse
            put_lanes(slots, e, factor)
            square = factor * factor
            largest = where_larger(largest, square, largest, square)
            for f in range(first_u + u_start[k], first_u + u_start[k + 1]):
                put_lanes(slots, target[t], lanes(slots, target[t]) - factor * lanes(slots, f))
                t += 1
    put_lanes(growth, 0, largest)


@kernel
def factor_all(
    size: int,
    slot_of_entry: np.ndarray,
    l_start: np.ndarray,
    u_start: np.ndarray,
    target: np.ndarray,
    values: np.ndarray,
    slots: np.ndarray,
    growth: np.ndarray,
) -> None:
    """Factors of all matrices: values [matrix, entry] to slots [block, slot, LANES], growth [block, 1, LANES]."""
    last = len(values) - 1
    for block in range(len(slots)):
        rows = slots[block]
        rows[:] = 0.0
        for lane in range(LANES):
            entries = values[min(block * LANES + lane, last)]
            for e in range(len(slot_of_entry)):
                rows[slot_of_entry[e], lane] += entries[e]
        factor_block(size, l_start, u_start, target, rows, growth[block])


@kernel
def substitute(
    lu: LuPattern,
    slots: np.ndarray,
    x: np.ndarray,
) -> None:
    """Solves L U x = x in place, x [size, LANES] by positions."""
    size = len(lu.l_start) - 1
    first_u = size + lu.l_start[size]
    for k in range(size):
        value = lanes(x, k)
        for e in range(lu.l_start[k], lu.l_start[k + 1]):
            put_lanes(x, lu.l_row[e], lanes(x, lu.l_row[e]) - lanes(slots, size + e) * value)
    for back in range(size):
        k = size - 1 - back
        value = lanes(x, k)
        for f in range(lu.u_start[k], lu.u_start[k + 1]):
            value = value - lanes(slots, first_u + f) * lanes(x, lu.u_col[f])
        put_lanes(x, k, value * lanes(slots, k))


@kernel
def substitute_transposed(
    lu: LuPattern,
    slots: np.ndarray,
    x: np.ndarray,
) -> None:
    """Solves (L U)^T x = x in place, x [size, LANES] by positions."""
    size = len(lu.l_start) - 1
    first_u = size + lu.l_start[size]
    for k in range(size):
        value = lanes(x, k) * lanes(slots, k)
        put_lanes(x, k, value)
        for f in range(lu.u_start[k], lu.u_start[k + 1]):
            put_lanes(x, lu.u_col[f], lanes(x, lu.u_col[f]) - lanes(slots, first_u + f) * value)
    for back in range(size):
        k = size - 1 - back
        value = lanes(x, k)
        for e in range(lu.l_start[k], lu.l_start[k + 1]):
            value = value - lanes(slots, size + e) * lanes(x, lu.l_row[e])
        put_lanes(x, k, value)


@kernel
def solve_all(
    transposed: bool,
    order_in: np.ndarray,
    order_out: np.ndarray,
    lu: LuPattern,
    slots: np.ndarray,
    rhs: np.ndarray,
    out: np.ndarray,
) -> None:
    """Solves for right-hand sides [matrix, size, m]; order_in and order_out take positions to rows and columns."""
    size = len(order_in)
    x = np.empty((size, LANES))
    for block in range(len(slots)):
        first = block * LANES
        for m in range(rhs.shape[2]):
            for lane in range(LANES):
                matrix = min(first + lane, len(rhs) - 1)
                for k in range(size):
                    x[k, lane] = rhs[matrix, order_in[k], m]
            if transposed:
                substitute_transposed(lu, slots[block], x)
            else:
                substitute(lu, slots[block], x)
            for lane in range(min(LANES, len(rhs) - first)):
                for k in range(size):
                    out[first + lane, order_out[k], m] = x[k, lane]
