"""What forces at points of a packed tree do to its degrees of freedom, for many moments at once.

Of a force f at a point x, a motion S = (s, t) feels tau = t . f + s . (x x f). With f_c the sum of forces behind a
motion c, and Y_c that of x f^T, a change of q_c moves the points behind c, and the axes there, so that

    dtau_i/dq_c = z_i . s_c where c is before i, or i itself, and z_c . s_i where it is behind,
    z_i = t_i x f_i + Y_i s_i - tr(Y_i) s_i.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lane_tiles import give_matrix
from animato.kernels.lanes import LANES, give, put_lanes, take
from animato.kernels.spatial_algebra import (
    Six,
    add_rows,
    angular_of,
    linear_of,
    put_six,
    six,
    six_at,
    triple_dot,
    unit_triple,
    zero_triple,
)
from animato.kernels.vectors import (
    Matrix,
    Triple,
    add_triple,
    cross,
    matrix_at,
    plus,
    put_triple,
    times,
    triple,
    triple_at,
    turned,
    turned_back,
)
from animato.mechanics.tree.kinematics import BALL, FREE, PackedTree, step_pose
from animato.mechanics.tree.root_frame_walk import column_axis, put_root_frame_pose, turns_backward
from animato.mechanics.tree.slot_matrices import add_followers, put_root_columns, put_root_rows
from animato.mechanics.tree.step_columns import StepColumns


class Loads(NamedTuple):
    """Memory of eight moments, in rows of lanes over steps (s), motions (c), points (k) and slots (n).

    Attributes:
        q, root: The state, [coordinate], [7].
        f: Forces in the world, [3 k].
        rotation, position: Of each step, [9 s], [3 s].
        S: Axis of each motion, [6 c].
        total, spread: Sums of f, and of x f^T row by row, of a step and then of all behind it, [3 s], [9 s].
        place: Of each point, [3 k].
        tau: [n].
        by_q: [n * n].
        by_f: [n * 3 k].
    """

    q: np.ndarray
    root: np.ndarray
    f: np.ndarray
    rotation: np.ndarray
    position: np.ndarray
    S: np.ndarray
    total: np.ndarray
    spread: np.ndarray
    place: np.ndarray
    tau: np.ndarray
    by_q: np.ndarray
    by_f: np.ndarray


@kernel
def _build_loads(coordinates: int, steps: int, motions: int, points: int, slots: int) -> Loads:
    """Memory for a tree of so many columns."""
    return Loads(
        np.empty((coordinates, LANES)),
        np.empty((7, LANES)),
        np.empty((3 * points, LANES)),
        np.empty((9 * steps, LANES)),
        np.empty((3 * steps, LANES)),
        np.empty((6 * motions, LANES)),
        np.empty((3 * steps, LANES)),
        np.empty((9 * steps, LANES)),
        np.empty((3 * points, LANES)),
        np.empty((slots, LANES)),
        np.empty((slots * slots, LANES)),
        np.empty((slots * 3 * points, LANES)),
    )


@inlined_kernel
def _shift(S: Six, f: Triple, Y: Matrix) -> Triple:
    """The vector z of a motion."""
    s = angular_of(S)
    turned_out = plus(turned(Y, s), times(-1.0 * (Y[0] + Y[4] + Y[8]), s))
    return plus(cross(linear_of(S), f), turned_out)


@inlined_kernel
def _moment(Y: Matrix) -> Triple:
    """The sum of x x f."""
    return Y[5] - Y[7], Y[6] - Y[2], Y[1] - Y[3]


@kernel
def _put_places(tree: PackedTree, columns: StepColumns, steps: np.ndarray, points: np.ndarray, now: Loads) -> None:
    """Writes poses, axes and points, and the forces of each step alone."""
    now.total[:] = 0.0
    now.spread[:] = 0.0
    for s in range(len(tree.parent)):
        put_root_frame_pose(tree, s, now.q, now.root, now.rotation, now.position)
        for c in range(columns.first[s], columns.first[s + 1]):
            put_six(now.S, 6 * c, column_axis(tree, s, columns.axis[c], now.rotation, now.position))
    world, _ = step_pose(tree, 0, now.q, now.root)
    for k in range(len(steps)):
        s = steps[k]
        arm = turned(matrix_at(now.rotation, 9 * s), triple(points, k))
        x, f = plus(triple_at(now.position, 3 * s), arm), turned_back(world, triple_at(now.f, 3 * k))
        put_triple(now.place, 3 * k, x)
        add_triple(now.total, 3 * s, f)
        add_triple(now.spread, 9 * s, times(x[0], f))
        add_triple(now.spread, 9 * s + 3, times(x[1], f))
        add_triple(now.spread, 9 * s + 6, times(x[2], f))


@inlined_kernel
def _put_pairs(columns: StepColumns, now: Loads, c: int, z: Triple, size: int) -> None:
    """Writes derivatives between a motion and all before it, itself too; both ways alike."""
    i, other = columns.slot[c], c
    while other >= 0:
        j = columns.slot[other]
        entry = triple_dot(z, triple_at(now.S, 6 * other))
        put_lanes(now.by_q, size * i + j, entry)
        put_lanes(now.by_q, size * j + i, entry)
        other = columns.previous[other]


@inlined_kernel
def _put_ball(tree: PackedTree, columns: StepColumns, now: Loads, s: int, size: int) -> None:
    """Writes derivatives between the axes of a ball, which are all fixed on the same side of it."""
    f, Y = triple_at(now.total, 3 * s), matrix_at(now.spread, 9 * s)
    first = columns.first[s]
    for c in range(first, first + 3):
        z = _shift(six_at(now.S, 6 * c), f, Y)
        for b in range(first, first + 3):
            i, j = columns.slot[c], columns.slot[b]
            at = size * j + i if turns_backward(tree, s) else size * i + j
            put_lanes(now.by_q, at, triple_dot(z, triple_at(now.S, 6 * b)))


@inlined_kernel
def _put_root(now: Loads, size: int) -> None:
    """Writes the six of a free root by themselves: where it turns, forces turn the other way as seen from it."""
    f, Y = triple_at(now.total, 0), matrix_at(now.spread, 0)
    put_triple(now.tau, 0, f)
    put_triple(now.tau, 3, _moment(Y))
    for k in range(3):
        axis = unit_triple(k)
        moment = plus(turned_back(Y, axis), times(-1.0 * (Y[0] + Y[4] + Y[8]), axis))
        put_root_rows(now.by_q, size, 3 + k, six(moment, cross(f, axis)))


@kernel
def _walk_inward(tree: PackedTree, columns: StepColumns, now: Loads, size: int) -> None:
    """Writes tau and by_q by slots, and sums forces over what is behind each step."""
    free, rest = tree.kind[0] == FREE, zero_triple()
    for s in range(len(tree.parent) - 1, 0, -1):
        f, Y = triple_at(now.total, 3 * s), matrix_at(now.spread, 9 * s)
        for c in range(columns.first[s], columns.first[s + 1]):
            S, slot = six_at(now.S, 6 * c), columns.slot[c]
            z = _shift(S, f, Y)
            put_lanes(now.tau, slot, triple_dot(linear_of(S), f) + triple_dot(angular_of(S), _moment(Y)))
            _put_pairs(columns, now, c, z, size)
            if free:
                put_root_rows(now.by_q, size, slot, six(z, rest))
                put_root_columns(now.by_q, size, slot, six(z, rest))
        if tree.kind[s] == BALL:
            _put_ball(tree, columns, now, s, size)
        add_rows(now.total, 3 * tree.parent[s], 3 * s, 3)
        add_rows(now.spread, 9 * tree.parent[s], 9 * s, 9)
    if free:
        _put_root(now, size)


@kernel
def _put_by_force(tree: PackedTree, columns: StepColumns, steps: np.ndarray, now: Loads) -> None:
    """Writes by_f: how fast each motion moves each point, along the axes of the world."""
    width, (world, _) = 3 * len(steps), step_pose(tree, 0, now.q, now.root)
    for k in range(len(steps)):
        x = triple_at(now.place, 3 * k)
        c = columns.first[steps[k] + 1] - 1 if steps[k] > 0 else -1
        while c >= 0:
            S = six_at(now.S, 6 * c)
            velocity = plus(linear_of(S), cross(angular_of(S), x))
            put_triple(now.by_f, width * columns.slot[c] + 3 * k, turned(world, velocity))
            c = columns.previous[c]
        if tree.kind[0] == FREE:
            for r in range(3):
                axis = unit_triple(r)
                put_triple(now.by_f, width * r + 3 * k, turned(world, axis))
                put_triple(now.by_f, width * (3 + r) + 3 * k, turned(world, cross(axis, x)))


@kernel
def _add_following_rows(rows: np.ndarray, width: int, dofs: int, leader: np.ndarray) -> None:
    """Adds the rows of slots that follow another to those of their leaders."""
    for n in range(len(leader)):
        add_rows(rows, width * leader[n], width * (dofs + n), width)


@kernel
def contact_torques_kernel(
    tree: PackedTree,
    columns: StepColumns,
    steps: np.ndarray,
    points: np.ndarray,
    q: np.ndarray,
    root: np.ndarray,
    forces: np.ndarray,
    tau: np.ndarray,
    by_q: np.ndarray,
    by_f: np.ndarray,
) -> None:
    """Writes J^T f and its derivatives at each moment.

    Args:
        tree: The character.
        columns: Its `step_columns`.
        steps: Step that carries each point, [point].
        points: In that step's frame [m], [point, 3].
        q: Coordinates, [time, coordinate].
        root: Poses of the root, [time, 7].
        forces: In the world [N], [time, 3 point].
        tau: Generalized forces, [time, dof].
        by_q: Their derivatives by the tangent of q, [time, dof, dof].
        by_f: By the forces, [time, dof, 3 point].
    """
    dofs, followers = tau.shape[1], columns.leader
    size = dofs + len(followers)
    now = _build_loads(q.shape[1], len(tree.parent), len(columns.dof), len(steps), size)
    for first in range(0, len(q), LANES):
        take(q, first, now.q)
        take(root, first, now.root)
        take(forces, first, now.f)
        if len(followers) > 0 or first == 0:
            now.by_q[:] = 0.0
            now.by_f[:] = 0.0
        _put_places(tree, columns, steps, points, now)
        _walk_inward(tree, columns, now, size)
        _put_by_force(tree, columns, steps, now)
        add_followers(now.by_q, size, columns)
        _add_following_rows(now.by_f, 3 * len(steps), dofs, followers)
        _add_following_rows(now.tau, 1, dofs, followers)
        give(now.tau, first, tau)
        give_matrix(now.by_q, size, first, by_q)
        give_matrix(now.by_f, 3 * len(steps), first, by_f)
