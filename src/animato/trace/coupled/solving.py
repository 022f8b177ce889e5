"""Path and timing optimized together: equation 9 of Luo and Hauser (2012).

The decoupled answer fits the path first and times it afterwards. A path that gives way a little where the robot would
have to slow down is better in all: here both are found at once, from several starts of which the best answer is kept.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from animato.outcome import Outcome, Progress, Stage, Status
from animato.trace.coupled.first_order import FIRST_ORDER_TOLERANCE, first_order_gain
from animato.trace.coupled.interior_point import solve_together
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem
from animato.trace.coupled.starts import CoupledStart, changed_starts, first_starts

_ROUND = 4  # starts that do not wait for one another
_WORKERS = 2
_CONTENT = 2  # rounds after which the search ends where all agree
COARSE = 100
"""Segments that are enough to choose between minima."""

AGREE = 1e-4
"""Of the objective: answers that differ by less are counted as the same."""


@dataclass(frozen=True, eq=False)
class _Found:
    """One answer: the objective, how it ended, and where."""

    cost: float
    outcome: Outcome
    at: CoupledStart
    gain: float

    @property
    def good(self) -> bool:
        return self.outcome.solved and self.gain <= FIRST_ORDER_TOLERANCE


def solve_coupled(
    problem: CoupledProblem,
    *,
    tolerance: float | None = None,
    starts: int | None = None,
    progress: Progress | None = None,
) -> tuple[np.ndarray, float, Outcome]:
    """Control points [c, n], objective, and how it ended, of the best of several ways into the problem.

    The outcome is "solved" only where the first-order conditions hold, see `first_order_gain`. It is a local optimum
    then; the reason says how many starts found the same one.

    Args:
        problem: The problem.
        tolerance: Of the objective, relative; that of the problem's options where not given.
        starts: At most so many; that of the problem's options where not given.
        progress: Told of every iterate of every way.
    """
    options = problem.options
    count = options.starts if starts is None else starts
    told = Stage("path and timing together", progress, count * options.iterations)
    rng = np.random.default_rng(options.random_seed)
    found: list[_Found] = []

    def from_start(start: CoupledStart) -> _Found:
        model = CoupledModel(problem)  # has memory of its own, so that ways can be gone at the same time
        point, outcome, weights = solve_together(
            model,
            start.x,
            tolerance=tolerance or options.tolerance,
            iterations=options.iterations,
            first_gap=start.gap,
            progress=lambda one: told.step(one.objective),
        )
        points, b = model.split(point.x)
        return _Found(point.cost, outcome, CoupledStart(points, b, start.gap), first_order_gain(model, point, weights))

    with ThreadPoolExecutor(_WORKERS) as threads:
        while len(found) < count:
            wanted = min(_ROUND, count - len(found))
            tries = changed_starts(problem, _best(found).at, wanted, rng) if found else first_starts(problem)[:wanted]
            found += threads.map(from_start, tries)
            if len(found) >= _CONTENT * _ROUND and len(_same(found)) == len(found):
                break
    best = _best(found)
    return best.at.points, best.cost, _told(found, best)


def solve_refined(
    coarse: CoupledProblem, fine: CoupledProblem, *, progress: Progress | None = None
) -> tuple[np.ndarray, float, Outcome]:
    """As `solve_coupled`, where the choice between many minima is made on a grid with fewer segments.

    Args:
        coarse: The problem with few segments, which is solved from all starts.
        fine: The same with as many as are wanted, which is solved from the best of those answers.
        progress: Told of every iterate.
    """
    points, _, first = solve_coupled(coarse, progress=progress)
    points, cost, last = solve_coupled(replace(fine, start_points=points), starts=1, progress=progress)
    reason = first.reason if first.solved and last.solved else last.reason
    return points, cost, replace(last, reason=reason, iterations=first.iterations + last.iterations)


def _best(found: list[_Found]) -> _Found:
    return max(found, key=lambda one: (one.good, one.outcome.solved, -one.cost))


def _same(found: list[_Found]) -> list[_Found]:
    """Those that are as good as the best."""
    cost = _best(found).cost
    return [one for one in found if one.good and one.cost <= (1.0 + AGREE) * cost]


def _told(found: list[_Found], best: _Found) -> Outcome:
    """How the best ended, with a word about the others."""
    steps = sum(one.outcome.iterations for one in found)
    if not best.outcome.solved:
        return replace(best.outcome, iterations=steps)
    if not best.good:
        reason = f"to first order, {100.0 * best.gain:.2g} % could still be gained by changes of 1 %"
        return Outcome(Status.STALLED, reason, steps)
    if len(found) == 1:
        return Outcome(Status.SOLVED, "a local optimum, from one start", steps)
    same, others = len(_same(found)), [one.cost for one in found if one.good]
    worst = 100.0 * (max(others) / best.cost - 1.0)
    others_words = f"{same} of them agree" if same > 1 else "no two of the best agree"
    reason = f"a local optimum, the best from {len(found)} starts; {others_words}"
    if worst > 100.0 * AGREE:
        reason += f", the answers differ by up to {worst:.3g} %"
    return Outcome(Status.SOLVED, reason, steps)
