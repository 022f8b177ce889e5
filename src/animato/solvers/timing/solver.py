"""Solves a timing problem: the best speed along a path under linear rows in b = s'^2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.outcome import Outcome, Status
from animato.solvers.timing.arrays import FIXED_DURATION, Iterate, TimingArrays
from animato.solvers.timing.interior_point import OUT_OF_ITERATIONS, SOLVED, interior_point_kernel, start_duals
from animato.solvers.timing.times import objective_kernel, times_kernel

MOST_ITERATIONS = 400


@dataclass(frozen=True, eq=False)
class TimingSolution:
    """The answer and what proves it.

    Attributes:
        b: s'^2 at the grid, [N + 1].
        bends: Of b on each segment, [N].
        waits: Time at rest, [N + 1].
        times: At start, middle and end of each segment, [N, 3].
        objective: Its value.
        iterate: With all multipliers.
        multiplier: Of t_N = duration.
        outcome: How it ended.
    """

    b: np.ndarray
    bends: np.ndarray
    waits: np.ndarray
    times: np.ndarray
    objective: float
    iterate: Iterate
    multiplier: float
    outcome: Outcome


def solve_timing(
    problem: TimingArrays,
    b: np.ndarray,
    waits: np.ndarray | None = None,
    bends: np.ndarray | None = None,
    *,
    tolerance: float = 3e-7,
    gap: float = 1.0,
    most_iterations: int = MOST_ITERATIONS,
) -> TimingSolution:
    """Minimizes the objective of a timing problem.

    Args:
        problem: What to solve; times should be of the order of 1.
        b: Strictly feasible start: positive where b moves, 0 elsewhere, [N + 1].
        waits: Start of the waits; a tenth above the least where not given, [N + 1].
        bends: Start of the bends; 0 where not given, [N].
        tolerance: Of the objective, relative.
        gap: How far from optimal the start is thought to be, relative; smaller for a warm start.
        most_iterations: When to give up.
    """
    count = len(problem.widths)
    b, bends = np.array(b), np.zeros(count) if bends is None else np.array(bends)
    first_waits = problem.least_wait + np.where(problem.may_wait, 0.1, 0.0) if waits is None else np.array(waits)
    extra = np.zeros((count, 2))
    times = np.empty((count, 3))
    if problem.relaxed:
        # in proportion, so that the rhythm of the start stays what it is
        times_kernel(problem, b, bends, first_waits, extra, times)
        extra += (0.002 if problem.mode == FIXED_DURATION else 0.02) * np.diff(times, axis=1)
    times_kernel(problem, b, bends, first_waits, extra, times)
    objective = objective_kernel(problem, times)
    rows = len(problem.rows)
    zeros = np.zeros(count + 1)
    iterate = Iterate(
        b, bends, first_waits, extra, np.empty(rows), np.empty(rows), zeros, zeros.copy(), np.zeros((count, 2))
    )
    constraints = rows + int(problem.moves.sum()) + int(problem.may_wait.sum()) + 2 * count * problem.relaxed
    mu = gap * objective / constraints
    start_duals(problem, iterate, mu)
    state = np.zeros(4)
    code = interior_point_kernel(problem, iterate, mu, tolerance, most_iterations, state)
    times_kernel(problem, iterate.b, iterate.bends, iterate.waits, iterate.extra, times)
    outcome = _outcome(code, int(state[0]), state[3] * constraints / max(abs(state[1]), 1e-300))
    return TimingSolution(
        iterate.b,
        iterate.bends,
        iterate.waits,
        times,
        objective_kernel(problem, times),
        iterate,
        float(state[2]),
        outcome,
    )


def _outcome(code: int, iterations: int, gap: float) -> Outcome:
    if code == SOLVED:
        return Outcome(Status.SOLVED, f"Solved in {iterations} Newton steps.", iterations)
    if code == OUT_OF_ITERATIONS:
        reason = f"Not settled after {iterations} Newton steps; about {100.0 * gap:.2g} % could be left."
        return Outcome(Status.OUT_OF_ITERATIONS, reason, iterations)
    reason = f"No further progress after {iterations} Newton steps; about {100.0 * gap:.2g} % could be left."
    return Outcome(Status.STALLED, reason, iterations)
