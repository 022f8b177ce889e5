"""Edits of keys; each gives another take of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from animato.errors import OptionError
from animato.motion import Clip
from animato.studio.keys.ease import Ease
from animato.studio.keys.key import Key
from animato.studio.keys.keyed import Keyed, frame_times
from animato.studio.keys.rows import clip_of, normalized_turns, rows_of

STRETCH, CUT = "stretch", "cut"
_HALF_FRAME = 0.51


def keys_at(keyed: Keyed, times: Sequence[float]) -> list[Key]:
    """The keys at the frames of these times [s].

    Raises:
        OptionError: There is none at one of them.
    """
    by_frame = dict(zip(keyed.frames.tolist(), keyed.keys, strict=True))
    found = {}
    for time in times:
        frame = keyed.frame_at(time)
        if frame not in by_frame:
            raise OptionError(f"There is no key at {time:.3f} s; keys are at {_told(keyed)}.")
        found[frame] = by_frame[frame]
    return [found[frame] for frame in sorted(found)]


def with_key(keyed: Keyed, key: Key) -> Keyed:
    """With a key more, or in the place of the one at its frame."""
    return keyed.with_keys([*keyed.keys, key])


def without_keys(keyed: Keyed, times: Sequence[float]) -> Keyed:
    """Without the keys at these times [s]."""
    gone = keys_at(keyed, times)
    return keyed.with_keys([key for key in keyed.keys if key not in gone])


def moved_keys(keyed: Keyed, times: Sequence[float], by: float) -> tuple[Keyed, list[float]]:
    """Keys moved in time, as far as the take goes; keys they land on are replaced.

    Args:
        keyed: The take.
        times: Which [s].
        by: How far [s]; frames are kept to.

    Returns:
        The take, and where the keys are now [s].
    """
    chosen = keys_at(keyed, times)
    begin, end = float(keyed.base.times[0]), float(keyed.base.times[-1])
    by = min(max(by, begin - chosen[0].time), end - chosen[-1].time)
    moved = [replace(key, time=float(keyed.base.times[keyed.frame_at(key.time + by)])) for key in chosen]
    return keyed.with_keys([*(key for key in keyed.keys if key not in chosen), *moved]), [key.time for key in moved]


def with_ease(keyed: Keyed, times: Sequence[float], ease: Ease) -> Keyed:
    """Keys reached in another way."""
    return _changed(keyed, times, lambda key: replace(key, ease=ease))


def with_poses(keyed: Keyed, times: Sequence[float], change: Callable[[np.ndarray], np.ndarray]) -> Keyed:
    """Keys whose row (pose, then root) is changed."""
    count = len(keyed.base.names)

    def changed(key: Key) -> Key:
        row = change(key.row)
        return replace(key, pose=row[:count], root=row[count:] if len(row) > count else None)

    return _changed(keyed, times, changed)


def pasted(keyed: Keyed, keys: Sequence[Key], to: float) -> tuple[Keyed, list[float]]:
    """Copies of keys, the first one at a time [s]; those beyond the end are left out.

    Returns:
        The take, and where the copies are [s].
    """
    first = keys[0].time
    end = float(keyed.base.times[-1])
    frame = _frame_s(keyed.base)
    copies = [replace(key, time=to + key.time - first) for key in keys]
    copies = [key for key in copies if key.time <= end + _HALF_FRAME * frame]
    if not copies:
        raise OptionError(f"The take ends at {end:.3f} s; keys can be put before that, not at {to:.3f} s.")
    at = [float(keyed.base.times[keyed.frame_at(key.time)]) for key in copies]
    return keyed.with_keys([*keyed.keys, *copies]), at


def lasting(keyed: Keyed, duration: float, how: str) -> Keyed:
    """With another duration.

    Args:
        keyed: The take.
        duration: [s].
        how: "stretch" makes everything slower or faster; "cut" cuts the end off, or holds the last pose longer.

    Raises:
        OptionError: The duration cannot be.
    """
    base = keyed.base
    begin, frame = float(base.times[0]), _frame_s(base)
    times = begin + frame_times(duration, 1.0 / frame)
    if how == STRETCH:
        scale = (times[-1] - begin) / max(base.duration, frame)
        under = _sampled(base, begin + (times - begin) / scale, keyed.turns, times)
        keys = [replace(key, time=begin + (key.time - begin) * scale) for key in keyed.keys]
        return replace(keyed, base=under, keys=tuple(keys))
    last = times[-1] + _HALF_FRAME * frame
    later = times[times > base.times[-1] + _HALF_FRAME * frame]
    rows, kept = rows_of(base), base.times <= last
    under = clip_of(
        np.vstack([rows[kept], np.tile(rows[-1], (len(later), 1))]), base, np.concatenate([base.times[kept], later])
    )
    return replace(keyed, base=under, keys=tuple(key for key in keyed.keys if key.time <= last))


def _sampled(clip: Clip, at: np.ndarray, turns: Sequence[Sequence[int]], times: np.ndarray) -> Clip:
    """The motion at some times [s], as if it was at others."""
    found = clip.resampled(np.clip(at, clip.times[0], clip.times[-1])) if clip.frame_count > 1 else None
    rows = np.tile(rows_of(clip)[0], (len(times), 1)) if found is None else rows_of(found)
    return clip_of(normalized_turns(rows, turns), clip, times)


def _frame_s(clip: Clip) -> float:
    """Between two frames, as a rule [s]."""
    return float(np.median(np.diff(clip.times))) if clip.frame_count > 1 else 0.02


def _changed(keyed: Keyed, times: Sequence[float], change: Callable[[Key], Key]) -> Keyed:
    chosen = keys_at(keyed, times)
    return keyed.with_keys([change(key) if key in chosen else key for key in keyed.keys])


def _told(keyed: Keyed) -> str:
    """Where keys are, for people."""
    some = [f"{key.time:.3f} s" for key in keyed.keys[:6]]
    return (", ".join(some) + (" ..." if len(keyed.keys) > 6 else "")) or "no time: there are none"
