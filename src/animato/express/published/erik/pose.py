"""A pose as ERIK's phases see it: joint angles and the frames they lead to (Table 3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.published.erik.algebra import Z, normalized, quaternion, rotate, store, vector
from animato.express.published.erik.joint_model import JointModel, away_from_edge, safe_angle
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import IDENTITY, Quaternion, Vector, about
from animato.kernels.quaternions import times as multiply


class Pose(NamedTuple):
    """A solution or a posture, changed in place.

    During a phase the frames need not follow from the angles. Only directions of segments matter to ERIK,
    so there are no positions: segment k points along the z axis of frame k + 1, and the printed
    differences of positions are these axes. That also serves segments without length.

    Attributes:
        angle: theta of each joint [rad], [n].
        basis: Q, the frame of each joint before it moves, in the root's frame, and the superpoint's last
            (eq. 24, whose first rho is theta), wxyz, [n + 1, 4].
    """

    angle: np.ndarray
    basis: np.ndarray


@kernel
def empty_pose(count: int) -> Pose:
    """A pose to be filled."""
    return Pose(np.zeros(count), np.zeros((count + 1, 4)))


@kernel
def basis_of(pose: Pose, k: int) -> Quaternion:
    """Q of joint k."""
    return quaternion(pose.basis[k])


@kernel
def direction(q: Quaternion) -> Vector:
    """The z axis of a frame."""
    return rotate(Z, q)


@kernel
def moved(model: JointModel, k: int, basis: Quaternion, angle: float) -> Quaternion:
    """Omega: where joint k, turned from its basis by an angle, carries the next frame (eq. 18b, `L` for `QL`).

    Its z axis is the direction of k's segment (eq. 18c, read as RotVQ(Y, Omega)).
    """
    return multiply(multiply(basis, about(vector(model.axis[k]), angle)), quaternion(model.child_turn[k]))


@kernel
def orientation(model: JointModel, pose: Pose, k: int) -> Quaternion:
    """Omega of joint k at its present basis and angle."""
    return moved(model, k, basis_of(pose, k), pose.angle[k])


@kernel
def segment_direction(model: JointModel, pose: Pose, k: int) -> Vector:
    """Theta_k_d: where k's segment points at its present basis and angle."""
    return direction(orientation(model, pose, k))


@kernel
def world_axis(model: JointModel, pose: Pose, k: int) -> Vector:
    """The rotation axis of k in the root's frame."""
    return rotate(vector(model.axis[k]), basis_of(pose, k))


@kernel
def set_frame_from_parent(model: JointModel, pose: Pose, k: int) -> None:
    """SetFrameFromParent: the basis of k follows from the joint before it; the root's is fixed."""
    if k == 0:
        store(IDENTITY, pose.basis[0])
    else:
        store(normalized(orientation(model, pose, k - 1)), pose.basis[k])


@kernel
def apply_fk(model: JointModel, pose: Pose, k: int) -> None:
    """ApplyFK: all frames after joint k follow from the angles."""
    for j in range(k + 1, len(pose.angle) + 1):
        set_frame_from_parent(model, pose, j)


@kernel
def set_angles(model: JointModel, pose: Pose, angles: np.ndarray) -> None:
    """A whole pose from joint angles [rad], [n]."""
    pose.angle[:] = angles
    set_frame_from_parent(model, pose, 0)
    apply_fk(model, pose, 0)


@kernel
def set_empty(model: JointModel, pose: Pose) -> None:
    """EmptySolution: all angles zero, or the limit nearest to it."""
    for k in range(len(pose.angle)):
        pose.angle[k] = safe_angle(model, k, 0.0)
    set_frame_from_parent(model, pose, 0)
    apply_fk(model, pose, 0)


@kernel
def avoid_posture_joint_edges(model: JointModel, pose: Pose, distance: float) -> None:
    """AvoidPostureJointEdges: moves every joint that is at a limit inside by a distance [rad]."""
    for k in range(len(pose.angle)):
        pose.angle[k] = away_from_edge(model, k, pose.angle[k], distance)
    apply_fk(model, pose, 0)
