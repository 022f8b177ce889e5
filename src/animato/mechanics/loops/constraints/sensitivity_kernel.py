"""Solving with many sparse right sides of one pattern, eight columns at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel
from animato.kernels.lanes import LANES, lanes, put_lanes, spread


class SolveList(NamedTuple):
    """What is computed, as a list of operations.

    Columns stand in groups of LANES. A cell is a row of the solution in a group of columns in which it
    can differ from zero; cells are numbered, and only they are stored and computed.

    Attributes:
        source_cell: Cell of each nonzero of the right sides, [nonzero].
        source_lane: Its column within the group, [nonzero].
        cell: Which cell is worked on, first forward through L, then backward through U, [work].
        pivot: Slot of the inverted pivot that ends the work on a cell, -1 in the forward sweep, [work].
        start: First operation of each work and, at the end, their count, [work + 1].
        other: Cell that is subtracted, [operation].
        slot: Slot of L or U that it is multiplied by, [operation].
        row: Row of each cell in the solution, [cell].
        group: Group of columns of each cell, [cell].
    """

    source_cell: np.ndarray
    source_lane: np.ndarray
    cell: np.ndarray
    pivot: np.ndarray
    start: np.ndarray
    other: np.ndarray
    slot: np.ndarray
    row: np.ndarray
    group: np.ndarray


@kernel
def solve_sparse_kernel(todo: SolveList, slots: np.ndarray, values: np.ndarray, out: np.ndarray) -> None:
    """A X = B for all steps; writes the cells of out [step, row, column] and nothing else.

    `slots` [block, slot, LANES] are the factors and `values` [step, nonzero] the nonzeros of B.
    """
    columns = out.shape[2]
    work = np.zeros((len(todo.row), LANES))
    mine = np.empty(slots.shape[1])
    for step in range(len(values)):
        here, lane = slots[step // LANES], step % LANES
        for e in range(len(mine)):
            mine[e] = here[e, lane]
        for cell in range(len(work)):
            put_lanes(work, cell, spread(0.0))
        for e in range(len(todo.source_cell)):
            work[todo.source_cell[e], todo.source_lane[e]] = values[step, e]
        for w in range(len(todo.cell)):
            cell = todo.cell[w]
            x = lanes(work, cell)
            for o in range(todo.start[w], todo.start[w + 1]):
                x = x - lanes(work, todo.other[o]) * mine[todo.slot[o]]
            if todo.pivot[w] >= 0:
                x = x * mine[todo.pivot[w]]
            put_lanes(work, cell, x)
        for cell in range(len(todo.row)):
            first = todo.group[cell] * LANES
            for d in range(min(LANES, columns - first)):
                out[step, todo.row[cell], first + d] = work[cell, d]
