"""Which of all ways to make a rotation a joint takes at each moment: the best path through all of them at once."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from animato.kernels.compiled import kernel
from animato.motion.transfer.turn_splits import Splits, axes_seen

_TURN = 2.0 * np.pi
_ERROR_WEIGHT = 10.0  # of rotation left over, against angles beyond their range
_SMALL_WEIGHT = 1e-4  # of angles inside their range: between equal ways the smaller angles win
_CROSSING_S = 0.17  # s for which a joint is off while it crosses a lock, by about the distance to it
_CROSSED_WITHIN = np.radians(35.0)  # of a lock; farther away it would leave the motion
_SWAPPED_WITHIN = np.radians(15.0)  # of where both ways of one or two axes are equally far off
_FARTHER = 1.7  # times that, where angles would else wind by more than a turn beyond their range
_TURNED, _TURNED_PER_DISTANCE = 0.6, 4.0  # rad, rad/rad; what turns the bone by more is no crossing
_LONGEST_STEP = 1.01 * np.pi  # from one frame to the next, without a whole turn
_JUMP = 1e9  # what no path takes that need not
_STEP, _ACROSS, _BREAK = 0, 1, 2


@dataclass(frozen=True, eq=False)
class BranchPath:
    """A way for each frame.

    Attributes:
        angles: [rad], shape [frame, axis].
        crossed: Whether the way changes from the frame before to this one, across a lock, shape [frame].
        unbroken: Whether no angle jumps.
    """

    angles: np.ndarray
    crossed: np.ndarray
    unbroken: bool


def chosen_branches(
    axes: np.ndarray, splits: Splits, ranges: np.ndarray, rate_hz: float, leaps: np.ndarray
) -> BranchPath:
    """The path of least cost through both ways of each frame and their whole turns.

    A frame costs its error, how far angles are beyond their range, and next to nothing for their size. A step costs
    the square of what the angles move. Near a lock a path may cross from one way to the other and pays for the
    distance to the lock, by which the rotation is off meanwhile.

    Args:
        axes: Unit vectors in the axes of the neutral pose, shape [axis, 3].
        splits: Both ways of all frames.
        ranges: Lower and upper limits [rad], infinite where free, shape [axis, 2].
        rate_hz: Frames per second.
        leaps: Whether the motion leaps to a frame and begins anew there, at no cost, shape [frame].
    """
    count = len(axes)
    bounded = np.where(np.isfinite(ranges), ranges, (-np.pi, np.pi))
    middles = bounded.mean(axis=1)
    angles = np.array(splits.angles)
    windings = []
    for way in (0, 1):
        turns: list[tuple[float, ...]] = []
        for axis in range(count):
            values = angles[:, way, axis]
            if count == 3 and axis == 1:  # swings about where the axes lock, so that whole turns have no seam in it
                values -= _TURN * np.round((np.median(values) - middles[axis]) / _TURN)
                turns.append((0.0, -_TURN if np.median(values) > middles[axis] else _TURN))
            else:
                values -= _TURN * np.round((values - middles[axis]) / _TURN)
                turns.append((-_TURN, 0.0, _TURN))
        windings.append(list(itertools.product(*turns)))
    seen = np.stack([axes_seen(axes, angles[:, way]) for way in (0, 1)], axis=1)
    path, crossed = np.empty((len(angles), count)), np.zeros(len(angles), dtype=np.bool_)
    crossing = _CROSSING_S * rate_hz
    whole_turns = np.array(windings)
    near = _CROSSED_WITHIN if count == 3 else _SWAPPED_WITHIN
    for within in (near, _FARTHER * near):
        unbroken = _best_path(
            angles,
            splits.errors,
            seen,
            splits.lock_distances,
            whole_turns,
            bounded,
            middles,
            np.array((crossing, within)),
            leaps,
            path,
            crossed,
        )
        if unbroken:
            break
    return BranchPath(path, crossed, unbroken)


@kernel
def _frame_cost(
    angles: np.ndarray, error: float, winding: np.ndarray, ranges: np.ndarray, middles: np.ndarray
) -> float:
    cost = _ERROR_WEIGHT * error * error
    for k in range(len(angles)):
        value = angles[k] + winding[k]
        beyond = max(ranges[k, 0] - value, value - ranges[k, 1], 0.0)
        cost += beyond * beyond + _SMALL_WEIGHT * (value - middles[k]) ** 2
    return cost


@kernel
def _step_cost(
    before: np.ndarray,
    winding_before: np.ndarray,
    after: np.ndarray,
    winding: np.ndarray,
    seen: np.ndarray,
    distance: float,
    crossing: float,
    within: float,
    same_way: bool,
) -> tuple[float, bool]:
    """Cost of a step, and whether it crosses a lock: there only what turns the bone counts, J dq, not dq itself."""
    moved, largest, x, y, z = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(after)):
        step = after[k] + winding[k] - before[k] - winding_before[k]
        moved += step * step
        largest = max(largest, abs(step))
        x += seen[k, 0] * step
        y += seen[k, 1] * step
        z += seen[k, 2] * step
    if largest > _LONGEST_STEP or not same_way:
        moved += _JUMP
    if distance < within and largest < 1.5 * np.pi:
        # two axes have no lock; where their ways meet, all that lies between is as far off as they are
        turned = x * x + y * y + z * z if len(after) == 3 else 0.0
        across = turned + crossing * distance * distance
        if across < moved and turned < (_TURNED + _TURNED_PER_DISTANCE * distance) ** 2:
            return across, True
    return moved, False


@kernel
def _best_path(
    angles: np.ndarray,
    errors: np.ndarray,
    seen: np.ndarray,
    distances: np.ndarray,
    windings: np.ndarray,
    ranges: np.ndarray,
    middles: np.ndarray,
    crossing: np.ndarray,
    leaps: np.ndarray,
    path: np.ndarray,
    crossed: np.ndarray,
) -> bool:
    """Dynamic programming over the states (way, whole turns); fills the path and tells whether nothing jumps in it."""
    frames, turns = len(angles), windings.shape[1]
    states, unbroken = 2 * turns, True
    costs, nexts = np.empty(states), np.empty(states)
    came_from, step_kind = np.zeros((frames, states), dtype=np.int16), np.zeros((frames, states), dtype=np.int8)
    for state in range(states):
        way, turn = state // turns, state % turns
        costs[state] = _frame_cost(angles[0, way], errors[0, way], windings[way, turn], ranges, middles)
    for frame in range(1, frames):
        for state in range(states):
            way, turn = state // turns, state % turns
            least = np.inf
            for offset in range(states):  # from the state itself on: what is likely makes the rest quick
                other = (state + offset) % states
                if costs[other] >= least:
                    continue
                cost, across = _step_cost(
                    angles[frame - 1, other // turns],
                    windings[other // turns, other % turns],
                    angles[frame, way],
                    windings[way, turn],
                    seen[frame, way],
                    min(distances[frame], distances[frame - 1]),
                    crossing[0],
                    crossing[1],
                    other // turns == way,
                )
                if leaps[frame]:
                    cost, across = 0.0, False
                if costs[other] + cost < least:
                    least = costs[other] + cost
                    came_from[frame, state] = other
                    step_kind[frame, state] = _ACROSS if across else (_BREAK if cost >= _JUMP else _STEP)
            nexts[state] = least + _frame_cost(
                angles[frame, way], errors[frame, way], windings[way, turn], ranges, middles
            )
        costs, nexts = nexts, costs
    state = int(np.argmin(costs))
    for frame in range(frames - 1, -1, -1):
        for k in range(angles.shape[2]):
            path[frame, k] = angles[frame, state // turns, k] + windings[state // turns, state % turns, k]
        crossed[frame] = step_kind[frame, state] == _ACROSS
        unbroken = unbroken and step_kind[frame, state] != _BREAK
        state = came_from[frame, state]
    return unbroken
