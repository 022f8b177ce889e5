"""One step of tracking: the facing problem with its box narrowed to what the joints can reach in that time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing import LOWER, Aim, Descent, FacingArrays, descend, evaluate, orientation_cost
from animato.express.tracking.constants import TRACKING
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import Quaternion, Vector, length


class Setting(NamedTuple):
    """What every step works with.

    Attributes:
        problem: The facing problem; its limits are overwritten.
        full: Its real limits [rad], [m, 2].
        turning: How many of the m turn; a roll that costs nothing comes after them.
        memory: Of the local solver.
    """

    problem: FacingArrays
    full: np.ndarray
    turning: int
    memory: Descent


@inlined_kernel
def bound(setting: Setting, i: int, lowest: float, highest: float) -> None:
    """Writes limits of a joint, inside its real ones; where they are reversed, what lies between them is allowed."""
    lower, upper = setting.full[i, 0], setting.full[i, 1]
    if i < setting.turning:  # the roll that costs nothing is no joint
        low, high = min(lowest, highest), max(lowest, highest)
        lower, upper = min(max(low, lower), upper), max(min(high, upper), lower)
    setting.problem.limits[i, LOWER], setting.problem.limits[i, LOWER + 1] = lower, upper


@kernel
def face_exactly(
    setting: Setting,
    target: Quaternion,
    point: Vector,
    near: np.ndarray,
    pull: float,
    steps: int,
    rows: np.ndarray,
    n: int,
) -> float:
    """Moves row n inside the limits that were written to face a target; gives the angle left [rad]."""
    aim = Aim(target, near, pull, point)
    _, angle, _ = descend(setting.problem, LOWER, aim, True, steps, TRACKING.step_gain, setting.memory, rows, n)
    return angle


@kernel
def face(
    setting: Setting,
    target: Quaternion,
    point: Vector,
    near: np.ndarray,
    pull: float,
    steps: int,
    rows: np.ndarray,
    n: int,
) -> float:
    """Moves row n inside the limits that were written to face a target, and where it cannot, nearly; gives the angle.

    Args:
        setting: With limits as `bound` wrote them.
        target: What exp(a_1 q_1) ... exp(a_m q_m) should be, wxyz; with a point the twist before it is upright.
        point: To look at [m], or NOWHERE.
        near: Where to stay near to [rad], [m].
        pull: How strongly.
        steps: Of the local solver.
        rows: Angles [rad], [r, m].
        n: Which of them.
    """
    angle = face_exactly(setting, target, point, near, pull, steps, rows, n)
    if angle > TRACKING.nearly_faced_rad:
        aim = Aim(target, near, pull, point)
        _, angle, _ = descend(setting.problem, LOWER, aim, False, steps, TRACKING.step_gain, setting.memory, rows, n)
    return angle


@kernel
def missed(setting: Setting, target: Quaternion, point: Vector, rows: np.ndarray, n: int) -> tuple[float, float]:
    """The combined error of row n, and the angle it has left to turn [rad]."""
    cost, e = evaluate(setting.problem, Aim(target, rows[n], 0.0, point), rows, n, setting.memory, 0)
    return cost + orientation_cost(setting.problem, length(e)), length(e)


@kernel
def held_error(setting: Setting, target: Quaternion, point: Vector, rows: np.ndarray, n: int) -> float:
    """The combined error of row n."""
    return missed(setting, target, point, rows, n)[0]


@kernel
def narrow(setting: Setting, q: np.ndarray, v: np.ndarray, speeds: np.ndarray, changes: np.ndarray) -> None:
    """Writes limits that the joints can reach in one frame.

    Args:
        setting: Its limits are written.
        q: Angles [rad], [1, m].
        v: Moves of the last frame [rad], [m].
        speeds: Largest moves [rad or m], [m].
        changes: Largest changes of them [rad or m], [m].
    """
    for i in range(len(v)):
        speed, change = speeds[i], changes[i]
        slowest, fastest = v[i] - change, v[i] + change
        # no faster towards a limit than it can still brake: n steps of braking take n (n + 1) / 2 changes
        down = np.sqrt(0.25 * change * change + 2.0 * change * max(0.0, q[0, i] - setting.full[i, 0])) - 0.5 * change
        up = np.sqrt(0.25 * change * change + 2.0 * change * max(0.0, setting.full[i, 1] - q[0, i])) - 0.5 * change
        lowest, highest = max(slowest, -speed, -down), min(fastest, speed, up)
        bound(setting, i, q[0, i] + min(lowest, fastest), q[0, i] + max(highest, slowest))
