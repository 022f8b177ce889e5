"""How distances of close pairs change with a character's freedoms."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.vectors import Triple, cross, matrix, plus, product, times, triple, turned, turned_back
from animato.mechanics.collision.measuring import NearPairs
from animato.mechanics.collision.model import CollisionModel
from animato.mechanics.tree import SLIDE, TURN, PackedTree, States, packed_tree, world_poses
from animato.mechanics.tree.kinematics import BALL


def separation_rows(model: CollisionModel, states: States, near: NearPairs) -> np.ndarray:
    """Rows normal . (J_a - J_b): the change of each distance with the freedoms of its frame.

    To first order the distance after a step dq, which a free root and spherical joints take in their own axes, is
    d + row . dq. Columns of freedoms that move both bodies alike, the free root's among them, are zero.

    Args:
        model: The pairs.
        states: The states at which `near` was measured.
        near: The close pairs.

    Returns:
        [m/rad or m/m], [row, dof]; columns as in `Tree.dof_names`.
    """
    tree = packed_tree(model.character)
    out = np.zeros((len(near), len(tree.dof_names)))
    if len(near):
        bodies = np.stack([near.body_a, near.body_b], axis=1)
        points = np.stack([near.points_a, near.points_b])
        _put_rows(tree.arrays, states.positions, states.root, near.frames, bodies, points, near.normals, out)
    return out


@kernel
def _put_rows(
    tree: PackedTree,
    q: np.ndarray,
    root: np.ndarray,
    frames: np.ndarray,
    bodies: np.ndarray,
    points: np.ndarray,
    normals: np.ndarray,
    out: np.ndarray,
) -> None:
    """Adds to each row of out [row, dof] the columns of a's path to the root, and takes away those of b's."""
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    shares = np.zeros(count)
    last = -1
    for row in range(len(frames)):
        if frames[row] != last:
            last = frames[row]
            world_poses(tree, q, root, last, rotation, position)
        normal = triple(normals, row)
        shares[:] = 0.0
        for side in range(2):  # a step that moves both bodies does not change their distance
            s = tree.body_step[bodies[row, side]]
            while s >= 0:
                shares[s] += 1.0 - 2.0 * side
                s = tree.parent[s]
        for side in range(2):
            body = bodies[row, side]
            s = tree.body_step[body]
            offset = turned(matrix(tree.body_rotation, body), triple(points[side], row))
            local = plus(triple(tree.body_position, body), offset)
            place = plus(triple(position, s), turned(matrix(rotation, s), local))
            while s >= 0:
                if shares[s] != 0.0:
                    push = times(shares[s], normal)
                    moment = cross(plus(place, times(-1.0, triple(position, s))), push)
                    _add_step(tree, s, rotation, push, moment, out[row])
                s = tree.parent[s]


@inlined_kernel
def _add_step(tree: PackedTree, s: int, rotation: np.ndarray, push: Triple, moment: Triple, out: np.ndarray) -> None:
    """Adds to out [dof] what a push at a point is for each freedom of a step; `moment` is its arm x push.

    The velocity of the point per unit of a turn is axis x arm, and push . (axis x arm) = axis . (arm x push).
    """
    kind, dof, scale = tree.kind[s], tree.dof[s], tree.scale[s]
    R = matrix(rotation, s)
    if kind == TURN:
        out[dof] += scale * turned_back(R, moment)[2]
    elif kind == SLIDE:
        out[dof] += scale * turned_back(R, push)[2]
    elif kind == BALL:
        sign = 1.0
        if scale < 0.0:
            # walked backward, a ball is driven by the angular velocity in its parent's axes, reversed
            R = product(matrix(rotation, tree.parent[s]), matrix(tree.rotation, s))
            sign = -1.0
        x, y, z = turned_back(R, moment)
        out[dof] += sign * x
        out[dof + 1] += sign * y
        out[dof + 2] += sign * z
