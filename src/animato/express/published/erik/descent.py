"""CCD and BWCD: turning a pose joint by joint until its end-point faces a target (Alg. 17 and 19 to 22)."""

from __future__ import annotations

import math

from animato.express.published.erik.algebra import TINY, X, Y, reject, rotate, signed_angle, store
from animato.express.published.erik.hyper_parameters import ErikHyperParameters
from animato.express.published.erik.joint_model import JointModel, away_from_edge, centred, safe_angle, safe_cyclic
from animato.express.published.erik.pose import (
    Pose,
    apply_fk,
    avoid_posture_joint_edges,
    basis_of,
    direction,
    orientation,
    world_axis,
)
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import Quaternion, Vector, dot, length


@kernel
def facing_error(target: Vector, facing: Vector) -> float:
    """Alg. 20, CCDTest: |t . e - 1| / 2; the printed floor brackets are bars."""
    return abs(0.5 * (dot(target, facing) - 1.0))


@kernel
def turn_to_face(axis: Vector, facing: Vector, target: Vector) -> float:
    """Angle about an axis that brings a facing direction nearest to a target; 0 where the axis cannot turn it."""
    start, end = reject(facing, axis), reject(target, axis)
    if length(start) > TINY and length(end) > TINY:
        return signed_angle(start, end, axis)
    return 0.0


@kernel
def backward_twist(target: Quaternion, present: Quaternion) -> float:
    """Alg. 17, BWTwist: the twist about the present z axis that brings x and y nearest to the target's."""
    along = direction(present)
    target_x, target_y = rotate(X, target), rotate(Y, target)
    if abs(dot(target_x, along)) < abs(dot(target_y, along)):
        return signed_angle(rotate(X, present), reject(target_x, along), along)
    return signed_angle(rotate(Y, present), reject(target_y, along), along)


@kernel
def twist_end_point(model: JointModel, hyper: ErikHyperParameters, pose: Pose, target: Quaternion) -> None:
    """Twists an end-point that can to the target's roll: Alg. 15 lines 6-10, and the last lines of Alg. 21 and 22.

    The print adds the twist without limits, and upside down takes whichever is smaller (Alg. 15 line 9). Here
    the twist that breaks the limits less wins, the smaller one among equals, in all three algorithms.
    """
    k = len(pose.angle) - 1
    if model.twister[k]:
        angle = pose.angle[k] + backward_twist(target, orientation(model, pose, k))
        wanted = centred(model, k, angle)
        kept = safe_angle(model, k, wanted)
        if hyper.symmetric_endpoint:
            flipped = centred(model, k, angle + math.pi)
            other = safe_angle(model, k, flipped)
            excess = abs(flipped - other) - abs(wanted - kept)
            if excess < -TINY or (excess < TINY and abs(other) < abs(kept)):
                kept = other
        if hyper.avoid_joint_edges:
            kept = away_from_edge(model, k, kept, hyper.disturbance_theta)
        pose.angle[k] = kept
    store(orientation(model, pose, k), pose.basis[k + 1])


@kernel
def bwcd_posture(model: JointModel, hyper: ErikHyperParameters, posture: Pose, target: Vector) -> None:
    """Alg. 19, BWCD_Posture: from the root to the end-point, without limits.

    The target is a direction; Alg. 3 line 3 passes the orientation, whose z axis it is.
    """
    count = len(posture.angle)
    for _ in range(hyper.max_ccd_iterations):
        for k in range(count):
            facing = direction(basis_of(posture, count))
            if facing_error(target, facing) <= hyper.ccd_precision:
                return
            posture.angle[k] += turn_to_face(world_axis(model, posture, k), facing, target)
            apply_fk(model, posture, k)


@kernel
def bwcd_solution(model: JointModel, hyper: ErikHyperParameters, pose: Pose, target: Quaternion) -> None:
    """Alg. 21, BWCD_Solution: from the root to the end-point, within limits (line 13 prints none)."""
    count = len(pose.angle)
    towards = direction(target)
    for _ in range(hyper.max_ccd_iterations):
        for k in range(count):
            facing = direction(basis_of(pose, count))
            if facing_error(towards, facing) <= hyper.ccd_precision:
                twist_end_point(model, hyper, pose, target)
                return
            turn = turn_to_face(world_axis(model, pose, k), facing, towards)
            pose.angle[k] = safe_cyclic(model, k, pose.angle[k] + turn)
            apply_fk(model, pose, k)
    twist_end_point(model, hyper, pose, target)


@kernel
def ccd(model: JointModel, hyper: ErikHyperParameters, pose: Pose, target: Quaternion) -> None:
    """Alg. 22, CCD: from the end-point to the root, within limits (line 17 prints none)."""
    count = len(pose.angle)
    towards = direction(target)
    error = 1e4
    for _ in range(hyper.max_ccd_iterations):
        last = error
        for k in range(count - 1, -1, -1):
            facing = direction(basis_of(pose, count))
            if facing_error(towards, facing) <= hyper.ccd_precision:
                break
            turn = turn_to_face(world_axis(model, pose, k), facing, towards)
            pose.angle[k] = safe_cyclic(model, k, pose.angle[k] + turn)
            if hyper.avoid_joint_edges:
                avoid_posture_joint_edges(model, pose, hyper.disturbance_theta)
            else:
                apply_fk(model, pose, k)
        error = facing_error(towards, direction(basis_of(pose, count)))
        if error <= hyper.ccd_precision or abs(error - last) <= hyper.precision:
            break
    twist_end_point(model, hyper, pose, target)
