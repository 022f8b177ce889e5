"""A pace of exact duration: water that fills a valley.

Of all paces dt/ds >= y(s) that last as long as wanted, the evenest is max(y(s), level): the slow places stay as they
are and all others go at one tempo. The level is the one at which the integral is the duration. The maximum is rounded,
so that the tempo has no corner.
"""

from __future__ import annotations

import numpy as np

_ROUNDED = 12.0  # power of the norm that stands for the maximum: at most 6 % more than it, where both are equal
_HALVINGS = 80


def slowness_of_duration(
    widths: np.ndarray, slowness: np.ndarray, quickest: np.ndarray | None, duration_s: float
) -> np.ndarray:
    """dt/ds on each piece of a pace that lasts exactly so long, [piece].

    Args:
        widths: Artist's time of each piece [s], [piece].
        slowness: dt/ds of the pace as it is, [piece].
        quickest: The least that limits leave, [piece]; as it is where not known.
        duration_s: Wanted [s].
    """
    if duration_s >= float(widths @ slowness):
        return _filled(widths, slowness, duration_s)
    least = slowness if quickest is None else np.minimum(quickest, slowness)
    shortest = float(widths @ least)
    if duration_s <= shortest:
        return least * (duration_s / shortest)
    return _filled(widths, least, duration_s)


def _filled(widths: np.ndarray, ground: np.ndarray, duration_s: float) -> np.ndarray:
    """The rounded maximum of the ground and of the level that gives the duration; scaled to it to the last digit."""
    low, high = 0.0, max(duration_s / float(widths.sum()), float(ground.max()))
    for _ in range(_HALVINGS):
        level = 0.5 * (low + high)
        if float(widths @ _rounded(ground, level)) < duration_s:
            low = level
        else:
            high = level
    filled = _rounded(ground, 0.5 * (low + high))
    return np.asarray(filled * (duration_s / float(widths @ filled)))


def _rounded(ground: np.ndarray, level: float) -> np.ndarray:
    larger = np.maximum(ground, level)
    smaller = np.minimum(ground, level)
    return np.asarray(larger * (1.0 + (smaller / larger) ** _ROUNDED) ** (1.0 / _ROUNDED))
