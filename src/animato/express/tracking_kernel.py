"""One step of tracking, and looking ahead: many steps along predicted targets.

A step is the facing problem with its box narrowed to what the joints can reach in that time, so that a
solution never jumps. A `near` configuration with a small pull leads the chain through its spare freedom
while it goes on facing; LEAP goes there straight and faces again on arrival.
"""

from __future__ import annotations

import numpy as np

from animato.express.errors import SQRT_2
from animato.express.facing_arrays import LOWER, FacingArrays
from animato.express.facing_descent import FACED, Aim, Descent, descend, descent_memory, evaluate
from animato.express.quaternion_tuples import length, quaternion
from animato.spatial.compiled import kernel

FACE, LEAP = 0, 1
"""Ways to get somewhere: facing all the time, or straight through joint space."""

ARRIVED = 0.05
"""[rad] from `near` at which a change of branch is over."""

_STEPS = 6  # of the local solver in one step of tracking
_GAIN = 1e-9


@kernel
def _narrow(
    problem: FacingArrays, full: np.ndarray, turning: int, q: np.ndarray, v: np.ndarray, speed: float, change: float
) -> None:
    """Writes limits that the joints can reach: `speed` and `change` are the largest move, and change of move [rad]."""
    for i in range(len(v)):
        if i >= turning:  # the roll that costs nothing is no joint
            problem.limits[i, 0], problem.limits[i, 1] = full[i, 0], full[i, 1]
            continue
        slowest, fastest = v[i] - change, v[i] + change
        # no faster towards a limit than it can still brake: n steps of braking take n (n + 1) / 2 changes
        down = np.sqrt(0.25 * change * change + 2.0 * change * max(0.0, q[0, i] - full[i, 0])) - 0.5 * change
        up = np.sqrt(0.25 * change * change + 2.0 * change * max(0.0, full[i, 1] - q[0, i])) - 0.5 * change
        lowest, highest = max(slowest, -speed, -down), min(fastest, speed, up)
        lowest, highest = min(lowest, fastest), max(highest, slowest)
        low = min(max(q[0, i] + lowest, full[i, 0]), full[i, 1])
        high = max(min(q[0, i] + highest, full[i, 1]), full[i, 0])
        problem.limits[i, 0], problem.limits[i, 1] = min(low, high), max(low, high)
        problem.limits[i, 2], problem.limits[i, 3] = problem.limits[i, 0], problem.limits[i, 1]


@kernel
def track_step(
    problem: FacingArrays,
    full: np.ndarray,
    turning: int,
    target: tuple[float, float, float, float],
    near: np.ndarray,
    pull: float,
    how: int,
    speed: float,
    change: float,
    memory: Descent,
    q: np.ndarray,
    v: np.ndarray,
) -> float:
    """Moves q towards facing the target and writes its move into v [rad]; gives the angle left to turn [rad].

    Args:
        problem: The problem; its limits are overwritten.
        full: Its real limits, [m, 2].
        turning: How many of the m turn; a roll that costs nothing comes after them.
        target: What exp(a_1 q_1) ... exp(a_m q_m) should be, wxyz.
        near: Where to be led [rad], [m].
        pull: How strongly.
        how: FACE or LEAP.
        speed: Largest move of a joint [rad].
        change: Largest change of its move [rad].
        memory: Of the local solver.
        q: Angles, changed in place [rad], [1, m].
        v: Moves of this step, those of the last on entry [rad], [m].
    """
    _narrow(problem, full, turning, q, v, speed, change)
    start = q.copy()
    if how == LEAP:
        for i in range(len(v)):
            q[0, i] = min(max(near[i], problem.limits[i, 0]), problem.limits[i, 1])
        _, e = evaluate(problem, Aim(target, near, 0.0), q, 0, memory, 0)
        angle = length(e)
    else:
        aim = Aim(target, near, pull)
        _, angle, _ = descend(problem, LOWER, aim, True, _STEPS, _GAIN, memory, q, 0)
        if angle > FACED * 1e3:
            q[:] = start
            _, angle, _ = descend(problem, LOWER, aim, False, _STEPS, _GAIN, memory, q, 0)
    for i in range(len(v)):
        v[i] = q[0, i] - start[0, i]
    return angle


@kernel
def held_error(problem: FacingArrays, memory: Descent, q: np.ndarray, angle: float) -> float:
    """The combined error at q with an angle left to turn [rad]."""
    cost, _ = evaluate(problem, Aim((1.0, 0.0, 0.0, 0.0), q[0], 0.0), q, 0, memory, 0)
    return cost + problem.orientation * SQRT_2 * np.sin(0.25 * angle)


@kernel
def look_ahead(
    problem: FacingArrays,
    full: np.ndarray,
    turning: int,
    targets: np.ndarray,
    near: np.ndarray,
    pull: float,
    how: int,
    speed: float,
    start: np.ndarray,
    enough: float,
) -> float:
    """Mean combined error of following predicted targets [s, 4] from a start [1, m]; stops above `enough`."""
    memory = descent_memory(len(near))
    q, v = start.copy(), np.zeros(len(near))
    total = 0.0
    for s in range(len(targets)):
        angle = track_step(
            problem, full, turning, quaternion(targets, s), near, pull, how, speed, 2.0 * speed, memory, q, v
        )
        total += held_error(problem, memory, q, angle) / len(targets)
        if total > enough:
            break
        if np.max(np.abs(q[0] - near)) < ARRIVED:
            pull, how = 0.0, FACE
    return total
