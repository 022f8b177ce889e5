"""The zero moment point of frames (eq. 7) and its distance from the middle of the feet, with exact derivatives.

The base wrench of inverse dynamics, force F and moment N about the world's origin, is what the floor has to give. Its
point on the floor z = 0 is x = -N_y / F_z, y = N_x / F_z, which is eq. 7 with the fraction bar that its second line
lost; written with the centre of mass it has the same value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import RneaDerivatives
from animato.mimic.published.postures import Postures, cross_matrices
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class Zmp:
    """Zero moment points and how they change.

    Attributes:
        values: x, y [m], [frame, 2].
        by_q: By steps of the frame itself, rates held, [frame, 2, dof].
        by_v, by_a: By velocities and accelerations, [frame, 2, dof].
    """

    values: np.ndarray
    by_q: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray


def zmp_of(postures: Postures, forces: RneaDerivatives) -> Zmp:
    """The points of the base wrench.

    Args:
        postures: Where the robot is.
        forces: Its inverse dynamics, a free root first.
    """
    R, p = quaternions.matrix_from_quaternion(postures.root[:, 3:]), postures.root[:, :3]
    force, moment = forces.tau[:, :3], forces.tau[:, 3:6]
    F = np.einsum("fij,fj->fi", R, force)
    N = np.cross(p, F) + np.einsum("fij,fj->fi", R, moment)
    at = np.stack([-N[:, 1], N[:, 0]], axis=1) / F[:, 2:]
    arm = cross_matrices(p)

    def through(changes: np.ndarray, dF: np.ndarray | float = 0.0, dN: np.ndarray | float = 0.0) -> np.ndarray:
        """The change of the point by changes of the wrench in the root's axes [frame, 6, dof], and by more."""
        along = R @ changes[:, :3] + dF
        about = arm @ along + R @ changes[:, 3:6] + dN
        top = np.stack([-about[:, 1], about[:, 0]], axis=1)
        return np.asarray((top - at[:, :, None] * along[:, None, 2]) / F[:, 2, None, None])

    turned, shifted = np.zeros_like(forces.by_q[:, :3]), np.zeros_like(forces.by_q[:, :3])
    turned[:, :, 3:6] = -R @ cross_matrices(force)  # the wrench turns along with the root
    shifted[:, :, 3:6] = -R @ cross_matrices(moment)
    shifted[:, :, :3] = -cross_matrices(F) @ R
    return Zmp(at, through(forces.by_q, turned, shifted), through(forces.by_v), through(forces.by_a))
