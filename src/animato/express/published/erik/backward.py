"""ERIK's backward phase: from the root to the end-point, angles within limits (Alg. 15, 16 and 18)."""

from __future__ import annotations

from animato.express.published.erik.algebra import (
    TINY,
    X,
    Y,
    Z,
    normalized,
    reject,
    rotate,
    signed_angle,
    store,
    vector,
)
from animato.express.published.erik.descent import backward_twist, twist_end_point
from animato.express.published.erik.hyper_parameters import ErikHyperParameters
from animato.express.published.erik.joint_model import JointModel, latitude_angle, safe_twist, target_latitude
from animato.express.published.erik.pose import (
    Pose,
    basis_of,
    direction,
    moved,
    orientation,
    segment_direction,
    set_frame_from_parent,
    world_axis,
)
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import Quaternion, Vector, about, conjugate, dot, length
from animato.kernels.quaternions import times as multiply


@kernel
def backward_phase(model: JointModel, hyper: ErikHyperParameters, k: int, target: Quaternion, pose: Pose) -> None:
    """Alg. 15, BackwardPhase, for joint k.

    `target` is the superpoint's orientation, for the end-point; other joints aim at the frame that the
    forward phase left for the joint after them. The printed angles know no limits (lines 10, 39).
    """
    end = k == len(pose.angle) - 1
    set_frame_from_parent(model, pose, k)
    if model.twister[k]:
        if end:
            twist_end_point(model, hyper, pose, target)
        else:
            _align_child_roll(model, k, pose)
            twist = backward_twist(basis_of(pose, k + 1), orientation(model, pose, k))
            pose.angle[k] = safe_twist(model, k, pose.angle[k] + twist)
        return
    wanted = target if end else basis_of(pose, k + 1)
    local = multiply(conjugate(basis_of(pose, k)), wanted)
    latitude, hemisphere = target_latitude(model, k, direction(local))
    angle = latitude_angle(model, k, latitude, hemisphere)
    other = latitude_angle(model, k, latitude, 1 - hemisphere)
    if not end and _nearer(model, pose, k, other, angle, segment_direction(model, pose, k + 1)):
        angle, other = other, angle
    if _nearer(model, pose, k, other, angle, direction(wanted)):
        angle, other = other, angle
    pose.angle[k] = angle
    if k > 0 and model.twister[k - 1]:
        _twist_parent(model, k, wanted, pose)
        # the twist may have gone half a turn the other way, so the side to bend to is chosen again
        if _nearer(model, pose, k, other, angle, direction(wanted)):
            pose.angle[k] = other
    if end:
        set_frame_from_parent(model, pose, k + 1)


@kernel
def _nearer(model: JointModel, pose: Pose, k: int, angle: float, than: float, wanted: Vector) -> bool:
    """Lines 17-24: whether k's segment points nearer to a direction at one angle than at another."""
    basis = basis_of(pose, k)
    gain = dot(direction(moved(model, k, basis, angle)), wanted) - dot(direction(moved(model, k, basis, than)), wanted)
    return gain > TINY


@kernel
def _twist_parent(model: JointModel, k: int, wanted: Quaternion, pose: Pose) -> None:
    """Lines 27-40 and Alg. 18, FinishBackward: a twister before k turns k's axis to where the target has it."""
    axis = vector(model.axis[k])
    about_parent = world_axis(model, pose, k - 1)
    target_axis, own_axis = rotate(axis, wanted), world_axis(model, pose, k)
    if _parallel(target_axis, about_parent) or _parallel(own_axis, about_parent):
        axis = vector(model.orthogonal[k])
        target_axis, own_axis = rotate(axis, wanted), rotate(axis, basis_of(pose, k))
    aim = reject(target_axis, about_parent)
    if k < len(pose.angle) - 1:
        along = segment_direction(model, pose, k + 1)
        turn = about(along, signed_angle(target_axis, aim, along))
        aim = reject(rotate(vector(model.axis[k]), multiply(turn, wanted)), about_parent)
    start = reject(own_axis, about_parent)
    if length(aim) > TINY and length(start) > TINY:
        twist = signed_angle(start, aim, about_parent)
        pose.angle[k - 1] = safe_twist(model, k - 1, pose.angle[k - 1] + twist)
    set_frame_from_parent(model, pose, k)


@kernel
def _parallel(a: Vector, b: Vector) -> bool:
    """Whether two unit vectors are along one line."""
    return abs(dot(a, b)) > 1.0 - TINY


@kernel
def _align_child_roll(model: JointModel, k: int, pose: Pose) -> None:
    """Alg. 16, BackwardChildRoll: turns the child's frame about its segment until its axis lies across k's twist.

    The child can then bend from k's direction into that of its segment, once k has twisted.
    """
    child, own = basis_of(pose, k + 1), basis_of(pose, k)
    if abs(dot(rotate(vector(model.axis[k + 1]), child), direction(own))) < TINY:
        return
    along, twist = segment_direction(model, pose, k + 1), segment_direction(model, pose, k)
    axis = Z
    if _parallel(direction(child), along) or _parallel(twist, along):
        axis = X if _parallel(rotate(Y, child), along) or abs(dot(rotate(X, child), twist)) < TINY else Y
    wanted = rotate(axis, own)
    roll = signed_angle(reject(rotate(axis, child), along), reject(wanted, along), along)
    turned = multiply(about(along, roll), child)
    other = multiply(about(along, -roll), child)
    if dot(rotate(axis, turned), wanted) < dot(rotate(axis, other), wanted):
        turned = other
    store(normalized(turned), pose.basis[k + 1])
