"""The joints that a coupled problem has to do with, and all that hangs on them, as plain arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.mechanics.tree.kinematics import SLIDE, TURN, PackedTree, world_poses


class JointChain(NamedTuple):
    """One-axis joints j, parents first: those that the path moves, and those with a torque limit.

    All else is at rest, and belongs to the joint that carries it. A joint turns about, or slides along, z of its frame.

    Attributes:
        parent: Joint before this one, -1 for the ground, [j].
        slides: 1 where it slides, 0 where it turns, [j].
        column: Column of the path that drives it, -1 where none does, [j].
        row: Row of its torque among the limited ones, -1 where there is none, [j].
        scale: Its motion per unit of its coordinate, [j].
        offset: Its position where the coordinate is zero, or where it is held [rad or m], [j].
        rotation: Of its frame at position zero in its parent's, or in the world, [j, 3, 3].
        position: Of its frame at position zero there [m], [j, 3].
        inertia: Of what it carries, in its frame: mass, first moment (3), second moments about its origin as a matrix
            (9), [j, 13].
    """

    parent: np.ndarray
    slides: np.ndarray
    column: np.ndarray
    row: np.ndarray
    scale: np.ndarray
    offset: np.ndarray
    rotation: np.ndarray
    position: np.ndarray
    inertia: np.ndarray


def build_joint_chain(
    tree: PackedTree, resting: np.ndarray, root: np.ndarray, column: np.ndarray, torque_row: np.ndarray
) -> JointChain:
    """Folds a tree.

    Args:
        tree: All steps of a character.
        resting: Coordinates of what is held, [coordinate].
        root: Pose of the root, [7].
        column: Column of the path that drives a step, -1 where none does, [step].
        torque_row: Row of a degree of freedom among those with a torque limit, -1 where there is none, [dof].
    """
    count = len(tree.parent)
    R, o = np.empty((count, 3, 3)), np.empty((count, 3))
    world_poses(tree, resting[None], root[None], 0, R, o)
    one_axis = np.isin(tree.kind, (TURN, SLIDE))
    row = np.array([torque_row[d] if axis else -1 for d, axis in zip(tree.dof, one_axis, strict=True)])
    steps = [s for s in range(count) if one_axis[s] and (column[s] >= 0 or row[s] >= 0)]
    carrier = np.full(count, -1)
    for s in range(count):
        carrier[s] = steps.index(s) if s in steps else (carrier[tree.parent[s]] if tree.parent[s] >= 0 else -1)
    j = len(steps)
    rotation, position, inertia = np.empty((j, 3, 3)), np.empty((j, 3)), np.zeros((j, 13))
    for k, s in enumerate(steps):
        above = int(tree.parent[s])
        holder = int(carrier[above])
        zero_R, zero_o = R[above] @ tree.rotation[s], o[above] + R[above] @ tree.position[s]
        outer_R, outer_o = (R[steps[holder]], o[steps[holder]]) if holder >= 0 else (np.eye(3), np.zeros(3))
        rotation[k], position[k] = outer_R.T @ zero_R, outer_R.T @ (zero_o - outer_o)
    for s in range(count):
        k = int(carrier[s])
        if k >= 0:
            _add_mass(inertia[k], tree, s, R[steps[k]].T @ R[s], R[steps[k]].T @ (o[s] - o[steps[k]]))
    moves = np.array([column[s] >= 0 for s in steps], dtype=bool)
    held = np.array([tree.scale[s] * resting[tree.coordinate[s]] for s in steps]).reshape(j)
    return JointChain(
        parent=np.array([carrier[tree.parent[s]] for s in steps], dtype=np.int64),
        slides=np.array([tree.kind[s] == SLIDE for s in steps], dtype=np.int64),
        column=np.array([column[s] for s in steps], dtype=np.int64),
        row=np.array([row[s] for s in steps], dtype=np.int64),
        scale=np.array([tree.scale[s] for s in steps]),
        offset=np.array([tree.offset[s] for s in steps]).reshape(j) + np.where(moves, 0.0, held),
        rotation=rotation,
        position=position,
        inertia=inertia,
    )


def carried(chain: JointChain) -> np.ndarray:
    """Whether joint i carries joint j, or is it, [j, j]."""
    count = len(chain.parent)
    carries = np.zeros((count, count), dtype=bool)
    for j in range(count):
        i = j
        while i >= 0:
            carries[i, j] = True
            i = int(chain.parent[i])
    return carries


def _add_mass(inertia: np.ndarray, tree: PackedTree, s: int, R: np.ndarray, o: np.ndarray) -> None:
    """Adds the mass of a step whose frame is at (R, o) in the joint's."""
    m, c = tree.mass[s], o + R @ tree.centre[s]
    inertia[0] += m
    inertia[1:4] += m * c
    about = R @ tree.inertia[s] @ R.T + m * (c @ c * np.eye(3) - np.outer(c, c))
    inertia[4:] += about.ravel()
