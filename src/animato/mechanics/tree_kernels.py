"""Compiled walks over a packed tree: poses, Jacobians and inverse dynamics of many moments at once.

Vectors are kept in the axes of their step's own frame. R is the rotation of a step's frame in its
parent's, p the position of its origin there.
"""

from __future__ import annotations

import numpy as np

from animato.mechanics.packed_tree import BALL, FREE, SLIDE, TURN, PackedTree
from animato.spatial.compiled import kernel
from animato.spatial.quaternions import from_matrix_one, matrix_one


@kernel
def add_cross(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """Adds a x b."""
    out[0] += a[1] * b[2] - a[2] * b[1]
    out[1] += a[2] * b[0] - a[0] * b[2]
    out[2] += a[0] * b[1] - a[1] * b[0]


@kernel
def turn(matrix: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    """Writes matrix v."""
    for i in range(3):
        out[i] = matrix[i, 0] * v[0] + matrix[i, 1] * v[1] + matrix[i, 2] * v[2]


@kernel
def turn_back(matrix: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    """Writes matrix^T v."""
    for i in range(3):
        out[i] = matrix[0, i] * v[0] + matrix[1, i] * v[1] + matrix[2, i] * v[2]


@kernel
def product(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """Writes the 3 x 3 product a b."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@kernel
def axis_matrix(axis: np.ndarray, angle: float, out: np.ndarray) -> None:
    """Writes the rotation by an angle about a unit axis, after Rodrigues."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = axis[0], axis[1], axis[2]
    t = 1.0 - c
    out[0, 0], out[0, 1], out[0, 2] = t * x * x + c, t * x * y - s * z, t * x * z + s * y
    out[1, 0], out[1, 1], out[1, 2] = t * x * y + s * z, t * y * y + c, t * y * z - s * x
    out[2, 0], out[2, 1], out[2, 2] = t * x * z - s * y, t * y * z + s * x, t * z * z + c


@kernel
def step_pose(
    tree: PackedTree, s: int, q: np.ndarray, root: np.ndarray, joint: np.ndarray, R: np.ndarray, p: np.ndarray
) -> None:
    """Writes R and p of one step at coordinates q; `joint` is scratch space, [3, 3]."""
    kind = tree.kind[s]
    if kind == FREE:
        matrix_one(root[3:7], R)
        p[:] = root[:3]
        return
    R[:] = tree.rotation[s]
    p[:] = tree.position[s]
    if kind == TURN:
        axis_matrix(tree.axis[s], tree.scale[s] * q[tree.coordinate[s]] + tree.offset[s], joint)
        product(tree.rotation[s], joint, R)
    elif kind == SLIDE:
        distance = tree.scale[s] * q[tree.coordinate[s]] + tree.offset[s]
        for i in range(3):
            for j in range(3):
                p[i] += R[i, j] * tree.axis[s, j] * distance
    elif kind == BALL:
        n = tree.coordinate[s]
        matrix_one(q[n : n + 4], joint)
        if tree.scale[s] < 0.0:
            joint[0, 1], joint[1, 0] = joint[1, 0], joint[0, 1]
            joint[0, 2], joint[2, 0] = joint[2, 0], joint[0, 2]
            joint[1, 2], joint[2, 1] = joint[2, 1], joint[1, 2]
        product(tree.rotation[s], joint, R)


@kernel
def world_poses(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, scratch: np.ndarray, rotation: np.ndarray, position: np.ndarray
) -> None:
    """Writes rotation [s, 3, 3] and position [s, 3] of all steps in the world at one moment."""
    R, p, joint = scratch[0], scratch[1, 0], scratch[2]
    for s in range(len(tree.parent)):
        step_pose(tree, s, q, root, joint, R, p)
        above = tree.parent[s]
        if above < 0:
            rotation[s], position[s] = R, p
            continue
        product(rotation[above], R, rotation[s])
        turn(rotation[above], p, position[s])
        position[s] += position[above]


@kernel
def body_poses_kernel(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, positions: np.ndarray, quaternions: np.ndarray
) -> None:
    """Writes positions [time, body, 3] and quaternions [time, body, 4] of all bodies in the world."""
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    scratch, R = np.empty((3, 3, 3)), np.empty((3, 3))
    for t in range(len(q)):
        world_poses(tree, q[t], root[t], scratch, rotation, position)
        for b in range(len(tree.body_step)):
            s = tree.body_step[b]
            product(rotation[s], tree.body_rotation[b], R)
            from_matrix_one(R, quaternions[t, b])
            turn(rotation[s], tree.body_position[b], positions[t, b])
            positions[t, b] += position[s]


@kernel
def centre_of_mass_kernel(tree: PackedTree, q: np.ndarray, root: np.ndarray, out: np.ndarray) -> None:
    """Writes the centre of mass in the world at each moment, [time, 3]."""
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    scratch, c = np.empty((3, 3, 3)), np.empty(3)
    total = tree.mass.sum()
    for t in range(len(q)):
        world_poses(tree, q[t], root[t], scratch, rotation, position)
        out[t] = 0.0
        for s in range(count):
            turn(rotation[s], tree.centre[s], c)
            for i in range(3):
                out[t, i] += tree.mass[s] / total * (c[i] + position[s, i])


@kernel
def jacobian_kernel(
    tree: PackedTree, q: np.ndarray, root: np.ndarray, step: int, points: np.ndarray, out: np.ndarray
) -> None:
    """Writes J [time, 6, dof] of a point that moves with a step: linear, then angular, in world axes.

    Args:
        tree: The character.
        q: Coordinates, [time, coordinate].
        root: Poses of the root, [time, 7].
        step: The step that carries the point.
        points: The point in the step's frame, [3].
        out: J; must be zero on entry.
    """
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    scratch, point, arm, axis = np.empty((3, 3, 3)), np.empty(3), np.empty(3), np.empty(3)
    for t in range(len(q)):
        world_poses(tree, q[t], root[t], scratch, rotation, position)
        turn(rotation[step], points, point)
        point += position[step]
        s = step
        while s >= 0:
            kind, dof = tree.kind[s], tree.dof[s]
            arm[:] = point - position[s]
            if kind == TURN:
                turn(rotation[s], tree.axis[s], axis)
                axis *= tree.scale[s]
                out[t, 3:6, dof] += axis
                add_cross(axis, arm, out[t, 0:3, dof])
            elif kind == SLIDE:
                turn(rotation[s], tree.axis[s], axis)
                out[t, 0:3, dof] += tree.scale[s] * axis
            elif kind == BALL:
                for k in range(3):
                    # a ball walked backward is driven by the angular velocity in its parent's axes, reversed
                    if tree.scale[s] < 0.0:
                        product(rotation[tree.parent[s]], tree.rotation[s], scratch[0])
                        axis[:] = -scratch[0][:, k]
                    else:
                        axis[:] = rotation[s][:, k]
                    out[t, 3:6, dof + k] += axis
                    add_cross(axis, arm, out[t, 0:3, dof + k])
            elif kind == FREE:
                for k in range(3):
                    axis[:] = rotation[s][:, k]
                    out[t, 0:3, dof + k] += axis
                    out[t, 3:6, dof + 3 + k] += axis
                    add_cross(axis, arm, out[t, 0:3, dof + 3 + k])
            s = tree.parent[s]
