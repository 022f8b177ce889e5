"""Spatial vectors of six numbers for kernels, as tuples of floats or lanes.

A motion is (angular velocity, velocity of what is at the origin), a force is (moment about the origin, force). An
inertia is ten numbers about the origin: mass m, first moment h (3), and the second moments J as xx, yy, zz, xy, xz, yz.
See Featherstone: Rigid Body Dynamics Algorithms (2008).
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.lanes import Number, lanes, put_lanes
from animato.kernels.vectors import Matrix, Triple, cross, plus, put_triple, triple_at

Six = tuple[Number, Number, Number, Number, Number, Number]
Inertia = tuple[Number, Number, Number, Number, Number, Number, Number, Number, Number, Number]


@inlined_kernel
def six(angular: Triple, linear: Triple) -> Six:
    """A spatial vector of its two halves."""
    return angular[0], angular[1], angular[2], linear[0], linear[1], linear[2]


@inlined_kernel
def unit_triple(k: int) -> Triple:
    """The unit vector along axis k, at all moments."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@inlined_kernel
def zero_triple() -> Triple:
    """The zero vector, at all moments."""
    return 0.0, 0.0, 0.0


@inlined_kernel
def angular_of(x: Six) -> Triple:
    """The first half."""
    return x[0], x[1], x[2]


@inlined_kernel
def linear_of(x: Six) -> Triple:
    """The second half."""
    return x[3], x[4], x[5]


@inlined_kernel
def six_at(rows: np.ndarray, first: int) -> Six:
    """The spatial vector in six rows of lanes."""
    return six(triple_at(rows, first), triple_at(rows, first + 3))


@inlined_kernel
def put_six(rows: np.ndarray, first: int, x: Six) -> None:
    """Writes six rows of lanes."""
    put_triple(rows, first, angular_of(x))
    put_triple(rows, first + 3, linear_of(x))


@inlined_kernel
def six_row(x: np.ndarray, i: int) -> Six:
    """Row i of an array of spatial vectors [i, 6] at one moment."""
    return x[i, 0], x[i, 1], x[i, 2], x[i, 3], x[i, 4], x[i, 5]


@inlined_kernel
def put_six_row(x: np.ndarray, i: int, v: Six) -> None:
    """Writes row i of an array of spatial vectors [i, 6]."""
    x[i, 0], x[i, 1], x[i, 2], x[i, 3], x[i, 4], x[i, 5] = v


@inlined_kernel
def inertia_row(x: np.ndarray, i: int) -> Inertia:
    """Row i of an array of inertias [i, 10] at one moment."""
    return x[i, 0], x[i, 1], x[i, 2], x[i, 3], x[i, 4], x[i, 5], x[i, 6], x[i, 7], x[i, 8], x[i, 9]


@inlined_kernel
def add_rows(rows: np.ndarray, target: int, source: int, count: int) -> None:
    """Adds rows of lanes to others of the same array."""
    for k in range(count):
        put_lanes(rows, target + k, lanes(rows, target + k) + lanes(rows, source + k))


@inlined_kernel
def six_plus(x: Six, y: Six) -> Six:
    """The sum x + y."""
    return x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4], x[5] + y[5]


@inlined_kernel
def six_minus(x: Six, y: Six) -> Six:
    """The difference x - y."""
    return x[0] - y[0], x[1] - y[1], x[2] - y[2], x[3] - y[3], x[4] - y[4], x[5] - y[5]


@inlined_kernel
def six_times(factor: Number, x: Six) -> Six:
    """The product of a number and a spatial vector."""
    return factor * x[0], factor * x[1], factor * x[2], factor * x[3], factor * x[4], factor * x[5]


@inlined_kernel
def six_dot(x: Six, y: Six) -> Number:
    """Power of a force y along a motion x."""
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5]


