"""Vectors of three and matrices of nine as tuples, for kernels.

Tuples live in registers. Slices of arrays would be counted references, which cost more than the
arithmetic, and elements of arrays are read again after every write. So a kernel loads a row once,
works on tuples, and stores the result once.
"""

from __future__ import annotations

import numpy as np

from animato.spatial.compiled import inlined_kernel

Triple = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]
"""Row by row."""


@inlined_kernel
def triple(rows: np.ndarray, s: int) -> Triple:
    """Row s of an array [s, 3]."""
    return rows[s, 0], rows[s, 1], rows[s, 2]


@inlined_kernel
def put(rows: np.ndarray, s: int, v: Triple) -> None:
    """Writes row s."""
    rows[s, 0], rows[s, 1], rows[s, 2] = v


@inlined_kernel
def matrix(rows: np.ndarray, s: int) -> Matrix:
    """Matrix s of an array [s, 3, 3]."""
    return (
        rows[s, 0, 0],
        rows[s, 0, 1],
        rows[s, 0, 2],
        rows[s, 1, 0],
        rows[s, 1, 1],
        rows[s, 1, 2],
        rows[s, 2, 0],
        rows[s, 2, 1],
        rows[s, 2, 2],
    )


@inlined_kernel
def put_matrix(rows: np.ndarray, s: int, m: Matrix) -> None:
    """Writes matrix s."""
    rows[s, 0, 0], rows[s, 0, 1], rows[s, 0, 2] = m[0], m[1], m[2]
    rows[s, 1, 0], rows[s, 1, 1], rows[s, 1, 2] = m[3], m[4], m[5]
    rows[s, 2, 0], rows[s, 2, 1], rows[s, 2, 2] = m[6], m[7], m[8]


@inlined_kernel
def plus(a: Triple, b: Triple) -> Triple:
    """The sum a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined_kernel
def times(factor: float, a: Triple) -> Triple:
    """The product of a number and a vector."""
    return factor * a[0], factor * a[1], factor * a[2]


@inlined_kernel
def cross(a: Triple, b: Triple) -> Triple:
    """The vector product a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined_kernel
def turned(m: Matrix, v: Triple) -> Triple:
    """The product m v."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


@inlined_kernel
def turned_back(m: Matrix, v: Triple) -> Triple:
    """The product m^T v."""
    return (
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    )


@inlined_kernel
def product(a: Matrix, b: Matrix) -> Matrix:
    """The product a b."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@inlined_kernel
def turned_about_z(m: Matrix, angle: float) -> Matrix:
    """The product of m and the rotation by an angle about z."""
    c, s = np.cos(angle), np.sin(angle)
    return (
        c * m[0] + s * m[1],
        c * m[1] - s * m[0],
        m[2],
        c * m[3] + s * m[4],
        c * m[4] - s * m[3],
        m[5],
        c * m[6] + s * m[7],
        c * m[7] - s * m[6],
        m[8],
    )


@inlined_kernel
def rotation_of(w: float, v: Triple) -> Matrix:
    """The rotation of the unit quaternion (w, v)."""
    x, y, z = v
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
