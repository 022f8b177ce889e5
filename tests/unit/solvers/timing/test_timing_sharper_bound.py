from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.solvers.timing.arrays import ABSOLUTE, RELATIVE, TimingArrays
from animato.solvers.timing.bound import timing_lower_bound
from animato.solvers.timing.sharper_bound import narrow_kernel, sharper_bound, vertices_kernel
from animato.solvers.timing.solver import TimingSolution, solve_timing
from tests.unit.solvers.timing_problems import slider, slow_start

COUNT = 80
HIGHEST = np.full(COUNT + 1, 0.5)


def halting(s: np.ndarray) -> np.ndarray:
    """Slowly through the first half, and then all at once fast: a relaxation may run up, a robot cannot."""
    times = np.where(s < 0.5, 4.0 * s, 2.0 + (s - 0.5))
    return times / 2.5


def both(mode: int, beta: float) -> tuple[TimingArrays, TimingSolution, TimingSolution, float, float]:
    scale = 1.0 if mode == RELATIVE else 4.0
    problem = slider(COUNT, beta=beta, gamma=0.1, mode=mode, drawn=lambda s: scale * halting(s), acceleration=1.5)
    best = solve_timing(problem, slow_start(COUNT))
    assert best.outcome.solved
    relaxed = problem._replace(relaxed=True)
    below = solve_timing(relaxed, 0.9 * best.b, best.waits, 0.9 * best.bends, gap=1.0)
    longest = best.objective / problem.gamma
    return problem, best, below, timing_lower_bound(relaxed, below, HIGHEST, longest), longest


@pytest.mark.parametrize("mode", [ABSOLUTE, RELATIVE])
@pytest.mark.parametrize("beta", [20.0, 300.0])
def test_it_is_above_the_first_bound_and_below_what_is_known(mode: int, beta: float) -> None:
    problem, best, below, first, longest = both(mode, beta)
    sharper = sharper_bound(problem, best, below, first, HIGHEST, longest, enough=1.0)
    assert first <= sharper <= best.objective


def test_some_of_the_gap_is_closed() -> None:
    problem, best, below, first, longest = both(RELATIVE, 300.0)
    sharper = sharper_bound(problem, best, below, first, HIGHEST, longest, enough=1.0)
    assert best.objective - sharper < 0.99 * (best.objective - first)


@pytest.mark.parametrize("mode", [ABSOLUTE, RELATIVE])
@pytest.mark.parametrize("worse", [1.002, 1.01, 1.05])
def test_the_optimum_is_never_cut_off(mode: int, worse: float) -> None:
    """With a poor motion as the best known one, the optimum is a better motion: what is proven holds for it."""
    problem, best, below, first, longest = both(mode, 300.0)
    share = 0.5 * (1.0 + 1.0 / worse)
    poor = replace(best, objective=worse * best.objective, b=share * best.b, bends=share * best.bends)
    assert sharper_bound(problem, poor, below, first, HIGHEST, longest * worse, enough=1.0) <= best.objective
    vertices, narrower = np.empty((COUNT, 3)), np.empty(COUNT + 1)
    vertices_kernel(problem._replace(relaxed=True), below.iterate, below.multiplier, vertices)
    shortest = float(best.times[-1, 2]) if mode == RELATIVE else 1.0
    narrow_kernel(problem, vertices, poor.objective - first, shortest, 0.0 * best.b, HIGHEST, narrower)
    assert np.all(best.b <= narrower)
    assert np.any(narrower < 0.9 * HIGHEST)
