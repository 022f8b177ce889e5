"""When the robot is where on the part of a live stroke that is not committed yet."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.solvers.timing import ABSOLUTE, TimingArrays, following_profile, solve_timing
from animato.trace.path import JointPath
from animato.trace.timing import LimitRows, TimeScaling, axis_limits, build_limit_rows, build_timing_grid, grid_dynamics

RESERVE = 0.97
"""Share of every limit that a plan uses, so that the next one can leave where this one brought the robot."""

_SEGMENTS = (3, 9, 27)  # a piece of the path; more where the dynamics change too fast for few
_TOLERANCE = 1e-3
_STEPS = 40
_SLOW = 0.05  # of the fastest speed, squared: what a start holds at least


def time_tail(
    character: Character,
    path: JointPath,
    drawn: np.ndarray,
    b: float,
    *,
    beta: float,
    gamma: float,
    torque: bool,
) -> TimeScaling | None:
    """The timing nearest to the drawn one that leaves at a given speed and ends at rest.

    Args:
        character: Whose limits hold.
        path: Where.
        drawn: When the robot should be at places of the path, evenly from s = 0 to 1 [s], counted from its start; [k].
        b: Squared path speed at the start [1/s^2]; 0 where it rests.
        beta: Weight of the timing error [1/s^2].
        gamma: Weight of the duration [1/s].
        torque: Whether torque limits hold.

    Returns:
        None where no motion on this path can leave at that speed and stop at its end.

    Raises:
        MotionError: Gravity alone is too much somewhere on the path.
    """
    for finer in _SEGMENTS[:-1]:
        try:
            return _timed(character, path, drawn, b, finer, beta, gamma, torque)
        except MotionError:  # torques between grid points are known too badly there, or gravity is too much indeed
            continue
    return _timed(character, path, drawn, b, _SEGMENTS[-1], beta, gamma, torque)


def _timed(
    character: Character,
    path: JointPath,
    drawn: np.ndarray,
    b: float,
    segments: int,
    beta: float,
    gamma: float,
    torque: bool,
) -> TimeScaling | None:
    """As `time_tail`, with so many segments a piece of the path."""
    grid = build_timing_grid(path.knots, np.zeros(0), segments * (len(np.unique(path.knots)) - 1))
    rests = np.zeros(len(grid), dtype=bool)
    rests[-1], rests[0] = True, b == 0.0
    dynamics = grid_dynamics(character, path, grid)
    reference = None
    if torque and axis_limits(character).speed_matters:
        reference = _reference(grid, drawn, b)
    rows = build_limit_rows(
        character,
        dynamics,
        grid,
        lock=np.full(len(grid), np.inf),
        rests=rests,
        reference=reference,
        with_torque=torque,
    )
    for reserve in (RESERVE, 1.0):
        held = _reserved(rows, reserve)
        begin = _start(held, rows, grid, b)
        if begin is not None:
            return _solved(grid, held, rows, begin, drawn, beta, gamma)
    return None


def _reference(grid: np.ndarray, drawn: np.ndarray, b: float) -> np.ndarray:
    """Squared speeds about which damping is made linear [1/s^2], [N]; any are safe, near ones lose least."""
    even = np.linspace(0.0, 1.0, len(drawn))
    pace = np.diff(np.interp(grid, even, drawn))
    speed = np.diff(grid) / np.maximum(pace, 1e-3 * max(float(np.ptp(drawn)), 1e-2))
    return np.maximum(speed**2, max(1e-2 * float(np.max(speed**2)), 0.1 * b))


def _reserved(rows: LimitRows, reserve: float) -> np.ndarray:
    held = rows.rows.copy()
    own = rows.sources >= 0
    held[own, 3] *= reserve
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
    beta: float,
    gamma: float,
) -> TimeScaling:
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
        wanted / unit,
        weights,
        gamma * unit,
        ABSOLUTE,
        0.0,
        False,
    )
    answer = solve_timing(problem, b * unit**2, tolerance=_TOLERANCE, most_iterations=_STEPS)
    return TimeScaling(
        s=grid,
        b=answer.b / unit**2,
        bends=answer.bends / unit**2,
        times=np.append(0.0, answer.times[:, 2]) * unit,
        waits=answer.waits * unit,
        objective=answer.objective,
        timing_error=float("nan"),
        lower_bound=float("nan"),
        outcome=answer.outcome,
    )
