"""What a joint's parameters do: the vector m(u) of a constraint row and its derivatives, for kernels."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.cosine_sine import cosine_sine
from animato.kernels.lanes import lanes, put_lanes, spread
from animato.kernels.vectors import Triple, triple_at
from animato.mechanics.loops.constraints.forms import cross, dot, form_gradient, four_dot, quaternion_at
from animato.mechanics.loops.constraints.packing import PackedRows
from animato.mechanics.loops.constraints.rows import MotionKind

M, DM, DDM, MOTION_ROWS = 0, 3, 15, 45
"""Rows of the scratch that holds m(u): m, its 4 first and its 10 second derivatives."""

NONE = int(MotionKind.NONE)
"""The motion of rows without parameters."""

_TURN, _TURNS, _SLIDES = int(MotionKind.TURN), int(MotionKind.TURNS), int(MotionKind.SLIDES)


@kernel
def _ball_motion(packed: PackedRows, r: int, parameters: np.ndarray, scratch: np.ndarray) -> None:
    """The vector m = F R(u) t: component i is the form with y = row i of F."""
    terms = packed.terms
    column = packed.parameter[r, 0]
    u = quaternion_at(parameters, column)
    t = (spread(terms[r, 0, 0]), spread(terms[r, 0, 1]), spread(terms[r, 0, 2]))
    for i in range(3):
        y = (spread(terms[r, 1, i]), spread(terms[r, 2, i]), spread(terms[r, 3, i]))
        g = form_gradient(u, y, t)
        put_lanes(scratch, M + i, four_dot(g, u) * 0.5)
        put_lanes(scratch, DM + i, g[0])
        put_lanes(scratch, DM + 3 + i, g[1])
        put_lanes(scratch, DM + 6 + i, g[2])
        put_lanes(scratch, DM + 9 + i, g[3])
        c = cross(t, y)
        ya = dot(y, t)
        n = DDM + i
        put_lanes(scratch, n, ya * 2.0)
        put_lanes(scratch, n + 3, c[0] * 2.0)
        put_lanes(scratch, n + 6, c[1] * 2.0)
        put_lanes(scratch, n + 9, c[2] * 2.0)
        put_lanes(scratch, n + 12, t[0] * y[0] * 4.0 - ya * 2.0)
        put_lanes(scratch, n + 15, (t[0] * y[1] + t[1] * y[0]) * 2.0)
        put_lanes(scratch, n + 18, (t[0] * y[2] + t[2] * y[0]) * 2.0)
        put_lanes(scratch, n + 21, t[1] * y[1] * 4.0 - ya * 2.0)
        put_lanes(scratch, n + 24, (t[1] * y[2] + t[2] * y[1]) * 2.0)
        put_lanes(scratch, n + 27, t[2] * y[2] * 4.0 - ya * 2.0)


@kernel
def row_motion(packed: PackedRows, r: int, parameters: np.ndarray, scratch: np.ndarray) -> None:
    """Writes m(u) of a row and its derivatives by the columns behind its parameters."""
    motion = packed.motion[r]
    terms = packed.terms
    for row in range(MOTION_ROWS):
        put_lanes(scratch, row, spread(0.0))
    if motion == NONE:
        for i in range(3):
            put_lanes(scratch, M + i, spread(terms[r, 0, i]))
        return
    if motion == _SLIDES:
        for i in range(3):
            m = spread(terms[r, 0, i])
            for k in range(3):
                column = packed.parameter[r, k]
                if column >= 0:
                    u = lanes(parameters, column) * packed.scale[r, k] + packed.offset[r, k]
                    m = m + u * terms[r, k + 1, i]
                    put_lanes(scratch, DM + 3 * k + i, spread(terms[r, k + 1, i] * packed.scale[r, k]))
            put_lanes(scratch, M + i, m)
        return
    scale = packed.scale[r, 0]
    first = lanes(parameters, packed.parameter[r, 0]) * scale + packed.offset[r, 0]
    if motion == _TURN:
        c, s = cosine_sine(first)
        for i in range(3):
            m = c * terms[r, 1, i] + s * terms[r, 2, i]
            put_lanes(scratch, M + i, m)
            put_lanes(scratch, DM + i, (c * terms[r, 2, i] - s * terms[r, 1, i]) * scale)
            put_lanes(scratch, DDM + i, m * (-scale * scale))
        return
    second = lanes(parameters, packed.parameter[r, 1])
    if motion == _TURNS:
        c, s = cosine_sine(first)
        cc, ss = cosine_sine(second)
        for i in range(3):
            along, side = spread(terms[r, 1, i]), s * terms[r, 2, i] - c * terms[r, 3, i]
            turn = c * terms[r, 2, i] + s * terms[r, 3, i]
            put_lanes(scratch, M + i, cc * along + ss * side)
            put_lanes(scratch, DM + i, ss * turn)
            put_lanes(scratch, DM + 3 + i, cc * side - ss * along)
            put_lanes(scratch, DDM + i, ss * side * (-1.0))
            put_lanes(scratch, DDM + 3 + i, cc * turn)
            put_lanes(scratch, DDM + 12 + i, (cc * along + ss * side) * (-1.0))
        return
    _ball_motion(packed, r, parameters, scratch)


@inlined_kernel
def moved_vector(packed: PackedRows, r: int, scratch: np.ndarray) -> Triple:
    """The vector m of a row: from its terms, or from the scratch where it has parameters."""
    m = (spread(packed.terms[r, 0, 0]), spread(packed.terms[r, 0, 1]), spread(packed.terms[r, 0, 2]))
    if packed.motion[r] != NONE:
        m = triple_at(scratch, M)
    return m
