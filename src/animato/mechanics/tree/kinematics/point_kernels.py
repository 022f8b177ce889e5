"""Compiled kinematics of a few points of a character: places, Jacobians and second derivatives, many postures at once.

A target is a point fixed to a body, or a direction fixed to a body; f(q) is where it is, or the way it shows, in the
world. Along the chain of one-axis steps i that move it, with world axes a_i and origins o_i,

    df/dq_i = a_i x (f - o_i)   where the step turns (a_i x f for a direction),
    df/dq_i = a_i               where it slides (0 for a direction),
    d2f/dq_i dq_j = a_i x df/dq_j   where step i turns and comes before j or is j; 0 where it slides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lanes import LANES, give, lanes, put_lanes
from animato.kernels.vectors import Triple, cross, matrix_at, plus, put_triple, times, triple, triple_at, turned
from animato.mechanics.tree.kinematics.packing import TURN, PackedTree
from animato.mechanics.tree.kinematics.steps import put_world_pose


class PointChains(NamedTuple):
    """Which steps of a packed tree are walked to find the targets.

    Attributes:
        steps: All steps on the way to any target, parents first.
        column: Column of q that drives a step, -1 where nothing does, [step of the tree].
        coordinate: Coordinate of the tree that a column of q states, [n].
        chain: Steps that move the first target, root first, then those of the second, ...
        start: Where the chain of a target begins, and the end of the last, [t + 1].
        target_step: Step with which a target moves, [t].
        local: The target in that step's frame [m, or a unit vector], [t, 3].
        directional: 1 for a direction, 0 for a point, [t].
        resting: All coordinates of the tree where no column states them, [coordinate].
        root: Pose of the root, [7].
    """

    steps: np.ndarray
    column: np.ndarray
    coordinate: np.ndarray
    chain: np.ndarray
    start: np.ndarray
    target_step: np.ndarray
    local: np.ndarray
    directional: np.ndarray
    resting: np.ndarray
    root: np.ndarray


@inlined_kernel
def _put_postures(chains: PointChains, q: np.ndarray, first: int, q_now: np.ndarray, root_now: np.ndarray) -> None:
    """All coordinates and the root in rows of lanes, from posture `first` of q [m, n] on."""
    for row in range(len(q_now)):
        q_now[row] = chains.resting[row]
    for row in range(7):
        root_now[row] = chains.root[row]
    for lane in range(LANES):
        t = min(first + lane, len(q) - 1)
        for i in range(q.shape[1]):
            q_now[chains.coordinate[i], lane] = q[t, i]


@inlined_kernel
def _target(chains: PointChains, t: int, rotation: np.ndarray, position: np.ndarray) -> Triple:
    """Where a target is, or the way it shows: f."""
    s = chains.target_step[t]
    f = turned(matrix_at(rotation, 9 * s), triple(chains.local, t))
    if chains.directional[t] == 0:
        f = plus(f, triple_at(position, 3 * s))
    return f


@inlined_kernel
def _put_axes_and_columns(
    tree: PackedTree,
    chains: PointChains,
    t: int,
    f: Triple,
    rotation: np.ndarray,
    position: np.ndarray,
    axes: np.ndarray,
    columns: np.ndarray,
) -> None:
    """Rows 3 k of `axes`: a_i, 0 where step k of the chain slides. Rows 3 k of `columns`: df/dq_i of that step."""
    directional = chains.directional[t] != 0
    for k in range(chains.start[t + 1] - chains.start[t]):
        s = chains.chain[chains.start[t] + k]
        R = matrix_at(rotation, 9 * s)
        axis = times(tree.scale[s], (R[2], R[5], R[8]))
        column = axis
        if tree.kind[s] == TURN:
            column = cross(axis, f) if directional else cross(axis, plus(f, times(-1.0, triple_at(position, 3 * s))))
        else:
            axis = times(0.0, axis)
            if directional:
                column = axis
        put_triple(axes, 3 * k, axis)
        put_triple(columns, 3 * k, column)


@kernel
def point_jacobians_kernel(
    tree: PackedTree, chains: PointChains, q: np.ndarray, places: np.ndarray, jacobians: np.ndarray
) -> None:
    """Writes f and df/dq of all targets.

    Args:
        tree: The character.
        chains: The targets.
        q: Postures, [m, n].
        places: f, [m, 3 t].
        jacobians: df/dq, [m, 3 t n], row by row; of width 0 where only places are wanted.
    """
    n, targets = q.shape[1], len(chains.local)
    q_now, root_now = np.empty((len(chains.resting), LANES)), np.empty((7, LANES))
    count = len(tree.parent)
    rotation, position = np.empty((9 * count, LANES)), np.empty((3 * count, LANES))
    axes, columns = np.empty((3 * count, LANES)), np.empty((3 * count, LANES))
    f_now, J = np.empty((3 * targets, LANES)), np.empty((jacobians.shape[1], LANES))
    for first in range(0, len(q), LANES):
        _put_postures(chains, q, first, q_now, root_now)
        for s in chains.steps:
            put_world_pose(tree, s, q_now, root_now, rotation, position)
        J[:] = 0.0
        for t in range(targets):
            f = _target(chains, t, rotation, position)
            put_triple(f_now, 3 * t, f)
            if len(J) == 0:
                continue
            _put_axes_and_columns(tree, chains, t, f, rotation, position, axes, columns)
            for k in range(chains.start[t + 1] - chains.start[t]):
                i = chains.column[chains.chain[chains.start[t] + k]]
                for a in range(3):
                    row = (3 * t + a) * n + i
                    put_lanes(J, row, lanes(J, row) + lanes(columns, 3 * k + a))
        give(f_now, first, places)
        give(J, first, jacobians)


@kernel
def point_hessians_kernel(
    tree: PackedTree, chains: PointChains, q: np.ndarray, forces: np.ndarray, hessians: np.ndarray
) -> None:
    """Writes d/dq (J^T w): the second derivatives of f, contracted with a vector w for each target and posture.

    Args:
        tree: The character.
        chains: The targets.
        q: Postures, [m, n].
        forces: w, [m, 3 t].
        hessians: Symmetric matrices, [m, n n].
    """
    n, targets = q.shape[1], len(chains.local)
    q_now, root_now = np.empty((len(chains.resting), LANES)), np.empty((7, LANES))
    count = len(tree.parent)
    rotation, position = np.empty((9 * count, LANES)), np.empty((3 * count, LANES))
    axes, columns = np.empty((3 * count, LANES)), np.empty((3 * count, LANES))
    w_now, S = np.empty((3 * targets, LANES)), np.empty((n * n, LANES))
    for first in range(0, len(q), LANES):
        _put_postures(chains, q, first, q_now, root_now)
        for lane in range(LANES):
            for row in range(3 * targets):
                w_now[row, lane] = forces[min(first + lane, len(q) - 1), row]
        for s in chains.steps:
            put_world_pose(tree, s, q_now, root_now, rotation, position)
        S[:] = 0.0
        for t in range(targets):
            f = _target(chains, t, rotation, position)
            _put_axes_and_columns(tree, chains, t, f, rotation, position, axes, columns)
            w, begin = triple_at(w_now, 3 * t), chains.start[t]
            length = chains.start[t + 1] - begin
            for k in range(length):
                if tree.kind[chains.chain[begin + k]] != TURN:
                    continue
                i = chains.column[chains.chain[begin + k]]
                lever = cross(w, triple_at(axes, 3 * k))
                for other in range(k, length):
                    j = chains.column[chains.chain[begin + other]]
                    column = triple_at(columns, 3 * other)
                    value = lever[0] * column[0] + lever[1] * column[1] + lever[2] * column[2]
                    put_lanes(S, i * n + j, lanes(S, i * n + j) + value)
                    if other > k:
                        put_lanes(S, j * n + i, lanes(S, j * n + i) + value)
        give(S, first, hessians)
