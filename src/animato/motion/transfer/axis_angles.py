"""Rotations as turns about given axes one after another, as a robot's joints make them."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.spatial import quaternions
from animato.spatial.quaternions import exp_one, multiply_one, rotate_one

_MOST_STEPS = 40


# Plain loops over numbers: expressions over arrays would triple the time numba takes to compile these.


@kernel
def _error_and_slopes(
    axes: np.ndarray, angles: np.ndarray, target: np.ndarray, error: np.ndarray, slopes: np.ndarray
) -> None:
    """Error e = P^-1 L as a quaternion with e_w >= 0, and the slopes of its vector part [axis, 3].

    P is the product of the turns. Turning axis k by d turns P by the axis as seen after all later
    turns, J_k = S_k^-1 a_k, and so changes the vector part v of e by -(e_w J_k + J_k x v) d / 2.
    """
    back, one, moved, vector = np.zeros(4), np.empty(4), np.empty(4), np.empty(3)
    back[0] = 1.0
    for k in range(len(angles) - 1, -1, -1):
        rotate_one(back, axes[k], slopes[k])
        for i in range(3):
            vector[i] = -axes[k, i] * angles[k]
        exp_one(vector, one)
        multiply_one(back, one, moved)
        for i in range(4):
            back[i] = moved[i]
    multiply_one(back, target, error)
    sign = -1.0 if error[0] < 0.0 else 1.0
    w, x, y, z = sign * error[0], sign * error[1], sign * error[2], sign * error[3]
    error[0], error[1], error[2], error[3] = w, x, y, z
    for k in range(len(angles)):
        a, b, c = slopes[k, 0], slopes[k, 1], slopes[k, 2]
        slopes[k, 0] = -0.5 * (w * a + b * z - c * y)
        slopes[k, 1] = -0.5 * (w * b + c * x - a * z)
        slopes[k, 2] = -0.5 * (w * c + a * y - b * x)


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
        _error_and_slopes(axes, here, targets[frame], error, slopes)
        cost = error[1] ** 2 + error[2] ** 2 + error[3] ** 2
        damping = 1e-6
        for _ in range(_MOST_STEPS):
            _damped_step(slopes, error, damping, matrix, step)
            largest = 0.0
            for i in range(count):
                trial[i] = here[i] + step[i]
                largest = max(largest, abs(step[i]))
            _error_and_slopes(axes, trial, targets[frame], error, slopes)
            trial_cost = error[1] ** 2 + error[2] ** 2 + error[3] ** 2
            if trial_cost > cost:
                damping *= 10.0
                _error_and_slopes(axes, here, targets[frame], error, slopes)
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
    axes: np.ndarray, turns_wxyz: np.ndarray, ranges: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Angles whose turns about the axes, the first one outermost, come nearest to given rotations.

    One axis has a closed solution (the twist). For more, each frame starts from the one before, so
    that angles do not jump; the first frame is tried from several starts.

    Args:
        axes: Unit vectors in the axes of the neutral pose, shape [axis, 3].
        turns_wxyz: Shape [frame, 4].
        ranges: Lower and upper limits [rad], infinite where free, shape [axis, 2]. They only choose
            between equally good solutions; no angle is clipped.

    Returns:
        Angles without jumps [rad], shape [frame, axis], and the angle of rotation that is left over
        in each frame [rad], shape [frame].
    """
    axes = np.ascontiguousarray(axes, dtype=np.float64)
    turns = np.ascontiguousarray(turns_wxyz, dtype=np.float64)
    limits = np.tile((-np.inf, np.inf), (len(axes), 1)) if ranges is None else np.asarray(ranges)
    if len(axes) == 1:
        twist = np.unwrap(2.0 * np.arctan2(turns[:, 1:] @ axes[0], turns[:, 0]))
        angles = twist[:, None]
        left = quaternions.angle_between(quaternions.quaternion_about(axes[0], twist), turns)
    else:
        angles, left = np.empty((len(turns), len(axes))), np.empty(len(turns))
        _follow(axes, turns, _first_angles(axes, turns[0], limits), angles, left)
    middle = np.where(np.isfinite(limits).all(axis=1), np.clip(limits, -1e9, 1e9).mean(axis=1), 0.0)
    return angles - 2.0 * np.pi * np.round((np.median(angles, axis=0) - middle) / (2.0 * np.pi)), left


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
