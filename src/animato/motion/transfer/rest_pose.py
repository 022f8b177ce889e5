"""Rest poses of skeletons and robots: which way they face, and where their limbs point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Character, Joint, JointType
from animato.character.structure import topology_of
from animato.errors import MotionError
from animato.motion.captured_motion import CapturedMotion
from animato.motion.transfer.bone_names import side_and_words
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

_ALONG_AXIS = np.cos(np.radians(20.0))


@dataclass(frozen=True, eq=False)
class SkeletonMotion:
    """A capture measured from its rest pose, in axes in which it faces along x there.

    Attributes:
        rest_positions: Of the bones' joints in the rest pose [m], shape [bone, 3].
        turns_wxyz: Of each bone in the world, from the rest pose, shape [frame, bone, 4].
        facing_wxyz: The turn F about z that takes the direction the capture faces at rest to x.
    """

    rest_positions: np.ndarray
    turns_wxyz: np.ndarray
    facing_wxyz: np.ndarray


def measured_from_rest(capture: CapturedMotion, rest_frame: int | None) -> SkeletonMotion:
    """Measures a capture from its rest pose.

    Args:
        capture: The motion.
        rest_frame: Frame that is the rest pose; None takes the pose in which all rotations are zero.
    """
    positions, turns = capture.world_poses()
    if rest_frame is None:
        places = np.zeros((len(capture.names), 3))
        for bone, parent in enumerate(capture.parents):
            places[bone] = capture.offsets[bone] + (places[parent] if parent >= 0 else 0.0)
    else:
        if not 0 <= rest_frame < capture.frame_count:
            raise MotionError(f"The rest frame must be 0 to {capture.frame_count - 1}, given {rest_frame}.")
        places = positions[rest_frame]
        turns = quaternions.multiply(turns, quaternions.conjugate(turns[rest_frame]))
    facing = _facing(capture.names, places)
    turned = quaternions.multiply(quaternions.multiply(facing, turns), quaternions.conjugate(facing))
    return SkeletonMotion(quaternions.rotate(facing, places), turned, facing)


def _facing(names: Sequence[str], places: np.ndarray) -> np.ndarray:
    """The turn about z that takes forward to x. Forward is across the direction from right to left bones.

    A skeleton without pairs of left and right bones is taken to face x already, as a robot does.
    """
    across = _right_to_left(names, places)
    if across is None or np.hypot(across[0], across[1]) < 1e-6:
        return np.array((1.0, 0.0, 0.0, 0.0))
    forward = np.arctan2(-across[0], across[1])  # left x up
    return quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), -forward)


def robot_facing(joints: dict[str, NeutralJoint]) -> np.ndarray:
    """The turn about z that takes the direction in which a robot faces to x, wxyz.

    Nearly all face along x of their root body; where left and right say otherwise, it is one of the other axes.

    Args:
        joints: In the axes of the root body.
    """
    places = np.array([joint.origin for joint in joints.values()]).reshape(-1, 3)
    across = _right_to_left(list(joints), places)
    still = np.array((1.0, 0.0, 0.0, 0.0))
    if across is None or np.hypot(across[0], across[1]) < max(abs(across[2]), 1e-6):
        return still
    quarters = 2.0 * np.arctan2(-across[0], across[1]) / np.pi
    if abs(quarters - round(quarters)) * 90.0 > 20.0:
        return still
    return quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), -0.5 * np.pi * round(quarters))


def _right_to_left(names: Sequence[str], places: np.ndarray) -> np.ndarray | None:
    """The way from all right to all left ones of pairs, or None without pairs."""
    sides: dict[tuple[str, ...], dict[str, int]] = {}
    for index, name in enumerate(names):
        side, words = side_and_words(name)
        if side:
            sides.setdefault(tuple(words), {})[side] = index
    pairs = [pair for pair in sides.values() if len(pair) == 2]
    if not pairs:
        return None
    return np.asarray(np.sum([places[pair["left"]] - places[pair["right"]] for pair in pairs], axis=0))


@dataclass(frozen=True, eq=False)
class NeutralJoint:
    """A joint of a robot in its neutral pose, in axes in which the robot faces along x.

    Attributes:
        joint: The joint.
        above: Name of the joint nearer to the root, or None.
        origin: Where it is [m], shape [3].
        frame_wxyz: Turns these axes into the joint's frame.
        axes: Rows a_x, a_y, a_z, signed so that they turn what is farther from the root, shape [3, 3].
        reversed: Whether the joint's parent is the body farther from the root.
    """

    joint: Joint
    above: str | None
    origin: np.ndarray
    frame_wxyz: np.ndarray
    axes: np.ndarray
    reversed: bool


def neutral_joints(character: Character, facing_wxyz: np.ndarray | None = None) -> dict[str, NeutralJoint]:
    """All joints of the spanning tree, nearest to the root first; configurable ones count at neutral.

    Args:
        character: The robot.
        facing_wxyz: The turn that takes the direction in which its root body faces to x; None where it faces x.
    """
    root = RigidTransform() if facing_wxyz is None else RigidTransform(np.zeros(3), facing_wxyz)
    bodies: dict[str, RigidTransform] = {}
    joint_above: dict[str, str | None] = {}
    result: dict[str, NeutralJoint] = {}
    for link in topology_of(character).links:
        joint = link.joint
        if joint is None or link.parent is None or joint.type is JointType.GROUND:
            bodies[link.body], joint_above[link.body] = root, None
            continue
        near, far = joint.frame_parent, joint.frame_child
        if link.reversed:
            near, far = far, near
        frame = bodies[link.parent] @ near.transform
        bodies[link.body] = frame @ far.transform.inverse()
        axes = quaternions.rotate(frame.quaternion_wxyz, joint.axes.T) * (-1.0 if link.reversed else 1.0)
        above = joint_above[link.parent]
        result[joint.name] = NeutralJoint(joint, above, frame.position, frame.quaternion_wxyz, axes, link.reversed)
        joint_above[link.body] = joint.name
    return result


def limb_direction(start: np.ndarray, end: np.ndarray, *, snapped: bool) -> np.ndarray | None:
    """The direction of a limb from one joint to the next, or None where they are at one place.

    Args:
        start: Of the limb [m], shape [3].
        end: Of the limb [m], shape [3].
        snapped: Whether a direction within 20 degrees of an axis is laid along it. Motors put a
            robot's joints beside the middle line of a limb, which a neutral pose makes straight.
    """
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 1e-6:
        return None
    along = along / length
    largest = int(np.argmax(np.abs(along)))
    if snapped and abs(along[largest]) > _ALONG_AXIS:
        return np.sign(along[largest]) * np.eye(3)[largest]
    return along
