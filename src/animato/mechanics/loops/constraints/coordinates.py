"""Coordinates of all joints from the states of a mechanism's bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Joint, JointType
from animato.errors import unknown_name
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

if TYPE_CHECKING:
    from animato.mechanics.loops.constraints.mechanism import Mechanism


@dataclass(frozen=True, eq=False)
class JointCoordinates:
    """Coordinates of every joint that moves, passive, actuated or configurable.

    Attributes:
        names: As in the joints' `coordinate_names`, in the order of the mechanism's joints.
        values: [rad, m or quaternion parts], shape [step, coordinate]. Angles start in (-pi, pi] and
            go on without jumps; quaternions start with w >= 0 and keep their sign continuous.
    """

    names: tuple[str, ...]
    values: np.ndarray

    def columns(self, names: tuple[str, ...]) -> np.ndarray:
        """Only these coordinates, shape [step, name]."""
        for name in names:
            if name not in self.names:
                raise unknown_name("coordinate", name, self.names, "the mechanism")
        return self.values[:, [self.names.index(name) for name in names]]


def joint_coordinates(mechanism: Mechanism, states: ArrayLike) -> JointCoordinates:
    """Reads the coordinates of all joints off the bodies' poses.

    Args:
        mechanism: Whose joints.
        states: Shape [step, state]; the joints' rows should hold, or the answer is the nearest along
            each joint's own axes.
    """
    table = np.atleast_2d(np.asarray(states, dtype=np.float64))
    names: list[str] = []
    columns: list[np.ndarray] = [np.zeros((len(table), 0))]
    for joint in mechanism.joints:
        if not joint.coordinate_names:
            continue
        names += joint.coordinate_names
        columns.append(_coordinates(joint, joint_transforms(mechanism, joint, table)))
    return JointCoordinates(tuple(names), np.hstack(columns))


def body_transforms(mechanism: Mechanism, states: np.ndarray, body: str) -> RigidTransform:
    """T_world_body at all steps of states [step, state]."""
    first = 7 * mechanism.body_index(body)
    turn = quaternions.normalized(states[:, first + 3 : first + 7])
    return RigidTransform(states[:, first : first + 3], turn)


def joint_transforms(mechanism: Mechanism, joint: Joint, states: np.ndarray) -> RigidTransform:
    """Of the joint's frame on its child in its frame on its parent, at all steps."""
    far = body_transforms(mechanism, states, joint.child) @ joint.frame_child.transform
    near = joint.frame_parent.transform
    if joint.type is not JointType.GROUND:
        near = body_transforms(mechanism, states, joint.parent) @ near
    return near.inverse() @ far


def _coordinates(joint: Joint, relative: RigidTransform) -> np.ndarray:
    axes = joint.axes
    along = np.asarray(relative.position) @ axes
    if joint.type is JointType.CARTESIAN:
        return along
    if joint.type is JointType.PRISMATIC:
        return along[:, :1]
    if joint.type is JointType.SPHERICAL:
        return quaternions.continuous(relative.quaternion_wxyz)
    turn = axes.T @ quaternions.matrix_from_quaternion(relative.quaternion_wxyz) @ axes
    if joint.type is JointType.UNIVERSAL:
        first = np.arctan2(turn[:, 2, 1], turn[:, 1, 1])
        second = np.arctan2(turn[:, 0, 2], turn[:, 0, 0])
        return np.unwrap(np.column_stack([first, second]), axis=0)
    angle = np.unwrap(np.arctan2(turn[:, 2, 1] - turn[:, 1, 2], turn[:, 1, 1] + turn[:, 2, 2]))[:, None]
    return np.hstack([along[:, :1], angle]) if joint.type is JointType.CYLINDRICAL else angle
