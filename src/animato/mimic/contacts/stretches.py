"""Stretches of frames in which something holds: where they are, and closing the gaps between them."""

from __future__ import annotations

import numpy as np

_ROUNDING = 1e-6  # of times that are written with six digits [s]


def stretches(marked: np.ndarray) -> list[tuple[int, int]]:
    """First and last frame of each stretch of marked frames.

    Args:
        marked: [frame].
    """
    edges = np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8))
    return list(zip(np.flatnonzero(edges == 1).tolist(), (np.flatnonzero(edges == -1) - 1).tolist(), strict=True))


def frame_period(times: np.ndarray) -> float:
    """Time from a frame to the next, the median of all [s]; 0 of a single frame."""
    return float(np.median(np.diff(times))) if len(times) > 1 else 0.0


def length_s(times: np.ndarray, stretch: tuple[int, int]) -> float:
    """How long a stretch lasts [s]; each frame stands for the time to the next."""
    first, last = stretch
    return float(times[last] - times[first]) + frame_period(times)


def closed(marked: np.ndarray, times: np.ndarray, longest_s: float, allowed: np.ndarray | None = None) -> np.ndarray:
    """Marks gaps between marked stretches, too.

    Args:
        marked: [frame].
        times: [s], [frame].
        longest_s: Gaps that last longer stay open [s].
        allowed: A gap is closed only where every frame of it is allowed, [frame].
    """
    out = marked.copy()
    for first, last in stretches(~marked):
        inner = first > 0 and last < len(marked) - 1
        fits = allowed is None or bool(np.all(allowed[first : last + 1]))
        if inner and fits and length_s(times, (first, last)) <= longest_s + _ROUNDING:
            out[first : last + 1] = True
    return out


def without_short(marked: np.ndarray, times: np.ndarray, shortest_s: float) -> np.ndarray:
    """Leaves out marked stretches that are shorter [s]."""
    out = marked.copy()
    for first, last in stretches(marked):
        if length_s(times, (first, last)) < shortest_s - _ROUNDING:
            out[first : last + 1] = False
    return out


def grown(seeds: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Hysteresis: stretches of allowed frames that hold at least one seed.

    Args:
        seeds: [frame].
        allowed: [frame].
    """
    out = seeds.copy()
    for first, last in stretches(seeds | allowed):
        if np.any(seeds[first : last + 1]):
            out[first : last + 1] = True
    return out


def distance_s(marked: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Time to the nearest marked frame [s], infinite where there is none, [frame]."""
    where = np.flatnonzero(marked)
    if where.size == 0:
        return np.full(len(times), np.inf)
    after = np.clip(np.searchsorted(where, np.arange(len(times))), 0, where.size - 1)
    before = np.maximum(after - 1, 0)
    return np.minimum(np.abs(times[where[after]] - times), np.abs(times - times[where[before]]))
