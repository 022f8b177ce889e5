"""The order in which a sparse matrix is eliminated, chosen once for all matrices of one pattern.

Pivots are chosen after Markowitz (The elimination form of the inverse, 1957): of the entries that are
large enough, the one whose elimination can fill in least. "Large enough" is judged on sample values
from several points, so that the same order serves all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.sparse_lu_kernels import LuPattern
from animato.errors import AnimatoError

THRESHOLD = 0.1
"""A pivot must reach this share of the largest entry of its column, at every sample."""

_SEARCHED = 6
"""Columns looked at for a pivot, those with fewest entries first, before the best so far is taken."""


class SingularMatrixError(AnimatoError):
    """A matrix that has no inverse where one is needed."""


@dataclass(frozen=True, eq=False)
class SymbolicLU:
    """Where the factors of P A Q = L U have entries, and in which order they arise.

    Entry (row, col) of a factor lives in a slot: first the `size` pivots, then L by columns, then U by rows.
    Position k of rows and columns means the k-th pivot.

    Attributes:
        size: Rows and columns of A.
        rows: Row of every entry of A, shape [entry].
        cols: Its column, shape [entry].
        row_order: Row of A at position k, shape [size].
        col_order: Column of A at position k, shape [size].
        slot_of_entry: Where an entry of A begins its life, shape [entry].
        l_start: Entries of L in column k: l_start[k] .. l_start[k + 1].
        l_row: Position of each entry's row, shape [entries of L].
        u_start: Entries of U in row k, without the pivot: u_start[k] .. u_start[k + 1].
        u_col: Position of each entry's column, shape [entries of U].
        target: Slots that the elimination changes, in the order in which it does.
    """

    size: int
    rows: np.ndarray
    cols: np.ndarray
    row_order: np.ndarray
    col_order: np.ndarray
    slot_of_entry: np.ndarray
    l_start: np.ndarray
    l_row: np.ndarray
    u_start: np.ndarray
    u_col: np.ndarray
    target: np.ndarray

    @property
    def pattern(self) -> LuPattern:
        """As the kernels of substitution take it."""
        return LuPattern(self.l_start, self.l_row, self.u_start, self.u_col)

    @property
    def slot_count(self) -> int:
        """Numbers in the factors of one matrix."""
        return self.size + len(self.l_row) + len(self.u_col)


class _Elimination:
    """Gaussian elimination on a dictionary of entries, at all samples at once."""

    def __init__(self, rows: np.ndarray, cols: np.ndarray, size: int, samples: np.ndarray) -> None:
        self.columns: list[dict[int, np.ndarray]] = [{} for _ in range(size)]
        self.rows: list[set[int]] = [set() for _ in range(size)]
        for i, j, value in zip(rows.tolist(), cols.tolist(), samples.T, strict=True):
            column = self.columns[j]
            column[i] = column[i] + value if i in column else value.copy()
            self.rows[i].add(j)
        self.scale = np.abs(samples).max(initial=0.0)
        self.open_columns = set(range(size))

    def pivot(self) -> tuple[int, int]:
        """The next (row, column)."""
        order = sorted(self.open_columns, key=lambda j: (len(self.columns[j]), j))
        best: tuple[float, float, int, int] | None = None
        spare: tuple[float, int, int] | None = None
        for searched, j in enumerate(order):
            count = len(self.columns[j]) - 1
            if best is not None and (searched >= _SEARCHED or best[0] <= count * count):
                break
            if searched >= 4 * _SEARCHED and spare is not None:
                break
            for i, share in self._shares(j):
                cost = count * (len(self.rows[i]) - 1)
                spare = max(spare, (share, -i, -j)) if spare else (share, -i, -j)
                if share >= THRESHOLD and (best is None or (cost, -share, i, j) < best):
                    best = (cost, -share, i, j)
        if best is not None:
            return best[2], best[3]
        if spare is None or spare[0] <= 0.0:
            raise SingularMatrixError(
                f"A matrix of {len(self.rows)} rows and columns has no inverse at the given values: "
                f"{len(self.open_columns)} columns cannot be solved for. Remove rows that say the same twice."
            )
        return -spare[1], -spare[2]

    def _shares(self, j: int) -> list[tuple[int, float]]:
        """Every row of a column with its worst share of the column's largest entry over the samples."""
        column = self.columns[j]
        if not column:
            return []
        names = sorted(column)
        sizes = np.abs(np.array([column[i] for i in names]))
        largest = sizes.max(axis=0)
        if largest.min() <= 1e-13 * self.scale:
            return [(i, 0.0) for i in names]
        return list(zip(names, (sizes / largest).min(axis=1).tolist(), strict=True))

    def eliminate(self, i: int, j: int) -> tuple[list[int], list[int]]:
        """Takes out a pivot; its other rows and other columns."""
        column = self.columns[j]
        below = sorted(r for r in column if r != i)
        right = sorted(c for c in self.rows[i] if c != j)
        pivot = column[i]
        factors = [(r, column[r] / pivot) for r in below]
        for c in right:
            other = self.columns[c]
            value = other.pop(i)
            for r, factor in factors:
                other[r] = other[r] - factor * value if r in other else -factor * value
                self.rows[r].add(c)
        for r in below:
            self.rows[r].discard(j)
        self.columns[j] = {}
        self.rows[i] = set()
        self.open_columns.discard(j)
        return below, right


