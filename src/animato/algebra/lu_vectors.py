"""One right-hand side at a time with dense LU factors, without taking memory: for loops over many small systems.

Factors are those of `dense_factor`. They may be kept in single precision; sums are then still in double, so that a
solve and its transpose stay exactly transposed.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel


@inlined_kernel
def row_product(row: np.ndarray, x: np.ndarray, first: int, last: int) -> float:
    """The sum of row[j] x[j] over first <= j < last, in four sums that the processor adds side by side."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    j = first
    while j + 4 <= last:
        s0 += row[j] * x[j]
        s1 += row[j + 1] * x[j + 1]
        s2 += row[j + 2] * x[j + 2]
        s3 += row[j + 3] * x[j + 3]
        j += 4
    while j < last:
        s0 += row[j] * x[j]
        j += 1
    return (s0 + s1) + (s2 + s3)


@kernel
def solve_vector(LU: np.ndarray, order: np.ndarray, right: np.ndarray, x: np.ndarray) -> None:
    """Writes the x of A x = right, both [size]; they must not be the same array."""
    size = len(x)
    for k in range(size):
        x[k] = right[order[k]] - row_product(LU[k], x, 0, k)
    for back in range(size):
        k = size - 1 - back
        x[k] = (x[k] - row_product(LU[k], x, k + 1, size)) / LU[k, k]


@kernel
def solve_transposed_vector(
    LU: np.ndarray, order: np.ndarray, right: np.ndarray, x: np.ndarray, spare: np.ndarray
) -> None:
    """Writes the x of A^T x = right, all [size]; `spare` is overwritten, and is not `x`."""
    size = len(x)
    for k in range(size):
        spare[k] = right[k]
    for k in range(size):
        row = LU[k]
        value = spare[k] / row[k]
        spare[k] = value
        for j in range(k + 1, size):
            spare[j] -= row[j] * value
    for back in range(size):
        k = size - 1 - back
        row = LU[k]
        value = spare[k]
        for j in range(k):
            spare[j] -= row[j] * value
        x[order[k]] = value
