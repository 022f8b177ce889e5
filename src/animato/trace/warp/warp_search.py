"""Seeks the best t(r): convex programs, each right near the answer before, with a region in which they are trusted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.outcome import Stage
from animato.solvers.timing import solve_elastic
from animato.trace.warp.warp_limits import WarpShares
from animato.trace.warp.warp_program import WarpProgram

_MOST_STEPS = 25
_FIRST_RADIUS, _LARGEST_RADIUS, _SMALLEST_RADIUS = 0.1, 0.5, 1e-4
_PRICE = 10.0  # of a whole limit at one place, in mean shares of the objective a piece
_HIGHEST_PRICE = 1e3
_MORE_ROWS = 4  # times that rows are added to one program
_HELD = 1e-3  # sum of shares beyond limits that is left to a later, smaller room
_GAIN = 3e-5  # of the objective: what is not worth another step


@dataclass(frozen=True, eq=False)
class WarpAnswer:
    """What was found.

    Attributes:
        t: Coefficients [s], [N + 3].
        steps: Programs that were solved.
        converged: Whether nothing more was to be gained.
    """

    t: np.ndarray
    steps: int
    converged: bool


def search(program: WarpProgram, start: np.ndarray, told: Stage) -> WarpAnswer:
    """Goes from a start, which may be beyond limits, to the best t near it.

    Args:
        program: What is wanted.
        start: Coefficients [s], [N + 3].
        told: Of every program.
    """
    t, radius = start, _FIRST_RADIUS
    value, shares = program.objective(t), program.shares(t)
    price = _PRICE * value / len(program.least_lasting)
    highest = _HIGHEST_PRICE * price
    over, looked_at = program.excess(t, shares), program.first_look(shares)
    for step in range(1, _MOST_STEPS + 1):
        change, expected, looked_at = _step(program, t, value, shares, looked_at, radius, price)
        promised = value + price * over - expected
        found = t + change
        ahead = program.derivatives(found)[:, 0]
        gained = -np.inf
        if ahead.min() > 0.0:
            new_value, new_shares = program.objective(found), program.shares(found)
            new_over = program.excess(found, new_shares)
            gained = value + price * over - new_value - price * new_over
        if gained > 0.1 * promised:
            t, value, shares, over = found, new_value, new_shares, new_over
            looked_at |= program.first_look(shares)
            radius = min(2.0 * radius, _LARGEST_RADIUS) if gained > 0.7 * promised else radius
            told.step(value)
        else:
            radius *= 0.3
        if promised <= _GAIN * value or radius < _SMALLEST_RADIUS:
            if over <= _HELD:
                return WarpAnswer(t, step, promised <= _GAIN * value)
            if price >= highest or radius < _SMALLEST_RADIUS:
                return WarpAnswer(t, step, False)
            price, radius = 10.0 * price, max(radius, 0.01)
    return WarpAnswer(t, _MOST_STEPS, False)


def _step(
    program: WarpProgram,
    t: np.ndarray,
    value: float,
    shares: WarpShares,
    looked_at: np.ndarray,
    radius: float,
    price: float,
) -> tuple[np.ndarray, float, np.ndarray]:
    """The best change within the region, what the model says it leads to, and the limits that were looked at.

    Most limits are far away. A program has rows for those that are near; where its answer goes beyond others, they get
    rows, too, and it is solved again.
    """
    for _ in range(_MORE_ROWS):
        linear = program.linearized(t, shares, looked_at, radius, price)
        change, _ = solve_elastic(linear)
        moved = np.einsum("mkc,mc->mk", program.basis[1][:, 1:], change[program.columns])
        ahead = shares.values + np.einsum("mkc,mc->mk", shares.slopes, moved)
        missed = (ahead > program.room[:, None] + 1e-3) & ~looked_at
        if not missed.any():
            break
        looked_at = looked_at | (ahead > program.room[:, None] - 0.1)
    expected = value + linear.change_of(change)
    expected += price * program.excess(t + change, shares._replace(values=ahead))
    return change, expected, looked_at
