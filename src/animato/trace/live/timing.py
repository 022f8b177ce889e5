"""When the robot is where on the part of a live stroke that is not committed yet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.outcome import Outcome
from animato.solvers.timing import ABSOLUTE, TimingArrays, able_profile, following_profile, solve_timing
from animato.trace.live.first_segment import FirstSegment, first_segments
from animato.trace.path import JointPath
from animato.trace.timing import LimitRows, TimeScaling, axis_limits, build_limit_rows, build_timing_grid, grid_dynamics

RESERVE = 0.97
"""Share of every limit that a plan uses, so that the next one can leave where this one brought the robot."""

BLEND_S = 0.03
"""How long the acceleration of a plan before goes over into that of a new one [s]."""

_RESERVES = ((RESERVE, RESERVE), (1.0, RESERVE), (1.0, 1.0))  # of the first segment, and of all others
_SHORTER = (1.0, 0.3)  # times the first segment
_AT_LEAST_S = 2e-3  # nearer to rest than this a plan is not worth leaving
_SEGMENTS = (3, 9, 27)  # a piece of the path; more where the dynamics change too fast for few
_TOLERANCE = 1e-3
_STEPS = 40
_SLOW = 0.05  # of the fastest speed, squared: what a start holds at least


class Leaving(NamedTuple):
    """How the robot moves along a path where a plan takes over.

    Attributes:
        b: Squared path speed [1/s^2]; 0 where it rests.
        push: Path acceleration [1/s^2].
    """

    b: float
    push: float


class _Answer(NamedTuple):
    """A timing on a part of the grid: b at its points, bends of its segments, arrivals and waits [s]."""

    b: np.ndarray
    bends: np.ndarray
    times: np.ndarray
    waits: np.ndarray
    outcome: Outcome


def time_tail(
    character: Character,
    path: JointPath,
    drawn: np.ndarray,
    leaving: Leaving,
    *,
    beta: float,
    gamma: float,
    torque: bool,
) -> TimeScaling | None:
    """The timing nearest to the drawn one that goes on as the robot moves and ends at rest.

    Where the robot moves, path speed and path acceleration at the start are those given: the acceleration of every
    joint goes on, too. Over the first segment, of about `BLEND_S`, it changes linearly.

    Args:
        character: Whose limits hold.
        path: Where.
        drawn: When the robot should be at places of the path, evenly from s = 0 to 1 [s], counted from its start; [k].
        leaving: How the robot moves at the start.
        beta: Weight of the timing error [1/s^2].
        gamma: Weight of the duration [1/s].
        torque: Whether torque limits hold.

    Returns:
        None where no motion on this path can leave so and stop at its end.

    Raises:
        MotionError: Gravity alone is too much somewhere on the path.
    """
    if leaving.b > 0.0 and np.sqrt(leaving.b) < -leaving.push * _AT_LEAST_S:
        return None
    for finer in _SEGMENTS:
        try:
            for shorter in _SHORTER if leaving.b > 0.0 else _SHORTER[:1]:
                found = _Tail(character, path, drawn, leaving, finer, shorter, beta, gamma, torque).timed()
                if found is not None:
                    return found
        except MotionError:  # torques between grid points are known too badly there, or gravity is too much indeed
            if finer == _SEGMENTS[-1]:
                raise
            continue
        return None
    return None


class _Tail:
    """The timing problem of one grid."""

    def __init__(
        self,
        character: Character,
        path: JointPath,
        drawn: np.ndarray,
        leaving: Leaving,
        segments: int,
        shorter: float,
        beta: float,
        gamma: float,
        torque: bool,
    ) -> None:
        """See `time_tail`; with so many segments a piece of the path, and a first one shorter than usual."""
        self.leaving, self.drawn, self.beta, self.gamma = leaving, drawn, beta, gamma
        breaks = np.unique(path.knots)
        first = np.zeros(0) if leaving.b == 0.0 else np.array([shorter * _first_width(leaving, float(breaks[1]))])
        self.grid = build_timing_grid(path.knots, first, segments * (len(breaks) - 1))
        rests = np.zeros(len(self.grid), dtype=bool)
        rests[-1], rests[0] = True, leaving.b == 0.0
        reference = None
        if torque and axis_limits(character).speed_matters:
            reference = _reference(self.grid, drawn, leaving.b)
        self.rows = build_limit_rows(
            character,
            grid_dynamics(character, path, self.grid),
            self.grid,
            lock=np.full(len(self.grid), np.inf),
            rests=rests,
            reference=reference,
            with_torque=torque,
        )

    def timed(self) -> TimeScaling | None:
        """The best timing, with as much of the limits in reserve as can be."""
        for first, others in _RESERVES if self.leaving.b > 0.0 else _RESERVES[::2]:
            held = _reserved(self.rows, first, others)
            begin = _start(held, self.rows, self.grid, self.leaving.b)
            if begin is None:
                continue
            free = _solved(self.grid, held, self.rows, begin, self.drawn, 0.0, self.beta, self.gamma)
            found = free if self.leaving.b == 0.0 else self._tied(held, free)
            if found is not None:
                return _scaling(self.grid, found)
        return None

    def _tied(self, held: np.ndarray, free: _Answer) -> _Answer | None:
        """A timing whose acceleration goes on at the start, near one whose acceleration jumps there."""
        rows, grid = self.rows, self.grid
        moves = np.ones(len(grid), dtype=bool)
        moves[-1] = False
        able = np.empty(len(grid))
        able_profile(rows.first_row, held, moves, rows.highest, able)
        own = held[: rows.first_row[1]]
        rest = _without_first(rows)
        for first in first_segments(own, grid[1], self.leaving.b, self.leaving.push, float(free.b[1]), float(able[1])):
            begin = _start(held[rows.first_row[1] :], rest, grid[1:], first.b)
            if begin is not None:
                tail = _solved(
                    grid[1:], held[rows.first_row[1] :], rest, begin, self.drawn, first.seconds, self.beta, self.gamma
                )
                return _joined(self.leaving.b, first, tail)
        return None


def _first_width(leaving: Leaving, longest: float) -> float:
    """How far the robot goes in about BLEND_S, at most to the first knot; speeds stay above 0 on the way."""
    width = np.sqrt(leaving.b) * BLEND_S + 0.5 * max(leaving.push, 0.0) * BLEND_S**2
    if leaving.push < 0.0:
        width = min(width, 0.7 * leaving.b / -leaving.push)
    return float(min(width, longest))


def _joined(b: float, first: FirstSegment, tail: _Answer) -> _Answer:
    return _Answer(
        np.append(b, tail.b),
        np.append(first.bend, tail.bends),
        np.append(0.0, first.seconds + tail.times),
        np.append(0.0, tail.waits),
        tail.outcome,
    )


def _without_first(rows: LimitRows) -> LimitRows:
    """The rows of all segments but the first."""
    first = rows.first_row[1]
    return LimitRows(
        rows.first_row[1:] - first, rows.rows[first:], rows.sources[first:], rows.highest[1:], rows.most_bent[1:]
    )


def _reference(grid: np.ndarray, drawn: np.ndarray, b: float) -> np.ndarray:
    """Squared speeds about which damping is made linear [1/s^2], [N]; any are safe, near ones lose least."""
    even = np.linspace(0.0, 1.0, len(drawn))
    pace = np.diff(np.interp(grid, even, drawn))
    speed = np.diff(grid) / np.maximum(pace, 1e-3 * max(float(np.ptp(drawn)), 1e-2))
    return np.maximum(speed**2, max(1e-2 * float(np.max(speed**2)), 0.1 * b))


def _reserved(rows: LimitRows, first: float, others: float) -> np.ndarray:
    """Rows with shares of the limits, of the first segment and of all others."""
    held = rows.rows.copy()
    own = rows.sources >= 0
    share = np.full(len(held), others)
    share[: rows.first_row[1]] = first
    held[own, 3] *= share[own]
    return held


def _start(held: np.ndarray, rows: LimitRows, grid: np.ndarray, b: float) -> np.ndarray | None:
    """A profile strictly inside all rows that leaves at b: the middle of the fastest and a slow one."""
    profiles: list[np.ndarray] = []
    first = np.concatenate([[0], rows.first_row + (1 if b > 0.0 else 0)]) if b > 0.0 else rows.first_row
    # a segment before the first brings b from rest to where it is
    ahead = np.vstack([[0.0, 1.0 / b, 0.0, 1.0], held]) if b > 0.0 else held
    count = len(first)
    moves = np.ones(count, dtype=bool)
    moves[[0, -1]] = False
    highest = np.concatenate([[b], [max(b, rows.highest[0])], rows.highest[1:]]) if b > 0.0 else rows.highest
    wanted = np.full(count, np.inf)
    for share in (1.0, _SLOW):
        if share < 1.0:
            wanted = share * profiles[0]
        if b > 0.0:
            wanted[1] = b
        profile = np.empty(count)
        if not following_profile(first, ahead, moves, highest, wanted, profile):
            return None
        profiles.append(profile)
    middle = 0.5 * (profiles[0] + profiles[1])
    if b > 0.0:
        if profiles[0][1] < b * (1.0 - 1e-9) or profiles[1][1] < b * (1.0 - 1e-9):
            return None
        middle = middle[1:]
        middle[0] = b
    if np.any(middle[1:-1] <= 0.0):
        return None
    segment = np.repeat(np.arange(len(grid) - 1), np.diff(rows.first_row))
    room = held[:, 3] - held[:, 0] * middle[segment] - held[:, 1] * middle[segment + 1]
    return middle if float(room.min()) > 1e-9 else None


def _solved(
    grid: np.ndarray,
    held: np.ndarray,
    rows: LimitRows,
    b: np.ndarray,
    drawn: np.ndarray,
    begins: float,
    beta: float,
    gamma: float,
) -> _Answer:
    """The best timing from a start, of a part of the grid that begins at a time [s]."""
    width = np.diff(grid)
    speed = np.sqrt(b)
    unit = float(np.sum(2.0 * width / (speed[1:] + speed[:-1])))
    even = np.linspace(0.0, 1.0, len(drawn))
    wanted = np.interp(np.stack([grid[:-1], 0.5 * (grid[1:] + grid[:-1]), grid[1:]], axis=1), even, drawn)
    weights = beta * unit**2 * (width[:, None] / 6.0) * np.array([1.0, 4.0, 1.0])
    moves = np.ones(len(grid), dtype=bool)
    moves[[0, -1]] = False
    may_wait = np.zeros(len(grid), dtype=bool)
    may_wait[0] = b[0] == 0.0
    problem = TimingArrays(
        width,
        rows.first_row,
        held * np.array([unit**-2, unit**-2, unit**-2, 1.0]),
        rows.most_bent * unit**2,
        moves,
        may_wait,
        np.zeros(len(grid)),
        (wanted - begins) / unit,
        weights,
        gamma * unit,
        ABSOLUTE,
        0.0,
        False,
    )
    answer = solve_timing(problem, b * unit**2, tolerance=_TOLERANCE, most_iterations=_STEPS)
    return _Answer(
        answer.b / unit**2,
        answer.bends / unit**2,
        np.append(0.0, answer.times[:, 2]) * unit,
        answer.waits * unit,
        answer.outcome,
    )


def _scaling(grid: np.ndarray, answer: _Answer) -> TimeScaling:
    return TimeScaling(
        s=grid,
        b=answer.b,
        bends=answer.bends,
        times=answer.times,
        waits=answer.waits,
        objective=float("nan"),
        timing_error=float("nan"),
        lower_bound=float("nan"),
        outcome=answer.outcome,
    )
