"""Time of a frame of the live loop, a moving target in, a command out; and whether commands wait for a slow solve."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from animato.express.facing.solver import solve_facing
from animato.express.gaze.gaze_objective import facing_azimuth
from animato.express.loop.live_loop import Loop
from animato.express.loop.solver_follower import Solved
from animato.express.options import Options
from animato.express.problem import Target, build
from animato.formats.character_files import load_character
from animato.kernels.compiled import kernel
from animato.mechanics.tree import Chain
from benchmarks.express_samples import cases
from benchmarks.row import Row

RATE = 100.0
DEGREES_A_SECOND = 25.0
REPEATS = 3
SLOW_RATE = 200.0
SLOW_S = 0.04
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
        Row("live.late_share", late_share(seconds=3.0 if quick else 15.0), "share", "lower"),
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


def late_share(seconds: float) -> float:
    """Share of commands that come after the next was due, at 200 Hz beside solves of 40 ms; one run, by the real clock.

    The solves are a kernel that counts. That they take as long, and that they are all the time under way, is checked.
    """
    spins = _spins_of(SLOW_S)

    class Slow:
        busy = False

        def __init__(self, chain: Chain, posture: np.ndarray, options: Options) -> None:
            self._posture = posture

        def reset(self, positions: np.ndarray | None = None) -> None:
            pass

        def hold(self, posture: np.ndarray) -> None:
            pass

        def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
            pass

        def update(self, target_wxyz: np.ndarray) -> Solved:
            spin(spins if self.busy else 1)
            return Solved(self._posture)

        def look(self, point: np.ndarray, roll: float = 0.0) -> Solved:
            return self.update(point)

    loop = Loop(build(load_character("skeleton_g"), "curious", options=Options(rate_hz=SLOW_RATE)), build=Slow)
    loop.submit(circling_orientation(loop, 0.0))
    Slow.busy = True
    report = loop.run(seconds=seconds)
    busy_s = 1e-3 * report.solve_ms.mean * report.solves
    if report.solve_ms.p50 < 0.8e3 * SLOW_S or busy_s < 0.7 * seconds:
        raise RuntimeError(f"the solver was not slow all the time: {report.solve_ms}, {report.solves} solves")
    return report.late_share


@kernel
def spin(count: int) -> float:
    """Is busy for a while."""
    value = 0.5
    for _ in range(count):
        value = np.cos(value)
    return value


def _spins_of(seconds: float) -> int:
    """How often to count for a time [s], by the fastest of some tries."""
    spin(1)
    fastest = np.inf
    for _ in range(5):
        start = time.perf_counter()
        spin(100_000)
        fastest = min(fastest, time.perf_counter() - start)
    return int(100_000 * seconds / fastest)
