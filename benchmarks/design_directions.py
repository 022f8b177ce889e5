"""Search directions of `design` at the sizes of the published robots: arrow elimination against its peers.

All methods get the same programs in the same run, with whatever they can find out beforehand already found:
the order of elimination is not counted.
"""

from __future__ import annotations

import gc
import time
import tracemalloc

from animato.solvers.stage_qp.direction import Method, analyse_program, search_direction
from benchmarks.design_synthetic import BIKER, KICKBOT, Sizes, problem
from benchmarks.row import Row, best_seconds

CASES = {"biker120": (BIKER, 120), "biker720": (BIKER, 720), "biker1200": (BIKER, 1200), "kickbot1": (KICKBOT, 466)}
QUICK = ("biker120", "kickbot1")


def direction_seconds(sizes: Sizes, steps: int, method: Method, repeats: int, *, gauss_newton: bool) -> float:
    """Best time of one direction [s]."""
    qp = problem(sizes, steps, gauss_newton=gauss_newton, seed=1)
    analysis = analyse_program(qp, method)
    analysis = search_direction(qp, method=method, analysis=analysis).analysis  # compiles, and fills caches
    return best_seconds(lambda: search_direction(qp, method=method, analysis=analysis), repeats)


def cpu_seconds(sizes: Sizes, steps: int, repeats: int = 3) -> float:
    """Best processor time of one direction [s]; unlike the time on the wall it does not see other programs."""
    qp = problem(sizes, steps, gauss_newton=True, seed=1)
    analysis = search_direction(qp).analysis
    found = []
    for _ in range(repeats):
        start = time.process_time()
        search_direction(qp, analysis=analysis)
        found.append(time.process_time() - start)
    return min(found)


def direction_megabytes(sizes: Sizes, steps: int) -> float:
    """Largest memory that one direction takes beyond its program [MB]."""
    qp = problem(sizes, steps, gauss_newton=True, seed=1)
    analysis = analyse_program(qp)
    gc.collect()
    tracemalloc.start()
    try:
        search_direction(qp, analysis=analysis)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def speed_rows(name: str) -> list[Row]:
    """One robot: exact and Gauss-Newton by arrow, against L D L^T and the dynamic program."""
    sizes, steps = CASES[name]
    found = []
    for kind, gauss_newton in (("exact", False), ("gauss_newton", True)):
        ours = direction_seconds(sizes, steps, "arrow", 9, gauss_newton=gauss_newton)
        ldlt = direction_seconds(sizes, steps, "ldlt", 3, gauss_newton=gauss_newton)
        riccati = direction_seconds(sizes, steps, "riccati", 3, gauss_newton=gauss_newton)
        found += [
            Row(f"{name}.{kind}_ms", 1e3 * ours, "ms", "lower", "ldlt", 1e3 * ldlt),
            Row(f"{name}.{kind}_vs_riccati", riccati / ours, "ratio", "higher"),
        ]
    return found


def growth_rows(quick: bool) -> list[Row]:
    """Time and memory per step of a motion ten times as long, relative to the short one."""
    short, long = (200, 2000) if quick else (1000, 10000)
    seconds = [cpu_seconds(BIKER, n) / n for n in (short, long)]
    megabytes = [direction_megabytes(BIKER, n) / n for n in (short, long)]
    return [
        Row(f"biker{long}.time_per_step_growth", seconds[1] / seconds[0], "ratio", "lower"),
        Row(f"biker{long}.memory_per_step_growth", megabytes[1] / megabytes[0], "ratio", "lower"),
        Row(f"biker{long}.direction_mb", megabytes[1] * long, "MB", "lower"),
    ]


def rows(quick: bool = False) -> list[Row]:
    """Every row."""
    found: list[Row] = []
    for name in QUICK if quick else CASES:
        found += speed_rows(name)
    return found + growth_rows(quick)
