"""More of 3 x 3 matrices as tuples of nine floats, row by row, for kernels of one moment."""

from __future__ import annotations

import math

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.vectors import Matrix, Triple, cross


@inlined_kernel
def matrix_in(rows: np.ndarray, first: int) -> Matrix:
    """Nine numbers of an array [number] from `first` on."""
    return (
        rows[first],
        rows[first + 1],
        rows[first + 2],
        rows[first + 3],
        rows[first + 4],
        rows[first + 5],
        rows[first + 6],
        rows[first + 7],
        rows[first + 8],
    )


@inlined_kernel
def triple_in(rows: np.ndarray, first: int) -> Triple:
    """Three numbers of an array [number] from `first` on."""
    return rows[first], rows[first + 1], rows[first + 2]


@inlined_kernel
def matrix_plus(a: Matrix, b: Matrix) -> Matrix:
    """The sum a + b."""
    return (
        a[0] + b[0],
        a[1] + b[1],
        a[2] + b[2],
        a[3] + b[3],
        a[4] + b[4],
        a[5] + b[5],
        a[6] + b[6],
        a[7] + b[7],
        a[8] + b[8],
    )


@inlined_kernel
def matrix_times(x: float, a: Matrix) -> Matrix:
    """The product of a number and a matrix."""
    return x * a[0], x * a[1], x * a[2], x * a[3], x * a[4], x * a[5], x * a[6], x * a[7], x * a[8]


@inlined_kernel
def transposed(m: Matrix) -> Matrix:
    """m^T."""
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


@inlined_kernel
def outer(a: Triple, b: Triple) -> Matrix:
    """The dyad a b^T."""
    return (
        a[0] * b[0],
        a[0] * b[1],
        a[0] * b[2],
        a[1] * b[0],
        a[1] * b[1],
        a[1] * b[2],
        a[2] * b[0],
        a[2] * b[1],
        a[2] * b[2],
    )


@inlined_kernel
def crossing(w: Triple) -> Matrix:
    """[w]x, which takes u to w x u."""
    return 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0


@inlined_kernel
def axial(m: Matrix) -> Triple:
    """The w of m - m^T = [w]x. Of a sum of u x^T it is the sum of x x u."""
    return m[7] - m[5], m[2] - m[6], m[3] - m[1]


@inlined_kernel
def matrix_dot(a: Matrix, b: Matrix) -> float:
    """The sum of the products of their entries."""
    return (
        a[0] * b[0]
        + a[1] * b[1]
        + a[2] * b[2]
        + a[3] * b[3]
        + a[4] * b[4]
        + a[5] * b[5]
        + a[6] * b[6]
        + a[7] * b[7]
        + a[8] * b[8]
    )


@inlined_kernel
def matrix_size(m: Matrix) -> float:
    """Frobenius norm."""
    return math.sqrt(matrix_dot(m, m))


@inlined_kernel
def cofactors(m: Matrix) -> Matrix:
    """det(m) m^-T."""
    x, y, z = (m[0], m[1], m[2]), (m[3], m[4], m[5]), (m[6], m[7], m[8])
    a, b, c = cross(y, z), cross(z, x), cross(x, y)
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inlined_kernel
def determinant(m: Matrix, of_cofactors: Matrix) -> float:
    """det(m), given its cofactors."""
    return m[0] * of_cofactors[0] + m[1] * of_cofactors[1] + m[2] * of_cofactors[2]
