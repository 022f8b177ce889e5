"""Exact first derivatives of inverse dynamics over a packed tree, for many moments at once.

Where I and C are the inertia and the Coriolis numbers of all behind a motion i, and F the force on them, a motion c
before i (or i itself) and i change each other's forces by

    dtau_i/dq_c = I S_i . phi_c + C^T S_i . psi_c,    dtau_c/dq_i = S_c . (I phi_i + C psi_i + S_i x* F),
    dtau_i/dv_c = I S_i . chi_c + C^T S_i . S_c,      dtau_c/dv_i = S_c . (I chi_i + C S_i),
    dtau_i/da_c = dtau_c/da_i = S_c . I S_i,

and motions of which neither carries the other do not (Carpentier and Mansard, 2018; Singh, Russell and Wensing, 2022).
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lane_tiles import give_matrix
from animato.kernels.lanes import LANES, Number, give, lanes, put_lanes, take, where_larger
from animato.kernels.spatial_algebra import (
    Six,
    add_rows,
    angular_of,
    force_cross,
    inertia_at,
    inertia_times,
    linear_of,
    motion_cross,
    six,
    six_at,
    six_dot,
    six_plus,
    triple_dot,
    unit_triple,
    zero_triple,
)
from animato.kernels.vectors import Triple, cross, plus, triple_at
from animato.mechanics.tree.coriolis_algebra import coriolis_at, coriolis_times, coriolis_transposed_times
from animato.mechanics.tree.kinematics import BALL, FREE, PackedTree
from animato.mechanics.tree.rnea_derivatives_walk import Walk, build_walk, walk_outward
from animato.mechanics.tree.root_frame_walk import turns_backward
from animato.mechanics.tree.slot_matrices import (
    add_diagonal,
    add_followers,
    clear_followers,
    put_root_columns,
    put_root_inertia,
    put_root_rows,
)
from animato.mechanics.tree.step_columns import StepColumns


@inlined_kernel
def _put_pairs(
    columns: StepColumns,
    walk: Walk,
    c: int,
    carried: tuple[Six, Triple],
    by_own: tuple[Six, Six],
    size: int,
    out: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    """Writes derivatives between a motion and all before it, itself too.

    Args:
        columns: Of the tree.
        walk: Of the moments.
        c: The motion.
        carried: I S and C^T S of the motion.
        by_own: Changes of the force on all behind it with its own q and v.
        size: Slots of the matrices.
        out: Derivatives by q, v and a, [size * size] rows each.
    """
    by_q, by_v, by_a = out
    i, other = columns.slot[c], c
    while other >= 0:
        j, S = columns.slot[other], six_at(walk.S, 6 * other)
        psi = triple_at(walk.psi, 3 * other)
        put_lanes(by_q, size * i + j, six_dot(six_at(walk.phi, 6 * other), carried[0]) + triple_dot(psi, carried[1]))
        from_v = six_dot(six_at(walk.chi, 6 * other), carried[0]) + triple_dot(angular_of(S), carried[1])
        put_lanes(by_v, size * i + j, from_v)
        put_lanes(by_q, size * j + i, six_dot(S, by_own[0]))
        put_lanes(by_v, size * j + i, six_dot(S, by_own[1]))
        inertia = six_dot(S, carried[0])
        put_lanes(by_a, size * i + j, inertia)
        put_lanes(by_a, size * j + i, inertia)
        other = columns.previous[other]


@inlined_kernel
def _put_root_pairs(
    walk: Walk,
    slot: int,
    carried: tuple[Six, Triple],
    by_own: tuple[Six, Six],
    size: int,
    out: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    """Writes the same between a motion and a free root.

    The root's place and linear velocity change no force, and its turn changes only the direction of gravity.
    """
    by_q, by_v, by_a = out
    rest, spin = zero_triple(), triple_at(walk.V, 0)
    moment, force = angular_of(carried[0]), linear_of(carried[0])
    put_root_rows(by_q, size, slot, by_own[0])
    put_root_rows(by_v, size, slot, by_own[1])
    put_root_rows(by_a, size, slot, carried[0])
    put_root_columns(by_q, size, slot, six(cross(force, triple_at(walk.up, 0)), rest))
    put_root_columns(by_v, size, slot, six(plus(cross(moment, spin), carried[1]), rest))
    put_root_columns(by_a, size, slot, carried[0])


@inlined_kernel
def _put_root(walk: Walk, size: int, out: tuple[np.ndarray, np.ndarray, np.ndarray], tau: np.ndarray) -> None:
    """Writes the six of a free root by themselves, and their forces."""
    inertia, C = inertia_at(walk.inertia, 0), coriolis_at(walk.coriolis, 0)
    spin, up, rest = triple_at(walk.V, 0), triple_at(walk.up, 0), zero_triple()
    for k in range(3):
        axis = unit_triple(k)
        put_root_rows(out[0], size, 3 + k, inertia_times(inertia, six(rest, cross(up, axis))))
        turning = inertia_times(inertia, six(cross(spin, axis), rest))
        put_root_rows(out[1], size, 3 + k, six_plus(turning, coriolis_times(C, axis)))
        put_lanes(tau, k, lanes(walk.F, 3 + k))
        put_lanes(tau, 3 + k, lanes(walk.F, k))
    put_root_inertia(out[2], size, inertia)


@inlined_kernel
def _correct_ball(tree: PackedTree, columns: StepColumns, walk: Walk, s: int, size: int, by_q: np.ndarray) -> None:
    """Balances what `_put_pairs` takes for a chain: the axes of a ball are all fixed on the same side.

    Each pair (b, c) of axes has been written as if b did not move with c, but c with b.
    """
    F = six_at(walk.F, 6 * s)
    first = columns.first[s]
    for c in range(first + 1, first + 3):
        for b in range(first, c):
            i, j = columns.slot[b], columns.slot[c]
            change = six_dot(motion_cross(six_at(walk.S, 6 * b), six_at(walk.S, 6 * c)), F)
            at = size * j + i if turns_backward(tree, s) else size * i + j
            put_lanes(by_q, at, lanes(by_q, at) - change)


@kernel
def _walk_inward(
    tree: PackedTree,
    columns: StepColumns,
    walk: Walk,
    size: int,
    out: tuple[np.ndarray, np.ndarray, np.ndarray],
    tau: np.ndarray,
) -> None:
    """Writes all entries of eight moments by slots, and sums over what is behind each step."""
    free = tree.kind[0] == FREE
    for s in range(len(tree.parent) - 1, 0, -1):
        inertia, C, F = inertia_at(walk.inertia, 10 * s), coriolis_at(walk.coriolis, 12 * s), six_at(walk.F, 6 * s)
        for c in range(columns.first[s], columns.first[s + 1]):
            S, slot = six_at(walk.S, 6 * c), columns.slot[c]
            carried = (inertia_times(inertia, S), coriolis_transposed_times(C, S))
            by_q = six_plus(inertia_times(inertia, six_at(walk.phi, 6 * c)), force_cross(S, F))
            by_q = six_plus(by_q, coriolis_times(C, triple_at(walk.psi, 3 * c)))
            by_v = six_plus(inertia_times(inertia, six_at(walk.chi, 6 * c)), coriolis_times(C, angular_of(S)))
            put_lanes(tau, slot, six_dot(S, F))
            _put_pairs(columns, walk, c, carried, (by_q, by_v), size, out)
            if free:
                _put_root_pairs(walk, slot, carried, (by_q, by_v), size, out)
        if tree.kind[s] == BALL:
            _correct_ball(tree, columns, walk, s, size, out[0])
        above = tree.parent[s]
        add_rows(walk.inertia, 10 * above, 10 * s, 10)
        add_rows(walk.coriolis, 12 * above, 12 * s, 12)
        add_rows(walk.F, 6 * above, 6 * s, 6)
    if free:
        _put_root(walk, size, out, tau)


@inlined_kernel
def _sign(x: Number) -> Number:
    """1, 0 or -1."""
    return where_larger(x, 0.0, 1.0, 0.0) - where_larger(0.0, x, 1.0, 0.0)


@kernel
def _add_losses(losses: np.ndarray, columns: StepColumns, walk: Walk, tau: np.ndarray) -> None:
    """Adds followers, and armature v' + damping v + friction sign(v), to the forces."""
    dofs = losses.shape[1]
    for n, leader in enumerate(columns.leader):
        put_lanes(tau, leader, lanes(tau, leader) + lanes(tau, dofs + n))
    for i in range(dofs):
        v = lanes(walk.v, i)
        loss = losses[0, i] * lanes(walk.a, i) + losses[1, i] * v + losses[2, i] * _sign(v)
        put_lanes(tau, i, lanes(tau, i) + loss)


