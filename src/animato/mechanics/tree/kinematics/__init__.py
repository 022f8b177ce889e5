"""A character as packed steps: where its bodies, points and chains are, and how they move with its coordinates."""

from animato.mechanics.tree.kinematics.chains import Chain, PackedChain, build_chain
from animato.mechanics.tree.kinematics.forward import (
    BodyPoses,
    as_states,
    centre_of_mass,
    forward_kinematics,
    frame_jacobians,
)
from animato.mechanics.tree.kinematics.packing import BALL, FIXED, FREE, SLIDE, TURN, PackedTree, Tree, packed_tree
from animato.mechanics.tree.kinematics.point_kernels import PointChains, point_hessians_kernel, point_jacobians_kernel
from animato.mechanics.tree.kinematics.points import NamedPoint, PointKinematics, build_point_kinematics, named_point
from animato.mechanics.tree.kinematics.states import States, states_of_clip, states_of_posture
from animato.mechanics.tree.kinematics.steps import step_pose, world_poses

__all__ = [
    "BALL",
    "FIXED",
    "FREE",
    "SLIDE",
    "TURN",
    "BodyPoses",
    "Chain",
    "NamedPoint",
    "PackedChain",
    "PackedTree",
    "PointChains",
    "PointKinematics",
    "States",
    "Tree",
    "as_states",
    "build_chain",
    "build_point_kinematics",
    "centre_of_mass",
    "forward_kinematics",
    "frame_jacobians",
    "named_point",
    "packed_tree",
    "point_hessians_kernel",
    "point_jacobians_kernel",
    "states_of_clip",
    "states_of_posture",
    "step_pose",
    "world_poses",
]
