"""The verb `design` on its demonstrators: time of an iteration and of a whole solve, and what is gained.

An iteration is what every method needs for one search direction: derivatives of targets and constraints, the
program, and its solution with all multipliers. The peers get the same problem at the same point in the same run. The
published figures are those of other robots with the same counts: Maloisel et al. (2023), Table 6.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

import animato as an
from animato.design.optimization.evaluation import References, evaluated
from animato.design.optimization.initial import initial_point
from animato.design.optimization.program import ProgramBuilder
from animato.solvers.stage_qp import Method, search_direction
from benchmarks.design_dances import dance_rows
from benchmarks.design_directions import growth_rows
from benchmarks.design_dr_legs import dr_legs_rows
from benchmarks.row import Row

ERRORS = ("position_max_cm", "position_mean_cm", "orientation_max_deg", "orientation_mean_deg")
"""As in the paper's Table 6."""

NAMES = {"kickbot": "kickbot1", "kickbot_built": "kickbot2"}
"""Names of rows where they differ from those of the demonstrators."""


def problem_of(name: str, *, step_count: int | None = None) -> an.design.Problem:
    """The problem of a demonstrator; the biker with any number of steps."""
    one = an.gallery.design.demonstrators()[name]
    if step_count is not None:
        one = replace(one, motion=an.gallery.design.biker_motion("roll", step_count=step_count))
    return one.problem(an.load_character(one.character))


def iteration_seconds(problem: an.design.Problem, start: an.design.DesignPoint, method: Method, repeats: int) -> float:
    """Best processor time of one iteration [s]; unlike the time on the wall it does not see other programs."""
    both = replace(problem.options, optimize="both")  # as published: controls are variables, however held
    free = replace(problem, options=both)
    references = References(start.design, start.controls, problem.weights.velocity)
    builder = ProgramBuilder(free)
    at = evaluated(free, start, references)
    analysis = search_direction(builder.program(at, references, damping=1e-3), method=method).analysis

    def iteration() -> None:
        here = evaluated(free, start, references)
        search_direction(builder.program(here, references, damping=1e-3), method=method, analysis=analysis)

    iteration()
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        iteration()
        seconds.append(time.process_time() - began)
    return min(seconds)


def iteration_rows(name: str, problem: an.design.Problem) -> list[Row]:
    """Time of an iteration by all three methods."""
    start = initial_point(problem)
    ours = iteration_seconds(problem, start, "arrow", 7)
    whole = iteration_seconds(problem, start, "ldlt", 2)
    dynamic = iteration_seconds(problem, start, "riccati", 2)
    return [
        Row(f"{name}.iteration_ms", 1e3 * ours, "ms", "lower", "ldlt", 1e3 * whole),
        Row(f"{name}.vs_riccati", dynamic / ours, "ratio", "higher"),
    ]


def solution_rows(name: str, published: float) -> list[Row]:
    """Time of a whole solve and what it gains."""
    problem = problem_of(name)
    solution = an.design.solve(problem)
    row = NAMES.get(name, name)
    before, after = solution.initial.errors, solution.optimized.errors
    return [
        Row(f"{row}.total_s", min(solution.seconds, an.design.solve(problem).seconds), "s", "lower"),
        Row(f"{row}.iterations", solution.outcome.iterations, "count", "lower"),
        Row(f"{row}.targets_improvement_percent", solution.improvement_percent, "%", "higher"),
        Row(
            f"{row}.improvement_percent", solution.objective_improvement_percent, "%", "higher", "published", published
        ),
        Row(f"{row}.dropped_row_residual", solution.dropped_residual, "m or 1", "lower"),
        *(
            Row(
                f"{row}.{what}",
                getattr(after, what),
                what.rpartition("_")[2],
                "lower",
                "initial",
                getattr(before, what),
            )
            for what in ERRORS
        ),
        Row(f"{row}.smallest_singular_value", float(np.min(solution.optimized.singular_values)), "1", "higher"),
    ]


def rows(quick: bool = False) -> list[Row]:
    """Every row."""
    found: list[Row] = []
    for steps in (120,) if quick else (120, 720, 1200):
        found += iteration_rows(f"biker{steps}", problem_of("biker", step_count=steps))
    found += iteration_rows("kickbot1", problem_of("kickbot"))
    for name, one in an.gallery.design.demonstrators().items():
        found += solution_rows(name, one.paper_improvement_percent)
    return found + dance_rows() + growth_rows(quick) + dr_legs_rows(quick=quick)
