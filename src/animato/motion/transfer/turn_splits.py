"""All ways to split a rotation on one, two or three axes, in closed form.

A turn L is to be exp(a_1 q_1) exp(a_2 q_2) exp(a_3 q_3), or as near to it as can be. There are two ways, apart from
whole turns; they meet where the axes lock.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class Splits:
    """Both ways to split each rotation of a motion.

    Attributes:
        angles: About each axis, apart from whole turns [rad], shape [frame, 2, axis].
        errors: Angle of rotation that is left over [rad], shape [frame, 2].
        lock_distances: How far the rotation is from where both ways meet [rad], shape [frame].
    """

    angles: np.ndarray
    errors: np.ndarray
    lock_distances: np.ndarray


def splits_of(axes: np.ndarray, turns_wxyz: np.ndarray) -> Splits | None:
    """Splits rotations.

    Args:
        axes: Unit vectors in the axes of the neutral pose, shape [axis, 3].
        turns_wxyz: Shape [frame, 4].

    Returns:
        None where there are more than three axes, or one lies along the next: ways without number.
    """
    if len(axes) == 1:
        return _on_one(axes[0], turns_wxyz)
    if len(axes) == 2:
        return _on_two(axes, turns_wxyz)
    return _on_three(axes, turns_wxyz) if len(axes) == 3 else None


def _on_one(axis: np.ndarray, turns: np.ndarray) -> Splits:
    """The twist; the other way is the opposite one, which is as good where the bone was turned right over."""
    along = turns[:, 1:] @ axis
    twist = 2.0 * np.arctan2(along, turns[:, 0])
    # what the twist does not make is 1 - w^2 - along^2, without the rounding of an arc cosine near 1
    missed = np.linalg.norm(turns[:, 1:] - along[:, None] * axis, axis=1)
    error = 2.0 * np.arctan2(missed, np.hypot(along, turns[:, 0]))
    angles = np.stack([twist, twist + np.pi], axis=1)[:, :, None]
    return Splits(angles, np.column_stack([error, np.full(len(error), np.pi)]), 0.5 * (np.pi - error))


def _on_two(axes: np.ndarray, turns: np.ndarray) -> Splits:
    """The nearest product of two turns: the largest singular pair of the 2 x 2 form <L, P> in half angles.

    <L, P> = E cos(x - y) + H sin(x - y) + F cos(x + y) + G sin(x + y) with x = q_1 / 2 and y = q_2 / 2.
    """
    first, second = np.concatenate([[0.0], axes[0]]), np.concatenate([[0.0], axes[1]])
    one, both = turns[:, 0], turns @ quaternions.multiply(first, second)
    left, right = turns @ first, turns @ second
    e, h, f, g = 0.5 * (one + both), 0.5 * (left - right), 0.5 * (one - both), 0.5 * (left + right)
    difference, total = np.arctan2(h, e), np.arctan2(g, f)
    best = np.column_stack([total + difference, total - difference])
    angles = np.stack([best, best + np.pi], axis=1)
    errors = np.stack([_left_over(axes, angles[:, way], turns) for way in (0, 1)], axis=1)
    return Splits(angles, errors, np.maximum(0.5 * (errors[:, 1] - errors[:, 0]), 0.0))


def _on_three(axes: np.ndarray, turns: np.ndarray) -> Splits | None:
    """From where the last axis goes: a_1 . L a_3 = a_1 . exp(a_2 q_2) a_3, and both others follow from q_2."""
    first, middle, last = axes
    fixed = (middle @ last) * middle
    cosine, sine = float(first @ (last - fixed)), float(first @ np.cross(middle, last))
    reach = float(np.hypot(cosine, sine))
    if reach < 0.1:
        return None
    seen = quaternions.rotate(turns, last)
    apart = np.arccos(np.clip((seen @ first - first @ fixed) / reach, -1.0, 1.0))
    ways = []
    for sign in (1.0, -1.0):
        second = np.arctan2(sine, cosine) + sign * apart
        middle_turn = quaternions.quaternion_about(middle, second)
        start = quaternions.rotate(middle_turn, last)
        across = np.cross(start, seen) @ first
        one = np.arctan2(across, np.sum(start * seen, axis=1) - (start @ first) * (seen @ first))
        outer = quaternions.multiply(quaternions.quaternion_about(first, one), middle_turn)
        rest = quaternions.multiply(quaternions.conjugate(outer), turns)
        ways.append(np.column_stack([one, second, 2.0 * np.arctan2(rest[:, 1:] @ last, rest[:, 0])]))
    angles = np.stack(ways, axis=1)
    errors = np.stack([_left_over(axes, way, turns) for way in ways], axis=1)
    return Splits(angles, errors, np.minimum(apart, np.pi - apart))


def product_of_turns(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """The rotation that turns about the axes make, the first one outermost, wxyz, shape [frame, 4]."""
    total = quaternions.quaternion_about(axes[0], angles[:, 0])
    for axis, column in zip(axes[1:], angles.T[1:], strict=True):
        total = quaternions.multiply(total, quaternions.quaternion_about(axis, column))
    return total


def axes_seen(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Each axis as seen from behind all later turns: what a small turn about it turns, shape [frame, axis, 3]."""
    seen = np.empty((len(angles), len(axes), 3))
    back = np.tile((1.0, 0.0, 0.0, 0.0), (len(angles), 1))
    for k in range(len(axes) - 1, -1, -1):
        seen[:, k] = quaternions.rotate(back, axes[k])
        back = quaternions.multiply(back, quaternions.quaternion_about(axes[k], -angles[:, k]))
    return seen


def _left_over(axes: np.ndarray, angles: np.ndarray, turns: np.ndarray) -> np.ndarray:
    rest = quaternions.multiply(quaternions.conjugate(product_of_turns(axes, angles)), turns)
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(rest[:, 1:], axis=1), np.abs(rest[:, 0])))
