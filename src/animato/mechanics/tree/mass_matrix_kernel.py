"""The composite rigid body algorithm over a packed tree, for many moments at once (Walker and Orin, 1982)."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lane_tiles import give_matrix
from animato.kernels.lanes import LANES, put_lanes, take
from animato.kernels.spatial_algebra import (
    Six,
    add_rows,
    inertia_at,
    inertia_times,
    put_inertia,
    put_six,
    six_at,
    six_dot,
)
from animato.mechanics.tree.kinematics import FREE, PackedTree
from animato.mechanics.tree.root_frame_walk import column_axis, put_root_frame_pose, step_inertia
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
def _put_column(columns: StepColumns, c: int, size: int, carried: Six, axis: np.ndarray, M: np.ndarray) -> None:
    """Writes M of a motion with itself and all before it: S_i . I S_c, with the inertia of all behind c."""
    i, other = columns.slot[c], c
    while other >= 0:
        j = columns.slot[other]
        entry = six_dot(six_at(axis, 6 * other), carried)
        put_lanes(M, size * i + j, entry)
        put_lanes(M, size * j + i, entry)
        other = columns.previous[other]


@kernel
def _put_mass_matrix(
    tree: PackedTree, columns: StepColumns, size: int, axis: np.ndarray, inertia: np.ndarray, M: np.ndarray
) -> None:
    """Writes M of eight moments, and sums inertias over what is behind each step."""
    free = tree.kind[0] == FREE
    for s in range(len(tree.parent) - 1, -1, -1):
        behind = inertia_at(inertia, 10 * s)
        for c in range(columns.first[s], columns.first[s + 1]):
            carried = inertia_times(behind, six_at(axis, 6 * c))
            _put_column(columns, c, size, carried, axis, M)
            if free:
                put_root_rows(M, size, columns.slot[c], carried)
                put_root_columns(M, size, columns.slot[c], carried)
        if s > 0:
            add_rows(inertia, 10 * tree.parent[s], 10 * s, 10)
        elif free:
            put_root_inertia(M, size, behind)


@kernel
def mass_matrix_kernel(
    tree: PackedTree, columns: StepColumns, armature: np.ndarray, q: np.ndarray, root: np.ndarray, out: np.ndarray
) -> None:
    """Writes the mass matrix at each moment.

    Args:
        tree: The character.
        columns: Its `step_columns`.
        armature: Added to the diagonal, [dof].
        q: Coordinates, [time, coordinate].
        root: Poses of the root, [time, 7].
        out: [time, dof, dof].
    """
    count, size = len(tree.parent), len(armature) + len(columns.leader)
    q_now, root_now = np.empty((q.shape[1], LANES)), np.empty((7, LANES))
    rotation, position = np.empty((9 * count, LANES)), np.empty((3 * count, LANES))
    axis, inertia = np.empty((6 * len(columns.dof), LANES)), np.empty((10 * count, LANES))
    M = np.zeros((size * size, LANES))
    for first in range(0, len(q), LANES):
        take(q, first, q_now)
        take(root, first, root_now)
        clear_followers(M, columns)
        for s in range(count):
            put_root_frame_pose(tree, s, q_now, root_now, rotation, position)
            put_inertia(inertia, 10 * s, step_inertia(tree, s, rotation, position))
            for c in range(columns.first[s], columns.first[s + 1]):
                put_six(axis, 6 * c, column_axis(tree, s, columns.axis[c], rotation, position))
        _put_mass_matrix(tree, columns, size, axis, inertia, M)
        add_followers(M, size, columns)
        add_diagonal(M, size, armature)
        give_matrix(M, size, first, out)
