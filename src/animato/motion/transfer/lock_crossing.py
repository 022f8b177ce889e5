"""Calm ways past the places where two axes of a joint fall together.

There a small turn of the bone asks for a large one of the joints. Frames near such a lock are solved together: the
bone may be off by a little where that keeps the joints from whirling.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.motion.transfer.axis_errors import error_and_slopes
from animato.motion.transfer.turn_splits import Splits

_NEAR_LOCK = np.radians(20.0)  # of a lock, from where on joints are calmed
_CALM_S = 0.00417  # s; calming weighs a joint's rate times this against the sine of half the bone's error
_AROUND_S = 0.1  # s before and after a crossing that belong to it
_LEAST_SHARE = 0.25  # of the calming at a lock that holds wherever there is any, so that no stretch ends with a leap
_POLISH = 1e-9  # as a weight of steps, only keeps what is solved away from locks from drifting
_REACHED = 1e-7  # rad that three axes may leave over where they reach
_MOST_ITERATIONS = 40


def calmed(
    axes: np.ndarray,
    turns_wxyz: np.ndarray,
    splits: Splits,
    angles: np.ndarray,
    crossed: np.ndarray,
    rate_hz: float,
    leaps: np.ndarray,
) -> np.ndarray:
    """Angles that follow rotations exactly away from locks and calmly near them.

    In each stretch near a lock, sum |sin(error / 2)|^2 + w_t |q_t - q_(t-1)|^2 is made least, with the frames before
    and after it as they are. w grows from 0 at 20 degrees from the lock to (0.00417 s)^2 rate^2 at it.

    Args:
        axes: Unit vectors in the axes of the neutral pose, shape [axis, 3].
        turns_wxyz: What the joints should make, shape [frame, 4].
        splits: Of these rotations on the axes.
        angles: The ways that were chosen [rad], shape [frame, axis].
        crossed: Whether a step to this frame crosses a lock, shape [frame].
        rate_hz: Frames per second.
        leaps: Whether the motion leaps to a frame and begins anew there, shape [frame].

    Returns:
        Shape [frame, axis].
    """
    most = (_CALM_S * rate_hz) ** 2
    weights = most * np.maximum(1.0 - splits.lock_distances / _NEAR_LOCK, 0.0) ** 2
    around = max(1, round(_AROUND_S * rate_hz))
    for frame in np.flatnonzero(crossed):
        weights[max(frame - around, 0) : frame + around] = most
    beyond_reach = len(axes) == 3 and splits.errors.min(axis=1) > _REACHED  # the closed form is not the nearest there
    busy = (weights > 0.0) | beyond_reach
    result = np.array(angles)
    if not busy.any():
        return result
    edges = np.flatnonzero(np.diff(np.concatenate([[False], busy, [False]]).astype(np.int8)))
    near = weights > 0.0
    weights = np.maximum(weights, _LEAST_SHARE * most * near)
    links = np.maximum(np.maximum(weights, np.concatenate([[0.0], weights[:-1]])), _POLISH)
    links[leaps] = 0.0
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        _calm_stretch(axes, turns_wxyz, links, int(start), int(stop), result)
    return result


@kernel
def _stretch_cost(
    axes: np.ndarray,
    turns: np.ndarray,
    links: np.ndarray,
    start: int,
    angles: np.ndarray,
    errors: np.ndarray,
    slopes: np.ndarray,
) -> float:
    """Cost of a stretch; `angles` begins with the frame before it and ends with the one after it."""
    total, frames = 0.0, len(angles) - 2
    for row in range(frames):
        error_and_slopes(axes, angles[row + 1], turns[start + row], errors[row], slopes[row])
        total += errors[row, 1] ** 2 + errors[row, 2] ** 2 + errors[row, 3] ** 2
    for row in range(frames + 1):
        for k in range(angles.shape[1]):
            total += links[row] * (angles[row + 1, k] - angles[row, k]) ** 2
    return total


@kernel
def _invert(matrix: np.ndarray, inverse: np.ndarray) -> None:
    """The inverse of a positive definite matrix by Gauss and Jordan; the matrix is used up."""
    count = len(matrix)
    for i in range(count):
        for j in range(count):
            inverse[i, j] = 1.0 if i == j else 0.0
    for i in range(count):
        pivot = matrix[i, i]
        for j in range(count):
            matrix[i, j] /= pivot
            inverse[i, j] /= pivot
        for row in range(count):
            factor = matrix[row, i]
            if row == i or factor == 0.0:
                continue
            for j in range(count):
                matrix[row, j] -= factor * matrix[i, j]
                inverse[row, j] -= factor * inverse[i, j]


@kernel
def _newton_step(
    angles: np.ndarray, links: np.ndarray, errors: np.ndarray, slopes: np.ndarray, damping: float, step: np.ndarray
) -> None:
    """Gauss-Newton step of a stretch: the matrix has blocks D^T D + (w_t + w_(t+1)) I with -w I beside them."""
    frames, count = step.shape
    block, inverses = np.empty((count, count)), np.empty((frames, count, count))
    right = np.empty((frames, count))
    for row in range(frames):
        for i in range(count):
            here = angles[row + 1, i]
            right[row, i] = links[row] * (angles[row, i] - here) + links[row + 1] * (angles[row + 2, i] - here)
            for j in range(count):
                block[i, j] = 0.0
                for k in range(3):
                    block[i, j] += slopes[row, i, k] * slopes[row, j, k]
            for k in range(3):
                right[row, i] -= slopes[row, i, k] * errors[row, k + 1]
            block[i, i] += links[row] + links[row + 1] + damping
        if row > 0:
            for i in range(count):
                for j in range(count):
                    block[i, j] -= links[row] ** 2 * inverses[row - 1, i, j]
                    right[row, i] += links[row] * inverses[row - 1, i, j] * right[row - 1, j]
        _invert(block, inverses[row])
    for row in range(frames - 1, -1, -1):
        for i in range(count):
            step[row, i] = 0.0
            for j in range(count):
                after = links[row + 1] * step[row + 1, j] if row + 1 < frames else 0.0
                step[row, i] += inverses[row, i, j] * (right[row, j] + after)


@kernel
def _calm_stretch(
    axes: np.ndarray, turns: np.ndarray, weights: np.ndarray, start: int, stop: int, angles: np.ndarray
) -> None:
    """Solves frames start to stop together by damped Gauss-Newton steps; `angles` is changed there."""
    frames, count = stop - start, angles.shape[1]
    here, trial, links = np.zeros((frames + 2, count)), np.zeros((frames + 2, count)), np.zeros(frames + 1)
    for row in range(frames + 2):
        frame = min(max(start - 1 + row, 0), len(angles) - 1)
        here[row] = angles[frame]
        trial[row] = angles[frame]
    for row in range(frames + 1):
        if 0 < start + row < len(angles):  # nothing is before the first frame and after the last
            links[row] = weights[start + row]
    errors, slopes, step = np.empty((frames, 4)), np.empty((frames, count, 3)), np.empty((frames, count))
    cost = _stretch_cost(axes, turns, links, start, here, errors, slopes)
    damping = 1e-6
    for _ in range(_MOST_ITERATIONS):
        _newton_step(here, links, errors, slopes, damping, step)
        largest = 0.0
        for row in range(frames):
            for k in range(count):
                trial[row + 1, k] = here[row + 1, k] + step[row, k]
                largest = max(largest, abs(step[row, k]))
        found = _stretch_cost(axes, turns, links, start, trial, errors, slopes)
        if not found <= cost:
            damping *= 10.0
            _stretch_cost(axes, turns, links, start, here, errors, slopes)
            if damping > 1e6:
                break
            continue
        done = cost - found <= 1e-12 * cost or largest < 1e-10
        here, trial = trial, here
        cost = found
        damping *= 0.2
        if done:
            break
    for row in range(frames):
        angles[start + row] = here[row + 1]
