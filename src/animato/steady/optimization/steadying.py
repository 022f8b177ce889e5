"""Solves a steady problem: Gauss and Newton's method in stages, from soft limits to hard ones."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from animato.motion import Clip
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.solvers import LeastSquaresOptions, solve_least_squares
from animato.steady.optimization.barrier import Barrier
from animato.steady.optimization.model import SteadyModel, SteadyPoint
from animato.steady.optimization.solution import Solution
from animato.steady.optimization.usage import profile_usage
from animato.steady.problem import Problem

_STAGES = ((3e-2, 0.05), (3e-3, 0.02), (3e-4, 0.003))
"""Of the barriers: weight, as a share of the artist's objective, and relaxation."""


def solve(problem: Problem, *, start: Solution | Clip | None = None, progress: Progress | None = None) -> Solution:
    """Solves a problem.

    Args:
        problem: What is asked for.
        start: An earlier solution, or a clip of motor profiles, to go on from; the artist's where not given.
        progress: Told of every step. An interrupt (Ctrl-C) ends the search with what has been found so far.
    """
    begin = time.perf_counter()
    history: list[Iteration] = []

    def tell(iteration: Iteration) -> None:
        history.append(iteration)
        if progress is not None:
            progress(iteration)

    if progress is not None:
        progress(Iteration(stage="simulating the artist's motion"))
    model = SteadyModel(problem, None)
    first = model.evaluate(problem.artist)
    best = _start(problem, start)
    outcome = Outcome(Status.SOLVED, "nothing is to be gained")
    try:
        for number, barrier in enumerate(_barriers(problem, first)):
            stage = model.with_barrier(barrier)
            # earlier stages only lead the way: less accuracy is enough there
            last = number == len(_STAGES) - 1 or barrier is None
            options = LeastSquaresOptions(
                iterations=problem.options.iterations,
                tolerance=problem.options.tolerance if last else 4.0 * problem.options.tolerance,
                first_damping=1e-6,
                stage="steadying" if last else "steadying, limits still soft",
            )
            found = solve_least_squares(stage, best, options, progress=tell)
            best, outcome = found.x, found.outcome
    except KeyboardInterrupt:
        outcome = Outcome(Status.OUT_OF_ITERATIONS, "interrupted; go on from what was written", len(history))
    after = model.evaluate(best)
    return Solution(
        problem, _judged(problem, after, outcome), first, after, tuple(history), time.perf_counter() - begin
    )


def _start(problem: Problem, start: Solution | Clip | None) -> np.ndarray:
    if start is None:
        return problem.artist.copy()
    if isinstance(start, Solution):
        same = start.problem.basis.size == problem.basis.size and start.problem.basis.names == problem.basis.names
        if same:
            return start.after.x.copy()
        start = start.clip
    x = problem.basis.fitted(start)
    x[problem.basis.held] = problem.artist[problem.basis.held]
    return x


def _barriers(problem: Problem, first: SteadyPoint) -> list[Barrier | None]:
    if problem.limits is None and problem.torque is None:
        return [None]
    scale = first.tracking / (problem.basis.duration * len(problem.basis.names)) if np.isfinite(first.cost) else 1.0
    return [Barrier(share * scale, relaxed) for share, relaxed in _STAGES]


def _judged(problem: Problem, after: SteadyPoint, outcome: Outcome) -> Outcome:
    """What the search says, and whether limits hold."""
    if not np.isfinite(after.cost):
        return Outcome(Status.INFEASIBLE, "the simulation of the result does not converge", outcome.iterations)
    shares = {}
    if problem.limits is not None:
        shares["a limit of its profiles"] = problem.limits.worst_share(after.x) * (1.0 - problem.options.margin)
    if problem.torque is not None:
        shares["the torque of a motor"] = profile_usage(problem, after).peak("torque")
    for word, share in shares.items():
        if share > 1.0 + 1e-6:
            return Outcome(Status.INFEASIBLE, f"it needs {100.0 * share:.0f} % of {word}", outcome.iterations)
    if outcome.solved:
        return outcome
    return replace(outcome, status=Status.ACCEPTABLE, reason=f"all limits hold; {outcome.reason}")
