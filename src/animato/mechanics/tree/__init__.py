"""Mechanics of characters whose joints form a tree: kinematics, RNEA and its derivatives, mass matrices."""

from animato.mechanics.tree.contact_torques import ContactPoints, ContactTorques, build_contact_points, contact_torques
from animato.mechanics.tree.coriolis_algebra import coriolis_at, coriolis_times, coriolis_transposed_times
from animato.mechanics.tree.kinematics import (
    FIXED,
    SLIDE,
    TURN,
    BodyPoses,
    Chain,
    NamedPoint,
    PackedChain,
    PackedTree,
    PointChains,
    PointKinematics,
    States,
    Tree,
    build_chain,
    build_point_kinematics,
    centre_of_mass,
    forward_kinematics,
    frame_jacobians,
    named_point,
    packed_tree,
    point_hessians_kernel,
    point_jacobians_kernel,
    states_of_clip,
    states_of_posture,
    world_poses,
)
from animato.mechanics.tree.mass_matrix import mass_matrix, put_mass_matrix
from animato.mechanics.tree.rnea import GeneralizedForces, inverse_dynamics
from animato.mechanics.tree.rnea_derivatives import RneaDerivatives, put_rnea_derivatives, rnea_derivatives
from animato.mechanics.tree.rnea_derivatives_walk import Walk, build_moment_walk, walk_moment_outward
from animato.mechanics.tree.rnea_kernel import inverse_dynamics_kernel
from animato.mechanics.tree.root_frame_walk import step_inertia
from animato.mechanics.tree.step_columns import StepColumns

__all__ = [
    "FIXED",
    "SLIDE",
    "TURN",
    "BodyPoses",
    "Chain",
    "ContactPoints",
    "ContactTorques",
    "GeneralizedForces",
    "NamedPoint",
    "PackedChain",
    "PackedTree",
    "PointChains",
    "PointKinematics",
    "RneaDerivatives",
    "States",
    "StepColumns",
    "Tree",
    "Walk",
    "build_chain",
    "build_contact_points",
    "build_moment_walk",
    "build_point_kinematics",
    "centre_of_mass",
    "contact_torques",
    "coriolis_at",
    "coriolis_times",
    "coriolis_transposed_times",
    "forward_kinematics",
    "frame_jacobians",
    "inverse_dynamics",
    "inverse_dynamics_kernel",
    "mass_matrix",
    "named_point",
    "packed_tree",
    "point_hessians_kernel",
    "point_jacobians_kernel",
    "put_mass_matrix",
    "put_rnea_derivatives",
    "rnea_derivatives",
    "states_of_clip",
    "states_of_posture",
    "step_inertia",
    "walk_moment_outward",
    "world_poses",
]
