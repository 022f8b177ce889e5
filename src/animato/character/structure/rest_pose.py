"""Where the bodies are while every coordinate is neutral, and whether the loops close there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from animato.character.character import Character
from animato.character.joint import Joint, JointRole
from animato.character.structure.joint_coordinates import JointStand, joint_stand
from animato.character.structure.joint_motion import joint_motion
from animato.character.structure.rigid import rigidified
from animato.character.structure.topology import topology_of
from animato.character.vectors import Vector
from animato.spatial.rigid_transform import RigidTransform


def rest_coordinates(joint: Joint) -> Vector:
    """Coordinates of a joint in the rest pose: neutral, as configured, or where its leader at zero puts it."""
    if joint.role is JointRole.CONFIGURABLE and joint.configuration:
        return joint.configuration
    return joint.neutral if joint.coupling is None else (joint.coupling.offset,)


@lru_cache(maxsize=64)
def rest_poses(character: Character) -> Mapping[str, RigidTransform]:
    """T_world_body of every body in the rest pose, by name; flexible parts are taken as rigid.

    Walks the spanning tree. A character that floats has its root at the origin of the world.
    """
    poses: dict[str, RigidTransform] = {}
    for link in topology_of(rigidified(character)).links:
        if link.joint is None:
            poses[link.body] = RigidTransform()
            continue
        joint = link.joint
        motion = joint_motion(joint, rest_coordinates(joint))
        step = joint.frame_parent.transform @ motion @ joint.frame_child.transform.inverse()
        above = RigidTransform() if link.parent is None else poses[link.parent]
        poses[link.body] = above @ (step.inverse() if link.reversed else step)
    return MappingProxyType(poses)


def rest_stands(character: Character) -> dict[str, JointStand]:
    """Where the joints that close loops stand in the rest pose, by name, and by how much they fail to close."""
    poses = rest_poses(character)
    stands = {}
    for joint in topology_of(rigidified(character)).loop_joints:
        between = (poses[joint.parent] @ joint.frame_parent.transform).inverse() @ (
            poses[joint.child] @ joint.frame_child.transform
        )
        stands[joint.name] = joint_stand(joint, between)
    return stands
