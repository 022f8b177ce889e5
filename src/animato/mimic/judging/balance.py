"""What carries a robot: its ZMP against its soles, and torques with the floor's help."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls
from scipy.spatial import ConvexHull

from animato.character import Character, Frame
from animato.mechanics.tree import States, frame_jacobians, inverse_dynamics, packed_tree
from animato.mimic.anatomy import Anatomy
from animato.mimic.judging.rules import Rules
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class Carried:
    """What something outside must give to the root, [frame].

    Attributes:
        zmp: On the floor [m], [frame, 2]; NaN where no weight is carried.
        weight_share: Vertical force over the weight, [frame].
        wrench: Force, and moment about the world's origin [m], over the weight, world axes, [frame, 6].
        forces: Of inverse dynamics without contact, [frame, dof].
    """

    zmp: np.ndarray
    weight_share: np.ndarray
    wrench: np.ndarray
    forces: np.ndarray


def carried(character: Character, states: States) -> Carried:
    """The base wrench of inverse dynamics and its ZMP."""
    forces = inverse_dynamics(character, states).values
    turn = states.root[:, 3:]
    push = quaternions.rotate(turn, forces[:, :3])
    moment = quaternions.rotate(turn, forces[:, 3:6]) + np.cross(states.root[:, :3], push)
    arrays = packed_tree(character).arrays
    weight = float(arrays.mass.sum() * np.linalg.norm(arrays.gravity))
    up = np.where(np.abs(push[:, 2]) > 1e-9, push[:, 2], np.nan)
    zmp = np.stack([-moment[:, 1] / up, moment[:, 0] / up], axis=1)
    return Carried(zmp, push[:, 2] / weight, np.hstack([push, moment]) / weight, forces)


def outside(zmp: np.ndarray, corners: np.ndarray, touching: np.ndarray) -> np.ndarray:
    """How far ZMPs are outside the hull of the touching corners [m], negative inside, infinite without any, [frame]."""
    found = np.full(len(zmp), np.inf)
    for t in np.flatnonzero(touching.any(axis=1)):
        found[t] = _outside(zmp[t], corners[t, touching[t], :2])
    return found


def _outside(point: np.ndarray, corners: np.ndarray) -> float:
    if len(corners) >= 3:
        planes = ConvexHull(corners).equations
        return float(np.max(planes[:, :2] @ point + planes[:, 2]))
    start, end = corners[0], corners[-1]
    along = end - start
    share = np.clip((point - start) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    return float(np.linalg.norm(point - start - share * along))


def floor_forces(
    anatomy: Anatomy, states: States, corners: np.ndarray, touching: np.ndarray, found: Carried, rules: Rules
) -> tuple[np.ndarray, np.ndarray]:
    """Torques with the floor's help [N m], [frame, dof], and the wrench that is left over the weight, [frame]."""
    soles = [(foot.sole.body, corner) for foot in anatomy.feet for corner in foot.sole.corners]
    jacobians = np.stack([frame_jacobians(anatomy.character, states, b, Frame(c))[:, :3] for b, c in soles], axis=1)
    angles = np.arange(8) * np.pi / 4
    edges = np.stack([rules.friction * np.cos(angles), rules.friction * np.sin(angles), np.ones(8)], axis=1)
    arrays = packed_tree(anatomy.character).arrays
    weight = float(arrays.mass.sum() * np.linalg.norm(arrays.gravity))
    torques, residual = found.forces.copy(), np.zeros(len(corners))
    for t in np.flatnonzero(touching.any(axis=1)):
        active = np.flatnonzero(touching[t])
        arms = np.cross(corners[t, active][:, None], edges[None])
        matrix = np.vstack([np.tile(edges.T, (1, len(active))), arms.reshape(-1, 3).T])
        wanted = weight * found.wrench[t]
        width = matrix.shape[1]
        given, _ = nnls(np.vstack([matrix, 1e-3 * np.eye(width)]), np.append(wanted, np.zeros(width)), maxiter=3000)
        pushes = given.reshape(-1, 8) @ edges
        torques[t] -= np.einsum("cid,ci->d", jacobians[t, active], pushes)
        residual[t] = np.linalg.norm(torques[t, :6]) / weight
    return torques, residual
