"""The temporal stage against IPOPT, a cone program in Clarabel, and toppra."""

from __future__ import annotations

import numpy as np
import pytest

from animato.solvers.timing.solver import solve_timing
from animato.trace.options import Options
from animato.trace.timing.limit_shares import shares_between
from benchmarks.trace_timing_cases import TimingCase, build_case

CASE_OPTIONS = {
    "relative": Options(beta=1.0, gamma=0.01, segments=60, tempo_lock=False),
    "absolute": Options(beta=1.0, gamma=0.1, timing="absolute", segments=60, tempo_lock=False),
    "duration": Options(beta=100.0, gamma=0.1, duration_s=12.0, segments=60, tempo_lock=False),
}


@pytest.fixture(scope="module")
def case() -> TimingCase:
    return build_case()


@pytest.mark.parametrize("wish", CASE_OPTIONS)
def test_same_optimum_as_ipopt(case: TimingCase, wish: str) -> None:
    pytest.importorskip("casadi")
    from benchmarks.trace_timing_peers import solve_in_ipopt

    problem, start, _ = case.problem(CASE_OPTIONS[wish])
    ours, theirs = solve_timing(problem, start), solve_in_ipopt(problem, start)
    assert theirs.solved
    assert ours.outcome.solved
    assert ours.objective <= theirs.objective * (1 + 1e-4)
    assert ours.objective == pytest.approx(theirs.objective, rel=2e-3)  # local optima of theirs may be worse


def test_fastest_motion_is_no_slower_than_peers(case: TimingCase) -> None:
    pytest.importorskip("clarabel")
    pytest.importorskip("toppra")
    from benchmarks.trace_timing_peers import minimum_time_in_clarabel, solve_in_toppra

    options = Options(beta=0.0, gamma=1.0, segments=150, tempo_lock=False)
    ours = case.solve(options)
    problem, _, unit = case.problem(options)
    cone = minimum_time_in_clarabel(problem)
    toppra = solve_in_toppra(case.character, case.path, ours.s)
    assert cone.solved and toppra.solved
    assert ours.duration <= 1.001 * min(cone.objective * unit, toppra.objective)
    # theirs holds s'' constant on segments and so gives something away
    assert ours.duration == pytest.approx(cone.objective * unit, rel=3e-2)
    assert max(shares_between(case.character, case.path, ours).values()) <= 1.0 + 1e-9


def test_timing_error_at_equal_duration(case: TimingCase) -> None:
    pytest.importorskip("toppra")
    from benchmarks.trace_timing_peers import solve_in_toppra

    options = Options(beta=100.0, gamma=0.1, duration_s=12.0, segments=150, tempo_lock=False)
    ours = case.solve(options)
    theirs = solve_in_toppra(case.character, case.path, ours.s, 12.0)
    assert case.timing_error(ours.s, theirs.b) > 100 * ours.timing_error
    assert np.isfinite(ours.timing_error)
