"""The temporal stage as a timing problem in scaled time, and a feasible start for it."""

from __future__ import annotations

import numpy as np

from animato.solvers.timing import ABSOLUTE, FIXED_DURATION, RELATIVE, TimingArrays, able_profile, follow_kernel
from animato.trace.options import Options
from animato.trace.sketch import DrawnTiming
from animato.trace.timing.limit_rows import LimitRows

_LOCK_ROUNDS = 6
_BESIDE_REST = 2  # grid points
_SLOWEST = 0.03  # of a segment's mean speed: what counts as rest at its end
_START_TEMPOS = (4.0, 2.0, 1.0, 0.5)  # times as fast as drawn: from which of these it is nearest to the best is tried
_START_SHARE = 0.8  # of a profile that touches limits


def drawn_b(drawn: DrawnTiming, grid: np.ndarray) -> np.ndarray:
    """Squared path speed of the drawing at the grid [1/s^2], [N + 1]; pauses are left out.

    The mean speed of a segment is that at half of its time. Beside a rest the speed is taken to change evenly in time
    between these moments, and beyond the last of them, which is right for a hand that starts from rest or comes to it.
    Elsewhere it is at most the mean speed over both segments: of a hand that shakes, that leaves more.
    """
    width = np.diff(grid)
    time = np.maximum(drawn.at(grid[1:], from_left=True) - drawn.at(grid[:-1]), 1e-9)
    mean = width / time
    speed = np.empty(len(grid))
    both = time[1:] + time[:-1]
    even = (mean[:-1] * time[1:] + mean[1:] * time[:-1]) / both
    stops = np.concatenate([[0.0, 1.0], [s for s, _ in drawn.pauses]])
    stopped = np.abs(np.arange(len(grid))[:, None] - np.searchsorted(grid, stops)).min(axis=1) <= _BESIDE_REST
    speed[1:-1] = np.where(stopped[1:-1], even, np.minimum(even, (width[1:] + width[:-1]) / both))
    inner = (speed[1], speed[-2]) if len(grid) > 2 else (mean[0], mean[-1])
    speed[0] = max(2.0 * mean[0] - inner[0], _SLOWEST * mean[0])
    speed[-1] = max(2.0 * mean[-1] - inner[1], _SLOWEST * mean[-1])
    return speed**2


def tempo_lock_b(drawn: DrawnTiming, grid: np.ndarray) -> np.ndarray:
    """Largest b at the grid with which no segment takes less time than drawn [1/s^2], [N + 1].

    With the drawing's own speed at grid points, b straight between them, a segment comes out shorter or longer than
    drawn by the curvature of the profile. If neither end of a segment speeds up by more than it has to spare, it has
    none of it left to be short of; a few rounds of that leave little to spare. Where the timing does not count at all
    (accents of 0, a pen in the air) b is free.
    """
    b = drawn_b(drawn, grid)
    wanted = np.maximum(drawn.at(grid[1:], from_left=True) - drawn.at(grid[:-1]), 1e-12)
    for _ in range(_LOCK_ROUNDS):
        speed = np.sqrt(b)
        spare = 2.0 * np.diff(grid) / (speed[1:] + speed[:-1]) / wanted
        b = b * np.minimum(np.append(spare, spare[-1]), np.insert(spare, 0, spare[0])) ** 2
    return np.where(drawn.accent_at(grid) == 0.0, np.inf, b)


