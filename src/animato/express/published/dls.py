"""The two-priority damped least squares baseline of Ribeiro and Paiva (2019), section 4.0.4 and equation 25.

First the orientation, then, in the null space of its Jacobian, the posture by joint angles:

    dq = J_1^+ e_1 + (J_2 N)^+ (psi - q - J_1^+ e_1),   N = I - J_1^# J_1

J_1 has the joint axes in the world as columns, e_1 is the rotation vector to the target; J_2 is the identity with zeros
for a first or last joint that only twists. ^+ is the inverse through the singular value decomposition, damped after
Maciejewski: with d = |e| / b and the smallest singular value s, lambda is d / 2 below s = d / 2, sqrt(s (d - s)) up to
s = d and 0 beyond. ^# is not damped. Angles are clamped to their limits after each step, and the best of all iterates
by the combined error is kept. It stops as soon as that error is within the threshold of the evaluation, or after its
most iterations. Without a posture task it is the paper's DLS100_nopost.

Readings. Algorithm 1 stops at an `ERROR_TOLERANCE` of which nothing is said. From the published counts, 63, 120 and 234
iterations of at most 100, 200 and 400, more than half of the samples run to the end and the others stop within some 14.
Stopping at the combined error with the published threshold is like that; stopping at an angle left to turn
(`tolerance`) is not, then hardly any runs to the end. The printed equation subtracts the primary step from e_2 twice,
here it is once; and e_1, not the step, is clamped in length. The target is turned upside down where the paper does it:
so that facing the way of the first bend goes with the up-side the bend itself would give, which keeps it within reach
of joints limited to a quarter turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing import (
    HALF_TURN,
    ITERATIONS,
    LOWER,
    NOWHERE,
    REST,
    UPPER,
    WEIGHT,
    Aim,
    BendMeasure,
    Descent,
    FacingArrays,
    descent_memory,
    evaluate,
    normalize,
    orientation_cost,
    targets_of,
    write_errors,
)
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import Quaternion, Vector, cross, dot, length, quaternion, rotated, vector

_ZERO = 1e-9  # singular values below it are zero


class DlsTuning(NamedTuple):
    """Options of the baseline; the defaults were searched for the least mean combined error on the test skeletons.

    Attributes:
        iterations: Most steps; the paper has 100, 200 and 400.
        threshold: Combined error at which it stops; the paper's is 0.04, below 0 it never stops so.
        tolerance: Angle left to turn at which it stops [rad]; below 0 it never stops so.
        posture: Whether there is a second task; without, the posture counts nowhere but in the errors.
        orientation_bound: b of the first task [rad].
        posture_bound: b of the second task [rad].
        longest: Longest e_1 [rad].
        posture_gain: Share of the way to the posture that the second task asks for in one step.
        start: Angle from which all joints start [rad]; at zero the axes of the test skeletons line up.
        still: Step of the largest joint at which to stop [rad]; the paper has no such stop.
    """

    iterations: int = 400
    threshold: float = 0.04
    tolerance: float = -1.0
    posture: bool = True
    orientation_bound: float = 0.6
    posture_bound: float = 0.4
    longest: float = 3.2
    posture_gain: float = 0.015
    start: float = 0.05
    still: float = 0.0


@kernel
def _damped_solution(matrix: np.ndarray, e: np.ndarray, bound: float, out: np.ndarray) -> np.ndarray:
    """Writes the damped least-squares solution of matrix out = e; gives the right singular vectors above zero."""
    left, values, right = np.linalg.svd(matrix, False)
    size = 0.0
    for a in range(len(e)):
        size += e[a] * e[a]
    d = np.sqrt(size) / bound
    rank = 0
    while rank < len(values) and values[rank] > _ZERO:
        rank += 1
    smallest = values[rank - 1] if rank > 0 else 0.0
    damping = 0.0
    if smallest <= 0.5 * d:
        damping = 0.5 * d
    elif smallest <= d:
        damping = np.sqrt(smallest * (d - smallest))
    out[:] = 0.0
    for k in range(rank):
        along = 0.0
        for a in range(len(e)):
            along += left[a, k] * e[a]
        along *= values[k] / (values[k] * values[k] + damping * damping)
        for i in range(len(out)):
            out[i] += right[k, i] * along
    return right[:rank]


@kernel
def upright_target(problem: FacingArrays, targets: np.ndarray, facing: np.ndarray) -> Quaternion:
    """The target that is the right way up for the first joint that bends; facing [1, 3], at zero in the world."""
    best = quaternion(targets, 0)
    if len(targets) == 1:
        return best
    forward = vector(facing, 0)
    for i in range(len(problem.axis)):
        side = cross(forward, vector(problem.axis, i))
        if length(side) > 0.1:
            across, up = dot(rotated(best, forward), side), dot(rotated(best, side), forward)
            return quaternion(targets, 1) if across * up > 0.0 else best
    return best


class DlsMemory(NamedTuple):
    """Memory of a step, for m joints.

    Attributes:
        descent: What `evaluate` writes; its trial is where the joints are.
        steps: Steps of both tasks, and what the second asks for [rad], [3, m].
        jacobian: J_1, [3, m].
        null_space: J_2 N, [m, m].
        left: e_1 [rad], [3].
    """

    descent: Descent
    steps: np.ndarray
    jacobian: np.ndarray
    null_space: np.ndarray
    left: np.ndarray


@kernel
def dls_memory(m: int) -> DlsMemory:
    """Memory for m joints."""
    return DlsMemory(descent_memory(m), np.empty((3, m)), np.empty((3, m)), np.empty((m, m)), np.empty(3))


@kernel
def idle_joints(problem: FacingArrays, last: int) -> np.ndarray:
    """Joints that the second task leaves alone: those that twist, at the root and from joint `last` on, [m]."""
    idle = np.zeros(len(problem.axis), np.bool_)
    for i in range(len(idle)):
        idle[i] = problem.cost[i, WEIGHT] == 0.0 and (i == 0 or i >= last)
    return idle


@inlined_kernel
def dls_step(problem: FacingArrays, e: Vector, idle: np.ndarray, tuning: DlsTuning, memory: DlsMemory) -> float:
    """One step of both tasks from where `evaluate` has been, inside the limits; gives the largest move [rad].

    Args:
        problem: The problem.
        e: Rotation vector left to turn [rad].
        idle: Joints that the second task leaves alone, [m].
        tuning: Options.
        memory: For m joints.
    """
    now, (first, second, wanted), J, left = memory.descent.trial, memory.steps, memory.jacobian, memory.left
    m = len(idle)
    shorter = min(1.0, tuning.longest / max(length(e), _ZERO))
    for a in range(3):
        left[a] = shorter * e[a]
        for i in range(m):
            J[a, i] = memory.descent.axes[0, i, a]
    rows = _damped_solution(J, left, tuning.orientation_bound, first)
    second[:] = 0.0
    if tuning.posture:
        _null_space(rows, idle, memory.null_space)
        for i in range(m):
            away = problem.kinks[i, 0] - now[0, i] - first[i]
            wanted[i] = 0.0 if idle[i] else tuning.posture_gain * away
        _damped_solution(memory.null_space, wanted, tuning.posture_bound, second)
    largest = 0.0
    for i in range(m):
        moved = min(max(now[0, i] + first[i] + second[i], problem.limits[i, LOWER]), problem.limits[i, UPPER])
        largest = max(largest, abs(moved - now[0, i]))
        now[0, i] = moved
    return largest


@kernel
def _dls(problem: FacingArrays, aim: Aim, idle: np.ndarray, tuning: DlsTuning, angles: np.ndarray, row: int) -> int:
    """Runs the baseline from `tuning.start`; writes the best angles into a row and gives the steps it took.

    Args:
        problem: The problem.
        aim: The target.
        idle: Joints that the second task leaves alone, [m].
        tuning: Options.
        angles: Result [rad], [r, m].
        row: Where.
    """
    memory = dls_memory(len(idle))
    now = memory.descent.trial
    for i in range(len(idle)):
        now[0, i] = min(max(tuning.start, problem.limits[i, LOWER]), problem.limits[i, UPPER])
    best = np.inf
    for n in range(tuning.iterations):
        cost, e = evaluate(problem, aim, now, 0, memory.descent, 0)
        cost_of_turn = orientation_cost(problem, length(e))
        total = cost + cost_of_turn if tuning.posture else cost_of_turn
        if total < best:
            best = total
            for i in range(len(idle)):
                angles[row, i] = now[0, i]
        if total <= tuning.threshold or length(e) <= tuning.tolerance:
            return n + 1
        if dls_step(problem, e, idle, tuning, memory) < tuning.still:
            return n + 1
    return tuning.iterations


@kernel
def dls_all(
    problem: FacingArrays,
    frame: np.ndarray,
    bend_weight: np.ndarray,
    bend_cosine: np.ndarray,
    bend_reach: np.ndarray,
    posture_weight: float,
    symmetric: bool,
    roll: float,
    facing: np.ndarray,
    tuning: DlsTuning,
    targets: np.ndarray,
    angles: np.ndarray,
    found: np.ndarray,
) -> None:
    """Runs the baseline for every target [r, 4]; arguments and results as those of `once.face_all`."""
    idle = idle_joints(problem, len(bend_weight) - 1)
    measure = BendMeasure(bend_weight, bend_cosine, bend_reach)
    weights, psi = (problem.orientation, posture_weight), problem.kinks[:, 0]
    for n in range(len(targets)):
        if not normalize(targets, n):
            angles[n], found[n], found[n, ITERATIONS] = psi, np.nan, 0.0
            continue
        turns = targets_of(targets[n : n + 1], frame[REST : REST + 1], frame[HALF_TURN : HALF_TURN + 1], symmetric)
        aim = Aim(upright_target(problem, turns, facing), psi, 0.0, NOWHERE)
        found[n, ITERATIONS] = _dls(problem, aim, idle, tuning, angles, n)
        write_errors(problem.axis, frame, measure, weights, symmetric, roll, psi, targets, angles, n, found)


@kernel
def _null_space(rows: np.ndarray, idle: np.ndarray, N: np.ndarray) -> None:
    """Writes J_2 (I - rows^T rows) for orthonormal rows."""
    m = len(idle)
    for i in range(m):
        for j in range(m):
            N[i, j] = 1.0 if i == j else 0.0
            for k in range(len(rows)):
                N[i, j] -= rows[k, i] * rows[k, j]
            if idle[i]:
                N[i, j] = 0.0
