"""Second derivatives of constraint rows, weighted and summed, eight time steps at once."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lanes import LANES, Number, give, lanes, put_lanes, spread, take
from animato.kernels.vectors import Quaternion, Triple, triple_at
from animato.mechanics.loops.constraints.forms import cross, dot, form_gradient, quaternion_at, turned, turned_back
from animato.mechanics.loops.constraints.motion import DDM, DM, MOTION_ROWS, NONE, moved_vector, row_motion
from animato.mechanics.loops.constraints.packing import (
    H_CA_QB,
    H_CB_QB,
    H_P_P,
    H_QA_P,
    H_QA_QA,
    H_QA_QB,
    H_QB_P,
    H_QB_QB,
    PARAMETERS,
    PackedRows,
)
from animato.mechanics.loops.constraints.rows import RowKind

_POINT, _SLIDE, _UNIT = int(RowKind.POINT), int(RowKind.SLIDE), int(RowKind.UNIT)


@inlined_kernel
def _add(rows: np.ndarray, slots: np.ndarray, r: int, place: int, value: Number) -> None:
    slot = slots[r, place]
    put_lanes(rows, slot, lanes(rows, slot) + value)


@inlined_kernel
def _add_four(rows: np.ndarray, slots: np.ndarray, r: int, first: int, stride: int, v: Quaternion) -> None:
    _add(rows, slots, r, first, v[0])
    _add(rows, slots, r, first + stride, v[1])
    _add(rows, slots, r, first + 2 * stride, v[2])
    _add(rows, slots, r, first + 3 * stride, v[3])


@inlined_kernel
def _add_form(rows: np.ndarray, slots: np.ndarray, r: int, first: int, y: Triple, a: Triple) -> None:
    """Adds 2 N(y, a), upper triangle row by row."""
    c = cross(a, y)
    ya = dot(y, a)
    _add(rows, slots, r, first, ya * 2.0)
    _add(rows, slots, r, first + 1, c[0] * 2.0)
    _add(rows, slots, r, first + 2, c[1] * 2.0)
    _add(rows, slots, r, first + 3, c[2] * 2.0)
    _add(rows, slots, r, first + 4, a[0] * y[0] * 4.0 - ya * 2.0)
    _add(rows, slots, r, first + 5, (a[0] * y[1] + a[1] * y[0]) * 2.0)
    _add(rows, slots, r, first + 6, (a[0] * y[2] + a[2] * y[0]) * 2.0)
    _add(rows, slots, r, first + 7, a[1] * y[1] * 4.0 - ya * 2.0)
    _add(rows, slots, r, first + 8, (a[1] * y[2] + a[2] * y[1]) * 2.0)
    _add(rows, slots, r, first + 9, a[2] * y[2] * 4.0 - ya * 2.0)


@inlined_kernel
def _scaled(a: Triple, s: Number) -> Triple:
    return a[0] * s, a[1] * s, a[2] * s


@kernel
def _curve_rows(
    packed: PackedRows,
    states: np.ndarray,
    parameters: np.ndarray,
    multipliers: np.ndarray,
    scratch: np.ndarray,
    seconds: np.ndarray,
) -> None:
    """Adds every row's multiplier times its second derivatives to `seconds` [slot, LANES]."""
    slots = packed.curvature_slots
    e = (
        (spread(1.0), spread(0.0), spread(0.0)),
        (spread(0.0), spread(1.0), spread(0.0)),
        (spread(0.0), spread(0.0), spread(1.0)),
    )
    for r in range(len(packed.kind)):
        kind, a, b = packed.kind[r], packed.body_a[r], packed.body_b[r]
        weight = lanes(multipliers, r)
        if kind == _UNIT:
            for place in (H_QB_QB, H_QB_QB + 4, H_QB_QB + 7, H_QB_QB + 9):
                _add(seconds, slots, r, place, weight * 2.0)
            continue
        if packed.motion[r] != NONE:
            row_motion(packed, r, parameters, scratch)
        m = moved_vector(packed, r, scratch)
        q_a, q_b = quaternion_at(states, a + 3), quaternion_at(states, b + 3)
        vector = (spread(packed.vector_b[r, 0]), spread(packed.vector_b[r, 1]), spread(packed.vector_b[r, 2]))
        axis = packed.axis[r]
        # Both directions carry the multiplier, so that every block below does.
        if kind == _POINT:
            y = (spread(0.0), spread(0.0), weight)
            if axis == 0:
                y = (weight, spread(0.0), spread(0.0))
            elif axis == 1:
                y = (spread(0.0), weight, spread(0.0))
            apart = _scaled(y, spread(-1.0))
        else:
            y = _scaled(turned(q_b, vector), weight)
            apart = turned(q_a, m)
            if kind == _SLIDE:
                c_a, c_b = triple_at(states, a), triple_at(states, b)
                apart = (apart[0] + c_a[0] - c_b[0], apart[1] + c_a[1] - c_b[1], apart[2] + c_a[2] - c_b[2])
            apart = _scaled(apart, weight)
        _add_form(seconds, slots, r, H_QA_QA, y, m)
        _add_form(seconds, slots, r, H_QB_QB, apart, vector)
        if kind != _POINT:
            g_x, g_y, g_z = (
                form_gradient(q_b, e[0], vector),
                form_gradient(q_b, e[1], vector),
                form_gradient(q_b, e[2], vector),
            )
            f_x, f_y, f_z = form_gradient(q_a, e[0], m), form_gradient(q_a, e[1], m), form_gradient(q_a, e[2], m)
            _add_products(seconds, slots, r, H_QA_QB, f_x[0] * weight, f_y[0] * weight, f_z[0] * weight, g_x, g_y, g_z)
            _add_products(
                seconds, slots, r, H_QA_QB + 4, f_x[1] * weight, f_y[1] * weight, f_z[1] * weight, g_x, g_y, g_z
            )
            _add_products(
                seconds, slots, r, H_QA_QB + 8, f_x[2] * weight, f_y[2] * weight, f_z[2] * weight, g_x, g_y, g_z
            )
            _add_products(
                seconds, slots, r, H_QA_QB + 12, f_x[3] * weight, f_y[3] * weight, f_z[3] * weight, g_x, g_y, g_z
            )
            if kind == _SLIDE:
                none = spread(0.0)
                minus = weight * (-1.0)
                _add_products(seconds, slots, r, H_CA_QB, weight, none, none, g_x, g_y, g_z)
                _add_products(seconds, slots, r, H_CA_QB + 4, none, weight, none, g_x, g_y, g_z)
                _add_products(seconds, slots, r, H_CA_QB + 8, none, none, weight, g_x, g_y, g_z)
                _add_products(seconds, slots, r, H_CB_QB, minus, none, none, g_x, g_y, g_z)
                _add_products(seconds, slots, r, H_CB_QB + 4, none, minus, none, g_x, g_y, g_z)
                _add_products(seconds, slots, r, H_CB_QB + 8, none, none, minus, g_x, g_y, g_z)
        if packed.motion[r] != NONE:
            back = turned_back(q_a, y)
            for k in range(PARAMETERS):
                slope = triple_at(scratch, DM + 3 * k)
                _add_four(seconds, slots, r, H_QA_P + k, PARAMETERS, form_gradient(q_a, y, slope))
                moved = _scaled(turned(q_a, slope), weight)
                _add_four(seconds, slots, r, H_QB_P + k, PARAMETERS, form_gradient(q_b, moved, vector))
            for n in range(10):
                _add(seconds, slots, r, H_P_P + n, dot(back, triple_at(scratch, DDM + 3 * n)))


