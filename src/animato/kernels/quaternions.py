"""Unit quaternions and vectors as tuples, for kernels: they stay in registers where rows of arrays would not.

Quaternions are wxyz; `times(a, b)` turns by b first, then by a.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

IDENTITY = (1.0, 0.0, 0.0, 0.0)


@inlined_kernel
def vector(rows: np.ndarray, i: int) -> Vector:
    """Row i of an array [n, 3]."""
    return rows[i, 0], rows[i, 1], rows[i, 2]


@inlined_kernel
def quaternion(rows: np.ndarray, i: int) -> Quaternion:
    """Row i of an array [n, 4]."""
    return rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3]


@inlined_kernel
def dot(a: Vector, b: Vector) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined_kernel
def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined_kernel
def length(a: Vector) -> float:
    """The Euclidean norm."""
    return np.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined_kernel
def times(a: Quaternion, b: Quaternion) -> Quaternion:
    """The product a b."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inlined_kernel
def conjugate(q: Quaternion) -> Quaternion:
    """The opposite turn."""
    return q[0], -q[1], -q[2], -q[3]


@inlined_kernel
def rotated(q: Quaternion, v: Vector) -> Vector:
    """The vector v turned by q."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * tx + q[2] * tz - q[3] * ty,
        v[1] + q[0] * ty + q[3] * tx - q[1] * tz,
        v[2] + q[0] * tz + q[1] * ty - q[2] * tx,
    )


@inlined_kernel
def about(axis: Vector, angle: float) -> Quaternion:
    """The turn by an angle about a unit axis."""
    s = np.sin(0.5 * angle)
    return np.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]


@inlined_kernel
def rotation_vector(q: Quaternion) -> Vector:
    """Axis times angle, the shorter way round: its length is at most pi."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    sine = length((q[1], q[2], q[3]))
    cosine = sign * q[0]
    factor = sign * (2.0 / cosine if sine < 1e-9 else 2.0 * np.arctan2(sine, cosine) / sine)
    return factor * q[1], factor * q[2], factor * q[3]
