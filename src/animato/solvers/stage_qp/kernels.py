"""Compiled loops over the sparse matrices of all steps, and substitution with many right-hand sides.

In `solve_columns` and its neighbours lanes are columns of right-hand sides: a step has [row, block] of
LANES columns each, as an array [row * blocks + block, LANES]. Blocks that stay zero are never touched;
which those are is known beforehand (`start`, `block` list the others by row).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.algebra.gram import gram
from animato.algebra.sparse_lu_kernels import LuPattern
from animato.kernels.compiled import kernel
from animato.kernels.lanes import LANES, lanes, put_lanes, spread


class Reach(NamedTuple):
    """Which blocks of columns a row can have entries in, on the way down and on the way up of a substitution.

    Attributes:
        down_start: Blocks of row k on the way down: down_start[k] .. down_start[k + 1].
        down_block: Their numbers.
        up_start: The same on the way up.
        up_block: Their numbers.
    """

    down_start: np.ndarray
    down_block: np.ndarray
    up_start: np.ndarray
    up_block: np.ndarray


@kernel
def add_products(rows: np.ndarray, cols: np.ndarray, values: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """Out[step] += A[step] x[step] for all steps; x [1 or step, col]."""
    for step in range(len(values)):
        given = x[min(step, len(x) - 1)]
        for e in range(len(rows)):
            out[step, rows[e]] += values[step, e] * given[cols[e]]


@kernel
def project_values(
    source: np.ndarray, weight: np.ndarray, target: np.ndarray, given: np.ndarray, weights: np.ndarray, out: np.ndarray
) -> None:
    """Out[step, target] += given[step, source] weights[step, weight], product by product."""
    for step in range(len(given)):
        factors = weights[min(step, len(weights) - 1)]
        for e in range(len(source)):
            out[step, target[e]] += given[step, source[e]] * factors[weight[e]]


@kernel
def solve_columns(
    lu: LuPattern,
    reach: Reach,
    factors: np.ndarray,
    x: np.ndarray,
) -> None:
    """Solves L U x = x in place for one step: factors [slot], x [row * blocks + block, LANES] by positions."""
    size = len(lu.l_start) - 1
    blocks = len(x) // size
    first_u = size + lu.l_start[size]
    for k in range(size):
        for e in range(lu.l_start[k], lu.l_start[k + 1]):
            factor = factors[size + e]
            for i in range(reach.down_start[k], reach.down_start[k + 1]):
                at = lu.l_row[e] * blocks + reach.down_block[i]
                put_lanes(x, at, lanes(x, at) - factor * lanes(x, k * blocks + reach.down_block[i]))
    for back in range(size):
        k = size - 1 - back
        for i in range(reach.up_start[k], reach.up_start[k + 1]):
            at = k * blocks + reach.up_block[i]
            value = lanes(x, at)
            for f in range(lu.u_start[k], lu.u_start[k + 1]):
                value = value - factors[first_u + f] * lanes(x, lu.u_col[f] * blocks + reach.up_block[i])
            put_lanes(x, at, factors[k] * value)


@kernel
def solve_columns_transposed(
    lu: LuPattern,
    reach: Reach,
    factors: np.ndarray,
    x: np.ndarray,
) -> None:
    """Solves (L U)^T x = x in place for one step, as `solve_columns` does L U."""
    size = len(lu.l_start) - 1
    blocks = len(x) // size
    first_u = size + lu.l_start[size]
    for k in range(size):
        for i in range(reach.down_start[k], reach.down_start[k + 1]):
            at = k * blocks + reach.down_block[i]
            value = factors[k] * lanes(x, at)
            put_lanes(x, at, value)
            for f in range(lu.u_start[k], lu.u_start[k + 1]):
                other = lu.u_col[f] * blocks + reach.down_block[i]
                put_lanes(x, other, lanes(x, other) - factors[first_u + f] * value)
    for back in range(size):
        k = size - 1 - back
        for i in range(reach.up_start[k], reach.up_start[k + 1]):
            at = k * blocks + reach.up_block[i]
            value = lanes(x, at)
            for e in range(lu.l_start[k], lu.l_start[k + 1]):
                value = value - factors[size + e] * lanes(x, lu.l_row[e] * blocks + reach.up_block[i])
            put_lanes(x, at, value)


@kernel
def scatter(place: np.ndarray, sign: float, values: np.ndarray, x: np.ndarray) -> None:
    """Adds entries to x [.., LANES] at places counted in numbers."""
    for e in range(len(place)):
        x[place[e] // LANES, place[e] % LANES] += sign * values[e]


@kernel
def solve_steps(
    transposed: bool,
    lu: LuPattern,
    reach: Reach,
    slots: np.ndarray,
    place: np.ndarray,
    values: np.ndarray,
    column_place: np.ndarray,
    column: np.ndarray,
    sign: float,
    x: np.ndarray,
) -> None:
    """Solves one block of up to LANES steps for sparse columns and one dense column.

    Slots [slot, LANES]; values [step, entry] go to `place`, column [step, size] to `column_place`; x
    [step, row * blocks + block, LANES].
    """
    factors = np.empty(len(slots))
    for step in range(len(x)):
        for slot in range(len(slots)):
            factors[slot] = slots[slot, step]
        x[step] = 0.0
        scatter(place, sign, values[step], x[step])
        scatter(column_place, sign, column[step], x[step])
        if transposed:
            solve_columns_transposed(lu, reach, factors, x[step])
        else:
            solve_columns(lu, reach, factors, x[step])


@kernel
def curve_steps(
    h_start: np.ndarray,
    h_col: np.ndarray,
    h_group: np.ndarray,
    h_entry: np.ndarray,
    h_share: np.ndarray,
    h_values: np.ndarray,
    live_start: np.ndarray,
    live_block: np.ndarray,
    place: np.ndarray,
    values: np.ndarray,
    x: np.ndarray,
    out: np.ndarray,
) -> None:
    """Out = T x + B for some steps, with T + T^T = H; T by rows, B sparse, x as in `solve_steps`.

    Entry e of H counts for T by its share, in the group of entries at the same place. Out is written in
    its live blocks only.
    """
    size = len(h_start) - 1
    blocks = x.shape[1] // size
    h = np.empty(len(h_col))
    for step in range(len(x)):
        given, result = x[step], out[step]
        h[:] = 0.0
        for e in range(len(h_group)):
            h[h_group[e]] += h_share[e] * h_values[step, h_entry[e]]
        for k in range(size):
            for i in range(live_start[k], live_start[k + 1]):
                value = spread(0.0)
                for e in range(h_start[k], h_start[k + 1]):
                    value = value + h[e] * lanes(given, h_col[e] * blocks + live_block[i])
                put_lanes(result, k * blocks + live_block[i], value)
        scatter(place, 1.0, values[step], result)


@kernel
def gram_steps(
    first: np.ndarray, last: np.ndarray, row: np.ndarray, x: np.ndarray, m: np.ndarray, out: np.ndarray
) -> None:
    """`gram` for some steps: x, m [step, row * blocks + block, LANES], out [step, col * blocks + block, LANES]."""
    for step in range(len(x)):
        gram(first, last, row, x[step], m[step], out[step])


@kernel
def gather_products(
    rows: np.ndarray,
    cols: np.ndarray,
    values: np.ndarray,
    column: np.ndarray,
    column_col: int,
    weights: np.ndarray,
    row_position: np.ndarray,
    y: np.ndarray,
    x: np.ndarray,
    m: np.ndarray,
) -> None:
    """X = -y^T A and m = 1/2 W x at some steps: A sparse with one dense column, both with lanes of its columns.

    Y has lanes of residuals, [step, position * blocks + block, LANES]; x and m [step, residual * blocks + block,
    LANES]. What comes after the last residual in y is left alone.
    """
    count, size = weights.shape[1], column.shape[1]
    y_blocks, blocks = y.shape[1] // size, x.shape[1] // count
    image = np.empty((blocks * LANES * y_blocks, LANES))
    for step in range(len(y)):
        given = y[step]
        image[:] = 0.0
        for e in range(len(rows)):
            for b in range(y_blocks):
                at = cols[e] * y_blocks + b
                put_lanes(image, at, lanes(image, at) - values[step, e] * lanes(given, rows[e] * y_blocks + b))
        for b in range(y_blocks):
            value = spread(0.0)
            for i in range(size):
                value = value - column[step, i] * lanes(given, row_position[i] * y_blocks + b)
            put_lanes(image, column_col * y_blocks + b, value)
        for col in range(blocks * LANES):
            for r in range(count):
                value_here = image[col * y_blocks + r // LANES, r % LANES]
                x[step, r * blocks + col // LANES, col % LANES] = value_here
                m[step, r * blocks + col // LANES, col % LANES] = 0.5 * weights[step, r] * value_here
