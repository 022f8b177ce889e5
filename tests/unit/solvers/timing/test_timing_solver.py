from __future__ import annotations

import numpy as np
import pytest

from animato.solvers.timing.arrays import ABSOLUTE, FIXED_DURATION, RELATIVE
from animato.solvers.timing.bound import timing_lower_bound
from animato.solvers.timing.interior_point import slack_kernel
from animato.solvers.timing.solver import solve_timing
from animato.solvers.timing.start import following_profile
from animato.solvers.timing.times import objective_kernel, times_kernel
from tests.unit.solvers.timing_problems import slider, slow_start

HIGHEST = np.full(61, 1.0)


def swaying(s: np.ndarray) -> np.ndarray:
    return s + 0.1 * np.sin(2 * np.pi * s)


def test_minimum_time() -> None:
    answer = solve_timing(slider(60), slow_start(60))
    assert answer.outcome.solved
    assert answer.objective == pytest.approx(2.0 / 1.2 + 1.2 / 3.0, rel=2e-4)


@pytest.mark.parametrize("mode", [ABSOLUTE, RELATIVE, FIXED_DURATION])
def test_no_feasible_neighbour_is_better(mode: int, rng: np.random.Generator) -> None:
    scale = 1.0 if mode == RELATIVE else 3.0
    problem = slider(60, beta=50.0, gamma=0.1, mode=mode, duration=3.0, drawn=lambda s: scale * swaying(s))
    answer = solve_timing(problem, slow_start(60) * (2.6 if mode == FIXED_DURATION else 1.0))
    assert answer.outcome.solved, answer.outcome
    if mode == FIXED_DURATION:
        assert answer.times[-1, 2] == pytest.approx(3.0, rel=1e-7)
        return
    assert np.all(answer.iterate.slack > 0.0)
    times, slack = np.empty((60, 3)), np.empty(len(problem.rows))
    tried = 0
    for _ in range(300):
        b = answer.b * (1 + 1e-3 * rng.normal(size=61))
        bends = 0.999 * answer.bends
        slack_kernel(problem, b, bends, slack)
        if slack.min() < 0.0:
            b = 0.99 * answer.b
        times_kernel(problem, b, bends, answer.waits, np.zeros((60, 2)), times)
        tried += 1
        assert objective_kernel(problem, times) > answer.objective * (1 - 1e-6)
    assert tried == 300


@pytest.mark.parametrize("mode", [ABSOLUTE, RELATIVE, FIXED_DURATION])
def test_bound_is_below_and_close(mode: int) -> None:
    scale = 1.0 if mode == RELATIVE else 3.0
    problem = slider(60, beta=50.0, gamma=0.1, mode=mode, duration=3.0, drawn=lambda s: scale * swaying(s))
    start = slow_start(60) * (2.6 if mode == FIXED_DURATION else 1.0)
    answer = solve_timing(problem, start)
    relaxed = problem._replace(relaxed=True)
    below = solve_timing(relaxed, 0.9 * answer.b, answer.waits, 0.9 * answer.bends)
    bound = timing_lower_bound(relaxed, below, HIGHEST, answer.objective / 0.1)
    assert bound <= answer.objective
    assert bound >= (1 - 5e-3) * answer.objective


def test_bound_holds_whatever_the_multipliers(rng: np.random.Generator) -> None:
    """Negative control of the proof: spoilt multipliers weaken the bound, they never lift it above the optimum."""
    problem = slider(60)
    answer = solve_timing(problem, slow_start(60))
    for _ in range(50):
        spoilt = answer.iterate._replace(row_dual=answer.iterate.row_dual * rng.uniform(0.0, 2.0, len(problem.rows)))
        worse = answer.__class__(**{**answer.__dict__, "iterate": spoilt})
        assert timing_lower_bound(problem, worse, HIGHEST, 100.0) < answer.objective


def test_following_profile_is_feasible_and_quick() -> None:
    problem = slider(60)
    b = np.empty(61)
    assert following_profile(problem.first_row, problem.rows, problem.moves, HIGHEST, np.full(61, np.inf), b)
    slack = np.empty(len(problem.rows))
    slack_kernel(problem, b, np.zeros(60), slack)
    assert slack.min() > -1e-7
    time = float(np.sum(2 * problem.widths / (np.sqrt(b[1:]) + np.sqrt(b[:-1]))))
    assert time == pytest.approx(2.0 / 1.2 + 1.2 / 3.0, rel=1e-3)


def test_giving_up_is_said() -> None:
    answer = solve_timing(slider(60), slow_start(60), most_iterations=3)
    assert not answer.outcome.solved
    assert "3 Newton steps" in answer.outcome.reason
