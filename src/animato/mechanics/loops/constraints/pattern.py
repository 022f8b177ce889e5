"""Where the nonzeros of a matrix stand, once for all time steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class SparsePattern:
    """Places of nonzeros, sorted by row, then by column. Values of all steps stand beside it, [step, nonzero].

    Attributes:
        shape: (rows, columns).
        rows: Row of each nonzero, shape [nonzero].
        columns: Column of each nonzero, shape [nonzero].
    """

    shape: tuple[int, int]
    rows: np.ndarray
    columns: np.ndarray

    @property
    def count(self) -> int:
        """How many nonzeros."""
        return len(self.rows)

    @cached_property
    def starts(self) -> np.ndarray:
        """First nonzero of each row and, at the end, their count: the row pointers of CSR, shape [row + 1]."""
        return np.searchsorted(self.rows, np.arange(self.shape[0] + 1))

    def dense(self, values: np.ndarray) -> np.ndarray:
        """The matrices in full, shape [..., row, column].

        Args:
            values: Shape [..., nonzero].
        """
        full = np.zeros((*values.shape[:-1], *self.shape))
        full[..., self.rows, self.columns] = values
        return full

    def matrix(self, values: np.ndarray) -> csr_array:
        """One step's matrix for scipy.

        Args:
            values: Shape [nonzero].
        """
        return csr_array((values, self.columns, self.starts), shape=self.shape)
