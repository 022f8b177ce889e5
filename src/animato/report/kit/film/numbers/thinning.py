"""Fewer moments that tell the same: a moment is left out where a straight line between its neighbours tells it."""

from __future__ import annotations

import numpy as np


def thinned(values: np.ndarray, tolerance: float = 1.0) -> np.ndarray:
    """Numbers of the rows that must be kept so that straight lines between them are near to all others.

    Rows are halved where they are farthest off (Ramer, 1972; Douglas and Peucker, 1973), all spans of a pass at once.

    Args:
        values: Evenly spaced in time, [moment, column].
        tolerance: Largest distance of any column from its line, in its own unit.

    Returns:
        Numbers of moments, rising, with the first and the last, [kept].
    """
    count = len(values)
    if count <= 2:
        return np.arange(count)
    kept = np.array([0, count - 1])
    places = np.arange(count)
    while True:
        span = np.clip(np.searchsorted(kept, places, side="right") - 1, 0, len(kept) - 2)
        low, high = kept[span], kept[span + 1]
        share = ((places - low) / (high - low))[:, None]
        off = np.abs(values - (1.0 - share) * values[low] - share * values[high]).max(axis=1)
        largest = np.maximum.reduceat(off, kept[:-1])
        split = np.flatnonzero(largest > tolerance)
        if not len(split):
            return kept
        # of each span that is off, the moment that is farthest off
        farthest = np.flatnonzero((off >= largest[span]) & (off > tolerance))
        _, first = np.unique(span[farthest], return_index=True)
        kept = np.union1d(kept, farthest[first])
