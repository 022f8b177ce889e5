"""Stretches of time: when something stands, put together and taken from one another."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Stretches = tuple[tuple[float, float], ...]
"""From when to when [s], in order and apart."""


def merged(stretches: Iterable[tuple[float, float]]) -> Stretches:
    """In order, with those that touch made one; what has no length is left out."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(one for one in stretches if one[1] > one[0]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def without(stretches: Stretches, others: Stretches) -> Stretches:
    """What of stretches is in none of the others."""
    left: list[tuple[float, float]] = []
    for start, end in stretches:
        here = start
        for first, last in others:
            if last <= here or first >= end:
                continue
            if first > here:
                left.append((here, first))
            here = last
        if end > here:
            left.append((here, end))
    return tuple(left)


def stretches_of(flags: np.ndarray, times: np.ndarray) -> Stretches:
    """From the first to the last frame of each run of true ones; a single frame has no length and is left out.

    Args:
        flags: [frame].
        times: [s], [frame].
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    pairs = zip(edges[::2], edges[1::2] - 1, strict=True)
    return tuple((float(times[a]), float(times[b])) for a, b in pairs if b > a)
