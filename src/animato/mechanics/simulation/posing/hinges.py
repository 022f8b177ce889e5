"""From coordinates of a system to its hinges, and from them to the poses of all steps of its tree."""

from __future__ import annotations

import numpy as np

from animato.mechanics.simulation.dynamics import build_work, put_forces
from animato.mechanics.simulation.system import System
from animato.mechanics.tree import SLIDE, TURN
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


def hinge_positions(system: System, z: np.ndarray) -> np.ndarray:
    """Positions of hinges without the offsets of the tree [rad or m]: phi = W z, [time, hinge].

    Args:
        system: What moves.
        z: Coordinates, [time, n].
    """
    packed, drive = system.packed, system.packed.drive
    if len(packed.stands.arm_step):  # six hinges of each far interface of a reduced part are no linear functions
        return _walked(system, z)
    owners = np.repeat(np.arange(len(drive.entry_first) - 1), np.diff(drive.entry_first))
    weights = np.zeros((len(drive.entry_first) - 1, packed.coordinate_count))
    np.add.at(weights, (owners, drive.slot_coordinate[drive.entry_slot]), drive.entry_weight)
    return np.ascontiguousarray((z @ weights.T)[:, 1:])


def _walked(system: System, z: np.ndarray) -> np.ndarray:
    """The same, as the dynamics find them."""
    packed = system.packed
    work, hinges = build_work(packed), len(packed.tree.parent) - 1
    still, tau = np.zeros(packed.coordinate_count), np.zeros(packed.coordinate_count)
    lam, gap = np.zeros(system.row_count), np.zeros(system.row_count)
    found = np.empty((len(z), hinges))
    for moment, row in enumerate(z):
        put_forces(packed, work, np.ascontiguousarray(row), still, still, lam, tau, gap)
        found[moment] = work.walk.q[:hinges]
    return found


def step_poses(system: System, z: np.ndarray) -> list[RigidTransform]:
    """T_world_step of every step at all moments.

    Args:
        system: What moves.
        z: Coordinates, [time, n].
    """
    tree, phi = system.packed.tree, hinge_positions(system, z)
    found: list[RigidTransform] = []
    for step, above in enumerate(tree.parent):
        at = RigidTransform(tree.position[step], quaternions.quaternion_from_matrix(tree.rotation[step]))
        if step > 0:
            moved = phi[:, step - 1] + tree.offset[step]
            if tree.kind[step] == TURN:
                half = 0.5 * moved
                flat = np.zeros_like(half)
                at = at @ RigidTransform(np.zeros(3), np.stack([np.cos(half), flat, flat, np.sin(half)], axis=1))
            elif tree.kind[step] == SLIDE:
                at = at @ RigidTransform(moved[:, None] * (0.0, 0.0, 1.0))
        found.append(at if above < 0 else found[above] @ at)
    return found
