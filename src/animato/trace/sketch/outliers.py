"""Samples that a tablet or a tracker made up: leaps out of the line and back again.

A hand cannot leave its line and come back within a few hundredths of a second; a tablet that lost its pen can. A run
of samples is such a leap if both the step to it and the step back are far longer than any other step nearby, at far
more than the speed nearby, and the line goes on where it was left. True corners, cusps, zig-zags and dashes are not:
there the steps beside the corner are as long as those at it, whatever way they go.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.motion import Stroke

LONGEST_LEAP_S = 0.05
"""From the last good sample to the next one [s]: what takes longer, a hand can do."""

_FAR = 3.0  # times the longest step nearby: a leap
_FAR_AT_END = 20.0  # the same of the first and the last sample, which have one neighbour alone
_BACK = 1.5  # times the longest step nearby, for each step left out: the line goes on
_NEARBY = 5  # steps to either side
_NOISES = 8.0  # deviations of the noise within which nothing is a leap
_OF_SIZE = 0.004  # of the size of the drawing within which nothing is a leap
_FEWEST = 16  # samples: fewer are corners of a line, not a recording
_LONGEST_RUN = 12  # samples
_SHORTEST_RUN = 3  # samples that are looked at however slow the recording is
_ROUNDS = 3


@dataclass(frozen=True)
class LeftOut:
    """A sample that was not believed.

    Attributes:
        point: Whose stroke.
        time: When [s].
        place: Where it claims to have been [m], 2 or 3 numbers.
        off: How far that is from the line without it [m].
    """

    point: str
    time: float
    place: tuple[float, ...]
    off: float


def leaps(stroke: Stroke) -> np.ndarray:
    """Which samples leap out of the line and back, or into it at an end, shape [sample].

    Args:
        stroke: With times; without them nothing is known about what a hand can do, and nothing leaps.
    """
    bad = np.zeros(len(stroke.points), dtype=bool)
    if stroke.times is None or len(bad) < _FEWEST:
        return bad
    floor = _smallest_leap(stroke.points)
    for _ in range(_ROUNDS):
        good = np.flatnonzero(~bad)
        found = _leaps_of(stroke.points[good], np.asarray(stroke.times)[good], floor)
        if not found.any() or len(good) - int(found.sum()) < _FEWEST // 2:
            break
        bad[good[found]] = True
    return bad


def without_leaps(name: str, stroke: Stroke) -> tuple[Stroke, tuple[LeftOut, ...]]:
    """The stroke without its leaps, and what was left out.

    Args:
        name: Of the point that follows it, for people.
        stroke: With or without times.
    """
    bad = leaps(stroke)
    if stroke.times is None or not bad.any():
        return stroke, ()
    good = ~bad
    times, pressure = stroke.times[good], stroke.pressure
    kept = Stroke(stroke.points[good], times, None if pressure is None else pressure[good], stroke.source)
    line = np.stack([np.interp(stroke.times[bad], times, column) for column in kept.points.T], axis=1)
    off = np.linalg.norm(stroke.points[bad] - line, axis=1)
    places = zip(stroke.times[bad], stroke.points[bad], off, strict=True)
    return kept, tuple(
        LeftOut(name, float(time), tuple(float(x) for x in place), float(far)) for time, place, far in places
    )


def _smallest_leap(points: np.ndarray) -> float:
    """What is nearer is noise, or the grid of a tablet [m]."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    # medians: neither corners nor leaps count in them
    third = np.median(np.abs(np.diff(points, n=3, axis=0)), axis=0).max() / (0.6745 * np.sqrt(20.0))
    moved = steps[steps > 0.0]
    size = float(np.linalg.norm(np.subtract(*np.percentile(points, [98, 2], axis=0))))
    return max(_NOISES * float(third), _OF_SIZE * size, 2.0 * float(np.median(moved)) if len(moved) else 0.0)


def _leaps_of(points: np.ndarray, times: np.ndarray, floor: float) -> np.ndarray:
    """One look at a line, the shortest leaps first; what is next to one that was found waits for the next look."""
    steps, gaps = np.linalg.norm(np.diff(points, axis=0), axis=1), np.diff(times)
    speeds = steps / gaps
    count = len(points)
    found, touched = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    for run in range(1, min(_LONGEST_RUN, count // 4) + 1):
        for first in _candidates(points, times, steps, speeds, floor, run):
            span = slice(max(first - 1, 0), min(first + run + 1, count))
            if not touched[span].any():
                found[first : first + run] = True
                touched[span] = True
    return found


def _candidates(
    points: np.ndarray, times: np.ndarray, steps: np.ndarray, speeds: np.ndarray, floor: float, run: int
) -> np.ndarray:
    """First samples of runs of some length that leap; of one sample at the ends, too."""
    first = np.arange(1, len(points) - run)  # with a sample before and one after
    into, out = first - 1, first + run - 1  # steps to and from the run
    before, after = _longest_nearby(steps), _longest_nearby(steps[::-1])[::-1]
    fast_before, fast_after = _longest_nearby(speeds), _longest_nearby(speeds[::-1])[::-1]
    longest = np.maximum(before[into], after[out])
    fastest = np.maximum(fast_before[into], fast_after[out])
    closed = np.linalg.norm(points[first + run] - points[first - 1], axis=1)
    least = np.minimum(steps[into], steps[out])
    leap = least > np.maximum(floor, _FAR * longest)
    leap &= np.minimum(speeds[into], speeds[out]) > _FAR * fastest
    leap &= closed <= np.maximum(_BACK * (run + 1) * longest, 0.5 * floor)
    leap &= closed < 0.5 * least
    leap &= (times[first + run] - times[first - 1] <= LONGEST_LEAP_S) | (run <= _SHORTEST_RUN)
    found = list(first[leap])
    if run == 1:  # of more samples at an end nobody knows whether they are the line
        found += [
            sample
            for sample, edge, near, fast in ((0, 0, after, fast_after), (len(points) - 1, -1, before, fast_before))
            if steps[edge] > max(2.0 * floor, _FAR_AT_END * near[edge]) and speeds[edge] > _FAR_AT_END * fast[edge]
        ]
    return np.array(found, dtype=int)


def _longest_nearby(steps: np.ndarray) -> np.ndarray:
    """The largest of the steps before each one, the nearest few alone; 0 before the first, shape [step]."""
    padded = np.concatenate([np.zeros(_NEARBY), steps[:-1]])
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, _NEARBY).max(axis=1))
