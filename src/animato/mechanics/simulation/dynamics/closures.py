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

from animato.kernels.compiled import addressed_kernel, inlined_kernel
from animato.kernels.spatial_algebra import Six, angular_of, linear_of, put_six_row, six, six_at, triple_dot
from animato.kernels.vectors import Matrix, Triple, cross, matrix_at, plus, times, triple_at, turned, turned_back
from animato.mechanics.simulation.dynamics.work import LoopMemory
from animato.mechanics.simulation.system import POINT_ROW, Drive, Loops
from animato.mechanics.tree import Walk


@inlined_kernel
def _vector(numbers: np.ndarray, r: int, side: int) -> Triple:
    return numbers[r, side, 0], numbers[r, side, 1], numbers[r, side, 2]


@inlined_kernel
def _row_parts(loops: Loops, walk: Walk, q: int, r: int) -> tuple[Triple, Triple, Triple]:
    """In the world: e or u; p2 or w; p2 - p1, or w once more for angles."""
    first, second = loops.steps[q, 0], loops.steps[q, 1]
    R1, R2 = matrix_at(walk.rotation, 9 * first), matrix_at(walk.rotation, 9 * second)
    e = turned(R1, _vector(loops.row_axis, r, 0))
    if loops.row_kind[r] != POINT_ROW:
        w = turned(R2, _vector(loops.row_axis, r, 1))
        return e, w, w
    p1 = plus(triple_at(walk.position, 3 * first), turned(R1, _vector(loops.row_point, r, 0)))
    p2 = plus(triple_at(walk.position, 3 * second), turned(R2, _vector(loops.row_point, r, 1)))
    return e, p2, plus(p2, times(-1.0, p1))


@inlined_kernel
def put_gaps(loops: Loops, walk: Walk, wrench: np.ndarray, gap: np.ndarray) -> None:
    """Writes the gap and the wrench of each row."""
    for q in range(len(loops.common)):
        for r in range(loops.first[q], loops.first[q + 1]):
            e, x, apart = _row_parts(loops, walk, q, r)
            gap[r] = triple_dot(e, apart)
            force = e if loops.row_kind[r] == POINT_ROW else (0.0, 0.0, 0.0)
            put_six_row(wrench, r, six(cross(x, e), force))


@inlined_kernel
def add_wrenches(loops: Loops, wrench: np.ndarray, lam: np.ndarray, F: np.ndarray) -> None:
    """Adds the wrenches of all rows to the forces [6 s] of the steps they act on."""
    for q in range(len(loops.common)):
        first, second = 6 * loops.steps[q, 0], 6 * loops.steps[q, 1]
        for r in range(loops.first[q], loops.first[q + 1]):
            for k in range(6):
                F[second + k] += lam[r] * wrench[r, k]
                F[first + k] -= lam[r] * wrench[r, k]


@inlined_kernel
def _closure_load(loops: Loops, walk: Walk, q: int, lam: np.ndarray) -> tuple[Triple, Matrix]:
    """The force f and the matrix K of a closure."""
    f = (0.0, 0.0, 0.0)
    a, b, c = f, f, f
    for r in range(loops.first[q], loops.first[q + 1]):
        e, x, _ = _row_parts(loops, walk, q, r)
        push = times(lam[r], e)
        if loops.row_kind[r] == POINT_ROW:
            f = plus(f, push)
        along = triple_dot(x, push)
        a = plus(a, (x[0] * push[0] - along, x[0] * push[1], x[0] * push[2]))
        b = plus(b, (x[1] * push[0], x[1] * push[1] - along, x[1] * push[2]))
        c = plus(c, (x[2] * push[0], x[2] * push[1], x[2] * push[2] - along))
    return f, (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])


@inlined_kernel
def _clear_side(loops: Loops, memory: LoopMemory, side: int, first: int, count: int) -> None:
    """Numbers the slots of a side, and clears their sums."""
    for n in range(count):
        memory.place[loops.side_slot[first + n]] = n
        for k in range(6):
            memory.reach[side, k, n] = 0.0
        for k in range(3):
            memory.bend[side, k, n] = 0.0
        for k in range(count):
            memory.fold[n, k] = 0.0


