"""Spatial vectors for the coupled problem: six numbers about the origin of the world, as tuples.

A motion is (angular velocity, velocity of what is at the origin), a force is (moment about the origin, force).
See Featherstone: Rigid Body Dynamics Algorithms (2008).
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel

Six = tuple[float, float, float, float, float, float]


@inlined_kernel
def six(x: np.ndarray, i: int) -> Six:
    """Row i of x [i, 6]."""
    return x[i, 0], x[i, 1], x[i, 2], x[i, 3], x[i, 4], x[i, 5]


@inlined_kernel
def put_six(x: np.ndarray, i: int, v: Six) -> None:
    """Writes row i of x [i, 6]."""
    x[i, 0], x[i, 1], x[i, 2], x[i, 3], x[i, 4], x[i, 5] = v


@inlined_kernel
def add_six(x: np.ndarray, i: int, v: Six) -> None:
    """Adds to row i of x [i, 6]."""
    for k in range(6):
        x[i, k] += v[k]


@inlined_kernel
def added(x: Six, y: Six) -> Six:
    """The sum."""
    return x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4], x[5] + y[5]


@inlined_kernel
def less(x: Six, y: Six) -> Six:
    """The difference."""
    return x[0] - y[0], x[1] - y[1], x[2] - y[2], x[3] - y[3], x[4] - y[4], x[5] - y[5]


@inlined_kernel
def scaled(a: float, x: Six) -> Six:
    """A multiple."""
    return a * x[0], a * x[1], a * x[2], a * x[3], a * x[4], a * x[5]


@inlined_kernel
def dot(x: Six, y: Six) -> float:
    """Power of a force y along a motion x."""
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5]


@inlined_kernel
def cross_motion(x: Six, y: Six) -> Six:
    """How a motion y changes when it is carried along by x."""
    return (
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
        x[1] * y[5] - x[2] * y[4] + x[4] * y[2] - x[5] * y[1],
        x[2] * y[3] - x[0] * y[5] + x[5] * y[0] - x[3] * y[2],
        x[0] * y[4] - x[1] * y[3] + x[3] * y[1] - x[4] * y[0],
    )


@inlined_kernel
def cross_force(x: Six, f: Six) -> Six:
    """How a force f changes when it is carried along by x."""
    return (
        x[1] * f[2] - x[2] * f[1] + x[4] * f[5] - x[5] * f[4],
        x[2] * f[0] - x[0] * f[2] + x[5] * f[3] - x[3] * f[5],
        x[0] * f[1] - x[1] * f[0] + x[3] * f[4] - x[4] * f[3],
        x[1] * f[5] - x[2] * f[4],
        x[2] * f[3] - x[0] * f[5],
        x[0] * f[4] - x[1] * f[3],
    )


@inlined_kernel
def inertia_times(inertia: np.ndarray, i: int, x: Six) -> Six:
    """I x for row i of inertia [i, 10]: mass, first moment (3), second moments xx, yy, zz, xy, xz, yz about 0."""
    m, hx, hy, hz = inertia[i, 0], inertia[i, 1], inertia[i, 2], inertia[i, 3]
    xx, yy, zz, xy, xz, yz = (
        inertia[i, 4],
        inertia[i, 5],
        inertia[i, 6],
        inertia[i, 7],
        inertia[i, 8],
        inertia[i, 9],
    )
    return (
        xx * x[0] + xy * x[1] + xz * x[2] + hy * x[5] - hz * x[4],
        xy * x[0] + yy * x[1] + yz * x[2] + hz * x[3] - hx * x[5],
        xz * x[0] + yz * x[1] + zz * x[2] + hx * x[4] - hy * x[3],
        m * x[3] + x[1] * hz - x[2] * hy,
        m * x[4] + x[2] * hx - x[0] * hz,
        m * x[5] + x[0] * hy - x[1] * hx,
    )
