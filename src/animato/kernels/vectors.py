"""Vectors of three and matrices of nine as tuples of lanes or floats, for kernels.

Tuples live in registers. Slices of arrays would be counted references, which cost more than the
arithmetic, and elements of arrays are read again after every write. So a kernel loads a vector once,
works on tuples, and stores the result once. What belongs to the character and does not change over
time is a tuple of floats, which count for all lanes that they meet.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.cosine_sine import cosine_sine
from animato.kernels.lanes import Number, lanes, put_lanes, square_root, where_larger

Triple = tuple[Number, Number, Number]
Matrix = tuple[Number, Number, Number, Number, Number, Number, Number, Number, Number]
"""Row by row."""

Quaternion = tuple[Number, Number, Number, Number]
"""Unit length, w first."""


@inlined_kernel
def triple(numbers: np.ndarray, s: int) -> Triple:
    """Vector s of an array [s, 3], the same at all moments."""
    return numbers[s, 0], numbers[s, 1], numbers[s, 2]


@inlined_kernel
def matrix(numbers: np.ndarray, s: int) -> Matrix:
    """Matrix s of an array [s, 3, 3], the same at all moments."""
    return (
        numbers[s, 0, 0],
        numbers[s, 0, 1],
        numbers[s, 0, 2],
        numbers[s, 1, 0],
        numbers[s, 1, 1],
        numbers[s, 1, 2],
        numbers[s, 2, 0],
        numbers[s, 2, 1],
        numbers[s, 2, 2],
    )


@inlined_kernel
def triple_at(rows: np.ndarray, first: int) -> Triple:
    """The vector in three rows of lanes."""
    return lanes(rows, first), lanes(rows, first + 1), lanes(rows, first + 2)


@inlined_kernel
def put_triple(rows: np.ndarray, first: int, v: Triple) -> None:
    """Writes three rows of lanes."""
    put_lanes(rows, first, v[0])
    put_lanes(rows, first + 1, v[1])
    put_lanes(rows, first + 2, v[2])


@inlined_kernel
def add_triple(rows: np.ndarray, first: int, v: Triple) -> None:
    """Adds to three rows of lanes."""
    put_triple(rows, first, plus(triple_at(rows, first), v))


@inlined_kernel
def matrix_at(rows: np.ndarray, first: int) -> Matrix:
    """The matrix in nine rows of lanes."""
    a, b, c = triple_at(rows, first), triple_at(rows, first + 3), triple_at(rows, first + 6)
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inlined_kernel
def put_matrix(rows: np.ndarray, first: int, m: Matrix) -> None:
    """Writes nine rows of lanes."""
    put_triple(rows, first, (m[0], m[1], m[2]))
    put_triple(rows, first + 3, (m[3], m[4], m[5]))
    put_triple(rows, first + 6, (m[6], m[7], m[8]))


@inlined_kernel
def plus(a: Triple, b: Triple) -> Triple:
    """The sum a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined_kernel
def times(factor: Number, a: Triple) -> Triple:
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
def turned_about_z(m: Matrix, angle: Number) -> Matrix:
    """The product of m and the rotation by an angle about z."""
    c, s = cosine_sine(angle)
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
def rotation_of(w: Number, v: Triple) -> Matrix:
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


@inlined_kernel
def quaternion_of(m: Matrix) -> Quaternion:
    """The unit quaternion of a rotation with w >= 0, by Shepperd's choice of the largest component."""
    trace = m[0] + m[4] + m[8]
    by_w = (1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1])
    by_x = (m[7] - m[5], 1.0 + m[0] - m[4] - m[8], m[3] + m[1], m[2] + m[6])
    by_y = (m[2] - m[6], m[3] + m[1], 1.0 + m[4] - m[0] - m[8], m[7] + m[5])
    by_z = (m[3] - m[1], m[2] + m[6], m[7] + m[5], 1.0 + m[8] - m[0] - m[4])
    # lanes may choose differently, so all four are there and each lane picks
    x_or_y, x_or_y_size = _of_larger(m[0], m[4], by_x, by_y)
    z_or_w, z_or_w_size = _of_larger(m[8], trace, by_z, by_w)
    u, _ = _of_larger(x_or_y_size, z_or_w_size, x_or_y, z_or_w)
    length = square_root(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3])
    factor = where_larger(u[0], 0.0, 1.0, -1.0) / length
    return factor * u[0], factor * u[1], factor * u[2], factor * u[3]


@inlined_kernel
def _of_larger(a: Number, b: Number, u: Quaternion, v: Quaternion) -> tuple[Quaternion, Number]:
    """At each moment (u, a) where a >= b, else (v, b)."""
    chosen = (
        where_larger(a, b, u[0], v[0]),
        where_larger(a, b, u[1], v[1]),
        where_larger(a, b, u[2], v[2]),
        where_larger(a, b, u[3], v[3]),
    )
    return chosen, where_larger(a, b, a, b)