@inlined_kernel
def _add_hinge(
    drive: Drive,
    memory: LoopMemory,
    weight: np.ndarray,
    side: int,
    s: int,
    count: int,
    S: Six,
    f: Triple,
    inner: Triple,
) -> None:
    """Adds second derivatives between a hinge and all between it and its body, itself too; then adds it to the sums."""
    reach, bend, fold = memory.reach, memory.bend, memory.fold
    turn = angular_of(S)
    push = (0.0, 0.0, 0.0) if side == 1 else cross(linear_of(S), f)
    own = 0.5 * (triple_dot(turn, inner) + triple_dot(push, turn))
    for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
        i = memory.place[drive.entry_slot[e]]
        x, y, z = weight[e] * turn[0], weight[e] * turn[1], weight[e] * turn[2]
        u, v, w = weight[e] * push[0], weight[e] * push[1], weight[e] * push[2]
        for n in range(count):
            turned_by = x * bend[side, 0, n] + y * bend[side, 1, n] + z * bend[side, 2, n]
            fold[i, n] += turned_by + u * reach[side, 0, n] + v * reach[side, 1, n] + w * reach[side, 2, n]
        for other in range(drive.entry_first[s], drive.entry_first[s + 1]):
            fold[i, memory.place[drive.entry_slot[other]]] += weight[e] * weight[other] * own
    for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
        n = memory.place[drive.entry_slot[e]]
        for k in range(6):
            reach[side, k, n] += weight[e] * S[k]
        for k in range(3):
            bend[side, k, n] += weight[e] * inner[k]


@inlined_kernel
def _give_side(drive: Drive, loops: Loops, memory: LoopMemory, first: int, count: int, by_z: np.ndarray) -> None:
    """Adds the second derivatives of a side to those of the coordinates, both ways."""
    for n in range(count):
        i = drive.slot_coordinate[loops.side_slot[first + n]]
        for k in range(count):
            j = drive.slot_coordinate[loops.side_slot[first + k]]
            by_z[i, j] += memory.fold[n, k]
            by_z[j, i] += memory.fold[n, k]


@inlined_kernel
def _add_between(drive: Drive, loops: Loops, memory: LoopMemory, q: int, by_z: np.ndarray) -> None:
    """Adds second derivatives between the two sides of a closure."""
    reach, bend = memory.reach, memory.bend
    first, second, last = loops.side_first[2 * q], loops.side_first[2 * q + 1], loops.side_first[2 * q + 2]
    for n in range(second, last):
        i, at = drive.slot_coordinate[loops.side_slot[n]], n - second
        x, y, z = bend[1, 0, at], bend[1, 1, at], bend[1, 2, at]
        for k in range(first, second):
            j, on = drive.slot_coordinate[loops.side_slot[k]], k - first
            value = reach[0, 0, on] * x + reach[0, 1, on] * y + reach[0, 2, on] * z
            by_z[i, j] -= value
            by_z[j, i] -= value


@inlined_kernel
def _put_rows(drive: Drive, loops: Loops, memory: LoopMemory, q: int, jac: np.ndarray) -> None:
    """Adds the rows of a closure to J."""
    w, reach = memory.wrench, memory.reach
    for side in range(2):
        sign, first = 2.0 * side - 1.0, loops.side_first[2 * q + side]
        for n in range(loops.side_first[2 * q + side + 1] - first):
            i = drive.slot_coordinate[loops.side_slot[first + n]]
            for r in range(loops.first[q], loops.first[q + 1]):
                total = 0.0
                for k in range(6):
                    total += w[r, k] * reach[side, k, n]
                jac[r, i] += sign * total


@addressed_kernel
def add_closures(
    parent: np.ndarray,
    drive: Drive,
    loops: Loops,
    walk: Walk,
    weight: np.ndarray,
    memory: LoopMemory,
    lam: np.ndarray,
    by_z: np.ndarray,
    jac: np.ndarray,
) -> None:
    """Adds d(J^T lambda)/dz to by_z [n, n], and writes J [m, n].

    Args:
        parent: Of each step, [s].
        drive: Of the system.
        loops: Of the system.
        walk: As the outward walk left it.
        weight: W as it stands, [entry].
        memory: With the wrenches of `put_gaps`.
        lam: Multipliers, [m].
        by_z: Added to.
        jac: Written.
    """
    for r in range(len(jac)):
        for i in range(jac.shape[1]):
            jac[r, i] = 0.0
    for q in range(len(loops.common)):
        f, K = _closure_load(loops, walk, q, lam)
        for side in range(2):
            first = loops.side_first[2 * q + side]
            count = loops.side_first[2 * q + side + 1] - first
            _clear_side(loops, memory, side, first, count)
            s = loops.steps[q, side]
            while s != loops.common[q]:
                S = six_at(walk.S, 6 * (s - 1))
                inner = turned_back(K, angular_of(S))
                if side == 1:
                    inner = plus(cross(linear_of(S), f), turned(K, angular_of(S)))
                _add_hinge(drive, memory, weight, side, s, count, S, f, inner)
                s = parent[s]
            _give_side(drive, loops, memory, first, count, by_z)
        _add_between(drive, loops, memory, q, by_z)
        _put_rows(drive, loops, memory, q, jac)
