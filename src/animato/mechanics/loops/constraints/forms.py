"""Quadratic forms of quaternions, of which all constraint rows are sums, for kernels.

With R(q) homogeneous of degree two, y . R(q) a = q^T N(y, a) q for the symmetric matrix

    N(y, a) = [ y.a       (a x y)^T               ]
              [ a x y     a y^T + y a^T - (y.a) I ],

so its gradient is 2 N q and its second derivative 2 N. docs/mechanisms.md has the derivation.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.lanes import Number, lanes
from animato.kernels.vectors import Quaternion, Triple


@inlined_kernel
def dot(a: Triple, b: Triple) -> Number:
    """The product a . b of vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined_kernel
def four_dot(a: Quaternion, b: Quaternion) -> Number:
    """The product a . b of quaternions as vectors of four."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@inlined_kernel
def cross(a: Triple, b: Triple) -> Triple:
    """The product a x b of vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined_kernel
def quaternion_at(rows: np.ndarray, first: int) -> Quaternion:
    """The quaternion in four rows of lanes."""
    return lanes(rows, first), lanes(rows, first + 1), lanes(rows, first + 2), lanes(rows, first + 3)


@inlined_kernel
def turned(q: Quaternion, a: Triple) -> Triple:
    """The vector R(q) a = (w^2 - x.x) a + 2 (x.a) x + 2 w x x a."""
    w, x = q[0], (q[1], q[2], q[3])
    c = cross(x, a)
    f = w * w - dot(x, x)
    g = dot(x, a) * 2.0
    h = w * 2.0
    return f * a[0] + g * x[0] + h * c[0], f * a[1] + g * x[1] + h * c[1], f * a[2] + g * x[2] + h * c[2]


@inlined_kernel
def form_gradient(q: Quaternion, y: Triple, a: Triple) -> Quaternion:
    """The vector 2 N(y, a) q, the gradient of y . R(q) a."""
    w, x = q[0] * 2.0, (q[1] * 2.0, q[2] * 2.0, q[3] * 2.0)
    c = cross(a, y)
    ya, yx, ax = dot(y, a), dot(y, x), dot(a, x)
    return (
        w * ya + dot(x, c),
        w * c[0] + a[0] * yx + y[0] * ax - ya * x[0],
        w * c[1] + a[1] * yx + y[1] * ax - ya * x[1],
        w * c[2] + a[2] * yx + y[2] * ax - ya * x[2],
    )


@inlined_kernel
def turned_back(q: Quaternion, a: Triple) -> Triple:
    """The vector R(q)^T a."""
    return turned((q[0], q[1] * (-1.0), q[2] * (-1.0), q[3] * (-1.0)), a)
