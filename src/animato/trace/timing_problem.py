"""The temporal stage as a timing problem in scaled time, and a feasible start for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import OptionError
from animato.solvers.timing_arrays import ABSOLUTE, FIXED_DURATION, RELATIVE, TimingArrays
from animato.solvers.timing_start import following_profile
from animato.trace.drawn_timing import DrawnTiming
from animato.trace.limit_rows import LimitRows

_LOCK_ROUNDS = 6
_START_SHARE = 0.8  # of a profile that touches limits


@dataclass(frozen=True)
class TimingOptions:
    """What is wanted of the timing.

    Attributes:
        beta: Weight of the timing error [1/s^2].
        gamma: Weight of the duration [1/s].
        relative: Whether a change of the whole tempo is free; otherwise drawn times count as they are.
        tempo_lock: Never faster than drawn.
        duration: Wanted duration [s], or None.
        segments: Of the grid, about.
        torque: Whether torque limits hold.
        certificate: Whether a lower bound is computed.
    """

    beta: float = 1.0
    gamma: float = 0.1
    relative: bool = True
    tempo_lock: bool = False
    duration: float | None = None
    segments: int = 500
    torque: bool = True
    certificate: bool = True

    def __post_init__(self) -> None:
        for name in ("beta", "gamma"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0.0):
                raise OptionError(f"The weight {name} must be 0 or more, not {value}.")
        if self.beta == 0.0 and self.gamma == 0.0:
            raise OptionError("With beta = 0 and gamma = 0 nothing is wanted; give one of them a weight.")
        if self.duration is not None and not (np.isfinite(self.duration) and self.duration > 0.0):
            raise OptionError(f"A wanted duration must be greater than 0 s, not {self.duration}.")


def drawn_b(drawn: DrawnTiming, grid: np.ndarray) -> np.ndarray:
    """Squared path speed of the drawing at the grid [1/s^2], over the two segments beside a point, [N + 1]."""
    after = np.diff(grid) / np.maximum(drawn.at(grid[1:], from_left=True) - drawn.at(grid[:-1]), 1e-9)
    # harmonic mean: way over time, with pauses left out
    width = np.diff(grid)
    time = width / after
    speed = np.empty(len(grid))
    speed[0], speed[-1] = after[0], after[-1]
    speed[1:-1] = (width[1:] + width[:-1]) / (time[1:] + time[:-1])
    return speed**2


def tempo_lock_b(drawn: DrawnTiming, grid: np.ndarray) -> np.ndarray:
    """Largest b at the grid with which no segment takes less time than drawn [1/s^2], [N + 1].

    With the drawing's own speed at grid points, b straight between them, a segment comes out shorter or longer than
    drawn by the curvature of the profile. If neither end of a segment speeds up by more than it has to spare, it has
    none of it left to be short of; a few rounds of that leave little to spare.
    """
    b = drawn_b(drawn, grid)
    wanted = np.maximum(drawn.at(grid[1:], from_left=True) - drawn.at(grid[:-1]), 1e-12)
    for _ in range(_LOCK_ROUNDS):
        speed = np.sqrt(b)
        spare = 2.0 * np.diff(grid) / (speed[1:] + speed[:-1]) / wanted
        b = b * np.minimum(np.append(spare, spare[-1]), np.insert(spare, 0, spare[0])) ** 2
    return b


def build_timing_problem(
    drawn: DrawnTiming, grid: np.ndarray, rests: np.ndarray, limit_rows: LimitRows, options: TimingOptions, unit: float
) -> TimingArrays:
    """Puts the objective and the rows together, with times in units of `unit` seconds."""
    middle = 0.5 * (grid[1:] + grid[:-1])
    times = np.stack([drawn.at(grid[:-1]), drawn.at(middle), drawn.at(grid[1:], from_left=True)], axis=1)
    times[0, 0], times[-1, 2] = 0.0, drawn.duration
    accents = np.stack([drawn.accent_at(grid[:-1]), drawn.accent_at(middle), drawn.accent_at(grid[1:])], axis=1)
    weights = options.beta * unit**2 * accents * (np.diff(grid)[:, None] / 6.0) * np.array([1.0, 4.0, 1.0])
    mode = RELATIVE if options.relative else ABSOLUTE
    if options.relative:
        times /= drawn.duration
    else:
        times /= unit
    duration = 0.0
    if options.duration is not None:
        duration = options.duration / unit
        times = times * duration if options.relative else times
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
    drawn: DrawnTiming, grid: np.ndarray, rests: np.ndarray, limit_rows: LimitRows, options: TimingOptions
) -> np.ndarray:
    """Inside all limits, and near the drawing's own speed where that is what counts: b [1/s^2], [N + 1].

    Rest is inside all limits, and they are linear in b: a share of a feasible profile is strictly inside.
    """
    shape = drawn_b(drawn, grid)
    if options.duration is not None:
        shape *= (drawn.duration / options.duration) ** 2
    shape = np.maximum(shape, 1e-2 * np.median(shape))
    hurries = options.beta == 0.0 or (options.relative and options.duration is None)
    wanted = np.full(len(grid), np.inf) if hurries else shape
    b = np.empty(len(grid))
    if following_profile(limit_rows.first_row, limit_rows.rows, ~rests, limit_rows.highest, wanted, b) and np.all(
        b[~rests] > 0.0
    ):
        return _START_SHARE * b
    return slowed_sketch(shape, grid, rests, limit_rows)


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