def build_timing_problem(
    drawn: DrawnTiming, grid: np.ndarray, rests: np.ndarray, limit_rows: LimitRows, options: Options, unit: float
) -> TimingArrays:
    """Puts the objective and the rows together, with times in units of `unit` seconds."""
    middle = 0.5 * (grid[1:] + grid[:-1])
    times = np.stack([drawn.at(grid[:-1]), drawn.at(middle), drawn.at(grid[1:], from_left=True)], axis=1)
    times[0, 0], times[-1, 2] = 0.0, drawn.duration
    accents = np.stack([drawn.accent_at(grid[:-1]), drawn.accent_at(middle), drawn.accent_at(grid[1:])], axis=1)
    weights = options.beta * unit**2 * accents * (np.diff(grid)[:, None] / 6.0) * np.array([1.0, 4.0, 1.0])
    relative = options.timing == "relative"
    mode = RELATIVE if relative else ABSOLUTE
    times /= drawn.duration if relative else unit
    duration = 0.0
    if options.duration_s is not None:
        duration = options.duration_s / unit
        times = times * duration if relative else times
        mode = FIXED_DURATION
    if options.beta == 0.0 and mode == RELATIVE:
        mode = ABSOLUTE
    waits = np.zeros(len(grid))
    for s, seconds in drawn.pauses:
        waits[int(np.argmin(np.abs(grid - s)))] += seconds / unit if options.tempo_lock else 0.0
    may_wait = rests.copy()
    may_wait[0] = may_wait[-1] = False
    return TimingArrays(
        np.diff(grid),
        limit_rows.first_row,
        limit_rows.rows * np.array([unit**-2, unit**-2, unit**-2, 1.0]),
        limit_rows.most_bent * unit**2,
        ~rests,
        may_wait,
        waits,
        times,
        weights,
        options.gamma * unit,
        mode,
        duration,
        False,
    )


def feasible_start(
    drawn: DrawnTiming, grid: np.ndarray, rests: np.ndarray, limit_rows: LimitRows, options: Options
) -> np.ndarray:
    """Inside all limits, and near the drawing's own speed where that is what counts: b [1/s^2], [N + 1].

    Rest is inside all limits, and they are linear in b: a share of a feasible profile is strictly inside.
    """
    shape = drawn_b(drawn, grid)
    if options.duration_s is not None:
        shape *= (drawn.duration / options.duration_s) ** 2
    shape = np.maximum(shape, 1e-2 * np.median(shape))
    wishes = [shape]
    if options.beta == 0.0 or (options.timing == "relative" and options.duration_s is None):
        wishes = [np.full(len(grid), np.inf)]
        if options.beta > 0.0 and not options.tempo_lock:
            wishes += [shape * tempo**2 for tempo in _START_TEMPOS]
    best, least = None, np.inf
    able = np.empty(len(grid))
    able_profile(limit_rows.first_row, limit_rows.rows, ~rests, limit_rows.highest, able)
    for wanted in wishes:
        b = np.empty(len(grid))
        if follow_kernel(limit_rows.first_row, limit_rows.rows, ~rests, able, wanted, b) and np.all(b[~rests] > 0.0):
            cost = _cost(drawn, grid, b, options) if len(wishes) > 1 else 0.0
            if cost < least:
                best, least = b, cost
    return slowed_sketch(shape, grid, rests, limit_rows) if best is None else _START_SHARE * best


def _cost(drawn: DrawnTiming, grid: np.ndarray, b: np.ndarray, options: Options) -> float:
    """Objective of a profile without bends or waits, in relative timing; roughly, to compare starts."""
    speed = np.sqrt(b)
    times = np.append(0.0, np.cumsum(2.0 * np.diff(grid) / (speed[1:] + speed[:-1])))
    error = times / times[-1] - drawn.at(grid) / drawn.duration
    square = error**2 * drawn.accent_at(grid)
    integral = float(np.sum(0.5 * (square[1:] + square[:-1]) * np.diff(grid)))
    return options.beta * float(times[-1]) ** 2 * integral + options.gamma * float(times[-1])


def slowed_sketch(shape: np.ndarray, grid: np.ndarray, rests: np.ndarray, limit_rows: LimitRows) -> np.ndarray:
    """A profile with eased starts and stops, slowed uniformly until it is feasible: b [1/s^2], [N + 1]."""
    stops = grid[rests]
    distance = np.min(np.abs(grid[:, None] - stops[None, :]), axis=1)
    shape = np.minimum(shape, np.median(shape) * distance / 0.02)
    shape[rests] = 0.0
    first = np.repeat(np.arange(len(grid) - 1), np.diff(limit_rows.first_row))
    used = limit_rows.rows[:, 0] * shape[first] + limit_rows.rows[:, 1] * shape[first + 1]
    used = used / np.maximum(limit_rows.rows[:, 3], 1e-12)
    return shape * min(1.0, _START_SHARE / max(float(used.max()), 1e-300))
