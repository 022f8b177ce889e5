"""Where a joint stands: the inverse of `joint_motion`, and what no coordinate of the joint explains."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from animato.character.joint import Joint, JointType
from animato.character.structure.joint_motion import joint_motion
from animato.character.vectors import Vector
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True)
class JointStand:
    """The position of a joint between two placed frames.

    Attributes:
        coordinates: [rad or m; a unit quaternion for a spherical joint], as in `joint.coordinate_names`.
        distance: By which the frames are apart in a way that the joint does not move [m].
        angle: The same for turns [rad].
    """

    coordinates: Vector
    distance: float
    angle: float


def joint_stand(joint: Joint, transform: RigidTransform) -> JointStand:
    """The coordinates at which a joint comes nearest to a transform between its frames.

    Exact, with gaps of zero, where the joint can reach the transform. A universal joint whose second
    axis is along the first has two ways to be there; the one without a second turn is taken.

    Args:
        joint: Any joint.
        transform: T_frame-on-parent_frame-on-child, not batched.
    """
    axes = joint.axes
    shift = axes.T @ transform.position
    coordinates = _coordinates(joint.type, shift, axes, transform.quaternion_wxyz)
    left = joint_motion(joint, coordinates).inverse() @ transform
    angle = float(np.linalg.norm(quaternions.rotation_vector_from_quaternion(left.quaternion_wxyz)))
    return JointStand(coordinates, float(np.linalg.norm(left.position)), angle)


def _coordinates(kind: JointType, shift: np.ndarray, axes: np.ndarray, turn_wxyz: np.ndarray) -> Vector:
    if kind is JointType.SPHERICAL:
        return tuple(turn_wxyz.tolist())
    if kind is JointType.CARTESIAN:
        return tuple(shift.tolist())
    if kind is JointType.UNIVERSAL:
        # R = Rx(first) Ry(second) in the joint's axes: its middle column is (0, cos first, sin first).
        matrix = axes.T @ quaternions.matrix_from_quaternion(turn_wxyz) @ axes
        return (math.atan2(matrix[2, 1], matrix[1, 1]), math.atan2(matrix[0, 2], matrix[0, 0]))
    twist = 2.0 * math.atan2(float(axes[:, 0] @ turn_wxyz[1:]), float(turn_wxyz[0]))
    twist = math.remainder(twist, 2.0 * math.pi)
    slide = float(shift[0])
    by_type: dict[JointType, Vector] = {
        JointType.REVOLUTE: (twist,),
        JointType.PRISMATIC: (slide,),
        JointType.CYLINDRICAL: (slide, twist),
    }
    return by_type.get(kind, ())
