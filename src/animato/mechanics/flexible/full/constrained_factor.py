"""A sparse factor of the equations of a full part under its six linear conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from animato.mechanics.flexible.full.full_part import FullPart


@dataclass(frozen=True)
class ConstrainedFactor:
    """Solves K x + C^T m = r, C x = 0.

    Where K is singular (nothing holds the part but the conditions), K + gamma C^T C is not, and has the same solution
    for every gamma: a device of the factorization, not a penalty.

    Attributes:
        full: The part.
        factor: Of K + gamma C^T C, by SuperLU.
        swept: Solutions for the six rows of C, shape [3 node, 6].
        schur: C times these, shape [6, 6].
    """

    full: FullPart
    factor: Any
    swept: np.ndarray
    schur: np.ndarray

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Solution x of the equations above for forces [node, 3], shape [node, 3]."""
        free = self.factor.solve(right.ravel())
        x = free - self.swept @ np.linalg.solve(self.schur, self.full.conditions @ free)
        return x.reshape(-1, 3)


def factor_with_conditions(full: FullPart, matrix: csr_array) -> ConstrainedFactor:
    """Factors the matrix of a full part together with the conditions of its reference interface."""
    from scipy.sparse.linalg import splu

    C = full.conditions
    gamma = float(abs(matrix.diagonal()[C.indices]).mean())
    held = (matrix + gamma * (C.T @ C)).tocsc()
    factor = splu(held, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    swept = factor.solve(C.toarray().T.copy())
    return ConstrainedFactor(full, factor, swept, C @ swept)
