"""From coordinates of a system to its hinges, and from them to the poses of all steps of its tree."""

from __future__ import annotations

import numpy as np

from animato.mechanics.simulation.system import System
from animato.mechanics.tree import SLIDE, TURN
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


def hinge_positions(system: System, z: np.ndarray) -> np.ndarray:
    """Positions of hinges, phi = W z without the offsets of the tree [rad or m], [time, hinge].

    Args:
        system: What moves.
        z: Coordinates, [time, n].
    """
    packed, drive = system.packed, system.packed.drive
    owners = np.repeat(np.arange(len(drive.entry_first) - 1), np.diff(drive.entry_first))
    weights = np.zeros((len(drive.entry_first) - 1, packed.coordinate_count))
    np.add.at(weights, (owners, drive.slot_coordinate[drive.entry_slot]), drive.entry_weight)
    return np.ascontiguousarray((z @ weights.T)[:, 1:])


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
