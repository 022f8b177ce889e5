"""Rotations as turns about given axes one after another, as a robot's joints make them."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.motion.transfer.axis_errors import error_and_slopes
from animato.motion.transfer.branch_choice import chosen_branches
from animato.motion.transfer.lock_crossing import calmed
from animato.motion.transfer.turn_splits import product_of_turns, splits_of
from animato.spatial import quaternions

_MOST_STEPS = 40


@kernel
def _damped_step(slopes: np.ndarray, error: np.ndarray, damping: float, matrix: np.ndarray, step: np.ndarray) -> None:
    """Solves (D^T D + damping I) step = -D^T v by elimination; the matrix is positive definite."""
    count = len(step)
    for i in range(count):
        step[i] = -(slopes[i, 0] * error[1] + slopes[i, 1] * error[2] + slopes[i, 2] * error[3])
        for j in range(count):
            matrix[i, j] = slopes[i, 0] * slopes[j, 0] + slopes[i, 1] * slopes[j, 1] + slopes[i, 2] * slopes[j, 2]
        matrix[i, i] += damping
    for i in range(count):
        for j in range(i + 1, count):
            factor = matrix[j, i] / matrix[i, i]
            step[j] -= factor * step[i]
            for k in range(i, count):
                matrix[j, k] -= factor * matrix[i, k]
    for i in range(count - 1, -1, -1):
        for k in range(i + 1, count):
            step[i] -= matrix[i, k] * step[k]
        step[i] /= matrix[i, i]


@kernel
def _follow(axes: np.ndarray, targets: np.ndarray, start: np.ndarray, angles: np.ndarray, errors: np.ndarray) -> None:
    """Levenberg-Marquardt on the sine of half the error angle, each frame from the answer of the one before."""
    count = len(start)
    here, trial, step = start.copy(), start.copy(), start.copy()
    slopes, matrix, error = np.empty((count, 3)), np.empty((count, count)), np.empty(4)
    for frame in range(len(targets)):
        error_and_slopes(axes, here, targets[frame], error, slopes)
        cost = error[1] ** 2 + error[2] ** 2 + error[3] ** 2
        damping = 1e-6
        for _ in range(_MOST_STEPS):
            _damped_step(slopes, error, damping, matrix, step)
            largest = 0.0
            for i in range(count):
                trial[i] = here[i] + step[i]
                largest = max(largest, abs(step[i]))
            error_and_slopes(axes, trial, targets[frame], error, slopes)
            trial_cost = error[1] ** 2 + error[2] ** 2 + error[3] ** 2
            if trial_cost > cost:
                damping *= 10.0
                error_and_slopes(axes, here, targets[frame], error, slopes)
                if damping > 1e4:
                    break
                continue
            for i in range(count):
                here[i] = trial[i]
            damping *= 0.2
            done = cost - trial_cost <= 1e-16 * cost or largest < 1e-11
            cost = trial_cost
            if done:
                break
        for i in range(count):
            angles[frame, i] = here[i]
        errors[frame] = 2.0 * np.arcsin(min(np.sqrt(cost), 1.0))


def angles_about(
    axes: np.ndarray,
    turns_wxyz: np.ndarray,
    ranges: np.ndarray | None = None,
    *,
    rate_hz: float = 120.0,
    leaps: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Angles whose turns about the axes, the first one outermost, come nearest to given rotations.

    Up to three axes have closed solutions, two of them apart from whole turns; the path through them is chosen for
    the whole motion, and is calmed where axes fall together. For more axes each frame starts from the one before, so
    that angles do not jump; the first frame is tried from several starts.

    Args:
        axes: Unit vectors in the axes of the neutral pose, shape [axis, 3].
        turns_wxyz: Shape [frame, 4].
        ranges: Lower and upper limits [rad], infinite where free, shape [axis, 2]. They choose between equally good
            solutions; no angle is clipped. A joint whose axes fall together crosses to the other solution, a little
            off, before it winds beyond its range.
        rate_hz: Frames per second.
        leaps: Whether the motion leaps to a frame and begins anew there, as after a T-pose, shape [frame].

    Returns:
        Angles without jumps [rad], shape [frame, axis], and the angle of rotation that is left over
        in each frame [rad], shape [frame].
    """
    axes = np.ascontiguousarray(axes, dtype=np.float64)
    turns = np.ascontiguousarray(turns_wxyz, dtype=np.float64)
    limits = np.tile((-np.inf, np.inf), (len(axes), 1)) if ranges is None else np.asarray(ranges, dtype=np.float64)
    splits = splits_of(axes, turns)
    if splits is None:
        angles, left = np.empty((len(turns), len(axes))), np.empty(len(turns))
        _follow(axes, turns, _first_angles(axes, turns[0], limits), angles, left)
        return _unwound(angles, limits), left
    anew = np.zeros(len(turns), dtype=bool) if leaps is None else leaps
    path = chosen_branches(axes, splits, limits, rate_hz, anew)
    if path.unbroken:
        angles, crossed = path.angles, path.crossed
    else:  # more whole turns than the choice knows: the joint is meant to wind
        angles, crossed = _unwound(np.unwrap(splits.angles[:, 0], axis=0), limits), np.zeros(len(turns), dtype=bool)
    angles = calmed(axes, turns, splits, angles, crossed, rate_hz, anew)
    return angles, quaternions.angle_between(product_of_turns(axes, angles), turns)


def _unwound(angles: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Angles that are by whole turns as near to the middle of their range as can be, all frames alike."""
    middle = np.where(np.isfinite(limits).all(axis=1), np.clip(limits, -1e9, 1e9).mean(axis=1), 0.0)
    return np.asarray(angles - 2.0 * np.pi * np.round((np.median(angles, axis=0) - middle) / (2.0 * np.pi)))


def _first_angles(axes: np.ndarray, turn: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """The best start of a motion: least error, then least beyond the limits, then the smallest angles."""
    quarter = np.eye(len(axes)) * 0.5 * np.pi
    best: tuple[float, float, float] | None = None
    chosen = np.zeros(len(axes))
    for start in np.vstack([np.zeros(len(axes)), quarter, -quarter, 2.0 * quarter]):
        angles, error = np.empty((1, len(axes))), np.empty(1)
        _follow(axes, turn[None], start, angles, error)
        found = np.remainder(angles[0] + np.pi, 2.0 * np.pi) - np.pi
        beyond = np.maximum(limits[:, 0] - found, 0.0) + np.maximum(found - limits[:, 1], 0.0)
        score = (round(float(error[0]), 6), round(float(beyond.sum()), 6), float(found @ found))
        if best is None or score < best:
            best, chosen = score, found
    return chosen
