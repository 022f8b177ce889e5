"""ERIK's forward phase: from the end-point to the root, frames after the warped posture (Alg. 8 to 10 and 14)."""

from __future__ import annotations

import math

from animato.express.published.erik.algebra import (
    Z,
    negative,
    normalized,
    quaternion,
    reject,
    rotate,
    signed_angle,
    store,
    turn_between,
    vector,
    wrapped,
    yaw_pitch_roll,
)
from animato.express.published.erik.hyper_parameters import ErikHyperParameters
from animato.express.published.erik.joint_model import (
    JointModel,
    away_from_edge,
    latitude_angle,
    safe_angle,
    safe_cyclic,
    safe_twist,
    target_latitude,
)
from animato.express.published.erik.pose import (
    Pose,
    apply_fk,
    basis_of,
    direction,
    moved,
    orientation,
    segment_direction,
)
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import Quaternion, Vector, about, conjugate, cross, dot, length
from animato.kernels.quaternions import times as multiply

_STRAIGHT = 1e-6  # sine of a bend that has no normal


@kernel
def forward_phase(
    model: JointModel, hyper: ErikHyperParameters, k: int, target: Quaternion, posture: Pose, pose: Pose
) -> None:
    """Alg. 8, ForwardPhase, for joint k.

    `target` is the superpoint's orientation, for the end-point; other joints take the frame that the joint
    after them has just been given. Line 35 stands outside the `if` of line 26. Lines 36-39 read the scalar
    part of a quaternion as its angle, and print pi - angle where an upside-down end-point is angle - pi.
    Line 43's vector is the target's z axis.
    """
    end = k == len(pose.angle) - 1
    if k > 0:
        _take_frame_from_posture(model, k, posture, pose)
    if not model.twister[k]:
        _align_parents_with_bend(model, k, posture, pose)
    if not end and not model.twister[k]:
        _align_children(model, k, pose)
    wanted = target if end else basis_of(pose, k + 1)
    local = multiply(conjugate(basis_of(pose, k)), wanted)
    yaw, _, roll = yaw_pitch_roll(local, vector(model.pitch_axis[k]))
    if end and hyper.symmetric_endpoint:
        roll = wrapped(roll)
        if abs(roll) > 0.5 * math.pi:
            roll -= math.copysign(math.pi, roll)
    if model.twister[k]:
        pose.angle[k] = safe_cyclic(model, k, yaw + roll) if end else safe_twist(model, k, yaw + roll)
    else:  # Alg. 13, LocalSwing
        latitude, hemisphere = target_latitude(model, k, direction(local))
        pose.angle[k] = latitude_angle(model, k, latitude, hemisphere)
        propagate_roll_down(pose, about(Z, roll), k)
    _finish_forward(model, hyper, k, pose)


@kernel
def _take_frame_from_posture(model: JointModel, k: int, posture: Pose, pose: Pose) -> None:
    """Lines 3-9: the frame of k gets the posture's parent direction and, about it, its pitch axis.

    As printed, the roll is measured about the direction of k's segment in the last candidate: that is what
    makes one iteration differ from the one before.
    """
    present, wanted = basis_of(pose, k), basis_of(posture, k)
    present = multiply(turn_between(direction(present), direction(wanted)), present)
    pitch = vector(model.pitch_axis[k])
    along = direction(moved(model, k, present, pose.angle[k]))
    roll = signed_angle(reject(rotate(pitch, present), along), reject(rotate(pitch, wanted), along), along)
    store(normalized(multiply(present, about(Z, roll))), pose.basis[k])


