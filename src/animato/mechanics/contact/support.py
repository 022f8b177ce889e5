"""What the floor gives to a character that stands on its soles.

Inverse dynamics of a floating character leaves a force and a torque at its root that nothing
gives. The soles on the floor must give them, and their reaction changes the torques of the legs:
tau = tau_free - sum_c J_c^T f_c. The forces f_c at the corners of the soles are sought inside
friction pyramids, so they push and never pull; what they cannot give is the imbalance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from animato.character import Character, Frame
from animato.mechanics.tree import GeneralizedForces, States, forward_kinematics, frame_jacobians, packed_tree

CONTACT_HEIGHT = 0.015
"""A corner of a sole below this height [m] touches the floor, which is z = 0."""

FRICTION = 0.8
"""Friction coefficient of soles on the floor."""

_REGULARIZATION = 1e-3  # of forces against the wrench they add up to; spreads load evenly, costs 1e-6 of it


@dataclass(frozen=True, eq=False)
class Support:
    """How the floor carries a character.

    Attributes:
        torques: What the motors must give with the floor's help, [time, dof]; root columns are zero
            where the floor gives all.
        corner_forces: On each corner, in world axes [N], [time, corner, 3].
        touching: Which corners touch, [time, corner].
        imbalance: Part of the root's force and torque that the floor cannot give, [time, 6].
    """

    torques: np.ndarray
    corner_forces: np.ndarray
    touching: np.ndarray
    imbalance: np.ndarray


def floor_support(character: Character, states: States, forces: GeneralizedForces) -> Support:
    """Shares the root's force and torque among the corners of the soles that touch the floor.

    Args:
        character: A floating tree character with soles.
        states: Where it is.
        forces: Its inverse dynamics without contact.
    """
    corners, jacobians = _corners(character, states)
    touching = corners[..., 2] <= CONTACT_HEIGHT
    count, corner_count = touching.shape
    root_count = 6 if packed_tree(character).has_free_root else 0
    edges = np.array([(FRICTION, 0, 1), (-FRICTION, 0, 1), (0, FRICTION, 1), (0, -FRICTION, 1)], dtype=np.float64)
    edges /= np.linalg.norm(edges, axis=1, keepdims=True)
    # generalized force of a unit push along each edge of each corner, [time, dof, corner, edge]
    pushes = np.einsum("tcid,ei->tdce", jacobians, edges)
    given = np.zeros((count, corner_count, len(edges)))
    for t in range(count):
        active = np.flatnonzero(touching[t])
        if active.size == 0:
            continue
        matrix = pushes[t, :root_count, active].transpose(1, 0, 2).reshape(root_count, -1)
        width = matrix.shape[1]
        stacked = np.vstack([matrix, _REGULARIZATION * np.eye(width)])
        wanted = np.concatenate([forces.values[t, :root_count], np.zeros(width)])
        solution, _ = nnls(stacked, wanted, maxiter=30 * width)
        given[t, active] = solution.reshape(-1, len(edges))
    torques = forces.values - np.einsum("tdce,tce->td", pushes, given)
    return Support(torques, given @ edges, touching, torques[:, :root_count])


def _corners(character: Character, states: States) -> tuple[np.ndarray, np.ndarray]:
    """Positions [time, corner, 3] and linear Jacobians [time, corner, 3, dof] of all soles' corners."""
    poses = forward_kinematics(character, states)
    places, jacobians = [], []
    for sole in character.soles:
        pose = poses.of(sole.body)
        for corner in sole.corners:
            places.append(pose.apply(corner))
            jacobians.append(frame_jacobians(character, states, sole.body, Frame(corner))[:, :3])
    return np.stack(places, axis=1), np.stack(jacobians, axis=1)
