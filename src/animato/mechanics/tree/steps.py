"""Compiled walks over a packed tree: poses, Jacobians and the centre of mass of many moments at once.

R is the rotation of a step's frame in its parent's, p the position of its origin there. Coordinates
q [coordinate] and poses of the root [7] come as rows of lanes, which hold a few moments each.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lanes import LANES, give, lanes, put_lanes, take
from animato.kernels.vectors import (
    Matrix,
    Triple,
    cross,
    matrix,
    matrix_at,
    plus,
    product,
    put_matrix,
    put_triple,
    quaternion_of,
    rotation_of,
    times,
    triple,
    triple_at,
    turned,
    turned_about_z,
)
from animato.mechanics.tree.packing import BALL, FREE, SLIDE, TURN, PackedTree


@inlined_kernel
def step_pose(tree: PackedTree, s: int, q: np.ndarray, root: np.ndarray) -> tuple[Matrix, Triple]:
    """R and p of one step."""
    kind, n = tree.kind[s], tree.coordinate[s]
    R, p = matrix(tree.rotation, s), triple(tree.position, s)
    if kind == TURN:
        R = turned_about_z(R, tree.scale[s] * lanes(q, n) + tree.offset[s])
    elif kind == SLIDE:
        distance = tree.scale[s] * lanes(q, n) + tree.offset[s]
        p = plus(p, times(distance, (R[2], R[5], R[8])))
    elif kind == BALL:
        sign = 1.0 if tree.scale[s] > 0.0 else -1.0
        R = product(R, rotation_of(lanes(q, n), times(sign, triple_at(q, n + 1))))
    elif kind == FREE:
        R = rotation_of(lanes(root, 3), triple_at(root, 4))
        p = triple_at(root, 0)
    return R, p


@inlined_kernel
def put_world_pose(
    tree: PackedTree, s: int, q: np.ndarray, root: np.ndarray, rotation: np.ndarray, position: np.ndarray
) -> None:
    """Writes rows 9 s of rotation and 3 s of position, in the world; the parent's must be there."""
    R, p = step_pose(tree, s, q, root)
    above = tree.parent[s]
    if above >= 0:
        outer = matrix_at(rotation, 9 * above)
        R, p = product(outer, R), plus(triple_at(position, 3 * above), turned(outer, p))
    put_matrix(rotation, 9 * s, R)
    put_triple(position, 3 * s, p)


@kernel
def _put_world_poses(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, path: np.ndarray, rotation: np.ndarray, position: np.ndarray
) -> None:
    """The same for all steps of a path, parents first."""
    for s in path:
        put_world_pose(tree, s, q, root, rotation, position)


@kernel
def body_poses_kernel(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, positions: np.ndarray, quaternions: np.ndarray
) -> None:
    """Writes positions [time, 3 body] and quaternions [time, 4 body] of all bodies in the world."""
    steps, bodies = np.arange(len(tree.parent)), len(tree.body_step)
    q_now, root_now = np.empty((q.shape[1], LANES)), np.empty((7, LANES))
    rotation, position = np.empty((9 * len(steps), LANES)), np.empty((3 * len(steps), LANES))
    places, turns = np.empty((3 * bodies, LANES)), np.empty((4 * bodies, LANES))
    for first in range(0, len(q), LANES):
        take(q, first, q_now)
        take(root, first, root_now)
        _put_world_poses(tree, q_now, root_now, steps, rotation, position)
        for b in range(bodies):
            s = tree.body_step[b]
            R = matrix_at(rotation, 9 * s)
            place = plus(triple_at(position, 3 * s), turned(R, triple(tree.body_position, b)))
            put_triple(places, 3 * b, place)
            w, x, y, z = quaternion_of(product(R, matrix(tree.body_rotation, b)))
            put_lanes(turns, 4 * b, w)
            put_triple(turns, 4 * b + 1, (x, y, z))
        give(places, first, positions)
        give(turns, first, quaternions)


@kernel
def world_poses(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, t: int, rotation: np.ndarray, position: np.ndarray
) -> None:
    """Writes rotation [s, 3, 3] and position [s, 3] of all steps in the world at moment t of q and root [time, ...]."""
    steps = np.arange(len(tree.parent))
    q_now, root_now = np.empty((q.shape[1], LANES)), np.empty((7, LANES))
    rotations, positions = np.empty((9 * len(steps), LANES)), np.empty((3 * len(steps), LANES))
    take(q, t, q_now)
    take(root, t, root_now)
    _put_world_poses(tree, q_now, root_now, steps, rotations, positions)
    rotation[:] = rotations[:, 0].copy().reshape(rotation.shape)
    position[:] = positions[:, 0].copy().reshape(position.shape)