@inlined_kernel
def triple_dot(a: Triple, b: Triple) -> Number:
    """The scalar product a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined_kernel
def motion_cross(x: Six, y: Six) -> Six:
    """The product x x y: how a motion y changes when x carries it along."""
    w = angular_of(x)
    return six(cross(w, angular_of(y)), plus(cross(w, linear_of(y)), cross(linear_of(x), angular_of(y))))


@inlined_kernel
def force_cross(x: Six, f: Six) -> Six:
    """The product x x* f: how a force f changes when a motion x carries it along."""
    w = angular_of(x)
    return six(plus(cross(w, angular_of(f)), cross(linear_of(x), linear_of(f))), cross(w, linear_of(f)))


@inlined_kernel
def inertia_times(inertia: Inertia, x: Six) -> Six:
    """The force I x: momentum of a velocity, or force of an acceleration."""
    m, hx, hy, hz, xx, yy, zz, xy, xz, yz = inertia
    return (
        xx * x[0] + xy * x[1] + xz * x[2] + hy * x[5] - hz * x[4],
        xy * x[0] + yy * x[1] + yz * x[2] + hz * x[3] - hx * x[5],
        xz * x[0] + yz * x[1] + zz * x[2] + hx * x[4] - hy * x[3],
        m * x[3] + x[1] * hz - x[2] * hy,
        m * x[4] + x[2] * hx - x[0] * hz,
        m * x[5] + x[0] * hy - x[1] * hx,
    )


@inlined_kernel
def inertia_at(rows: np.ndarray, first: int) -> Inertia:
    """The inertia in ten rows of lanes."""
    h, d, e = triple_at(rows, first + 1), triple_at(rows, first + 4), triple_at(rows, first + 7)
    return lanes(rows, first), h[0], h[1], h[2], d[0], d[1], d[2], e[0], e[1], e[2]


@inlined_kernel
def put_inertia(rows: np.ndarray, first: int, inertia: Inertia) -> None:
    """Writes ten rows of lanes."""
    put_lanes(rows, first, inertia[0])
    put_triple(rows, first + 1, (inertia[1], inertia[2], inertia[3]))
    put_triple(rows, first + 4, (inertia[4], inertia[5], inertia[6]))
    put_triple(rows, first + 7, (inertia[7], inertia[8], inertia[9]))


@inlined_kernel
def inertia_of(mass: Number, c: Triple, about_centre: Matrix, R: Matrix) -> Inertia:
    """Inertia about the origin of a body.

    Args:
        mass: Of the body [kg].
        c: Its centre of mass [m], from the origin.
        about_centre: Its second moments about that centre, in the body's axes [kg m^2]; symmetric.
        R: Turns the body's axes to those of the answer.
    """
    n = about_centre
    # row r of R times the second moments, one row of R after the other
    a = _row_times(R[0], R[1], R[2], n)
    b = _row_times(R[3], R[4], R[5], n)
    d = _row_times(R[6], R[7], R[8], n)
    hx, hy, hz = mass * c[0], mass * c[1], mass * c[2]
    sx, sy, sz = hx * c[0], hy * c[1], hz * c[2]
    return (
        mass,
        hx,
        hy,
        hz,
        a[0] * R[0] + a[1] * R[1] + a[2] * R[2] + (sy + sz),
        b[0] * R[3] + b[1] * R[4] + b[2] * R[5] + (sx + sz),
        d[0] * R[6] + d[1] * R[7] + d[2] * R[8] + (sx + sy),
        a[0] * R[3] + a[1] * R[4] + a[2] * R[5] - hx * c[1],
        a[0] * R[6] + a[1] * R[7] + a[2] * R[8] - hx * c[2],
        b[0] * R[6] + b[1] * R[7] + b[2] * R[8] - hy * c[2],
    )


@inlined_kernel
def _row_times(x: Number, y: Number, z: Number, n: Matrix) -> Triple:
    """The product of a row (x, y, z) and a matrix."""
    return (
        x * n[0] + y * n[3] + z * n[6],
        x * n[1] + y * n[4] + z * n[7],
        x * n[2] + y * n[5] + z * n[8],
    )
