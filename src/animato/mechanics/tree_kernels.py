"""Compiled walks over a packed tree: poses, Jacobians and the centre of mass of many moments at once.

R is the rotation of a step's frame in its parent's, p the position of its origin there.
"""

from __future__ import annotations

import numpy as np

from animato.mechanics.packed_tree import BALL, FREE, SLIDE, TURN, PackedTree
from animato.mechanics.vector_kernels import (
    Matrix,
    Triple,
    cross,
    matrix,
    plus,
    product,
    put,
    put_matrix,
    rotation_of,
    times,
    triple,
    turned,
    turned_about_z,
)
from animato.spatial.compiled import inlined_kernel, kernel


@inlined_kernel
def step_pose(tree: PackedTree, s: int, q: np.ndarray, root: np.ndarray, t: int) -> tuple[Matrix, Triple]:
    """R and p of one step at moment t of coordinates q and root poses."""
    kind, n = tree.kind[s], tree.coordinate[s]
    R, p = matrix(tree.rotation, s), triple(tree.position, s)
    if kind == TURN:
        R = turned_about_z(R, tree.scale[s] * q[t, n] + tree.offset[s])
    elif kind == SLIDE:
        distance = tree.scale[s] * q[t, n] + tree.offset[s]
        p = plus(p, times(distance, (R[2], R[5], R[8])))
    elif kind == BALL:
        sign = 1.0 if tree.scale[s] > 0.0 else -1.0
        R = product(R, rotation_of(q[t, n], (sign * q[t, n + 1], sign * q[t, n + 2], sign * q[t, n + 3])))
    elif kind == FREE:
        R = rotation_of(root[t, 3], (root[t, 4], root[t, 5], root[t, 6]))
        p = triple(root, t)
    return R, p


@inlined_kernel
def put_world_pose(
    tree: PackedTree, s: int, q: np.ndarray, root: np.ndarray, t: int, rotation: np.ndarray, position: np.ndarray
) -> None:
    """Writes rotation[s] and position[s] in the world at moment t; the parent's must be there."""
    R, p = step_pose(tree, s, q, root, t)
    above = tree.parent[s]
    if above >= 0:
        outer = matrix(rotation, above)
        R, p = product(outer, R), plus(triple(position, above), turned(outer, p))
    put_matrix(rotation, s, R)
    put(position, s, p)


@kernel
def world_poses(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, t: int, rotation: np.ndarray, position: np.ndarray
) -> None:
    """Writes rotation [s, 3, 3] and position [s, 3] of all steps in the world at moment t."""
    for s in range(len(tree.parent)):
        put_world_pose(tree, s, q, root, t, rotation, position)


@kernel
def body_poses_kernel(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, positions: np.ndarray, quaternions: np.ndarray
) -> None:
    """Writes positions [time, body, 3] and quaternions [time, body, 4] of all bodies in the world."""
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    for t in range(len(q)):
        world_poses(tree, q, root, t, rotation, position)
        for b in range(len(tree.body_step)):
            s = tree.body_step[b]
            outer = matrix(rotation, s)
            place = plus(triple(position, s), turned(outer, triple(tree.body_position, b)))
            positions[t, b, 0], positions[t, b, 1], positions[t, b, 2] = place
            w, x, y, z = _quaternion(product(outer, matrix(tree.body_rotation, b)))
            quaternions[t, b, 0], quaternions[t, b, 1], quaternions[t, b, 2], quaternions[t, b, 3] = w, x, y, z


@inlined_kernel
def _quaternion(m: Matrix) -> tuple[float, float, float, float]:
    """Unit quaternion of a rotation with w >= 0, by Shepperd's choice of the largest component."""
    trace = m[0] + m[4] + m[8]
    if trace >= m[0] and trace >= m[4] and trace >= m[8]:
        w, x, y, z = 1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]
    elif m[0] >= m[4] and m[0] >= m[8]:
        w, x, y, z = m[7] - m[5], 1.0 + m[0] - m[4] - m[8], m[3] + m[1], m[2] + m[6]
    elif m[4] >= m[8]:
        w, x, y, z = m[2] - m[6], m[3] + m[1], 1.0 + m[4] - m[0] - m[8], m[7] + m[5]
    else:
        w, x, y, z = m[3] - m[1], m[2] + m[6], m[7] + m[5], 1.0 + m[8] - m[0] - m[4]
    factor = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
    if w < 0.0:
        factor = -factor
    return factor * w, factor * x, factor * y, factor * z


@kernel
def centre_of_mass_kernel(tree: PackedTree, q: np.ndarray, root: np.ndarray, out: np.ndarray) -> None:
    """Writes the centre of mass in the world at each moment, [time, 3]."""
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    total = tree.mass.sum()
    for t in range(len(q)):
        world_poses(tree, q, root, t, rotation, position)
        centre = (0.0, 0.0, 0.0)
        for s in range(count):
            place = plus(triple(position, s), turned(matrix(rotation, s), triple(tree.centre, s)))
            centre = plus(centre, times(tree.mass[s] / total, place))
        put(out, t, centre)


@inlined_kernel
def _add_column(out: np.ndarray, t: int, column: int, linear: Triple, angular: Triple) -> None:
    for i in range(3):
        out[t, i, column] += linear[i]
        out[t, 3 + i, column] += angular[i]


@kernel
def jacobian_kernel(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, path: np.ndarray, point: np.ndarray, out: np.ndarray
) -> None:
    """Writes J [time, 6, dof] of a point that moves with a step: linear, then angular, in world axes.

    Args:
        tree: The character.
        q: Coordinates, [time, coordinate].
        root: Poses of the root, [time, 7].
        path: Steps from the root to the one that carries the point.
        point: The point in that step's frame, [1, 3].
        out: J; must be zero on entry.
    """
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    nothing = (0.0, 0.0, 0.0)
    last = path[len(path) - 1]
    for t in range(len(q)):
        for s in path:
            put_world_pose(tree, s, q, root, t, rotation, position)
        place = plus(triple(position, last), turned(matrix(rotation, last), triple(point, 0)))
        for s in path:
            kind, dof = tree.kind[s], tree.dof[s]
            arm = plus(place, times(-1.0, triple(position, s)))
            R = matrix(rotation, s)
            if kind in (TURN, SLIDE):
                axis = times(tree.scale[s], (R[2], R[5], R[8]))
                if kind == TURN:
                    _add_column(out, t, dof, cross(axis, arm), axis)
                else:
                    _add_column(out, t, dof, axis, nothing)
                continue
            if kind == BALL and tree.scale[s] < 0.0:
                # walked backward, a ball is driven by the angular velocity in its parent's axes, reversed
                R = product(matrix(rotation, tree.parent[s]), matrix(tree.rotation, s))
            for k in range(3):
                axis = (R[k], R[3 + k], R[6 + k])
                if kind == FREE:
                    _add_column(out, t, dof + k, axis, nothing)
                    _add_column(out, t, dof + 3 + k, cross(axis, arm), axis)
                elif kind == BALL:
                    axis = times(1.0 if tree.scale[s] > 0.0 else -1.0, axis)
                    _add_column(out, t, dof + k, cross(axis, arm), axis)
