"""What follows from a character: its tree, its rest pose, what joints do to frames, other zeros."""

from animato.character.structure.baked import baked
from animato.character.structure.joint_coordinates import JointStand, joint_stand
from animato.character.structure.joint_motion import joint_motion
from animato.character.structure.named_end_point import character_with_end_point
from animato.character.structure.rest_pose import rest_coordinates, rest_poses, rest_stands
from animato.character.structure.rezeroed import rezeroed, rezeroed_joint
from animato.character.structure.rigid import rigidified
from animato.character.structure.topology import TreeLink, topology_of

__all__ = [
    "JointStand",
    "TreeLink",
    "baked",
    "character_with_end_point",
    "joint_motion",
    "joint_stand",
    "rest_coordinates",
    "rest_poses",
    "rest_stands",
    "rezeroed",
    "rezeroed_joint",
    "rigidified",
    "topology_of",
]
