"""How a joint moves its child: the transform between its two frames at given coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character.joint import Joint, JointType
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


def joint_motion(joint: Joint, coordinates: Sequence[float]) -> RigidTransform:
    """motion(q) of the joint's docstring: T_frame-on-parent_frame-on-child.

    Args:
        joint: Any joint.
        coordinates: In the order of `joint.coordinate_names`.
    """
    axes = joint.axes
    values = np.asarray(coordinates, dtype=np.float64)
    if joint.type is JointType.SPHERICAL:
        return RigidTransform((0.0, 0.0, 0.0), quaternions.normalized(values))
    if joint.type is JointType.CARTESIAN:
        return RigidTransform(axes @ values)
    if joint.type is JointType.PRISMATIC:
        return RigidTransform(axes[:, 0] * values[0])
    if joint.type is JointType.CYLINDRICAL:
        return RigidTransform(axes[:, 0] * values[0], quaternions.quaternion_about(axes[:, 0], values[1]))
    if joint.type is JointType.REVOLUTE:
        return RigidTransform((0.0, 0.0, 0.0), quaternions.quaternion_about(axes[:, 0], values[0]))
    if joint.type is JointType.UNIVERSAL:
        first = quaternions.quaternion_about(axes[:, 0], values[0])
        second = quaternions.quaternion_about(axes[:, 1], values[1])
        return RigidTransform((0.0, 0.0, 0.0), quaternions.multiply(first, second))
    return RigidTransform()