@kernel
def rnea_derivatives_kernel(
    tree: PackedTree,
    columns: StepColumns,
    losses: np.ndarray,
    q: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    root: np.ndarray,
    tau: np.ndarray,
    by_q: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
) -> None:
    """Writes inverse dynamics and its first derivatives at each moment.

    Args:
        tree: The character.
        columns: Its `step_columns`.
        losses: Armature, damping and friction, [3, dof].
        q: Coordinates, [time, coordinate].
        v: Velocities, [time, dof].
        a: Accelerations, [time, dof].
        root: Poses of the root, [time, 7].
        tau: Generalized forces, [time, dof].
        by_q: Their derivatives by the tangent of q, [time, dof, dof].
        by_v: By v, [time, dof, dof].
        by_a: By a, [time, dof, dof].
    """
    dofs = losses.shape[1]
    size = dofs + len(columns.leader)
    walk = build_walk(q.shape[1], dofs, len(tree.parent), len(columns.dof))
    now = (np.zeros((size * size, LANES)), np.zeros((size * size, LANES)), np.zeros((size * size, LANES)))
    tau_now = np.empty((size, LANES))
    for first in range(0, len(q), LANES):
        take(q, first, walk.q)
        take(v, first, walk.v)
        take(a, first, walk.a)
        take(root, first, walk.root)
        walk_outward(tree, columns, walk)
        for rows in now:
            clear_followers(rows, columns)
        _walk_inward(tree, columns, walk, size, now, tau_now)
        for rows in now:
            add_followers(rows, size, columns)
        add_diagonal(now[1], size, losses[1])
        add_diagonal(now[2], size, losses[0])
        _add_losses(losses, columns, walk, tau_now)
        give(tau_now, first, tau)
        give_matrix(now[0], size, first, by_q)
        give_matrix(now[1], size, first, by_v)
        give_matrix(now[2], size, first, by_a)
