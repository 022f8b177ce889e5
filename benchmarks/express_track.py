"""Tracking a target that circles the character: pops, jumps and errors, beside solvers without a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from animato.express.chain import build_chain
from animato.express.errors import facing_errors
from animato.express.facing_problem import FacingProblem, build_facing_problem
from animato.express.facing_solver import solve_facing
from animato.express.gaze import facing_azimuth
from animato.express.tracker import Tracker
from animato.formats.character_files import load_character
from benchmarks.row import Row

RATE = 50.0
DEGREES_A_SECOND = 25.0
POP = np.radians(5.0)  # between two frames

Follower = Callable[[np.ndarray], np.ndarray]
"""Positions for the next target."""


@dataclass(frozen=True)
class Run:
    """One follower over all postures."""

    pops: int
    jump: float
    median_jump: float
    error: float
    changes: int


def track_rows(*, quick: bool) -> list[Row]:
    """Rows `track.*`."""
    seconds, postures = (10.0, 2) if quick else (40.0, 6)
    spare, tight = (_problems(letter, postures) for letter in "gc")
    planned, warm, memoryless = (_run(spare, seconds, make) for make in (_tracker, _warm, _memoryless))
    leaping = _run(tight, seconds, _tracker)
    stuck = _run(tight, seconds, _warm)
    name = "warm-started local solver"
    return [
        Row("track.G.pops", planned.pops, "count", "lower", "global solver without memory", memoryless.pops),
        Row("track.G.jump", planned.jump, "rad/s", "lower", "global solver without memory", memoryless.jump),
        Row("track.G.jump_median", planned.median_jump, "rad/s", "lower", name, warm.median_jump),
        Row("track.G.error", planned.error, "combined error", "lower", name, warm.error),
        Row("track.C.unplanned_pops", leaping.pops, "count", "lower", name, stuck.pops),
        Row("track.C.changes", leaping.changes, "count", "lower"),
        Row("track.C.error", leaping.error, "combined error", "lower", name, stuck.error),
    ]


def _problems(letter: str, count: int) -> list[FacingProblem]:
    chain = build_chain(load_character(f"skeleton_{letter}"), "tip")
    rng = np.random.default_rng(11)
    return [build_facing_problem(chain, rng.uniform(-0.9, 0.9, len(chain.names))) for _ in range(count)]


class _tracker:  # noqa: N801  # used like a function that makes a follower
    def __init__(self, problem: FacingProblem) -> None:
        self.tracker = Tracker(problem, RATE)
        self.changes = 0

    def __call__(self, target: np.ndarray) -> np.ndarray:
        tracked = self.tracker.update(target)
        self.changes = tracked.changes
        return tracked.positions


class _warm:  # noqa: N801
    changes = 0

    def __init__(self, problem: FacingProblem) -> None:
        self.problem = problem
        self.before: np.ndarray | None = None

    def __call__(self, target: np.ndarray) -> np.ndarray:
        if self.before is None:
            self.before = solve_facing(self.problem, target).positions
        else:
            self.before = solve_facing(self.problem, target, self.before, reach="local").positions
        return self.before


class _memoryless:  # noqa: N801
    changes = 0

    def __init__(self, problem: FacingProblem) -> None:
        self.problem = problem

    def __call__(self, target: np.ndarray) -> np.ndarray:
        return solve_facing(self.problem, target).positions


def _run(problems: list[FacingProblem], seconds: float, make: type[_tracker] | type[_warm] | type[_memoryless]) -> Run:
    pops, jumps, errors, changes = 0, [], [], 0
    azimuths = np.radians(DEGREES_A_SECOND) * np.arange(int(seconds * RATE)) / RATE
    for problem in problems:
        follower = make(problem)
        targets = np.array([facing_azimuth(problem.chain.end_point, azimuth) for azimuth in azimuths])
        positions = np.array([follower(target) for target in targets])
        moves = np.diff(positions, axis=0)
        pops += int(np.sum(np.abs(moves).max(axis=1) > POP))
        jumps.append(np.abs(np.diff(moves, axis=0)).max(axis=1) * RATE)
        errors.append(facing_errors(problem.chain, positions, problem.posture, targets, problem.weights).combined)
        changes += follower.changes
    jump = np.concatenate(jumps)
    return Run(pops, float(jump.max()), float(np.median(jump)), float(np.mean(errors)), changes)
