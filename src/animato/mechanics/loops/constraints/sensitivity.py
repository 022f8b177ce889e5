"""How the state follows controls and design: C_s^-1 [C_u C_p] at all time steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from animato.algebra.sparse_lu_analysis import SymbolicLU
from animato.errors import OptionError
from animato.kernels.lanes import LANES
from animato.mechanics.loops.constraints.factor import ConstraintFactors, constraint_solver
from animato.mechanics.loops.constraints.mechanism import Mechanism
from animato.mechanics.loops.constraints.packing import RowSet
from animato.mechanics.loops.constraints.sensitivity_kernel import SolveList, solve_sparse_kernel
from animato.mechanics.loops.constraints.values import ConstraintJacobians


def sensitivities(
    jacobians: ConstraintJacobians, factors: ConstraintFactors, *, out: np.ndarray | None = None
) -> np.ndarray:
    """X = C_s^-1 [C_u C_p], so that ds = -X (du, dp) keeps the rows where they are.

    Columns of C_u and C_p touch few rows, and in an open chain what they move is only what hangs behind
    them. Which entries of X can differ from zero is found once, in groups of eight columns; the rest is
    neither computed nor written.

    Args:
        jacobians: Of the kept rows.
        factors: Of `jacobians.state`.
        out: Where to write, shape [step, state, control + design], with zeros or an earlier result of the
            same mechanism in it; a new array where not given. Reuse it: at a hundred megabytes getting
            memory takes longer than the solve.
    """
    rows, lu = jacobians.rows, factors.factors
    columns = rows.control.shape[1] + rows.design.shape[1]
    shape = (lu.step_count, lu.symbolic.size, columns)
    if out is None:
        out = np.zeros(shape)
    elif out.shape != shape or not out.flags.c_contiguous:
        raise OptionError(f"The array for the result must be contiguous with the shape {shape}, not {out.shape}.")
    values = np.hstack([jacobians.control, jacobians.design])
    solve_sparse_kernel(_solve_list(rows, lu.symbolic), lu.slots, values, out)
    for step in lu.dense:  # these have pivots of their own
        right = np.hstack([rows.control.dense(jacobians.control[step]), rows.design.dense(jacobians.design[step])])
        out[step] = factors.at(step).solve(right[None])[0]
    return out


def sensitivity_pattern(mechanism: Mechanism) -> np.ndarray:
    """Which entries of `sensitivities` can differ from zero, as true and false, shape [state, control + design]."""
    rows, symbolic = mechanism.row_set("kept"), constraint_solver(mechanism).symbolic
    position, column = _right_sides(rows, symbolic)
    touched = np.zeros((rows.count, rows.control.shape[1] + rows.design.shape[1]), dtype=bool)
    touched[position, column] = True
    _, both = _reach(symbolic, touched)
    pattern = np.empty_like(both)
    pattern[symbolic.col_order] = both
    return pattern


def _right_sides(rows: RowSet, symbolic: SymbolicLU) -> tuple[np.ndarray, np.ndarray]:
    """Position and column of each nonzero of [C_u C_p]."""
    position = np.empty(rows.count, dtype=np.int64)
    position[symbolic.row_order] = np.arange(rows.count)
    row = position[np.concatenate([rows.control.rows, rows.design.rows])]
    return row, np.concatenate([rows.control.columns, rows.control.shape[1] + rows.design.columns])


def _lower_rows(symbolic: SymbolicLU) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(position, columns, slots) of the rows of L, forward; L itself is kept by columns."""
    columns = np.repeat(np.arange(symbolic.size), np.diff(symbolic.l_start))
    order = np.argsort(symbolic.l_row, kind="stable")
    starts = np.searchsorted(symbolic.l_row[order], np.arange(symbolic.size + 1))
    for k in range(symbolic.size):
        own = order[starts[k] : starts[k + 1]]
        yield k, columns[own], symbolic.size + own


def _upper_rows(symbolic: SymbolicLU) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(position, columns, slots) of the rows of U without pivots, backward."""
    first = symbolic.size + len(symbolic.l_row)
    for k in range(symbolic.size - 1, -1, -1):
        own = np.arange(symbolic.u_start[k], symbolic.u_start[k + 1])
        yield k, symbolic.u_col[own], first + own


def _reach(symbolic: SymbolicLU, touched: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where a solution can differ from zero after the forward sweep and after both, [position, column]."""
    forward = touched.copy()
    for k, columns, _ in _lower_rows(symbolic):
        forward[k] |= forward[columns].any(axis=0)
    both = forward.copy()
    for k, columns, _ in _upper_rows(symbolic):
        both[k] |= both[columns].any(axis=0)
    return forward, both


def _solve_list(rows: RowSet, symbolic: SymbolicLU) -> SolveList:
    """The operations that are due, found once a set of rows."""
    if rows.solve_list and rows.solve_list[0][0] is symbolic:
        made: SolveList = rows.solve_list[0][1]
        return made
    position, column = _right_sides(rows, symbolic)
    wide = -(-(rows.control.shape[1] + rows.design.shape[1]) // LANES)
    touched = np.zeros((rows.count, wide), dtype=bool)
    touched[position, column // LANES] = True
    forward, both = _reach(symbolic, touched)
    number = np.cumsum(both.ravel()).reshape(both.shape) - 1
    works: list[tuple[int, int, int]] = []  # cell, slot of the pivot, operations so far
    others: list[int] = []
    slots: list[int] = []
    for live, sweep, pivots in ((forward, _lower_rows, False), (both, _upper_rows, True)):
        for k, columns, entries in sweep(symbolic):
            for group in np.flatnonzero(live[k]):
                acting = live[columns, group]
                others += number[columns[acting], group].tolist()
                slots += entries[acting].tolist()
                works.append((int(number[k, group]), k if pivots else -1, len(others)))
    table = np.array(works, dtype=np.int64).reshape(-1, 3)
    at, group_of = np.nonzero(both)
    made = SolveList(
        number[position, column // LANES],
        column % LANES,
        table[:, 0].copy(),
        table[:, 1].copy(),
        np.concatenate([[0], table[:, 2]]),
        np.array(others, dtype=np.int64),
        np.array(slots, dtype=np.int64),
        symbolic.col_order[at],
        group_of,
    )
    rows.solve_list[:] = [(symbolic, made)]
    return made
