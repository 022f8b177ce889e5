"""A hand that hesitates still shakes and creeps a little: such near-pauses become pauses at one place.

Left as they are, they are short ways that take seconds, on which a timing would have to crawl along the shaking.
"""

from __future__ import annotations

import numpy as np

from animato.motion import Stroke

SHORTEST_HOLD_S = 0.15
"""A hand that stays about one place for less is slow, not resting."""

_NOISE_RADIUS = 6.0  # deviations of the shaking, in which almost all of it stays
_LARGEST_SHARE = 0.004  # of the size of the stroke: creeping further is drawing
_SLOW = 0.1  # of the speed of the hand where it is quick: a hand that gets on faster than this draws
_QUICK = 90.0  # percentile of the speeds


def held_still(stroke: Stroke, noise: float) -> Stroke:
    """The stroke with every near-pause at one place: the mean of its samples.

    Args:
        stroke: With times.
        noise: Standard deviation of the shaking of each coordinate [m].
    """
    times, points = np.asarray(stroke.times), np.array(stroke.points)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if len(points) < 3 or steps.sum() == 0.0:
        return stroke
    quick = float(np.percentile(steps / np.diff(times), _QUICK))
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    radius = min(max(_NOISE_RADIUS * noise, _LARGEST_SHARE * size), 0.1 * size)
    holds: list[list[int]] = []
    first = 0
    while first < len(points) - 1:
        last = _end_of_hold(points, first, radius)
        lasts = float(times[last] - times[first])
        if lasts >= SHORTEST_HOLD_S and _drift(points[first : last + 1]) <= _SLOW * quick * lasts:
            if holds and first - holds[-1][-1] <= 2:
                holds[-1].append(last)
            else:
                holds.append([first, last])
            first = last
        first += 1
    for hold in holds:
        part = points[hold[0] : hold[-1] + 1]
        # one hold after the other is a hand that creeps on, if it gets further than one place
        if len(hold) == 2 or np.linalg.norm(np.ptp(part, axis=0)) <= 4.0 * radius:
            part[:] = part.mean(axis=0)
    return Stroke(points, times, stroke.pressure, stroke.source) if holds else stroke


def _end_of_hold(points: np.ndarray, first: int, radius: float) -> int:
    """The last sample up to which all stay in a box whose half diagonal is a radius."""
    low, high = points[first].copy(), points[first].copy()
    for k in range(first + 1, len(points)):
        np.minimum(low, points[k], out=low)
        np.maximum(high, points[k], out=high)
        if np.sum((high - low) ** 2) > (2.0 * radius) ** 2:
            return k - 1
    return len(points) - 1


def _drift(points: np.ndarray) -> float:
    """How far the hand gets on, without its shaking [m]."""
    third = max(len(points) // 3, 1)
    return 1.5 * float(np.linalg.norm(points[-third:].mean(axis=0) - points[:third].mean(axis=0)))
