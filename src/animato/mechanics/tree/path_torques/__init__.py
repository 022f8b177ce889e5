"""Torques along a path with exact first and second derivatives, for problems in which the path itself moves."""

from animato.mechanics.tree.path_torques.joint_chain import JointChain, build_joint_chain, carried
from animato.mechanics.tree.path_torques.torques import PlaceTorques, build_place_torques, torques_kernel
from animato.mechanics.tree.path_torques.walk import Walk, build_walk

__all__ = [
    "JointChain",
    "PlaceTorques",
    "Walk",
    "build_joint_chain",
    "build_place_torques",
    "build_walk",
    "carried",
    "torques_kernel",
]
