"""From one start to the nearest solution of the facing problem: sequential quadratic programming with kinks.

Two modes. `exact` minimizes the joint costs among the configurations that face the target exactly. Otherwise the
combined error itself is minimized, for targets that cannot be reached: the orientation error sqrt 2 sin(a / 4) of the
remaining angle a is concave in a^2, so a quadratic with the same slope bounds it from above, and the slack of the step
is a / (its slope). Each step keeps every joint inside its limits and on its side of the next kink.

Kernels take rows of arrays and an index: slices would be counted references, which cost more than the arithmetic.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing.arrays import (
    AT_KINK,
    COS_PHASE,
    LEVEL,
    OWN,
    PER_TURN,
    SIN_PHASE,
    SLOPE,
    TURN,
    WEIGHT,
    FacingArrays,
)
from animato.express.facing.errors import SQRT_2
from animato.express.facing.looking import carried, look
from animato.express.facing.step import FREE, HI, LO, ON_KINK, D, G, H, S, Symmetric, solve_step, solve_symmetric
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import (
    IDENTITY,
    Quaternion,
    Vector,
    conjugate,
    length,
    rotated,
    rotation_vector,
    times,
    vector,
)
from animato.kernels.single_angle import cosine_and_sine
from animato.kernels.uncounted import uncounted_kernel

FACED = 1e-9  # [rad] below which the target counts as faced exactly
STEEPNESS = SQRT_2 / 4.0  # slope of the orientation error at a = 0
_SLACK = 1e-9  # keeps the 3 x 3 system regular where fewer than three joints are free
_CURVATURE = 0.05  # of joints without one of their own, per unit of the posture's weight
_LONGEST = 0.8  # [rad] longest first step of a joint
_SHORTEST = 1e-9  # [rad] steps below it do not help any more
_NEARLY = 1e-2  # [rad] that the last correction may turn


@inlined_kernel
def zero() -> int:
    """0 as a number of a type, for row or slot of a kernel that is not inlined: a literal would be part of its type.

    Each literal makes a copy of its own in the machine code, and code that is called rarely is mostly waited for.
    """
    return int(np.int64(0))


class Descent(NamedTuple):
    """Memory of the solver, for m joints; two slots of what a trial needs anew.

    Attributes:
        program: The quadratic program and its solution, [7, m].
        state: Whether each joint is free or held, [m].
        trial: Angles under trial [rad], [1, m].
        axes: Joint axes in the world, J, [2, m, 3].
        origins: Where they are, for looking at points [m], [2, m, 3].
        slope, bend: First and second derivative of the joint's cost, [2, m].
    """

    program: np.ndarray
    state: np.ndarray
    trial: np.ndarray
    axes: np.ndarray
    origins: np.ndarray
    slope: np.ndarray
    bend: np.ndarray


class Aim(NamedTuple):
    """What one descent is after.

    Attributes:
        target: exp(a_1 q_1) ... exp(a_m q_m) that is asked for, wxyz.
        near: Angles to stay near to [rad], [m].
        pull: Weight of half the squared distance from them; the roll joint has none.
        point: To look at from wherever the eye is [m]; then `target` is the twist before the end-point is upright, the
            identity for none. NOWHERE for an orientation.
    """

    target: Quaternion
    near: np.ndarray
    pull: float
    point: Vector


@kernel
def descent_memory(m: int) -> Descent:
    """Memory for m joints."""
    rows = np.zeros((24, m))
    axes, origins = rows[12:18].reshape((2, m, 3)), rows[18:].reshape((2, m, 3))
    return Descent(rows[:7], np.zeros(m, np.int64), rows[7:8], axes, origins, rows[8:10], rows[10:12])


@inlined_kernel
def _joint_cost(
    problem: FacingArrays, aim: Aim, i: int, q: float, ch: float, sh: float, memory: Descent, slot: int
) -> float:
    """Cost of joint i at q; the slot gets its derivatives. ch and sh are cosine and sine of q / 2."""
    away = q - aim.near[i]
    pull = aim.pull * problem.cost[i, OWN]
    slope, bend = pull * away, pull
    cost = 0.5 * pull * away * away
    weight = problem.cost[i, WEIGHT]
    if weight > 0.0:
        cp, sp = problem.cost[i, COS_PHASE], problem.cost[i, SIN_PHASE]
        if problem.signed:
            s, c = sh * cp - ch * sp, ch * cp + sh * sp
            value = weight * abs(s)
            slope += 0.5 * weight * c if s > 0.0 else -0.5 * weight * c
            bend -= 0.25 * value
        else:
            cq, sq = ch * ch - sh * sh, 2.0 * sh * ch
            c, s = cq * cp + sq * sp, sq * cp - cq * sp
            side = weight if c > problem.cost[i, LEVEL] else -weight
            value = side * (c - problem.cost[i, LEVEL])
            slope -= side * s
            bend -= side * c
        cost += value
    memory.slope[slot, i], memory.bend[slot, i] = slope, bend
    return cost


@uncounted_kernel
def evaluate(
    problem: FacingArrays, aim: Aim, rows: np.ndarray, n: int, memory: Descent, slot: int
) -> tuple[float, Vector]:
    """Cost of the joints at row n and the rotation vector left to turn [rad]; a slot gets axes and derivatives."""
    return _evaluate(problem, aim, rows, n, memory, slot)


@inlined_kernel
def _evaluate(
    problem: FacingArrays, aim: Aim, rows: np.ndarray, n: int, memory: Descent, slot: int
) -> tuple[float, Vector]:
    """The same in place, for where it is called most."""
    if aim.point[0] < np.inf:
        return _evaluate_point(problem, aim, rows, n, memory, slot)
    total, cost = IDENTITY, 0.0
    for i in range(rows.shape[1]):
        q = rows[n, i]
        axis = vector(problem.axis, i)
        x, y, z = rotated(total, axis)
        ch, sh = cosine_and_sine(0.5 * q)
        if problem.place[i, 3] > 0.0:  # slides do not turn it
            x = y = z = 0.0
        else:
            total = times(total, (ch, sh * axis[0], sh * axis[1], sh * axis[2]))
        memory.axes[slot, i, 0], memory.axes[slot, i, 1], memory.axes[slot, i, 2] = x, y, z
        cost += _joint_cost(problem, aim, i, q, ch, sh, memory, slot)
    return cost, rotation_vector(times(aim.target, conjugate(total)))


@uncounted_kernel
def _evaluate_point(
    problem: FacingArrays, aim: Aim, rows: np.ndarray, n: int, memory: Descent, slot: int
) -> tuple[float, Vector]:
    """The same for a point to look at, which also depends on where the joints carry the eye."""
    total, shift, cost = IDENTITY, (0.0, 0.0, 0.0), 0.0
    for i in range(rows.shape[1]):
        q = rows[n, i]
        axis = vector(problem.axis, i)
        x, y, z = rotated(total, axis)
        memory.axes[slot, i, 0], memory.axes[slot, i, 1], memory.axes[slot, i, 2] = x, y, z
        a, b, c = carried(problem.place, total, shift, i)
        memory.origins[slot, i, 0], memory.origins[slot, i, 1], memory.origins[slot, i, 2] = a, b, c
        ch, sh = cosine_and_sine(0.5 * q)
        if problem.place[i, 3] > 0.0:
            shift = (shift[0] + q * x, shift[1] + q * y, shift[2] + q * z)
        else:  # what the turn leaves where it is are the points of its axis
            total = times(total, (ch, sh * axis[0], sh * axis[1], sh * axis[2]))
            d, e, f = rotated(total, vector(problem.place, i))
            shift = (a - d, b - e, c - f)
        cost += _joint_cost(problem, aim, i, q, ch, sh, memory, slot)
    return cost, look(problem.place, total, shift, aim.point, aim.target, memory.axes, memory.origins, slot)


@inlined_kernel
def orientation_cost(problem: FacingArrays, angle: float) -> float:
    """Weighted orientation error of an angle left to turn [rad]."""
    return problem.orientation * SQRT_2 * np.sin(0.25 * angle)


@inlined_kernel
def _bounded(problem: FacingArrays, bounds: int, i: int, q: float) -> float:
    return min(max(q, problem.limits[i, bounds]), problem.limits[i, bounds + 1])


@inlined_kernel
def _cell(problem: FacingArrays, i: int, q: float) -> tuple[float, float]:
    """The kinks before and after an angle; one of them is the angle itself where it stands on a kink."""
    first, second = problem.kinks[i, 0], problem.kinks[i, 1]
    first += TURN * np.floor((q - first + AT_KINK) * PER_TURN)
    second += TURN * np.floor((q - second + AT_KINK) * PER_TURN)
    return max(first, second), min(first, second) + TURN


@inlined_kernel
def _shape_step(
    problem: FacingArrays,
    bounds: int,
    rows: np.ndarray,
    n: int,
    memory: Descent,
    slot: int,
    longest: float,
    curvature: float,
) -> None:
    """Writes the quadratic program at row n: kinks, limits and the longest step bound each joint."""
    program, state = memory.program, memory.state
    for i in range(rows.shape[1]):
        q = rows[n, i]
        lo = max(problem.limits[i, bounds] - q, -longest)
        hi = min(problem.limits[i, bounds + 1] - q, longest)
        program[D, i], state[i] = 0.0, FREE
        program[G, i] = memory.slope[slot, i]
        program[H, i] = curvature + max(memory.bend[slot, i], 0.0)
        if problem.cost[i, WEIGHT] > 0.0:
            before, after = _cell(problem, i, q)
            on_before, on_after = q - before <= AT_KINK, after - q <= AT_KINK
            if on_before or on_after:
                state[i], program[S, i], program[G, i] = ON_KINK, problem.cost[i, SLOPE], 0.0
                if not problem.signed:
                    program[H, i] = curvature + problem.cost[i, WEIGHT] * max(problem.cost[i, LEVEL], 0.0)
            if not on_before:
                lo = max(lo, before - q)
            if not on_after:
                hi = min(hi, after - q)
        program[LO, i], program[HI, i] = min(lo, 0.0), max(hi, 0.0)


@inlined_kernel
def _correct(memory: Descent, slot: int, matrix: Symmetric, e: Vector, rows: np.ndarray, n: int) -> None:
    """Takes back what the curvature of the constraint has left to turn, so that long steps are not refused for it."""
    r = solve_symmetric(matrix, e)
    for i in range(rows.shape[1]):
        if memory.state[i] == FREE:
            y = memory.axes[slot, i, 0] * r[0] + memory.axes[slot, i, 1] * r[1] + memory.axes[slot, i, 2] * r[2]
            step = memory.trial[0, i] - rows[n, i] + y / memory.program[H, i]
            memory.trial[0, i] = rows[n, i] + min(max(step, memory.program[LO, i]), memory.program[HI, i])


@uncounted_kernel
def descend(
    problem: FacingArrays,
    bounds: int,
    aim: Aim,
    exact: bool,
    iterations: int,
    tolerance: float,
    memory: Descent,
    rows: np.ndarray,
    n: int,
) -> tuple[float, float, int]:
    """Improves row n in place; gives its cost, the angle left to turn [rad] and the steps it took.

    Args:
        problem: The problem.
        bounds: Limits that hold: LOWER, or LOW where joints may go round.
        aim: The target, and the angles to stay near to.
        exact: Whether to face the target exactly; otherwise the combined error is minimized.
        iterations: Most steps.
        tolerance: Gain of one step at which to stop.
        memory: For m joints.
        rows: Angles [rad], [r, m].
        n: The row to start from and to improve.
    """
    m = rows.shape[1]
    for i in range(m):
        rows[n, i] = _bounded(problem, bounds, i, rows[n, i])
    slot, used = 0, 0
    cost, e = evaluate(problem, aim, rows, n, memory, slot)
    angle = length(e)
    first = _CURVATURE * problem.posture
    longest, curvature, penalty = _LONGEST, first, problem.orientation * STEEPNESS
    while used < iterations:
        used += 1
        _shape_step(problem, bounds, rows, n, memory, slot, longest, curvature)
        slack = _SLACK
        if not exact:
            slack += angle / (problem.orientation * STEEPNESS * np.cos(0.25 * angle))
        matrix, multiplier = solve_step(memory.program, memory.state, memory.axes, slot, e, slack)
        largest = 0.0
        for i in range(m):
            largest = max(largest, abs(memory.program[D, i]))
            memory.trial[0, i] = _bounded(problem, bounds, i, rows[n, i] + memory.program[D, i])
        if largest < 0.01 * _SHORTEST:
            break
        new_cost, new_e, new_angle = 0.0, e, angle
        for attempt in range(2):
            new_cost, new_e = _evaluate(problem, aim, memory.trial, 0, memory, 1 - slot)
            new_angle = length(new_e)
            if attempt == 1 or not exact or not FACED < new_angle < 0.5:
                break
            _correct(memory, slot, matrix, new_e, rows, n)
        if exact:
            size = length(multiplier)
            if size < 100.0 * penalty:  # a huge multiplier only says that too few joints are free
                penalty = max(penalty, 1.5 * size)
            old, new = cost + penalty * angle, new_cost + penalty * new_angle
        else:
            old, new = cost + orientation_cost(problem, angle), new_cost + orientation_cost(problem, new_angle)
        if new < old - 1e-15 or (largest < 1e-6 and new <= old + 1e-12):
            for i in range(m):
                rows[n, i] = memory.trial[0, i]
            cost, e, angle, slot = new_cost, new_e, new_angle, 1 - slot
            if largest > 0.5 * longest:
                longest = min(1.5, max(longest, 2.0 * largest))
            curvature = max(0.5 * curvature, 1e-4 * first)
            if old - new < tolerance and (angle < 1e-3 * FACED or not exact):
                break
        else:
            longest = 0.35 * largest
            curvature *= 4.0
            if longest < _SHORTEST:
                break
    if exact and 1e-3 * FACED < angle < _NEARLY:
        cost, angle = _finish(problem, bounds, aim, cost, e, memory, slot, rows, n)
    return cost, angle, used


@uncounted_kernel
def _finish(
    problem: FacingArrays,
    bounds: int,
    aim: Aim,
    cost: float,
    e: Vector,
    memory: Descent,
    slot: int,
    rows: np.ndarray,
    n: int,
) -> tuple[float, float]:
    """Turns the little that is left with the joints that are off their kinks; gives cost and angle left."""
    m, program = rows.shape[1], memory.program
    for _ in range(4):
        _shape_step(problem, bounds, rows, n, memory, slot, 10.0 * _NEARLY, 1.0)
        for i in range(m):
            program[G, i], program[H, i], program[S, i] = 0.0, 1.0, np.inf
        solve_step(program, memory.state, memory.axes, slot, e, _SLACK)
        for i in range(m):
            memory.trial[0, i] = _bounded(problem, bounds, i, rows[n, i] + program[D, i])
        new_cost, new_e = evaluate(problem, aim, memory.trial, zero(), memory, 1 - slot)
        if length(new_e) >= length(e):
            break
        cost, e, slot = new_cost, new_e, 1 - slot
        for i in range(m):
            rows[n, i] = memory.trial[0, i]
        if length(e) < 1e-3 * FACED:
            break
    return cost, length(e)
