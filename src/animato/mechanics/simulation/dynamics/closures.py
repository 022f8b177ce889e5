"""Closed loops at one moment: gaps, wrenches, and the exact derivatives of both.

A row of a closure between a body 1 and a body 2 is either e . (p2 - p1) = 0 with e and p1 on body 1 and p2 on body 2,
or u . w = 0 with u on body 1 and w on body 2. With V the motion of body 2 against body 1, both change by wrench . V,
where the wrench (moment about the origin, force) is (p2 x e, e) or (w x u, 0). With multipliers lambda a closure has
the force f = sum of lambda e, and a change S = (s, t) of body 2, or of body 1, changes its wrench by

    (t x f + K s, 0),   or   (-K^T s, s x f),

    K = sum of lambda (p2 e^T - p2 . e 1) + sum of lambda (w u^T - w . u 1).

So second derivatives of lambda . gap are, with i the outer and c the inner one of two hinges of the same side,
s_i . (t_c x f + K s_c) on the side of body 2 and s_i . K^T s_c + s_c . (t_i x f) on that of body 1, and
-s_i . (t_c x f + K s_c) with i on the side of body 1 and c on that of body 2. What carries both changes nothing.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.spatial_algebra import Six, angular_of, linear_of, put_six_row, six, six_at, six_dot, triple_dot
from animato.kernels.vectors import Matrix, Triple, cross, matrix_at, plus, times, triple_at, turned, turned_back
from animato.mechanics.simulation.dynamics.work import Work
from animato.mechanics.simulation.system import POINT_ROW, PackedSystem


@inlined_kernel
def _vector(numbers: np.ndarray, r: int, side: int) -> Triple:
    return numbers[r, side, 0], numbers[r, side, 1], numbers[r, side, 2]


@inlined_kernel
def _row_parts(system: PackedSystem, work: Work, q: int, r: int) -> tuple[Triple, Triple, Triple]:
    """In the world: e or u; p2 or w; p2 - p1, which does not count for angles."""
    first, second = system.closure_steps[q, 0], system.closure_steps[q, 1]
    R1, R2 = matrix_at(work.walk.rotation, 9 * first), matrix_at(work.walk.rotation, 9 * second)
    e = turned(R1, _vector(system.row_axis, r, 0))
    if system.row_kind[r] != POINT_ROW:
        w = turned(R2, _vector(system.row_axis, r, 1))
        return e, w, w
    p1 = plus(triple_at(work.walk.position, 3 * first), turned(R1, _vector(system.row_point, r, 0)))
    p2 = plus(triple_at(work.walk.position, 3 * second), turned(R2, _vector(system.row_point, r, 1)))
    return e, p2, plus(p2, times(-1.0, p1))


@kernel
def put_gaps(system: PackedSystem, work: Work, gap: np.ndarray) -> None:
    """Writes the gap of each row, and its wrench to the memory."""
    for q in range(len(system.closure_common)):
        for r in range(system.closure_first[q], system.closure_first[q + 1]):
            e, x, apart = _row_parts(system, work, q, r)
            gap[r] = triple_dot(e, apart)
            force = e if system.row_kind[r] == POINT_ROW else (0.0, 0.0, 0.0)
            put_six_row(work.wrench, r, six(cross(x, e), force))


@kernel
def add_wrenches(system: PackedSystem, work: Work, lam: np.ndarray) -> None:
    """Adds the wrenches of all rows to the forces of the steps they act on, before the inward walk."""
    F = work.walk.F
    for q in range(len(system.closure_common)):
        first, second = 6 * system.closure_steps[q, 0], 6 * system.closure_steps[q, 1]
        for r in range(system.closure_first[q], system.closure_first[q + 1]):
            for k in range(6):
                F[second + k] += lam[r] * work.wrench[r, k]
                F[first + k] -= lam[r] * work.wrench[r, k]


@inlined_kernel
def _closure_load(system: PackedSystem, work: Work, q: int, lam: np.ndarray) -> tuple[Triple, Matrix]:
    """The force f and the matrix K of a closure."""
    f = (0.0, 0.0, 0.0)
    a, b, c = f, f, f
    for r in range(system.closure_first[q], system.closure_first[q + 1]):
        e, x, _ = _row_parts(system, work, q, r)
        push = times(lam[r], e)
        if system.row_kind[r] == POINT_ROW:
            f = plus(f, push)
        along = triple_dot(x, push)
        a = plus(a, (x[0] * push[0] - along, x[0] * push[1], x[0] * push[2]))
        b = plus(b, (x[1] * push[0], x[1] * push[1] - along, x[1] * push[2]))
        c = plus(c, (x[2] * push[0], x[2] * push[1], x[2] * push[2] - along))
    return f, (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])


@inlined_kernel
def _add_side(
    system: PackedSystem, work: Work, q: int, side: int, load: tuple[Triple, Matrix], by_z: np.ndarray
) -> None:
    """Walks from one body of a closure to what carries both: motions by slots, and how they bend each other."""
    coordinate, reach, bend = system.slot_coordinate, work.reach, work.bend
    for c in range(len(coordinate)):
        for k in range(6):
            reach[side, k, c] = 0.0
        for k in range(3):
            bend[side, k, c] = 0.0
    f, K = load
    s, common = system.closure_steps[q, side], system.closure_common[q]
    while s != common:
        S = six_at(work.walk.S, 6 * (s - 1))
        turn, slide = angular_of(S), linear_of(S)
        inner = plus(cross(slide, f), turned(K, turn)) if side == 1 else turned_back(K, turn)
        _add_bends(system, work, side, s, S, f, inner, by_z)
        first, last = system.entry_first[s], system.entry_first[s + 1]
        for e in range(first, last):
            weight, c = work.weight[e], system.entry_slot[e]
            for k in range(6):
                reach[side, k, c] += weight * S[k]
            for k in range(3):
                bend[side, k, c] += weight * inner[k]
        s = system.tree.parent[s]


@inlined_kernel
def _add_bends(
    system: PackedSystem, work: Work, side: int, s: int, S: Six, f: Triple, inner: Triple, by_z: np.ndarray
) -> None:
    """Adds d2g between a hinge and all hinges between it and its body, itself too."""
    coordinate, reach, bend = system.slot_coordinate, work.reach, work.bend
    turn, slide = angular_of(S), linear_of(S)
    push = (0.0, 0.0, 0.0) if side == 1 else cross(slide, f)
    own = triple_dot(turn, inner) + triple_dot(push, turn)
    for e in range(system.entry_first[s], system.entry_first[s + 1]):
        weight, slot = work.weight[e], system.entry_slot[e]
        i = coordinate[slot]
        for c in range(system.slot_first[slot], system.slot_last[slot]):
            value = weight * (
                turn[0] * bend[side, 0, c]
                + turn[1] * bend[side, 1, c]
                + turn[2] * bend[side, 2, c]
                + push[0] * reach[side, 0, c]
                + push[1] * reach[side, 1, c]
                + push[2] * reach[side, 2, c]
            )
            by_z[i, coordinate[c]] += value
            by_z[coordinate[c], i] += value
        for other in range(system.entry_first[s], system.entry_first[s + 1]):
            by_z[i, coordinate[system.entry_slot[other]]] += weight * work.weight[other] * own


@inlined_kernel
def _add_between(system: PackedSystem, work: Work, by_z: np.ndarray) -> None:
    """Adds d2g between the two sides of a closure."""
    coordinate, reach, bend = system.slot_coordinate, work.reach, work.bend
    for c in range(len(coordinate)):
        x, y, z = bend[1, 0, c], bend[1, 1, c], bend[1, 2, c]
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        for k in range(len(coordinate)):
            value = reach[0, 0, k] * x + reach[0, 1, k] * y + reach[0, 2, k] * z
            by_z[coordinate[c], coordinate[k]] -= value
            by_z[coordinate[k], coordinate[c]] -= value


@kernel
def add_closures(system: PackedSystem, work: Work, lam: np.ndarray, by_z: np.ndarray, jac: np.ndarray) -> None:
    """Adds d(J^T lambda)/dz to by_z, and writes J."""
    coordinate, reach = system.slot_coordinate, work.reach
    jac[:] = 0.0
    for q in range(len(system.closure_common)):
        load = _closure_load(system, work, q, lam)
        _add_side(system, work, q, 0, load, by_z)
        _add_side(system, work, q, 1, load, by_z)
        _add_between(system, work, by_z)
        for c in range(len(coordinate)):
            between: Six = (
                reach[1, 0, c] - reach[0, 0, c],
                reach[1, 1, c] - reach[0, 1, c],
                reach[1, 2, c] - reach[0, 2, c],
                reach[1, 3, c] - reach[0, 3, c],
                reach[1, 4, c] - reach[0, 4, c],
                reach[1, 5, c] - reach[0, 5, c],
            )
            for r in range(system.closure_first[q], system.closure_first[q + 1]):
                w = work.wrench
                row = (w[r, 0], w[r, 1], w[r, 2], w[r, 3], w[r, 4], w[r, 5])
                jac[r, coordinate[c]] += six_dot(row, between)
