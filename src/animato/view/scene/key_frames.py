"""The few frames that tell a motion."""

from __future__ import annotations

import numpy as np

from animato.errors import OptionError
from animato.motion import Clip

_HOLD_BONUS = 1.5  # a frame in which the motion pauses tells more than one it passes through
_TIME_SHARE = 0.5  # weight of being apart in time against being apart in pose
_BASE_WEIGHT = 3.0  # a metre that the root moves counts as much as this many radians


def key_frames(clip: Clip, count: int) -> list[int]:
    """Chooses frames that tell the motion: the first, the last, and those that differ most from the others.

    Frames are added one by one, each the farthest from all chosen so far, in pose and time; frames
    at which the motion pauses are preferred.

    Args:
        clip: The motion.
        count: How many frames, at least 1.

    Returns:
        Rising frame numbers; as many as asked for, or all where the clip has fewer.
    """
    if count < 1:
        raise OptionError(f"At least 1 key frame can be chosen, asked for {count}.")
    total = clip.frame_count
    if count >= total:
        return list(range(total))
    pose = clip.positions
    if clip.base_positions is not None and clip.base_quaternions_wxyz is not None:
        pose = np.hstack([pose, _BASE_WEIGHT * clip.base_positions, 2.0 * clip.base_quaternions_wxyz])
    spread = float(np.sqrt(np.sum(np.var(pose, axis=0)))) if pose.shape[1] else 0.0
    share = (clip.times - clip.times[0]) / max(clip.duration, 1e-12)
    place = np.column_stack([pose, max(2.0 * _TIME_SHARE * spread, 1e-6) * share])
    weight = np.where(_holds(clip.times, pose), _HOLD_BONUS, 1.0)
    chosen = [0] if count == 1 else [0, total - 1]
    distance = np.min([np.linalg.norm(place - place[n], axis=1) for n in chosen], axis=0)
    while len(chosen) < count:
        score = distance * weight
        score[chosen] = -1.0
        best = int(np.argmax(score))
        chosen.append(best)
        distance = np.minimum(distance, np.linalg.norm(place - place[best], axis=1))
    return sorted(chosen)


def _holds(times: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Whether the speed of the pose has a local minimum at a frame, shape [frame]."""
    holds = np.zeros(len(times), dtype=bool)
    if len(times) < 3 or pose.shape[1] == 0:
        return holds
    speed = np.linalg.norm(np.gradient(pose, times, axis=0), axis=1)
    holds[1:-1] = (speed[1:-1] <= speed[:-2]) & (speed[1:-1] <= speed[2:])
    return holds
