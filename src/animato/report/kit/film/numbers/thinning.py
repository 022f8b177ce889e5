"""Fewer moments that tell the same: a moment is left out where a straight line between its neighbours tells it."""

from __future__ import annotations

import numpy as np

_SPAN = 256  # moments: one is kept that often at least, so that long films are as quick as many short ones


def thinned(values: np.ndarray, tolerance: float = 1.0) -> np.ndarray:
    """Numbers of the rows that must be kept so that straight lines between them are near to all others.

    Spans are split where they are farthest off (Ramer, 1972; Douglas and Peucker, 1973), all that are off at once.

    Args:
        values: Evenly spaced in time, [moment, column].
        tolerance: Largest distance of any column from its line, in its own unit.

    Returns:
        Numbers of moments, rising, with the first and the last, [kept].
    """
    count = len(values)
    if count <= 2:
        return np.arange(count)
    if np.ptp(values, axis=0).max() <= tolerance:  # it stands still
        return np.array([0, count - 1])
    ends = np.unique(np.append(np.arange(0, count - 1, _SPAN), count - 1))
    low, high = ends[:-1], ends[1:]
    found = [ends]
    while True:
        long = high - low > 1
        low, high = low[long], high[long]
        if not len(low):
            break
        lengths = high - low - 1
        starts = np.cumsum(lengths) - lengths
        span = np.repeat(np.arange(len(low)), lengths)
        place = np.arange(len(span)) - starts[span] + low[span] + 1
        share = ((place - low[span]) / (high - low)[span])[:, None]
        here, there = values[low][span], values[high][span]
        off = np.abs(values[place] - here - share * (there - here)).max(axis=1)
        largest = np.maximum.reduceat(off, starts)
        at_most = np.flatnonzero(off >= largest[span])
        first = at_most[np.flatnonzero(np.diff(span[at_most], prepend=-1))]  # one of each span
        wrong = largest > tolerance
        split = place[first][wrong]
        found.append(split)
        low, high = np.concatenate([low[wrong], split]), np.concatenate([split, high[wrong]])
    return np.unique(np.concatenate(found))
