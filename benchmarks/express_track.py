"""Tracking a target that circles the character: pops, jumps and errors, beside solvers without a plan."""

from __future__ import annotations

import importlib.util
import logging
from dataclasses import dataclass

import numpy as np

from animato.express.facing.errors import facing_errors
from animato.express.facing.problem import FacingProblem, build_facing_problem
from animato.express.facing.solver import solve_facing
from animato.express.gaze.gaze_objective import facing_azimuth
from animato.express.options import Options
from animato.express.tracking.tracker import Tracker
from benchmarks.express_samples import chain_of
from benchmarks.express_track_peers import Dls, LeastSquares, Lively, LocalSolver, Maker, Mink, Pink
from benchmarks.row import Row

RATE = 50.0
DEGREES_A_SECOND = 25.0
POP = np.radians(5.0)  # between two frames

MEMORYLESS, LOCAL = "global solver without memory", "warm-started local solver"
FIGURES = {"pops": "count", "jump": "rad/s", "jump_median": "rad/s", "error": "combined error"}
"""What is measured of every follower, and its unit."""


@dataclass(frozen=True)
class Run:
    """One follower over all postures.

    Attributes:
        pops: Frames in which a joint jumps over 5 degrees.
        jump: Largest change of a joint's velocity from frame to frame [rad/s].
        jump_median: The same of the middle frame.
        error: Mean combined error.
        changes: Planned changes of branch.
    """

    pops: int
    jump: float
    jump_median: float
    error: float
    changes: int = 0


class Tracked:
    """animato's tracker; counts its changes of branch."""

    def __init__(self, problem: FacingProblem, rate_hz: float) -> None:
        self.tracker = Tracker(problem, Options(rate_hz=rate_hz))
        self.changes = 0

    def __call__(self, target_wxyz: np.ndarray) -> np.ndarray:
        """Joint positions for the next target."""
        tracked = self.tracker.update(target_wxyz)
        self.changes = tracked.changes
        return tracked.positions


class Memoryless:
    """The best answer to each target, wherever the chain was."""

    def __init__(self, problem: FacingProblem, rate_hz: float) -> None:
        self.problem = problem

    def __call__(self, target_wxyz: np.ndarray) -> np.ndarray:
        """Joint positions for the next target."""
        return solve_facing(self.problem, target_wxyz).positions


PEERS: dict[str, tuple[Maker, str]] = {
    "memoryless": (Memoryless, ""),
    "local": (LocalSolver, ""),
    "dls": (Dls, ""),
    "least_squares": (LeastSquares, ""),
    "mink": (Mink, "mink"),
    "pink": (Pink, "pink"),
    "lively": (Lively, "lively"),
}
"""How each peer is made, and the package it needs."""


def track_rows(*, quick: bool) -> list[Row]:
    """Rows `track.*`: animato's figures, then the same beside each peer's."""
    seconds, postures = (15.0, 2) if quick else (40.0, 6)
    rows = []
    for letter in "GC":
        problems = circled_postures(letter, postures)
        ours = run(problems, seconds, Tracked)
        peers = {name: _peer_run(problems, seconds, name) for name in PEERS}
        rows += _own_rows(letter, ours, peers) + _peer_rows(letter, ours, peers)
    return rows


def _peer_run(problems: list[FacingProblem], seconds: float, name: str) -> Run | None:
    """The figures of a peer; None where it is not installed."""
    make, package = PEERS[name]
    return None if package and importlib.util.find_spec(package) is None else run(problems, seconds, make)


def _own_rows(letter: str, ours: Run, peers: dict[str, Run | None]) -> list[Row]:
    memoryless, local = peers["memoryless"], peers["local"]
    if memoryless is None or local is None:
        raise RuntimeError("animato's own solvers are always installed")
    if letter == "C":
        return [
            Row("track.C.unplanned_pops", ours.pops, "count", "lower", LOCAL, local.pops),
            Row("track.C.changes", ours.changes, "count", "lower"),
            Row("track.C.jump", ours.jump, "rad/s", "lower", LOCAL, local.jump),
            Row("track.C.error", ours.error, "combined error", "lower", LOCAL, local.error),
        ]
    return [
        Row("track.G.pops", ours.pops, "count", "lower", MEMORYLESS, memoryless.pops),
        Row("track.G.changes", ours.changes, "count", "lower"),
        Row("track.G.jump", ours.jump, "rad/s", "lower", MEMORYLESS, memoryless.jump),
        Row("track.G.jump_median", ours.jump_median, "rad/s", "lower", LOCAL, local.jump_median),
        Row("track.G.error", ours.error, "combined error", "lower", LOCAL, local.error),
    ]


def _peer_rows(letter: str, ours: Run, peers: dict[str, Run | None]) -> list[Row]:
    """Every figure beside that of every peer; without a value where it is not installed."""
    rows = []
    for name, theirs in peers.items():
        peer = name if theirs is not None else f"{name}: not installed"
        for figure, unit in FIGURES.items():
            value = None if theirs is None else float(getattr(theirs, figure))
            rows.append(Row(f"track.{letter}.{figure}.{name}", getattr(ours, figure), unit, "lower", peer, value))
    return rows


def circled_postures(letter: str, count: int) -> list[FacingProblem]:
    """Random postures of a skeleton, by a seed."""
    chain = chain_of(letter)
    rng = np.random.default_rng(11)
    return [build_facing_problem(chain, rng.uniform(-0.9, 0.9, len(chain.names))) for _ in range(count)]


def run(problems: list[FacingProblem], seconds: float, make: Maker) -> Run:
    """One follower over all postures, while the target circles along the horizon."""
    pops, jumps, errors, changes = 0, [], [], 0
    azimuths = np.radians(DEGREES_A_SECOND) * np.arange(int(seconds * RATE)) / RATE
    logging.disable(logging.WARNING)  # a micron outside a limit is not worth a line to us
    for problem in problems:
        follower = make(problem, RATE)
        targets = np.array([facing_azimuth(problem.chain.end_point, azimuth) for azimuth in azimuths])
        positions = np.array([follower(target) for target in targets])
        moves = np.diff(positions, axis=0)
        pops += int(np.sum(np.abs(moves).max(axis=1) > POP))
        jumps.append(np.abs(np.diff(moves, axis=0)).max(axis=1) * RATE)
        errors.append(facing_errors(problem.chain, positions, problem.posture, targets, problem.weights).combined)
        changes += getattr(follower, "changes", 0)
    logging.disable(logging.NOTSET)
    jump = np.concatenate(jumps)
    return Run(pops, float(jump.max()), float(np.median(jump)), float(np.mean(errors)), changes)
