"""Few keys out of many frames."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from animato.motion import Clip
from animato.outcome import Iteration, Progress
from animato.spatial import quaternions
from animato.studio.keys.ease import Ease
from animato.studio.keys.key import Key
from animato.studio.keys.keyed import Keyed
from animato.studio.keys.rows import clip_of, normalized_turns, rows_of, turns_in

_MOST_TRIES = 200  # each costs a whole motion
_RAD_PER_M = 2.0  # a slide counts as the arc half a metre away from an axis


def extracted(clip: Clip, tolerance: float, *, progress: Progress | None = None) -> Keyed:
    """Keys whose motion is the clip within a tolerance, at its frames.

    Begins with the ends; in each gap that is off by more than the tolerance, a key is set where it is off the most,
    until none is. A key that is not needed in the end is taken away again. Keys flow, so that the motion stays as
    smooth as it was.

    Args:
        clip: Any.
        tolerance: Largest error of a joint or of the root [rad]; 0.5 m of the root count as 1 rad.
        progress: Told how far it is.
    """
    turns = turns_in(clip.names, with_root=clip.has_base)
    rows = normalized_turns(rows_of(clip), turns)
    for columns in turns:
        rows[:, columns] = quaternions.continuous(rows[:, columns])
    still = clip_of(np.tile(rows[0], (clip.frame_count, 1)), clip)
    scales = np.array([_RAD_PER_M if n >= len(clip.names) else 1.0 for n in range(rows.shape[1])])

    def off_at(chosen: list[int]) -> np.ndarray:
        return _errors(rows_of(_keyed_at(still, rows, chosen).clip), rows, turns, scales)

    frames, rounds = sorted({0, clip.frame_count - 1}), 0
    while True:
        off, rounds = off_at(frames), rounds + 1
        if progress is not None:
            progress(Iteration(stage="setting keys", number=rounds))
        new = []
        for first, last in pairwise(frames):
            worst = first + int(np.argmax(off[first : last + 1]))
            if off[worst] > tolerance and first < worst < last:
                new.append(worst)
        if not new:
            break
        frames = sorted({*frames, *new})
    return _keyed_at(still, rows, _thinned(frames, off_at, tolerance))


def _thinned(frames: list[int], off_at: Callable[[list[int]], np.ndarray], tolerance: float) -> list[int]:
    """Without frames that the tolerance can do without, tried from the beginning on."""
    if len(frames) > _MOST_TRIES:
        return frames
    number = 1
    while number < len(frames) - 1:
        fewer = frames[:number] + frames[number + 1 :]
        if off_at(fewer).max() <= tolerance:
            frames = fewer
        else:
            number += 1
    return frames


def _keyed_at(still: Clip, rows: np.ndarray, frames: list[int]) -> Keyed:
    """Keys at these frames on one pose that is held."""
    count = len(still.names)
    keys = [
        Key(float(still.times[n]), rows[n, :count], rows[n, count:] if still.has_base else None, Ease.FLOW)
        for n in frames
    ]
    return Keyed(still, tuple(keys), blank=True)


def _errors(found: np.ndarray, rows: np.ndarray, turns: list[list[int]], scales: np.ndarray) -> np.ndarray:
    """The largest error at each frame [rad], shape [frame]."""
    off = np.abs(found - rows) * scales
    for columns in turns:
        angle = quaternions.angle_between(rows[:, columns], found[:, columns])
        off[:, columns] = angle[:, None]
    largest: np.ndarray = off.max(axis=1, initial=0.0)
    return largest
