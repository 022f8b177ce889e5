"""Poses, axes and inertias of all steps of a packed tree at eight moments, seen from the root.

All spatial vectors of a moment are about the origin of the root, along its axes. In this frame the root's own columns
are unit vectors, and nothing depends on where in the world the character stands.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel
from animato.kernels.lanes import lanes
from animato.kernels.spatial_algebra import Inertia, Six, inertia_of, six, unit_triple, zero_triple
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
    times,
    triple,
    triple_at,
    turned,
)
from animato.mechanics.tree.kinematics import BALL, SLIDE, PackedTree, step_pose


@inlined_kernel
def put_root_frame_pose(
    tree: PackedTree, s: int, q: np.ndarray, root: np.ndarray, rotation: np.ndarray, position: np.ndarray
) -> None:
    """Writes rows 9 s of rotation and 3 s of position; the parent's must be there."""
    if s == 0:
        for k in range(3):
            put_triple(rotation, 3 * k, unit_triple(k))
        put_triple(position, 0, zero_triple())
    else:
        R, p = step_pose(tree, s, q, root)
        outer = matrix_at(rotation, 9 * tree.parent[s])
        put_matrix(rotation, 9 * s, product(outer, R))
        put_triple(position, 3 * s, plus(triple_at(position, 3 * tree.parent[s]), turned(outer, p)))


@inlined_kernel
def turns_backward(tree: PackedTree, s: int) -> bool:
    """Whether a step is a ball that is walked from child to parent: its axes are then fixed to what is before it."""
    return tree.kind[s] == BALL and tree.scale[s] < 0.0


@inlined_kernel
def column_axis(tree: PackedTree, s: int, k: int, rotation: np.ndarray, position: np.ndarray) -> Six:
    """The motion S that axis k of a step gives per unit of its column of velocity."""
    if turns_backward(tree, s):
        fixed = (tree.rotation[s, 0, k], tree.rotation[s, 1, k], tree.rotation[s, 2, k])
        z = times(-1.0, turned(matrix_at(rotation, 9 * tree.parent[s]), fixed))
    else:
        scale = 1.0 if tree.kind[s] == BALL else tree.scale[s]
        z = times(scale, _axis_at(rotation, 9 * s + k))
    if tree.kind[s] == SLIDE:
        return six(zero_triple(), z)
    return six(z, cross(triple_at(position, 3 * s), z))


@inlined_kernel
def _axis_at(rotation: np.ndarray, first: int) -> Triple:
    """A column of the matrix of which the row `first` holds the column's first number."""
    return lanes(rotation, first), lanes(rotation, first + 3), lanes(rotation, first + 6)


@inlined_kernel
def step_inertia(tree: PackedTree, s: int, rotation: np.ndarray, position: np.ndarray) -> Inertia:
    """Inertia of all that moves with a step."""
    R: Matrix = matrix_at(rotation, 9 * s)
    centre = plus(triple_at(position, 3 * s), turned(R, triple(tree.centre, s)))
    return inertia_of(tree.mass[s], centre, matrix(tree.inertia, s), R)
