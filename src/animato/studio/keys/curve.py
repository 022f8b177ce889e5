"""The motion that keys make out of the one under them: base plus offsets that go from key to key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.spatial import quaternions
from animato.studio.keys.ease import Ease
from animato.studio.keys.steps import Steps, steps_between


def keyed_rows(
    base: np.ndarray,
    times: np.ndarray,
    frames: np.ndarray,
    poses: np.ndarray,
    eases: Sequence[Ease],
    turns: Sequence[Sequence[int]],
) -> np.ndarray:
    """Rows of a motion that is at the poses at their frames, and follows the base in between.

    What is added to the base goes from key to key as eases say; before the first key and after the last one it stays.
    Turns are added on the right: base * offset.

    Args:
        base: Shape [frame, channel].
        times: [s], shape [frame].
        frames: Of the keys, rising, shape [key].
        poses: Shape [key, channel].
        eases: Shape [key].
        turns: Columns of each quaternion.

    Returns:
        Shape [frame, channel].
    """
    found = np.array(base)
    turning = {column for columns in turns for column in columns}
    plain = [column for column in range(base.shape[1]) if column not in turning]
    offsets = poses[:, plain] - base[frames][:, plain]
    moments = times[frames]
    found[:, plain] += _plain_offsets(offsets, steps_between(moments, eases, np.diff(offsets, axis=0)), times, frames)
    for columns in turns:
        under = quaternions.normalized(base[:, columns])
        turned = quaternions.multiply(quaternions.conjugate(under[frames]), poses[:, columns])
        whole = quaternions.multiply(under, _turn_offsets(turned, moments, eases, times, frames))
        nearest = np.sum(whole[0] * base[0, columns]) < 0.0
        found[:, columns] = quaternions.continuous(-whole if nearest else whole)
    # what was rounded on the way there and back is as it was set
    found[frames] = np.where(_same_side(found[frames], poses, turns), poses, found[frames])
    return found


def _plain_offsets(offsets: np.ndarray, steps: Steps, times: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """Of channels that can be added, shape [frame, channel]."""
    found = np.empty((len(times), offsets.shape[1]))
    found[: frames[0]] = offsets[0]
    found[frames[-1] :] = offsets[-1]
    if len(frames) > 1:
        inner, numbers = _between(frames)
        found[inner] = offsets[numbers] + steps.ways(times[inner], numbers)
    return found


def _turn_offsets(
    turned: np.ndarray, moments: np.ndarray, eases: Sequence[Ease], times: np.ndarray, frames: np.ndarray
) -> np.ndarray:
    """Of one quaternion, shape [frame, 4]: each way is a rotation vector from the key before it."""
    found = np.empty((len(times), 4))
    found[: frames[0]] = turned[0]
    found[frames[-1] :] = turned[-1]
    if len(frames) > 1:
        vectors = quaternions.rotation_vector_from_quaternion(
            quaternions.multiply(quaternions.conjugate(turned[:-1]), turned[1:])
        )
        steps = steps_between(moments, eases, vectors)
        inner, numbers = _between(frames)
        ways = steps.ways(times[inner], numbers, _rates_of_vectors(vectors, steps.speeds[1:]))
        found[inner] = quaternions.multiply(turned[numbers], quaternions.quaternion_from_rotation_vector(ways))
    return found


def _between(frames: np.ndarray) -> tuple[slice, np.ndarray]:
    """All frames from the first key to before the last one, and after which key each is."""
    return slice(frames[0], frames[-1]), np.repeat(np.arange(len(frames) - 1), np.diff(frames))


def _rates_of_vectors(vectors: np.ndarray, angular: np.ndarray) -> np.ndarray:
    """How fast rotation vectors change where a body turns at an angular velocity in its own axes, each [..., 3]."""
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    across = np.cross(vectors, angular)
    # (1 / a^2) - (1 + cos a) / (2 a sin a), by its series where the quotients would lose digits
    safe = np.maximum(angle, 1e-3)
    factor = np.where(angle < 1e-3, 1.0 / 12.0, (1.0 - 0.5 * safe / np.tan(0.5 * safe)) / safe**2)
    rates: np.ndarray = angular + 0.5 * across + factor * np.cross(vectors, across)
    return rates


def _same_side(rows: np.ndarray, poses: np.ndarray, turns: Sequence[Sequence[int]]) -> np.ndarray:
    """Where a pose can be put as it is: not in quaternions that have the other sign, shape [key, channel]."""
    same = np.ones(rows.shape, dtype=bool)
    for columns in turns:
        same[:, columns] = np.sum(rows[:, columns] * poses[:, columns], axis=1, keepdims=True) > 0.0
    return same
