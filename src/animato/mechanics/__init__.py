"""Physics of a character: pure functions over packed arrays."""

from animato.mechanics.constraint_factor import ConstraintFactors, factor_constraints
from animato.mechanics.constraint_pattern import SparsePattern
from animato.mechanics.constraint_sensitivity import sensitivities, sensitivity_pattern
from animato.mechanics.constraint_values import (
    ConstraintJacobians,
    constraint_curvature,
    constraint_jacobians,
    constraint_values,
)
from animato.mechanics.dynamics import GeneralizedForces, inverse_dynamics
from animato.mechanics.kinematics import BodyPoses, centre_of_mass, forward_kinematics, frame_jacobians
from animato.mechanics.loop_clip import clip_with_loops, loop_motion
from animato.mechanics.loop_coordinates import JointCoordinates, joint_coordinates
from animato.mechanics.loop_kinematics import loop_kinematics
from animato.mechanics.loop_motion import LoopMotion
from animato.mechanics.loop_singular_values import smallest_singular_values
from animato.mechanics.mechanism import Mechanism
from animato.mechanics.mechanism_build import build_mechanism
from animato.mechanics.mechanism_counts import MechanismCounts
from animato.mechanics.states import States, states_of_clip, states_of_posture

__all__ = [
    "BodyPoses",
    "ConstraintFactors",
    "ConstraintJacobians",
    "GeneralizedForces",
    "JointCoordinates",
    "LoopMotion",
    "Mechanism",
    "MechanismCounts",
    "SparsePattern",
    "States",
    "build_mechanism",
    "centre_of_mass",
    "clip_with_loops",
    "constraint_curvature",
    "constraint_jacobians",
    "constraint_values",
    "factor_constraints",
    "forward_kinematics",
    "frame_jacobians",
    "inverse_dynamics",
    "joint_coordinates",
    "loop_kinematics",
    "loop_motion",
    "sensitivities",
    "sensitivity_pattern",
    "smallest_singular_values",
    "states_of_clip",
    "states_of_posture",
]
