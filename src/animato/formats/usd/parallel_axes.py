"""Axes that a file means to be parallel, made parallel.

A frame in single precision is off by some 1e-7 rad. In a planar linkage that matters: its axes then
contradict one another, and its loops close in no pose but the one in which they were drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from animato.character import Frame, Joint, JointType
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

TOLERANCE = 1e-6  # [rad]
_ONE_AXIS = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.CYLINDRICAL)


def with_parallel_axes(joints: Sequence[Joint], poses: Mapping[str, RigidTransform]) -> list[Joint]:
    """The joints, axes that are parallel to single precision turned into their mean direction.

    Args:
        joints: Neutral in these poses: their two frames coincide.
        poses: T_world_body of the bodies they connect; what is not in it is the world.
    """
    directions = {joint.name: _direction(joint, poses) for joint in joints if joint.type in _ONE_AXIS}
    groups: list[list[str]] = []
    for name, direction in directions.items():
        for group in groups:
            if np.linalg.norm(np.cross(direction, directions[group[0]])) < TOLERANCE:
                group.append(name)
                break
        else:
            groups.append([name])
    means: dict[str, np.ndarray] = {}
    for group in groups:
        first = directions[group[0]]
        signs = {name: np.sign(directions[name] @ first) for name in group}
        mean = np.sum([signs[name] * directions[name] for name in group], axis=0)
        means |= {name: signs[name] * mean / np.linalg.norm(mean) for name in group if len(group) > 1}
    return [_turned(joint, means[joint.name], poses) if joint.name in means else joint for joint in joints]


def _direction(joint: Joint, poses: Mapping[str, RigidTransform]) -> np.ndarray:
    parent = poses.get(joint.parent, RigidTransform())
    return (parent @ joint.frame_parent.transform).rotation @ np.array(joint.axis)


def _turned(joint: Joint, direction: np.ndarray, poses: Mapping[str, RigidTransform]) -> Joint:
    """The joint with its axis along a direction of the world that is nearly its own."""
    parent, child = (poses.get(end, RigidTransform()) for end in (joint.parent, joint.child))
    placed = parent @ joint.frame_parent.transform
    turn = quaternions.shortest_turn(placed.rotation @ np.array(joint.axis), direction)
    frame = RigidTransform(placed.position, quaternions.multiply(turn, placed.quaternion_wxyz))
    return replace(
        joint,
        frame_parent=Frame.from_transform(parent.inverse() @ frame),
        frame_child=Frame.from_transform(child.inverse() @ frame),
    )
