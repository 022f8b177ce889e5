"""What the floor gives to a character that stands on its soles.

Inverse dynamics of a floating character leaves a force and a torque at its root that nothing
gives. The soles on the floor must give them, and their reaction changes the torques of the legs:
tau = tau_free - sum_c J_c^T f_c. The forces f_c at the corners of the soles are sought inside
friction pyramids, so they push and never pull; what they cannot give is the imbalance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.mechanics.contact.corners import Corners, corners_of
from animato.mechanics.contact.friction import FRICTION, friction_cone, shared_wrench
from animato.mechanics.contact.zmp import FLIGHT_SHARE, root_wrench, vertical_share, weight_of
from animato.mechanics.tree import GeneralizedForces, States, packed_tree

LEAST_STANDING = 0.5
"""Share of the moments that are no flight at which a sole must touch for a motion to be one on the floor."""


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


def standing_share(character: Character, states: States, forces: GeneralizedForces, touching: np.ndarray) -> float:
    """Share of the moments at which something must carry the character and a sole touches; 0 where all is flight.

    Args:
        character: A floating tree character with soles.
        states: What it does.
        forces: Its inverse dynamics without contact.
        touching: Which corners touch, [time, corner].
    """
    if weight_of(character) <= 0.0:
        return float(np.any(touching, axis=1).mean())
    carried = vertical_share(character, root_wrench(character, states, forces)) >= FLIGHT_SHARE
    return float(np.any(touching, axis=1)[carried].mean()) if carried.any() else 0.0


def floor_support(character: Character, states: States, forces: GeneralizedForces) -> Support:
    """Shares the root's force and torque among the corners of the soles that touch the floor.

    Args:
        character: A floating tree character with soles.
        states: Where it is.
        forces: Its inverse dynamics without contact.
    """
    corners = corners_of(character, states)
    return corner_forces(character, corners, forces, corners.touching)


def corner_forces(
    character: Character,
    corners: Corners,
    forces: GeneralizedForces,
    touching: np.ndarray,
    *,
    friction: float = FRICTION,
) -> Support:
    """Shares the root's force and torque among points that touch, by least squares inside friction pyramids.

    Args:
        character: A tree character; one that does not float needs no forces and gets none.
        corners: Points that may touch a level surface.
        forces: Its inverse dynamics without contact.
        touching: Which of them touch, [time, corner].
        friction: Coefficient.

    Raises:
        MotionError: `touching` is not of this shape.
    """
    count, corner_count = corners.positions.shape[:2]
    if touching.shape != (count, corner_count):
        raise MotionError(
            f"`touching` has the shape {list(touching.shape)}; {count} moments and {corner_count} corners need "
            f"[{count}, {corner_count}]."
        )
    root_count = 6 if packed_tree(character).has_free_root else 0
    edges = friction_cone(friction)
    # generalized force of a unit push along each edge of each corner, [time, corner, edge, dof]
    pushes = np.matmul(edges, corners.jacobians[..., :root_count]) * touching[:, :, None, None]
    columns = pushes.reshape(count, corner_count * len(edges), root_count).transpose(0, 2, 1)
    weights = shared_wrench(columns, forces.values[:, :root_count]).reshape(count, corner_count, len(edges))
    given = weights @ edges
    flat = given.reshape(count, 1, 3 * corner_count)
    dofs = corners.jacobians.shape[-1]
    felt = np.matmul(flat, corners.jacobians.reshape(count, 3 * corner_count, dofs))[:, 0]
    torques = forces.values - felt
    return Support(torques, given, touching, torques[:, :root_count])
