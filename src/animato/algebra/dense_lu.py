"""LU factors of one dense matrix with row pivots, for the few steps that need an order of their own.

Small enough to stay on one core, where LAPACK would wake its threads, and quick on matrices that are mostly zero.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def dense_factor(A: np.ndarray, order: np.ndarray) -> None:
    """Turns A [size, size] into L below and U on and above the diagonal; order[k] is the row of A in row k."""
    size = len(A)
    for k in range(size):
        order[k] = k
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if best != k:
            order[k], order[best] = order[best], order[k]
            for c in range(size):
                A[k, c], A[best, c] = A[best, c], A[k, c]
        for i in range(k + 1, size):
            if A[i, k] != 0.0:
                factor = A[i, k] / A[k, k]
                A[i, k] = factor
                for c in range(k + 1, size):
                    A[i, c] -= factor * A[k, c]


@kernel
def dense_solve(transposed: bool, LU: np.ndarray, order: np.ndarray, rhs: np.ndarray, x: np.ndarray) -> None:
    """The x of A x = rhs, or of A^T x = rhs; both [size, m]."""
    size, m = rhs.shape
    y = np.empty((size, m))
    for k in range(size):
        for c in range(m):
            y[k, c] = rhs[k, c] if transposed else rhs[order[k], c]
    for k in range(size):  # with L, or with U^T
        for j in range(k):
            factor = LU[j, k] if transposed else LU[k, j]
            if factor != 0.0:
                for c in range(m):
                    y[k, c] -= factor * y[j, c]
        if transposed:
            for c in range(m):
                y[k, c] /= LU[k, k]
    for back in range(size):  # with U, or with L^T
        k = size - 1 - back
        for j in range(k + 1, size):
            factor = LU[j, k] if transposed else LU[k, j]
            if factor != 0.0:
                for c in range(m):
                    y[k, c] -= factor * y[j, c]
        if not transposed:
            for c in range(m):
                y[k, c] /= LU[k, k]
    for k in range(size):
        for c in range(m):
            x[order[k] if transposed else k, c] = y[k, c]
