"""ERIK's loop: one solution, or many, in compiled code (Alg. 2 to 7)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from animato.express.facing import BendMeasure, bend_errors
from animato.express.published.erik.algebra import Z, quaternion
from animato.express.published.erik.backward import backward_phase
from animato.express.published.erik.descent import bwcd_posture, bwcd_solution, ccd
from animato.express.published.erik.forward import forward_phase
from animato.express.published.erik.hyper_parameters import ErikHyperParameters
from animato.express.published.erik.joint_model import JointModel, safe_angle
from animato.express.published.erik.pose import (
    Pose,
    avoid_posture_joint_edges,
    basis_of,
    direction,
    empty_pose,
    set_angles,
    set_empty,
    world_axis,
)
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import Quaternion, about, conjugate
from animato.kernels.quaternions import times as multiply

# Which step found the answer.
INVALID, START, PHASES, BWCD, CCD = -1, 0, 1, 2, 3  # and 4: CCD from the empty solution


class Errors(NamedTuple):
    """Combined (equation 19, with the error that is minimized), orientation, posture and signed shape error."""

    combined: float
    orientation: float
    posture: float
    shape: float


@kernel
def _distance(a: Quaternion, b: Quaternion) -> float:
    """The lesser of |a -+ b| / sqrt 2 of two unit quaternions; of nearly equal ones without cancellation."""
    minus = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2 + (a[3] - b[3]) ** 2
    plus = (a[0] + b[0]) ** 2 + (a[1] + b[1]) ** 2 + (a[2] + b[2]) ** 2 + (a[3] + b[3]) ** 2
    return math.sqrt(0.5 * min(minus, plus))


@kernel
def solution_error(
    hyper: ErikHyperParameters, measure: BendMeasure, pose: Pose, target: Quaternion, wanted: np.ndarray
) -> Errors:
    """Alg. 4 to 6: errors of a pose against the superpoint's target and the posture's angles [rad], [n]."""
    count = len(wanted)
    tip = basis_of(pose, count)
    turn = _distance(target, tip)
    if hyper.symmetric_endpoint:
        turn = min(turn, _distance(target, multiply(tip, (0.0, 0.0, 0.0, 1.0))))
    posture, shape = 0.0, 0.0
    for k in range(count):
        bend, signed = bend_errors(measure, k, pose.angle[k], wanted[k])
        posture += bend
        shape += signed
    beside = shape if hyper.shape_error else posture
    combined = hyper.orientation_error_weight * turn + hyper.posture_error_weight * beside
    return Errors(combined, turn, posture, shape)


@kernel
def offset_target(model: JointModel, hyper: ErikHyperParameters, pose: Pose, target: Quaternion) -> Quaternion:
    """NonConvOffsetTrick: the target turned by the disturbance about the axes of the root and of its child."""
    for k in range(min(2, len(pose.angle))):
        nearer_upper = abs(pose.angle[k] - model.lower[k]) > abs(pose.angle[k] - model.upper[k])
        turn = hyper.disturbance_theta if nearer_upper else -hyper.disturbance_theta
        target = multiply(about(world_axis(model, pose, k), turn), target)
    return target


@kernel
def _keep_if_best(
    hyper: ErikHyperParameters,
    measure: BendMeasure,
    pose: Pose,
    target: Quaternion,
    wanted: np.ndarray,
    best: np.ndarray,
    errors: Errors,
) -> tuple[Errors, float, bool]:
    """Alg. 7, SolutionOK, with the error and the best angles stored.

    Returns the errors of the best so far, the combined error of this pose, and whether it became the best.
    """
    new = solution_error(hyper, measure, pose, target, wanted)
    if new.combined <= errors.combined:
        best[:] = pose.angle
        return (new, new.combined, True)
    return (errors, new.combined, False)


@kernel
def _try_ccd(
    model: JointModel,
    hyper: ErikHyperParameters,
    measure: BendMeasure,
    pose: Pose,
    target: Quaternion,
    aim: Quaternion,
    wanted: np.ndarray,
    best: np.ndarray,
    errors: Errors,
    found: int,
) -> tuple[Errors, int]:
    """NonConvCCDTrick, Alg. 3 lines 23-30: CCD from the candidate, then from the empty solution."""
    for attempt in range(2):
        if attempt == 1:
            set_empty(model, pose)
        ccd(model, hyper, pose, aim)
        errors, error, better = _keep_if_best(hyper, measure, pose, target, wanted, best, errors)
        found = CCD + attempt if better else found
        if error <= hyper.threshold_epsilon:
            break
    return (errors, found)


@kernel
def solve_one(
    model: JointModel,
    hyper: ErikHyperParameters,
    measure: BendMeasure,
    wanted: np.ndarray,
    target: Quaternion,
    start: np.ndarray,
    best: np.ndarray,
) -> tuple[Errors, int, int]:
    """Alg. 3, CalculateERIK, with Alg. 2 as its first lines.

    Departures: the search starts from the previous solution, which Alg. 2 line 7 forgets; line 12 passes
    each joint its target; the offset target of line 21 serves the next iterations, CCD gets the true one;
    line 28 keeps the solution of CCD. Non-convergence, which the paper does not define, is a number of
    iterations without a lower error.

    Args:
        model: Joints.
        hyper: Hyper-parameters.
        measure: Weights of the posture error.
        wanted: Angles of the posture [rad], [n].
        target: Orientation asked of the superpoint in the root's frame; unit length.
        start: Angles of the previous solution, within limits [rad], [n].
        best: Takes the answer [rad], [n].

    Returns:
        The answer's errors, the iterations and the step that found it.
    """
    count = len(wanted)
    posture, pose = empty_pose(count), empty_pose(count)
    set_angles(model, posture, wanted)
    set_angles(model, pose, start)
    best[:] = pose.angle
    errors, found = solution_error(hyper, measure, pose, target, wanted), START
    aim = target
    if hyper.posture_twists_target and model.twister[count - 1]:
        aim = multiply(target, about(Z, wanted[count - 1]))
    given = aim
    bwcd_posture(model, hyper, posture, direction(aim))
    if hyper.avoid_joint_edges:
        avoid_posture_joint_edges(model, posture, hyper.disturbance_theta)
    lowest, waited, offset = math.inf, 0, False
    for iteration in range(1, hyper.max_erik_iterations + 1):
        for k in range(count - 1, -1, -1):
            forward_phase(model, hyper, k, aim, posture, pose)
        for k in range(count):
            backward_phase(model, hyper, k, aim, pose)
        errors, error, better = _keep_if_best(hyper, measure, pose, target, wanted, best, errors)
        found = PHASES if better else found
        if error <= hyper.threshold_epsilon:
            return (errors, iteration, found)
        bwcd_solution(model, hyper, pose, aim)
        errors, error, better = _keep_if_best(hyper, measure, pose, target, wanted, best, errors)
        found = BWCD if better else found
        if error <= hyper.threshold_epsilon:
            return (errors, iteration, found)
        waited = 0 if error < lowest - hyper.precision else waited + 1
        lowest = min(lowest, error) if waited == 0 else lowest
        if waited < hyper.nonconv_patience:
            continue
        if hyper.nonconv_offset_trick and not offset:
            aim, offset = offset_target(model, hyper, pose, aim), True
            lowest, waited = math.inf, 0
            continue
        if hyper.nonconv_ccd_trick:
            errors, found = _try_ccd(model, hyper, measure, pose, target, given, wanted, best, errors, found)
        return (errors, iteration, found)
    return (errors, hyper.max_erik_iterations, found)


@kernel
def solve_many(
    model: JointModel,
    hyper: ErikHyperParameters,
    measure: BendMeasure,
    postures: np.ndarray,
    targets: np.ndarray,
    starts: np.ndarray,
    positions: np.ndarray,
    report: np.ndarray,
) -> None:
    """Solves rows; nothing in a row can raise.

    Args:
        model: Joints.
        hyper: Hyper-parameters.
        measure: Weights of the posture error.
        postures: Angles [rad], [m, n].
        targets: Orientations of the end-point in the world, wxyz, of any length, [m, 4].
        starts: Previous solutions [rad], [m, n] or [1, n] for all; not numbers count as zero.
        positions: Takes the answers [rad], within limits, [m, n].
        report: Takes the combined error that is minimized, orientation, posture and shape error, iterations and step,
            [m, 6]. A row whose posture or target is no number or has no length gets its start as its answer and the
            step INVALID.
    """
    count = postures.shape[1]
    start = np.empty(count)
    for row in range(len(postures)):
        given = starts[min(row, len(starts) - 1)]
        for k in range(count):
            start[k] = safe_angle(model, k, given[k] if math.isfinite(given[k]) else 0.0)
        q = targets[row]
        size = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        if not (math.isfinite(postures[row].sum() + size) and size > 1e-12):
            positions[row] = start
            report[row, :4] = math.nan
            report[row, 4], report[row, 5] = 0.0, INVALID
            continue
        world = (q[0] / size, q[1] / size, q[2] / size, q[3] / size)
        target = multiply(multiply(conjugate(quaternion(model.base_wxyz)), world), quaternion(model.tip_wxyz))
        errors, iterations, found = solve_one(model, hyper, measure, postures[row], target, start, positions[row])
        report[row, 0], report[row, 1] = errors.combined, errors.orientation
        report[row, 2], report[row, 3] = errors.posture, errors.shape
        report[row, 4], report[row, 5] = iterations, found