@kernel
def centre_of_mass_kernel(tree: PackedTree, q: np.ndarray, root: np.ndarray, out: np.ndarray) -> None:
    """Writes the centre of mass in the world at each moment, [time, 3]."""
    steps = np.arange(len(tree.parent))
    q_now, root_now, out_now = np.empty((q.shape[1], LANES)), np.empty((7, LANES)), np.empty((3, LANES))
    rotation, position = np.empty((9 * len(steps), LANES)), np.empty((3 * len(steps), LANES))
    share = tree.mass / tree.mass.sum()
    for first in range(0, len(q), LANES):
        take(q, first, q_now)
        take(root, first, root_now)
        _put_world_poses(tree, q_now, root_now, steps, rotation, position)
        centre = (0.0, 0.0, 0.0)
        for s in range(len(steps)):
            place = plus(triple_at(position, 3 * s), turned(matrix_at(rotation, 9 * s), triple(tree.centre, s)))
            centre = plus(centre, times(share[s], place))
        put_triple(out_now, 0, centre)
        give(out_now, first, out)


@inlined_kernel
def _add_column(J: np.ndarray, column: int, linear: Triple, angular: Triple) -> None:
    """Adds a column to a matrix [6, dof] in rows of lanes."""
    dofs = len(J) // 6
    for i in range(3):
        put_lanes(J, i * dofs + column, lanes(J, i * dofs + column) + linear[i])
        put_lanes(J, (3 + i) * dofs + column, lanes(J, (3 + i) * dofs + column) + angular[i])


@inlined_kernel
def _add_step_columns(
    tree: PackedTree, s: int, place: Triple, rotation: np.ndarray, position: np.ndarray, J: np.ndarray
) -> None:
    """Adds what the freedoms of a step do to a point at a place in the world."""
    kind, dof = tree.kind[s], tree.dof[s]
    nothing = (0.0, 0.0, 0.0)
    arm = plus(place, times(-1.0, triple_at(position, 3 * s)))
    R = matrix_at(rotation, 9 * s)
    if kind == TURN:
        axis = times(tree.scale[s], (R[2], R[5], R[8]))
        _add_column(J, dof, cross(axis, arm), axis)
    elif kind == SLIDE:
        _add_column(J, dof, times(tree.scale[s], (R[2], R[5], R[8])), nothing)
    elif kind in (BALL, FREE):
        sign = 1.0
        if tree.scale[s] < 0.0:
            # walked backward, a ball is driven by the angular velocity in its parent's axes, reversed
            R = product(matrix_at(rotation, 9 * tree.parent[s]), matrix(tree.rotation, s))
            sign = -1.0
        for k in range(3):
            axis = times(sign, (R[k], R[3 + k], R[6 + k]))
            if kind == FREE:
                _add_column(J, dof + k, axis, nothing)
                _add_column(J, dof + 3 + k, cross(axis, arm), axis)
            else:
                _add_column(J, dof + k, cross(axis, arm), axis)


@kernel
def jacobian_kernel(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, path: np.ndarray, point: np.ndarray, out: np.ndarray
) -> None:
    """Writes J [6, dof] of a point that moves with a step at each moment: linear, then angular, in world axes.

    Args:
        tree: The character.
        q: Coordinates, [time, coordinate].
        root: Poses of the root, [time, 7].
        path: Steps from the root to the one that carries the point.
        point: The point in that step's frame, [1, 3].
        out: J at each moment, [time, 6 dof].
    """
    q_now, root_now, J = np.empty((q.shape[1], LANES)), np.empty((7, LANES)), np.empty((out.shape[1], LANES))
    count, last = len(tree.parent), path[len(path) - 1]
    rotation, position = np.empty((9 * count, LANES)), np.empty((3 * count, LANES))
    for first in range(0, len(q), LANES):
        take(q, first, q_now)
        take(root, first, root_now)
        _put_world_poses(tree, q_now, root_now, path, rotation, position)
        place = plus(triple_at(position, 3 * last), turned(matrix_at(rotation, 9 * last), triple(point, 0)))
        J[:] = 0.0
        for s in path:
            _add_step_columns(tree, s, place, rotation, position, J)
        give(J, first, out)
