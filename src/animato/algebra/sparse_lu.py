"""Sparse LU factors of many matrices with one pattern: one analysis, then numbers only.

    symbolic = analyse(rows, cols, size, sample_values)     # once per pattern
    factors = factor(symbolic, values)                      # values [step, entry], all steps at once
    x = solve(factors, rhs)                                 # rhs [step, size] or [step, size, m]
    y = solve_transposed(factors, rhs)                      # A^T y = rhs

The order of pivots is fixed by the analysis (`sparse_lu_analysis`), so that eight steps go through the
same instructions at once. Where the fixed order is not good enough for some step, because an entry of L
grows beyond `GROWTH_LIMIT`, that step is factored again as a dense matrix with its own pivots. Few such
steps cost little; if `Factors.repivoted` has many, analyse again with some of them among the samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.dense_lu import dense_factor, dense_solve
from animato.algebra.sparse_lu_analysis import SingularMatrixError, SymbolicLU, analyse
from animato.algebra.sparse_lu_kernels import factor_all, solve_all
from animato.kernels.lanes import LANES

__all__ = ["Factors", "SingularMatrixError", "SymbolicLU", "analyse", "factor", "solve", "solve_transposed"]

GROWTH_LIMIT = 1e4
"""Largest entry of L that is accepted; a digit of the solution can be lost for every power of ten."""


@dataclass(frozen=True, eq=False)
class Factors:
    """Factors of one matrix per step.

    Attributes:
        symbolic: The pattern.
        step_count: Matrices.
        slots: Numbers of the factors, shape [block, slot, LANES]; pivots are inverted.
        growth: Largest absolute entry of L by step, shape [step].
        dense: Steps that were factored as dense matrices: (LU, order of rows), see `dense_lu`.
        singular: Steps whose matrix has no inverse, in rising order; their solutions are not numbers.
    """

    symbolic: SymbolicLU
    step_count: int
    slots: np.ndarray
    growth: np.ndarray
    dense: dict[int, tuple[np.ndarray, np.ndarray]]
    singular: tuple[int, ...]

    @property
    def repivoted(self) -> tuple[int, ...]:
        """Steps for which the order of the analysis was not good enough."""
        return tuple(sorted(self.dense))


def factor(symbolic: SymbolicLU, values: np.ndarray, *, growth_limit: float = GROWTH_LIMIT) -> Factors:
    """Factors the matrices of all steps.

    Args:
        symbolic: The pattern, from `analyse`.
        values: Entries, shape [step, entry].
        growth_limit: Entries of L beyond this make a step be factored with pivots of its own.
    """
    values = np.ascontiguousarray(values, dtype=float)
    blocks = -(-len(values) // LANES)
    s = symbolic
    slots, squares = np.empty((blocks, s.slot_count, LANES)), np.empty((blocks, 1, LANES))
    if len(values):
        factor_all(s.size, s.slot_of_entry, s.l_start, s.u_start, s.target, values, slots, squares)
    growth = np.sqrt(squares.reshape(-1)[: len(values)])
    pivots = slots[:, : s.size].sum(axis=1).reshape(-1)[: len(values)]
    dense: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    singular = []
    for step in np.flatnonzero(~(growth <= growth_limit) | ~np.isfinite(pivots)).tolist():
        lu, order = dense_matrix(symbolic, values[step]), np.empty(s.size, dtype=np.int64)
        dense_factor(lu, order)
        dense[step] = (lu, order)
        diagonal = np.abs(np.diag(lu))
        if not diagonal.min(initial=np.inf) > 1e-15 * diagonal.max(initial=0.0):
            singular.append(step)
    return Factors(symbolic, len(values), slots, growth, dense, tuple(singular))


def dense_matrix(symbolic: SymbolicLU, values: np.ndarray) -> np.ndarray:
    """One matrix in full, shape [size, size], from its entries [entry]."""
    matrix = np.zeros((symbolic.size, symbolic.size))
    np.add.at(matrix, (symbolic.rows, symbolic.cols), values)
    return matrix


def solve(factors: Factors, rhs: np.ndarray) -> np.ndarray:
    """The x of A x = rhs at every step; rhs and the answer have shape [step, size] or [step, size, m]."""
    s = factors.symbolic
    return _solved(factors, rhs, s.row_order, s.col_order, transposed=False)


def solve_transposed(factors: Factors, rhs: np.ndarray) -> np.ndarray:
    """The x of A^T x = rhs at every step; rhs and the answer have shape [step, size] or [step, size, m]."""
    s = factors.symbolic
    return _solved(factors, rhs, s.col_order, s.row_order, transposed=True)


def _solved(
    factors: Factors, rhs: np.ndarray, order_in: np.ndarray, order_out: np.ndarray, *, transposed: bool
) -> np.ndarray:
    """Substitution for eight steps at a time, then for the steps with pivots of their own."""
    given = np.ascontiguousarray(rhs, dtype=float)
    columns = given[:, :, None] if given.ndim == 2 else given
    out = np.empty_like(columns)
    s = factors.symbolic
    if out.size:
        solve_all(transposed, order_in, order_out, s.pattern, factors.slots, columns, out)
    for step, (lu, order) in factors.dense.items():
        dense_solve(transposed, lu, order, columns[step], out[step])
    for step in factors.singular:
        out[step] = np.nan
    return out.reshape(given.shape)
