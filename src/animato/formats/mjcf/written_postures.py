"""Postures of a character as keyframes: the position of every joint of the tree, in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from animato.character import Character, Joint, JointType, NamedPosture
from animato.character.structure import joint_stand, rest_poses, rezeroed, topology_of
from animato.formats.outgoing import PlainStep, PlainTree
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

FREE_AT_ORIGIN = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def keyframe(posture: NamedPosture, tree: PlainTree, order: Sequence[PlainStep]) -> list[float]:
    """Positions of all joints [rad or m; quaternions for balls], as MuJoCo lists them.

    Args:
        posture: Of the tree's character.
        tree: The written tree. It may be cut elsewhere than where the character's own tree ends; joints that
            the posture does not place are then read off the bodies.
        order: Its steps in the order of the file.
    """
    character, stated = tree.character, dict(posture.values)
    walked = {link.joint.name for link in topology_of(character).links if link.joint is not None}
    poses = None
    values: list[float] = []
    for step in order:
        joint = step.joint
        if joint is None:
            values += FREE_AT_ORIGIN
            continue
        if not step.axes:
            continue
        if joint.name in walked or not tree.ties:
            named = _stand(joint, stated)
        else:
            poses = poses or _poses(character, stated)
            near = poses[joint.parent] @ joint.frame_parent.transform
            between = near.inverse() @ poses[joint.child] @ joint.frame_child.transform
            named = dict(zip(joint.coordinate_names, joint_stand(joint, between).coordinates, strict=True))
        if joint.type is JointType.SPHERICAL:
            values += ball_in_body(step, np.array(list(named.values()))).tolist()
        else:
            values += [named[axis.name] for axis in step.axes]
    return values


def _stand(joint: Joint, stated: Mapping[str, float]) -> dict[str, float]:
    gear = joint.coupling
    if gear is not None:
        return {joint.name: gear.ratio * stated.get(gear.leader, 0.0) + gear.offset}
    return {name: stated.get(name, rest) for name, rest in zip(joint.coordinate_names, joint.neutral, strict=True)}


def _poses(character: Character, stated: Mapping[str, float]) -> Mapping[str, RigidTransform]:
    """T_world_body in the posture, by name."""
    bare = replace(character, joints=tuple(replace(joint, stated_limits=()) for joint in character.joints), postures=())
    named = [joint for joint in bare.free_joints if any(name in stated for name in joint.coordinate_names)]
    return rest_poses(rezeroed(bare, {joint.name: tuple(_stand(joint, stated).values()) for joint in named}))


def ball_in_body(step: PlainStep, turn_wxyz: np.ndarray) -> np.ndarray:
    """The quaternion of a ball as MuJoCo counts it, along the axes of the body that it moves, shape [..., 4]."""
    turn = quaternions.normalized(turn_wxyz)
    if step.reversed:
        turn = quaternions.conjugate(turn)
    on_body = step.after.inverse().quaternion_wxyz
    return quaternions.multiply(quaternions.multiply(on_body, turn), quaternions.conjugate(on_body))
