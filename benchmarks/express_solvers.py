"""The facing solvers on samples of the paper's sweep: error beside the best known, time beside the DLS baseline."""

from __future__ import annotations

import time

import numpy as np

from animato.express.dls import DlsTuning
from animato.express.erik import build_erik, solve_erik_batch
from animato.express.facing_solver import Method, solve_facing
from animato.express.sweep import build_sweep, random_samples
from benchmarks.express_reference import best_known
from benchmarks.express_samples import SEED, SKELETONS, Case, cases, chain_of
from benchmarks.row import Row

PUBLISHED = {"erik": 0.026614, "dls400": 0.086831}
"""Mean combined error on C in the paper's Table 9; its DLS leaves out the worst samples."""


def solver_rows(*, quick: bool) -> list[Row]:
    """For each skeleton: error of all methods and of the reference on the same samples, and times."""
    rows = []
    for letter in SKELETONS:
        all_cases = cases(letter, quick=quick)
        ours = mean_error(all_cases, "animato")
        known = reference_error(all_cases, 150 if quick else 400)
        dls = mean_error(all_cases, "dls")
        # what any of them found is known
        best = float(np.mean(np.minimum(ours[:, 0], known)))
        mine, theirs = mean_ms(all_cases, "animato", 5), mean_ms(all_cases[:10], "dls", 2)
        rows += [
            Row(f"{letter}.error", float(ours[:, 0].mean()), "combined error", "lower", "best_known", best),
            Row(f"{letter}.ms", mine, "ms", "lower", "dls400", theirs),
            Row(
                f"{letter}.dls400.error",
                float(dls[:, 0].mean()),
                "combined error",
                "lower",
                *published(letter, "dls400"),
            ),
            Row(f"{letter}.faced", float((ours[:, 1] < 1e-6).mean()), "share faced exactly", "higher"),
        ]
    return rows


def published(letter: str, method: str) -> tuple[str, float | None]:
    """The paper's figure, which it has for skeleton C."""
    return ("published", PUBLISHED[method]) if letter == "C" else ("", None)


def mean_error(all_cases: tuple[Case, ...], method: Method) -> np.ndarray:
    """Combined and orientation error of every sample, [m, 2]."""
    answers = [
        solve_facing(case.problem, target, method=method).error for case in all_cases for target in case.targets_wxyz
    ]
    return np.array([(error.combined, error.orientation) for error in answers])


def reference_error(all_cases: tuple[Case, ...], starts: int) -> np.ndarray:
    """Combined error of the best known answer of every sample, [m]."""
    return np.concatenate(
        [best_known(case.problem, case.targets_wxyz, starts, SEED + n).combined for n, case in enumerate(all_cases)]
    )


def mean_ms(all_cases: tuple[Case, ...], method: Method, repeats: int) -> float:
    """Time of one solve as a caller sees it [ms], the quickest of several runs over all samples."""
    solve_facing(all_cases[0].problem, all_cases[0].targets_wxyz[0], method=method, dls=DlsTuning(iterations=2))
    count = sum(len(case.targets_wxyz) for case in all_cases)
    totals = []
    for _ in range(repeats):
        start = time.perf_counter()
        for case in all_cases:
            for target in case.targets_wxyz:
                solve_facing(case.problem, target, method=method)
        totals.append(time.perf_counter() - start)
    return 1e3 * min(totals) / count


def loop_rows(*, quick: bool) -> list[Row]:
    """One solve after another on the skeleton with eight joints, each from the last answer and with a budget."""
    milliseconds = []
    for _ in range(4 if quick else 20):
        for case in cases("G", quick=quick):
            previous = case.problem.posture
            for target in case.targets_wxyz:
                start = time.perf_counter()
                previous = solve_facing(case.problem, target, previous, budget_s=4e-4).positions
                milliseconds.append(1e3 * (time.perf_counter() - start))
    return [Row("loop_p99_ms", float(np.quantile(milliseconds, 0.99)), "ms", "lower")]


def erik_rows(*, quick: bool) -> list[Row]:
    """The faithful ERIK on many samples, beside what its paper has for skeleton C."""
    rows = []
    for letter in SKELETONS:
        chain = chain_of(letter)
        part = random_samples(build_sweep(chain), 1500 if quick else 20000, SEED)
        error = float(solve_erik_batch(build_erik(chain), part.postures, part.targets_wxyz).combined.mean())
        rows.append(Row(f"erik.{letter}.error", error, "combined error", "lower", *published(letter, "erik")))
    return rows
