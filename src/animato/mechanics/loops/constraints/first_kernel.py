"""Values and first derivatives of constraint rows, eight time steps at once."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lanes import LANES, Number, give, lanes, put_lanes, spread, take
from animato.kernels.vectors import Quaternion, triple_at
from animato.mechanics.loops.constraints.forms import dot, form_gradient, four_dot, quaternion_at, turned, turned_back
from animato.mechanics.loops.constraints.motion import DM, MOTION_ROWS, NONE, moved_vector, row_motion
from animato.mechanics.loops.constraints.packing import CA, CB, PARAMETER, PARAMETERS, QA, QB, PackedRows
from animato.mechanics.loops.constraints.rows import RowKind

_POINT, _SLIDE, _UNIT = int(RowKind.POINT), int(RowKind.SLIDE), int(RowKind.UNIT)


@inlined_kernel
def _put_four(rows: np.ndarray, slots: np.ndarray, r: int, first: int, v: Quaternion, scale: Number) -> None:
    put_lanes(rows, slots[r, first], v[0] * scale)
    put_lanes(rows, slots[r, first + 1], v[1] * scale)
    put_lanes(rows, slots[r, first + 2], v[2] * scale)
    put_lanes(rows, slots[r, first + 3], v[3] * scale)


@kernel
def _evaluate_rows(
    packed: PackedRows,
    states: np.ndarray,
    parameters: np.ndarray,
    scratch: np.ndarray,
    values: np.ndarray,
    firsts: np.ndarray,
) -> None:
    """Values [row, LANES] and first derivatives [slot, LANES] at eight steps."""
    slots = packed.slots
    for r in range(len(packed.kind)):
        kind, a, b = packed.kind[r], packed.body_a[r], packed.body_b[r]
        q_b = quaternion_at(states, b + 3)
        if kind == _UNIT:
            put_lanes(values, r, four_dot(q_b, q_b) - 1.0)
            _put_four(firsts, slots, r, QB, q_b, spread(2.0))
            continue
        if packed.motion[r] != NONE:
            row_motion(packed, r, parameters, scratch)
        m = moved_vector(packed, r, scratch)
        q_a = quaternion_at(states, a + 3)
        vector = (spread(packed.vector_b[r, 0]), spread(packed.vector_b[r, 1]), spread(packed.vector_b[r, 2]))
        axis = packed.axis[r]
        # y is what m's image is measured along; `apart` the vector that B's own vector is measured along.
        y = turned(q_b, vector)
        apart = turned(q_a, m)
        if kind == _POINT:
            value = lanes(states, a + axis) - lanes(states, b + axis)
            if axis == 0:
                value = value + apart[0] - y[0]
                y = (spread(1.0), spread(0.0), spread(0.0))
            elif axis == 1:
                value = value + apart[1] - y[1]
                y = (spread(0.0), spread(1.0), spread(0.0))
            else:
                value = value + apart[2] - y[2]
                y = (spread(0.0), spread(0.0), spread(1.0))
            apart = (y[0] * (-1.0), y[1] * (-1.0), y[2] * (-1.0))
            put_lanes(firsts, slots[r, CA + axis], spread(1.0))
            put_lanes(firsts, slots[r, CB + axis], spread(-1.0))
        else:
            if kind == _SLIDE:
                c_a, c_b = triple_at(states, a), triple_at(states, b)
                apart = (apart[0] + c_a[0] - c_b[0], apart[1] + c_a[1] - c_b[1], apart[2] + c_a[2] - c_b[2])
                for_b = (y[0] * (-1.0), y[1] * (-1.0), y[2] * (-1.0))
                put_lanes(firsts, slots[r, CA], y[0])
                put_lanes(firsts, slots[r, CA + 1], y[1])
                put_lanes(firsts, slots[r, CA + 2], y[2])
                put_lanes(firsts, slots[r, CB], for_b[0])
                put_lanes(firsts, slots[r, CB + 1], for_b[1])
                put_lanes(firsts, slots[r, CB + 2], for_b[2])
            value = dot(apart, y) - packed.constant[r]
        put_lanes(values, r, value)
        _put_four(firsts, slots, r, QA, form_gradient(q_a, y, m), spread(1.0))
        _put_four(firsts, slots, r, QB, form_gradient(q_b, apart, vector), spread(1.0))
        if packed.motion[r] != NONE:
            back = turned_back(q_a, y)
            for k in range(PARAMETERS):
                put_lanes(firsts, slots[r, PARAMETER + k], dot(back, triple_at(scratch, DM + 3 * k)))


@kernel
def first_derivatives_kernel(
    packed: PackedRows,
    states: np.ndarray,
    controls: np.ndarray,
    design: np.ndarray,
    values: np.ndarray,
    by_state: np.ndarray,
    by_control: np.ndarray,
    by_design: np.ndarray,
) -> None:
    """C [step, row] and the values of C_s, C_u, C_p [step, nonzero] of all steps."""
    variables, controlled, designed = states.shape[1], controls.shape[1], design.shape[1]
    here = np.zeros((variables + 7, LANES))
    for lane in range(LANES):
        here[variables + 3, lane] = 1.0  # the world: no place, no turn
    parameters = np.zeros((controlled + designed + PARAMETERS, LANES))
    second, third = by_state.shape[1], by_state.shape[1] + by_control.shape[1]
    firsts = np.zeros((third + by_design.shape[1] + 1, LANES))
    found = np.zeros((values.shape[1], LANES))
    scratch = np.zeros((MOTION_ROWS, LANES))
    for first in range(0, len(states), LANES):
        take(states, first, here)
        take(controls, first, parameters)
        take(design, first, parameters[controlled:])
        _evaluate_rows(packed, here, parameters, scratch, found, firsts)
        give(found, first, values)
        give(firsts, first, by_state)
        give(firsts[second:], first, by_control)
        give(firsts[third:], first, by_design)