@inlined_kernel
def _add_products(
    rows: np.ndarray,
    slots: np.ndarray,
    r: int,
    first: int,
    x: Number,
    y: Number,
    z: Number,
    g_x: Quaternion,
    g_y: Quaternion,
    g_z: Quaternion,
) -> None:
    """Adds x g_x + y g_y + z g_z to four entries."""
    _add(rows, slots, r, first, x * g_x[0] + y * g_y[0] + z * g_z[0])
    _add(rows, slots, r, first + 1, x * g_x[1] + y * g_y[1] + z * g_z[1])
    _add(rows, slots, r, first + 2, x * g_x[2] + y * g_y[2] + z * g_z[2])
    _add(rows, slots, r, first + 3, x * g_x[3] + y * g_y[3] + z * g_z[3])


@kernel
def second_derivatives_kernel(
    packed: PackedRows,
    states: np.ndarray,
    controls: np.ndarray,
    design: np.ndarray,
    multipliers: np.ndarray,
    values: np.ndarray,
) -> None:
    """sum_r lambda_r d2C_r of all steps, values [step, nonzero]."""
    variables, controlled, designed = states.shape[1], controls.shape[1], design.shape[1]
    here = np.zeros((variables + 7, LANES))
    for lane in range(LANES):
        here[variables + 3, lane] = 1.0
    parameters = np.zeros((controlled + designed + PARAMETERS, LANES))
    weights = np.zeros((multipliers.shape[1], LANES))
    seconds = np.zeros((values.shape[1] + 1, LANES))
    scratch = np.zeros((MOTION_ROWS, LANES))
    for first in range(0, len(states), LANES):
        take(states, first, here)
        take(controls, first, parameters)
        take(design, first, parameters[controlled:])
        take(multipliers, first, weights)
        for slot in range(len(seconds)):
            put_lanes(seconds, slot, spread(0.0))
        _curve_rows(packed, here, parameters, weights, scratch, seconds)
        give(seconds, first, values)
