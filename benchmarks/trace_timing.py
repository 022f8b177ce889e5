"""The temporal stage on "hello": beside IPOPT on the same problem, toppra and a cone program on the fastest motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.solvers.timing.solver import solve_timing
from animato.trace.options import Options
from animato.trace.timing.axis_limits import axis_limits
from animato.trace.timing.limit_shares import shares_between, worst_shares
from animato.trace.timing.path_dynamics import path_dynamics
from benchmarks.row import Row, best_seconds
from benchmarks.trace_timing_cases import TimingCase, hello_case
from benchmarks.trace_timing_jerk import jerk_rows
from benchmarks.trace_timing_peers import minimum_time_in_clarabel, solve_in_ipopt, solve_in_toppra

MIMIC = Options(beta=1.0, gamma=0.01, tempo_lock=False)
FASTEST = Options(beta=0.0, gamma=1.0, tempo_lock=False)


def timing_rows(*, quick: bool) -> list[Row]:
    """All rows of the temporal stage.

    Args:
        quick: Fewer repeats and segments.
    """
    case, segments, repeats = hello_case(), (200 if quick else 500), (5 if quick else 20)
    return [
        *_objective_rows(case, segments, repeats),
        *_fastest_rows(case, segments),
        *_mimic_rows(case, segments),
        *jerk_rows(),
    ]


def _with(options: Options, segments: int) -> Options:
    return replace(options, segments=segments)


def _objective_rows(case: TimingCase, segments: int, repeats: int) -> list[Row]:
    """The same objective, rows and start in both solvers; the problem is built before the clock starts."""
    problem, start, _ = case.problem(_with(MIMIC, segments))
    ours = solve_timing(problem, start)
    seconds = best_seconds(lambda: solve_timing(problem, start), repeats)
    theirs = solve_in_ipopt(problem, start)
    whole = best_seconds(lambda: case.solve(_with(MIMIC, segments)), repeats)
    gap = case.solve(_with(MIMIC, segments)).gap
    return [
        Row("hello.time_scaling_ms", 1e3 * seconds, "ms", "lower", "ipopt", 1e3 * theirs.seconds),
        Row("hello.objective", ours.objective, "objective", "lower", "ipopt", theirs.objective),
        Row("hello.temporal_stage_ms", 1e3 * whole, "ms with rows, certificate and shares", "lower"),
        Row("hello.gap_percent", 100.0 * gap, "%", "lower"),
    ]


def _fastest_rows(case: TimingCase, segments: int) -> list[Row]:
    """The fastest motion, and what it and the peer's do to the limits on a hundred times finer grid."""
    options = _with(FASTEST, segments)
    ours = case.solve(options)
    problem, _, unit = case.problem(options)
    cone = minimum_time_in_clarabel(problem)
    toppra = solve_in_toppra(case.character, case.path, ours.s)
    fine = (ours.s[:-1, None] + np.diff(ours.s)[:, None] * (np.arange(100) / 100)).ravel()
    dynamics = path_dynamics(case.character, case.path, np.append(fine, 1.0))
    straight = np.zeros(len(ours.s) - 1)
    theirs = worst_shares(axis_limits(case.character), dynamics, ours.s, toppra.b, straight, True, 100)
    share = max(shares_between(case.character, case.path, ours).values())
    return [
        Row("hello.min_time_s", ours.duration, "s", "lower", "toppra", toppra.objective),
        Row("hello.min_time_cone_s", ours.duration, "s", "lower", "clarabel", cone.objective * unit),
        Row("hello.worst_limit_share", share, "share of a limit", "lower", "toppra", max(theirs.values())),
    ]


def _mimic_rows(case: TimingCase, segments: int) -> list[Row]:
    """The timing error of motions that last as long as the drawing."""
    ours = case.solve(replace(MIMIC, segments=segments, beta=100.0, duration_s=case.drawn.duration))
    theirs = solve_in_toppra(case.character, case.path, ours.s, case.drawn.duration)
    error = case.timing_error(ours.s, theirs.b)
    return [Row("hello.timing_error", float(ours.timing_error), "s^2", "lower", "toppra", error)]
