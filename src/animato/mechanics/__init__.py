"""Physics of a character: pure functions over packed arrays."""

from animato.mechanics.dynamics import GeneralizedForces, inverse_dynamics
from animato.mechanics.kinematics import BodyPoses, centre_of_mass, forward_kinematics, frame_jacobians
from animato.mechanics.states import States, states_of_clip, states_of_posture

__all__ = [
    "BodyPoses",
    "GeneralizedForces",
    "States",
    "centre_of_mass",
    "forward_kinematics",
    "frame_jacobians",
    "inverse_dynamics",
    "states_of_clip",
    "states_of_posture",
]
