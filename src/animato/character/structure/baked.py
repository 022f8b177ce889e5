"""A design made permanent: configurable joints set where their configuration says."""

from __future__ import annotations

from dataclasses import replace

from animato.character.character import Character
from animato.character.joint import Joint, JointRole, JointType
from animato.character.structure.rest_pose import rest_coordinates
from animato.character.structure.rezeroed import rezeroed_joint


def baked(character: Character, *, fixed: bool = True) -> Character:
    """Moves the configuration of every configurable joint into its frames. No body moves by it.

    Args:
        character: Any; without configurable joints it is returned as it is.
        fixed: Whether the joints become fixed ones, as they are once the robot is built. Otherwise
            they stay configurable and are neutral there, which is where a next design starts from.
    """
    joints = tuple(_baked(joint, fixed) for joint in character.joints)
    return character if joints == character.joints else replace(character, joints=joints)


def _baked(joint: Joint, fixed: bool) -> Joint:
    if joint.role is not JointRole.CONFIGURABLE or joint.type is JointType.GROUND:
        return joint
    if fixed:
        # Limits, gears and motors mean nothing to a joint that does not move.
        joint = replace(joint, stated_limits=(), actuator=None, coupling=None)
    moved = replace(rezeroed_joint(joint, rest_coordinates(joint)), configuration=())
    if not fixed:
        return moved
    return Joint(
        joint.name, JointType.FIXED, joint.parent, joint.child, JointRole.PASSIVE, moved.frame_parent, moved.frame_child
    )
