"""trace: path and timing together on strokes with corners that no constant was chosen on, beside IPOPT."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from animato.trace.coupled.interior_point import feasible_start
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.solving import solve_coupled
from animato.trace.coupled.starts import CoupledStart, changed_starts
from benchmarks.row import Row
from benchmarks.trace_coupled_cases import REPORTING, CornerCase, corner_case, robots
from benchmarks.trace_coupled_peer import PeerSolver

STROKES = 5
"""Of each robot."""

_PEER_SECONDS = 120.0


@dataclass(frozen=True)
class Compared:
    """One problem: objectives and seconds of ours, from one start and from several, and of IPOPT.

    Attributes:
        name: Robot, shape and random seed.
        best: From several starts.
        single: From the first of them alone.
        seconds: Of several.
        peer: IPOPT's, from the same decoupled start; infinite where it did not finish.
        peer_best: The best from that start and others; infinite where none finished.
        peer_seconds: Of its plain start.
        reason: What ours says of itself.
    """

    name: str
    best: float
    single: float
    seconds: float
    peer: float
    peer_best: float
    peer_seconds: float
    reason: str

    def percent(self, ours: float, theirs: float) -> float:
        """By how much ours is worse [%]; not a number where there is nothing to compare with."""
        return 100.0 * (ours / theirs - 1.0) if np.isfinite(theirs) else np.nan


def compared(case: CornerCase, *, peer_starts: int = 1) -> Compared:
    """Solves one problem by both; IPOPT begins where ours does, then at paths that are changed as ours changes them."""
    problem = case.problem
    _, single, _ = solve_coupled(problem, starts=1)
    begin = time.perf_counter()
    _, best, outcome = solve_coupled(problem)
    seconds = time.perf_counter() - begin
    solver = PeerSolver(problem, seconds=_PEER_SECONDS)
    first = CoupledStart(problem.start_points, problem.start_b, 0.0)
    others = changed_starts(problem, first, peer_starts - 1, np.random.default_rng(1))
    model = CoupledModel(problem)
    found = [solver.solve(*model.split(feasible_start(model, start.x))) for start in (first, *others)]
    costs = [one.objective if one.solved else np.inf for one in found]
    return Compared(case.name, best, single, seconds, costs[0], min(costs), found[0].seconds, outcome.reason)


def held_out(*, quick: bool) -> Iterator[CornerCase]:
    """The problems for reporting."""
    for k, robot in enumerate(robots()):
        for seed in range(1 if quick else STROKES):
            yield corner_case(robot, REPORTING + 100 * k + seed)


def corner_rows(*, quick: bool) -> list[Row]:
    """How much worse than IPOPT, at worst: from several starts and from one; and the other way round."""
    found = [compared(case, peer_starts=1 if quick else 3) for case in held_out(quick=quick)]
    done = [one for one in found if np.isfinite(one.peer)]

    def worst(percents: list[float]) -> float:
        return max(percents, default=np.nan)

    others_best = worst([one.percent(one.best, one.peer_best) for one in found if np.isfinite(one.peer_best)])
    return [
        Row(
            "coupled.held_out_worst_percent",
            worst([one.percent(one.best, one.peer) for one in done]),
            "%",
            "lower",
            "ipopt",
            worst([one.percent(one.peer, one.best) for one in done]),
        ),
        Row(
            "coupled.held_out_worst_percent_ipopt_several",
            others_best,
            "%",
            "lower",
            "ipopt, several starts",
            worst([one.percent(one.peer_best, one.best) for one in found if np.isfinite(one.peer_best)]),
        ),
        Row(
            "coupled.held_out_worst_percent_one_start",
            worst([one.percent(one.single, one.peer) for one in done]),
            "%",
            "lower",
            "ipopt",
            worst([one.percent(one.peer, one.single) for one in done]),
        ),
        Row("coupled.held_out_problems", len(found), "", "higher", "ipopt", len(done)),
        Row(
            "coupled.held_out_s",
            sum(one.seconds for one in done),
            "s",
            "lower",
            "ipopt",
            sum(one.peer_seconds for one in done),
        ),
    ]


def _shown(one: Compared) -> str:
    words = (("several", one.best, one.peer), ("one", one.single, one.peer), ("to its best", one.best, one.peer_best))
    shares = "  ".join(f"{word} {one.percent(ours, theirs):+8.3f} %" for word, ours, theirs in words)
    return f"{one.name:26s} {shares}  {one.seconds:.2f} s  ipopt {one.peer_seconds:.2f} s  {one.reason}"


if __name__ == "__main__":
    import sys

    for case in held_out(quick=False):
        print(_shown(compared(case, peer_starts=int(sys.argv[1]) if len(sys.argv) > 1 else 1)), flush=True)
