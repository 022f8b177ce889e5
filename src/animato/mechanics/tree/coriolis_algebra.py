"""How the force on a moving body changes with its velocity, for kernels.

A body of inertia I and velocity V needs the force f = I A + V x* I V. Let V change by psi, and A by psi x V, as they do
behind a joint. Then every mass point m, of velocity u, needs 2 m a x u more, where a is the angular half of psi; the
linear half has no part in it. Summed over the mass points x,

    C psi = I (psi x V) + psi x* I V + V x* I psi = (G a, a x 2 p),   G = 2 (tr X 1 - X),   X = sum of m u x^T,

with the linear momentum p. So C, twice the Coriolis matrix of a body (Singh, Russell and Wensing, 2022), is twelve
numbers: 2 p, and G row by row. Those of many bodies about one origin add up.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.spatial_algebra import Inertia, Six, angular_of, linear_of, six, triple_dot
from animato.kernels.vectors import (
    Matrix,
    Triple,
    cross,
    matrix_at,
    plus,
    put_matrix,
    put_triple,
    triple_at,
    turned,
    turned_back,
)

Coriolis = tuple[Triple, Matrix]
"""Twice the linear momentum, and G row by row."""


@inlined_kernel
def coriolis_of(inertia: Inertia, momentum: Six, V: Six) -> Coriolis:
    """C of a body of velocity V, whose momentum is I V; X = v h^T + [w]x P with P = tr(J)/2 1 - J."""
    _, hx, hy, hz, xx, yy, zz, xy, xz, yz = inertia
    w, v = angular_of(V), linear_of(V)
    px, py = (yy + zz - xx, -2.0 * xy, -2.0 * xz), (-2.0 * xy, xx + zz - yy, -2.0 * yz)
    pz = (-2.0 * xz, -2.0 * yz, xx + yy - zz)
    a, b, c = cross(w, px), cross(w, py), cross(w, pz)  # the columns of 2 [w]x P
    h = (2.0 * hx, 2.0 * hy, 2.0 * hz)
    trace = triple_dot(v, h)
    G = (
        trace - v[0] * h[0] - a[0],
        -1.0 * v[0] * h[1] - b[0],
        -1.0 * v[0] * h[2] - c[0],
        -1.0 * v[1] * h[0] - a[1],
        trace - v[1] * h[1] - b[1],
        -1.0 * v[1] * h[2] - c[1],
        -1.0 * v[2] * h[0] - a[2],
        -1.0 * v[2] * h[1] - b[2],
        trace - v[2] * h[2] - c[2],
    )
    return (2.0 * momentum[3], 2.0 * momentum[4], 2.0 * momentum[5]), G


@inlined_kernel
def coriolis_times(C: Coriolis, a: Triple) -> Six:
    """C psi for a psi of angular half a."""
    return six(turned(C[1], a), cross(a, C[0]))


@inlined_kernel
def coriolis_transposed_times(C: Coriolis, x: Six) -> Triple:
    """The angular half of C^T x; the linear half is zero."""
    return plus(turned_back(C[1], angular_of(x)), cross(C[0], linear_of(x)))


@inlined_kernel
def coriolis_at(rows: np.ndarray, first: int) -> Coriolis:
    """C in twelve rows of lanes."""
    return triple_at(rows, first), matrix_at(rows, first + 3)


@inlined_kernel
def put_coriolis(rows: np.ndarray, first: int, C: Coriolis) -> None:
    """Writes twelve rows of lanes."""
    put_triple(rows, first, C[0])
    put_matrix(rows, first + 3, C[1])
