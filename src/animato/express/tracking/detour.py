"""A way from one configuration to another that faces the same target all the time, around joint limits.

Two trees grow from both ends towards random configurations and towards one another (Kuffner and LaValle: RRT-Connect,
2000), each step put back onto the configurations that face the target. The way found is then cut short at random where
that costs less. All in steps, so that a frame can do a few of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.tracking.constants import TRACKING
from animato.express.tracking.kernel import Setting, bound, face_exactly, held_error
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import Quaternion, Vector, quaternion

SEARCHING, FOUND, FULL = range(3)
"""What `grow` says."""

_SIDE, _PHASE, _AT, _GOAL, _LEFT, _COUNT = range(6)
_SAMPLE, _EXTEND, _CONNECT = range(3)


class Trees(NamedTuple):
    """Two trees.

    Attributes:
        nodes: Configurations [rad], [2, size, m].
        parent: Of each, -1 at the root, [2, size].
        state: What is under way, then how many nodes each tree has, [7].
        goal: Where it goes [rad], [1, m]
        step: Longest step of a joint [rad].
    """

    nodes: np.ndarray
    parent: np.ndarray
    state: np.ndarray
    goal: np.ndarray
    step: float


def new_trees(joints: int, step: float) -> Trees:
    """Memory for trees."""
    return Trees(
        np.zeros((2, TRACKING.tree_size, joints)),
        np.full((2, TRACKING.tree_size), -1, np.int64),
        np.zeros(7, np.int64),
        np.zeros((1, joints)),
        step,
    )


@kernel
def plant(trees: Trees, start: np.ndarray, goal: np.ndarray) -> None:
    """Begins anew from two configurations [m]."""
    trees.nodes[0, 0], trees.nodes[1, 0] = start, goal
    trees.state[:] = 0
    trees.state[_COUNT:] = 1


@kernel
def _nearest(trees: Trees, side: int) -> int:
    best, who = np.inf, 0
    for n in range(trees.state[_COUNT + side]):
        distance = 0.0
        for i in range(trees.goal.shape[1]):
            apart = trees.nodes[side, n, i] - trees.goal[0, i]
            distance += apart * apart
        if distance < best:
            best, who = distance, n
    return who


@inlined_kernel
def _apart(a: np.ndarray, n: int, b: np.ndarray, k: int) -> float:
    """Largest difference between two rows."""
    largest = 0.0
    for i in range(a.shape[1]):
        largest = max(largest, abs(a[n, i] - b[k, i]))
    return largest


@kernel
def _step(
    setting: Setting,
    target: Quaternion,
    point: Vector,
    rows: np.ndarray,
    n: int,
    goal: np.ndarray,
    k: int,
    step: float,
    pull: float,
) -> bool:
    """Writes row n + 1: one step from row n towards row k of goal, facing; False where it does not get on."""
    before = _apart(rows, n, goal, k)
    share, slack = min(1.0, step / before), TRACKING.tree_slack * step
    for i in range(rows.shape[1]):
        rows[n + 1, i] = rows[n, i] + share * (goal[k, i] - rows[n, i])
        bound(setting, i, rows[n, i] - slack, rows[n, i] + slack)
    near = rows[n + 1].copy()
    if face_exactly(setting, target, point, near, pull, TRACKING.tree_steps, rows, n + 1) > TRACKING.nearly_faced_rad:
        return False
    return _apart(rows, n + 1, goal, k) < before - TRACKING.tree_progress * share * step


@kernel
def grow(setting: Setting, target: np.ndarray, point: Vector, trees: Trees, samples: np.ndarray) -> int:
    """Takes as many steps as there are random configurations.

    Args:
        setting: Its limits are written.
        target: Faced all the time, [1, 4].
        point: To look at all the time [m], or NOWHERE.
        trees: Grown.
        samples: Configurations [rad], [steps, m].
    """
    state = trees.state
    work = np.empty((2, samples.shape[1]))
    for n in range(len(samples)):
        if state[_PHASE] == _SAMPLE:
            trees.goal[0] = samples[n]
            state[_SIDE] = 1 - state[_SIDE]
            state[_AT], state[_GOAL] = _nearest(trees, state[_SIDE]), -1
            state[_PHASE], state[_LEFT] = _EXTEND, TRACKING.tree_extension
        side, size = state[_SIDE], state[_COUNT + state[_SIDE]]
        if size == TRACKING.tree_size:
            return FULL
        work[0] = trees.nodes[side, state[_AT]]
        moved = _step(setting, quaternion(target, 0), point, work, 0, trees.goal, 0, trees.step, TRACKING.tree_pull)
        if moved:
            trees.nodes[side, size], trees.parent[side, size] = work[1], state[_AT]
            state[_AT], state[_COUNT + side] = size, size + 1
            state[_LEFT] -= 1
        arrived = moved and _apart(work, 1, trees.goal, 0) < TRACKING.tree_arrived_rad
        if arrived and state[_PHASE] == _CONNECT:
            return FOUND
        if moved and not arrived and state[_LEFT] > 0:
            continue
        if state[_PHASE] == _EXTEND and state[_LEFT] < TRACKING.tree_extension:
            state[_GOAL] = state[_AT]
            trees.goal[0] = trees.nodes[side, state[_AT]]
            state[_SIDE] = 1 - side
            state[_AT] = _nearest(trees, 1 - side)
            state[_PHASE], state[_LEFT] = _CONNECT, TRACKING.tree_size
        else:
            state[_PHASE] = _SAMPLE
    return SEARCHING


@kernel
def write_path(trees: Trees, path: np.ndarray) -> int:
    """Writes the way that was found, from start to goal [most, m]; gives how many configurations, 0 for too many."""
    ends = (trees.state[_AT], trees.state[_GOAL])
    if trees.state[_SIDE] == 1:
        ends = (ends[1], ends[0])
    count = 0
    for side in range(2):
        first, n = count, ends[side]
        if side == 1:
            n = trees.parent[1, n]  # both trees end at the same configuration
        while n >= 0:
            if count == len(path):
                return 0
            path[count] = trees.nodes[side, n]
            count += 1
            n = trees.parent[side, n]
        if side == 0:
            path[first:count] = path[first:count][::-1].copy()
    return count


@kernel
def shorten(
    setting: Setting, target: np.ndarray, point: Vector, path: np.ndarray, count: int, step: float, picks: np.ndarray
) -> int:
    """Tries straight ways between configurations of a path, and keeps those that cost less; gives how many it has now.

    Args:
        setting: Its limits are written.
        target: Faced all the time, [1, 4].
        point: To look at all the time [m], or NOWHERE.
        path: [rad], [most, m]
        count: Configurations that it has.
        step: Longest step of a joint [rad].
        picks: Where to cut, and how straight, 0 to 1, [tries, 3].
    """
    work = np.empty((TRACKING.cut_rows, path.shape[1]))
    for pick in picks:
        a, b = int(min(pick[:2]) * (count - 1)), int(np.ceil(max(pick[:2]) * (count - 1)))
        if b - a < 2:
            continue
        old, new, n = 0.0, 0.0, 0
        for k in range(a + 1, b):
            old += TRACKING.step_price + held_error(setting, quaternion(target, 0), point, path, k)
        work[0] = path[a]
        while n < len(work) - 1 and new < old:
            pull = TRACKING.tree_pull * pick[2] ** 4  # most cuts follow the posture, some are straight
            if not _step(setting, quaternion(target, 0), point, work, n, path, b, step, pull):
                break
            n += 1
            if _apart(work, n, path, b) < TRACKING.tree_arrived_rad:
                break
            new += TRACKING.step_price + held_error(setting, quaternion(target, 0), point, work, n)
        if new < old and n > 0 and _apart(work, n, path, b) < TRACKING.tree_arrived_rad and n <= b - a:
            for k in range(1, n):
                path[a + k] = work[k]
            for k in range(b, count):
                path[a + n + k - b] = path[k]
            count += a + n - b
    return count


@kernel
def path_cost(setting: Setting, target: np.ndarray, point: Vector, path: np.ndarray, count: int) -> float:
    """Sum of the errors along a path."""
    total = 0.0
    for k in range(count):
        total += held_error(setting, quaternion(target, 0), point, path, k)
    return total
