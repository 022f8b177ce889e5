"""Vectors and quaternions as plain tuples, for the compiled ERIK: its macros of section 7.1.

Numba keeps tuples of floats in registers, so nothing is allocated and the algorithms read as printed.
All quaternions are wxyz and of unit length; `multiply(a, b)` turns by b first. What the paper calls
"y", the axis along segments, is z here.
"""

from __future__ import annotations

import math

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import IDENTITY, Quaternion, Vector, about, conjugate, cross, dot, length, rotated
from animato.kernels.quaternions import times as multiply

__all__ = [
    "IDENTITY",
    "TINY",
    "Quaternion",
    "Vector",
    "X",
    "Y",
    "Z",
    "about",
    "conjugate",
    "cross",
    "dot",
    "length",
    "multiply",
    "negative",
    "normalized",
    "quaternion",
    "reject",
    "rotate",
    "signed_angle",
    "store",
    "turn_between",
    "unit",
    "vector",
    "wrapped",
    "yaw_pitch_roll",
]

X = (1.0, 0.0, 0.0)
Y = (0.0, 1.0, 0.0)
Z = (0.0, 0.0, 1.0)
TINY = 1e-9  # what counts as zero for lengths of projected unit vectors


@kernel
def vector(row: np.ndarray) -> Vector:
    """Row of an array as a tuple."""
    return (row[0], row[1], row[2])


@kernel
def quaternion(row: np.ndarray) -> Quaternion:
    """Row of an array as a tuple."""
    return (row[0], row[1], row[2], row[3])


@kernel
def store(q: Quaternion, row: np.ndarray) -> None:
    """Writes a quaternion into a row."""
    row[0], row[1], row[2], row[3] = q


@kernel
def negative(a: Vector) -> Vector:
    """The opposite vector."""
    return (-a[0], -a[1], -a[2])


@kernel
def unit(a: Vector) -> Vector:
    """The vector scaled to length one; a zero vector stays zero."""
    size = length(a)
    if not size > 0.0:
        return (0.0, 0.0, 0.0)
    return (a[0] / size, a[1] / size, a[2] / size)


@kernel
def reject(a: Vector, b: Vector) -> Vector:
    """The paper's proj_a b: the part of a that is orthogonal to the unit vector b."""
    share = dot(a, b)
    return (a[0] - share * b[0], a[1] - share * b[1], a[2] - share * b[2])


@inlined_kernel
def rotate(v: Vector, q: Quaternion) -> Vector:
    """RotVQ: v turned by q."""
    return rotated(q, v)


@kernel
def normalized(q: Quaternion) -> Quaternion:
    """The quaternion scaled to length one, so that long products of turns do not drift."""
    size = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] / size, q[1] / size, q[2] / size, q[3] / size)


@kernel
def turn_between(a: Vector, b: Vector) -> Quaternion:
    """VDiffAsQ: the shortest turn that takes unit vector a to unit vector b."""
    w = 1.0 + dot(a, b)
    if w < 1e-12:  # opposite: half a turn about any axis across a
        side = cross(a, X)
        if length(side) < 0.1:
            side = cross(a, Y)
        axis = unit(side)
        return (0.0, axis[0], axis[1], axis[2])
    n = cross(a, b)
    return normalized((w, n[0], n[1], n[2]))


@kernel
def signed_angle(a: Vector, b: Vector, reference: Vector) -> float:
    """VecAngle: from a to b, negative where a x b points away from the reference."""
    n = cross(a, b)
    angle = math.atan2(length(n), dot(a, b))
    return -angle if dot(reference, n) < 0.0 else angle


@kernel
def wrapped(angle: float) -> float:
    """The same angle in (-pi, pi]."""
    turned = angle - 2.0 * math.pi * np.floor(angle / (2.0 * math.pi))
    return turned - 2.0 * math.pi if turned > math.pi else turned


@kernel
def yaw_pitch_roll(q: Quaternion, axis: Vector) -> tuple[float, float, float]:
    """Alg. 11, YPR: angles with q = about(Z, yaw) about(axis, pitch) about(Z, roll).

    The axis must be orthogonal to z; the paper passes a twister's own axis here, which is z itself and
    leaves yaw and roll undefined, so callers pass `pitch_axis`. Lines 3-4 turn a vector by q (the print
    multiplies from the other side); line 6's exact zero is a tolerance.
    """
    up = rotate(Z, q)
    side = rotate(axis, q)
    normal = cross(Z, up)
    if length(normal) < TINY:
        if up[2] > 0.0:
            return (0.0, 0.0, signed_angle(axis, side, Z))
        return (0.0, -math.pi, signed_angle(axis, side, up))
    normal = unit(normal)
    if dot(normal, axis) < 0.0:
        normal = negative(normal)
    return (signed_angle(axis, normal, Z), signed_angle(Z, up, normal), signed_angle(normal, side, up))
