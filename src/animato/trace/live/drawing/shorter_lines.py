"""Shorter lines for a robot that is late: what was drawn, more and more smoothed over time, and in the end straight."""

from __future__ import annotations

import numpy as np

from animato.trace.live.drawing.growing_line import GrowingLine

WINDOWS_S = (0.0, 0.05, 0.12, 0.3)
"""Half the time over which each line takes means of what was drawn [s]."""

STRAIGHT = len(WINDOWS_S)
"""The last and shortest: straight to the newest sample."""

_PASSES = 2  # a mean of means lets no zigzag through, however long its period
_STEPS = 12  # of a straight line


def shorter_line(line: GrowingLine, drawn: GrowingLine, distance: float, level: int, earliest: float) -> GrowingLine:
    """A line that follows another one up to a distance, and from there on what was drawn, shortened.

    Loops and zigzags shrink, and both ends stay where they are.

    Args:
        line: What is followed so far.
        drawn: All that was drawn, as it was drawn.
        distance: Along `line`, up to which it stays [m].
        level: 0 for all as drawn, up to STRAIGHT.
        earliest: What was drawn before it is not waited for when going straight [s].
    """
    new = line.up_to(distance)
    begin = float(new.time_of(np.array([distance]))[0])
    times, places = drawn.after(begin)
    if len(times) == 0:
        return line
    here = new.at(np.array([distance]))[0]
    times, places = np.append(begin, times), np.vstack([here, places])
    if level >= STRAIGHT:
        share = np.linspace(0.0, 1.0, _STEPS + 1)[1:]
        begin = min(max(begin, earliest), float(times[-1]))
        if begin > times[0]:
            new.append(here + 1e-9, begin)
        times, places = begin + share * (times[-1] - begin), here + share[:, None] * (places[-1] - here)
    else:
        for _ in range(_PASSES):
            places = _means(times, places, WINDOWS_S[level])
        places = places[1:]
        times = times[1:]
    for moment, place in zip(times, places, strict=True):
        new.append(place, float(moment))
    return new


def _means(times: np.ndarray, places: np.ndarray, window: float) -> np.ndarray:
    """Means over time, half a window [s] to each side; shorter ones near the ends, which therefore stay."""
    if window == 0.0 or len(times) < 3 or times[-1] <= times[0]:
        return places
    steps = np.diff(times)
    sums = np.vstack([np.zeros(places.shape[1]), np.cumsum(0.5 * (places[1:] + places[:-1]) * steps[:, None], axis=0)])
    half = np.minimum(window, np.minimum(times - times[0], times[-1] - times))
    wide = half > 1e-6
    found = places.copy()
    for k in range(places.shape[1]):
        over = np.interp(times + half, times, sums[:, k]) - np.interp(times - half, times, sums[:, k])
        found[wide, k] = over[wide] / (2.0 * half[wide])
    return found
