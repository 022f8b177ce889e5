"""Where the landmarks of a robot are while it stands."""

from __future__ import annotations

import numpy as np

from animato.mechanics.tree import States, forward_kinematics, packed_tree
from animato.mimic.anatomy.anatomy import Anatomy


def stand_points(anatomy: Anatomy) -> dict[str, np.ndarray]:
    """Places of the robot's landmarks in its standing posture, facing x on the floor [m], [3] each."""
    still = np.zeros((1, len(packed_tree(anatomy.character).dof_names)))
    states = States(np.zeros(1), anatomy.stand_posture[None], still, still, np.array([anatomy.stand_root]))
    poses = forward_kinematics(anatomy.character, states)
    return {point.landmark: np.asarray(poses.of(point.body).apply(point.position)[0]) for point in anatomy.points}
