"""Mechanics of trees: packing, kinematics, points, chains and inverse dynamics."""

from animato.mechanics.tree.chains import Chain, PackedChain, build_chain
from animato.mechanics.tree.kinematics import BodyPoses, forward_kinematics, frame_jacobians
from animato.mechanics.tree.packing import SLIDE, TURN, PackedTree, Tree, packed_tree
from animato.mechanics.tree.point_kernels import PointChains, point_bends_kernel, point_jacobians_kernel
from animato.mechanics.tree.points import PointKinematics, build_point_kinematics
from animato.mechanics.tree.rnea import GeneralizedForces, inverse_dynamics
from animato.mechanics.tree.rnea_kernel import inverse_dynamics_kernel
from animato.mechanics.tree.states import States, states_of_clip
from animato.mechanics.tree.steps import world_poses

__all__ = [
    "SLIDE",
    "TURN",
    "BodyPoses",
    "Chain",
    "GeneralizedForces",
    "PackedChain",
    "PackedTree",
    "PointChains",
    "PointKinematics",
    "States",
    "Tree",
    "build_chain",
    "build_point_kinematics",
    "forward_kinematics",
    "frame_jacobians",
    "inverse_dynamics",
    "inverse_dynamics_kernel",
    "packed_tree",
    "point_bends_kernel",
    "point_jacobians_kernel",
    "states_of_clip",
    "world_poses",
]