def analyse(rows: np.ndarray, cols: np.ndarray, size: int, values: np.ndarray) -> SymbolicLU:
    """Chooses the order of elimination of all matrices of one pattern.

    Args:
        rows: Row of every entry, shape [entry]; entries at the same place add up.
        cols: Column of every entry, shape [entry].
        size: Rows and columns.
        values: Entries at a generic point, shape [entry], or at several, shape [sample, entry]. Take
            samples all over the matrices that will be factored: pivots then stay good at all of them.

    Raises:
        SingularMatrixError: No order exists, because the matrix is singular at the samples.
    """
    rows, cols = np.asarray(rows, dtype=np.int64), np.asarray(cols, dtype=np.int64)
    samples = np.atleast_2d(np.asarray(values, dtype=float))
    work = _Elimination(rows, cols, size, samples)
    row_order, col_order, below, right = [], [], [], []
    for _ in range(size):
        with np.errstate(all="ignore"):  # a bad pivot at one sample must not stop the others
            i, j = work.pivot()
            lower, upper = work.eliminate(i, j)
        row_order.append(i)
        col_order.append(j)
        below.append(lower)
        right.append(upper)
    return _packed(rows, cols, size, np.array(row_order), np.array(col_order), below, right)


def _packed(
    rows: np.ndarray,
    cols: np.ndarray,
    size: int,
    row_order: np.ndarray,
    col_order: np.ndarray,
    below: list[list[int]],
    right: list[list[int]],
) -> SymbolicLU:
    """The elimination as index arrays."""
    row_position, col_position = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    row_position[row_order] = np.arange(size)
    col_position[col_order] = np.arange(size)
    l_rows = [np.sort(row_position[lower]) if lower else np.empty(0, dtype=np.int64) for lower in below]
    u_cols = [np.sort(col_position[upper]) if upper else np.empty(0, dtype=np.int64) for upper in right]
    l_start = np.concatenate([[0], np.cumsum([len(r) for r in l_rows])]).astype(np.int64)
    u_start = np.concatenate([[0], np.cumsum([len(c) for c in u_cols])]).astype(np.int64)
    slot: dict[tuple[int, int], int] = {(k, k): k for k in range(size)}
    for k in range(size):
        slot.update(((r, k), size + int(l_start[k]) + e) for e, r in enumerate(l_rows[k].tolist()))
        first = size + int(l_start[-1]) + int(u_start[k])
        slot.update(((k, c), first + f) for f, c in enumerate(u_cols[k].tolist()))
    target = [slot[r, c] for k in range(size) for r in l_rows[k].tolist() for c in u_cols[k].tolist()]
    places = zip(row_position[rows].tolist(), col_position[cols].tolist(), strict=True)
    return SymbolicLU(
        size=size,
        rows=rows,
        cols=cols,
        row_order=row_order.astype(np.int64),
        col_order=col_order.astype(np.int64),
        slot_of_entry=np.array([slot[place] for place in places], dtype=np.int64),
        l_start=l_start,
        l_row=np.concatenate([*l_rows, []]).astype(np.int64),
        u_start=u_start,
        u_col=np.concatenate([*u_cols, []]).astype(np.int64),
        target=np.array(target, dtype=np.int64),
    )
