"""Time of a frame of the live loop: a moving target in, a command out, at eight joints and with the default solver."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from animato.express.facing.solver import solve_facing
from animato.express.gaze.gaze_objective import facing_azimuth
from animato.express.loop.live_loop import Loop
from animato.express.options import Options
from animato.express.problem import Target, build
from animato.formats.character_files import load_character
from benchmarks.express_samples import cases
from benchmarks.row import Row

RATE = 100.0
DEGREES_A_SECOND = 25.0
REPEATS = 3
POSTURES = ("curious", "proud", "sad")

Path = Callable[[Loop, float], Target]
"""Where the target is at a time [s]."""


def loop_rows(*, quick: bool) -> list[Row]:
    """The loop with points and with orientations that circle the character; then the solver alone."""
    seconds = 8.0 if quick else 40.0
    shortest, whole = [], []
    for posture in POSTURES[:1] if quick else POSTURES:
        for path in (circling_point, circling_orientation):
            times = np.array([frame_times(posture, path, seconds) for _ in range(REPEATS)])
            shortest.append(times.min(axis=0))
            whole.append(times)
    own, wall = 1e3 * np.concatenate(shortest), 1e3 * np.concatenate([times.ravel() for times in whole])
    return [
        Row("loop_p99_ms", float(np.quantile(own, 0.99)), "ms", "lower"),
        Row("loop.p50_ms", float(np.quantile(own, 0.5)), "ms", "lower"),
        Row("loop.max_ms", float(own.max()), "ms", "lower"),
        Row("loop.wall_p99_ms", float(np.quantile(wall, 0.99)), "ms", "lower"),
        Row("loop.solver_p99_ms", solver_p99_ms(quick=quick), "ms", "lower"),
    ]


def frame_times(posture: str, path: Path, seconds: float) -> np.ndarray:
    """Time of each step of a loop [s], [frame]: solve, filter and errors.

    The loop does the same work whenever it is given the same targets, so the shortest of several runs is the time of a
    frame without what the machine was also doing.
    """
    loop = Loop(build(load_character("skeleton_g"), posture, options=Options(rate_hz=RATE)))
    targets = [path(loop, frame / RATE) for frame in range(int(seconds * RATE))]
    times = np.empty(len(targets))
    for frame, target in enumerate(targets):
        start = time.perf_counter()
        loop.submit(target)
        loop.step()
        times[frame] = time.perf_counter() - start
    if loop.report().warnings:
        raise RuntimeError(f"the loop was not well: {loop.report().warnings}")
    return times


def circling_point(loop: Loop, seconds: float) -> Target:
    """A point that circles the character and rises and sinks."""
    angle = np.radians(DEGREES_A_SECOND) * seconds
    return Target(point=(1.5 * np.cos(angle), 1.5 * np.sin(angle), 0.9 + 0.4 * np.sin(2.7 * angle)))


def circling_orientation(loop: Loop, seconds: float) -> Target:
    """An upright orientation that circles along the horizon."""
    azimuth = np.radians(DEGREES_A_SECOND) * seconds
    return Target(quaternion_wxyz=tuple(facing_azimuth(loop.chain.end_point, azimuth)))


def solver_p99_ms(*, quick: bool) -> float:
    """One solve after another on samples of the sweep, each from the last answer and with a budget."""
    milliseconds = []
    for _ in range(4 if quick else 20):
        for case in cases("G", quick=quick):
            previous = case.problem.posture
            for target in case.targets_wxyz:
                start = time.perf_counter()
                previous = solve_facing(case.problem, target, previous, budget_s=4e-4).positions
                milliseconds.append(1e3 * (time.perf_counter() - start))
    return float(np.quantile(milliseconds, 0.99))