@kernel
def _bend_normal(k: int, posture: Pose) -> tuple[Vector, int]:
    """Lines 11-20: the normal of the posture's bend at k or, where it is straight, of the nearest bend.

    The nearest is looked for towards the root, then at the child. Returns the normal and the joint m it
    was found with. Line 18's child of the child is missing at the tip: the superpoint ends the search.
    """
    count = len(posture.angle)
    segment = direction(basis_of(posture, k + 1))
    normal, m, n, flipped = (0.0, 0.0, 0.0), k, k, False
    while length(normal) < _STRAIGHT and 0 <= n < count:
        m = n
        before = direction(basis_of(posture, n))
        normal = cross(before, segment)
        if n == 0 and not flipped:
            segment = direction(basis_of(posture, min(k + 2, count)))
            flipped, n = True, n + 1
        else:
            segment, n = before, n - 1
    return (normal, m)


@kernel
def _align_parents_with_bend(model: JointModel, k: int, posture: Pose, pose: Pose) -> None:
    """Lines 10-25: rolls the frames below k so that their pitch axis follows the posture's bend at k."""
    normal, m = _bend_normal(k, posture)
    pitch = vector(model.pitch_axis[m])
    below = pitch if m == 0 else rotate(pitch, basis_of(pose, m - 1))
    own = rotate(pitch, basis_of(pose, k))
    if (dot(own, normal) < 0.0) != (dot(normal, below) < 0.0):
        normal = negative(normal)
    along = segment_direction(model, pose, m)
    roll = signed_angle(reject(below, along), reject(normal, along), along)
    propagate_roll_down(pose, about(Z, roll), k)


@kernel
def _align_children(model: JointModel, k: int, pose: Pose) -> None:
    """Lines 26-34: rolls the frames above k to agree with k's own.

    The axis a of lines 27-29 is compared as k's swing would carry it to the child. The print compares it
    before the swing, where a bend of 90 deg leaves nothing to compare; and it does so for twisters too,
    whose own turn is that roll. Line 32's condition is inverted.
    """
    child = basis_of(pose, k + 1)
    along = direction(child)
    axis = vector(model.axis[k]) if model.twister[k + 1] else vector(model.axis[k + 1])
    swung = multiply(turn_between(direction(basis_of(pose, k)), along), basis_of(pose, k))
    own, childs = rotate(axis, swung), rotate(axis, child)
    if model.twister[k + 1] and dot(childs, own) < 0.0:
        propagate_roll_up(model, pose, about(Z, math.pi), k, True)
        return
    start, end = reject(childs, along), reject(own, along)
    if length(start) > _STRAIGHT and length(end) > _STRAIGHT:
        roll = signed_angle(start, end, along)
        propagate_roll_up(model, pose, about(Z, roll), k, math.pi - abs(roll) < _STRAIGHT)


@kernel
def propagate_roll_down(pose: Pose, roll: Quaternion, k: int) -> None:
    """Alg. 9, PropagateRollDown: rolls the frames of all joints before k; the root has none before it."""
    for j in range(k - 1, -1, -1):
        store(multiply(quaternion(pose.basis[j]), roll), pose.basis[j])


@kernel
def propagate_roll_up(model: JointModel, pose: Pose, roll: Quaternion, k: int, flip: bool) -> None:
    """Alg. 10, PropagateRollUp: rolls the frames of all joints after k; half a turn also mirrors their bends."""
    for j in range(k + 1, len(pose.angle)):
        store(multiply(quaternion(pose.basis[j]), roll), pose.basis[j])
        if flip and not model.twister[j]:
            pose.angle[j] = safe_angle(model, j, -pose.angle[j])


@kernel
def _finish_forward(model: JointModel, hyper: ErikHyperParameters, k: int, pose: Pose) -> None:
    """Alg. 14, FinishForward: k's frame moves so that its safe angle meets the child's frame.

    Line 5 is read as QDiff(Omega, ChildQ) Q.
    """
    if hyper.avoid_joint_edges:
        pose.angle[k] = away_from_edge(model, k, pose.angle[k], hyper.disturbance_theta)
    if k < len(pose.angle) - 1:
        gap = multiply(basis_of(pose, k + 1), conjugate(orientation(model, pose, k)))
        store(normalized(multiply(gap, basis_of(pose, k))), pose.basis[k])
        apply_fk(model, pose, k)
