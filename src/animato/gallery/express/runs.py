"""What the demo of express shows: errors on samples of the sweep, and a chain that tracks a circling target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.express import Loop, Options, build
from animato.express.facing import ErrorWeights, build_facing_problem, facing_errors, solve_facings
from animato.express.gaze import facing_azimuth
from animato.express.published import DlsTuning, solve_facings_dls
from animato.express.published.erik import build_erik, solve_erik_batch
from animato.express.sweep import Samples, build_sweep, random_samples
from animato.formats import load_character
from animato.mechanics.tree import Chain, build_chain
from animato.report.express import Course

ANIMATO, ERIK, DLS = "animato", "ERIK", "DLS400"
MEASURES = ("combined error", "orientation error", "weighted posture error")
POSTURE = "curious"
RATE_HZ, TURN = 50.0, float(np.radians(25.0))  # of the tracking: frames a second, and how fast the target circles
_SEED = 20190913

Errors = Mapping[str, np.ndarray]
"""Errors of one solver on one skeleton by the names in MEASURES, each [sample]."""


@dataclass(frozen=True, eq=False)
class Tracking:
    """A chain that faced a circling target for a while.

    Attributes:
        character: Name.
        joints: Names, [n].
        times: [s], [frame].
        positions: [rad], [frame, n].
        errors: Combined error, [frame].
        changing: Whether a change of branch was under way, [frame].
        changes: Changes of branch.
        largest_step: What its limits let a joint move between two frames [rad].
    """

    character: str
    joints: tuple[str, ...]
    times: np.ndarray
    positions: np.ndarray
    errors: np.ndarray
    changing: np.ndarray
    changes: int
    largest_step: float

    @property
    def course(self) -> Course:
        """What the chart of the page shows of it."""
        title = f"{self.character}: {self.changes} {'change' if self.changes == 1 else 'changes'} of branch"
        return Course(title, self.joints, self.times, self.positions, self.errors, "combined error", "", self.changing)


def sample_errors(letter: str, count: int, solvers: tuple[str, ...]) -> dict[str, Errors]:
    """Errors by solver on the same samples of a skeleton's sweep.

    Args:
        letter: Of the skeleton, "A" to "G".
        count: Samples, chosen by a fixed seed.
        solvers: Of ANIMATO, ERIK and DLS.
    """
    chain = build_chain(load_character(f"skeleton_{letter.lower()}"), "tip")
    part = random_samples(build_sweep(chain), count, _SEED)
    return {solver: _measured(_solve(chain, part, solver)) for solver in solvers}


def track_a_circle(name: str, seconds: float) -> Tracking:
    """Lets a shipped skeleton face a target that circles it at the horizon, in a loop with its motion filter."""
    problem = build(name, POSTURE, options=Options(rate_hz=RATE_HZ, smoothness=0.0))
    chain, loop = problem.chain, Loop(problem, record=True)
    times = np.arange(max(2, round(seconds * RATE_HZ))) / RATE_HZ
    targets = np.array([facing_azimuth(chain.end_point, TURN * time) for time in times])
    for target in targets:
        loop.submit(target)
        loop.step()
    positions = np.array([command.positions for command in loop.commands])
    changing = np.array([command.changing for command in loop.commands])
    speeds = [limits.velocity for limits in problem.limits if limits.velocity is not None]
    return Tracking(
        name,
        chain.names,
        times,
        positions,
        facing_errors(chain, positions, problem.held, targets).combined,
        changing,
        loop.report().branch_changes,
        max(speeds) / RATE_HZ,
    )


def _solve(chain: Chain, part: Samples, solver: str) -> np.ndarray:
    """Orientation and posture error of every sample, [m, 2]."""
    if solver == ERIK:
        answers = solve_erik_batch(build_erik(chain), part.postures, part.targets_wxyz)
        return np.column_stack([answers.orientation, answers.posture])
    rows = []
    for posture, target in zip(part.postures, part.targets_wxyz, strict=True):
        problem = build_facing_problem(chain, posture)
        errors = (
            solve_facings(problem, target[None])
            if solver == ANIMATO
            else solve_facings_dls(problem, target[None], DlsTuning(iterations=400))
        ).errors
        rows.append((errors.orientation[0], errors.posture[0]))
    return np.array(rows)


def _measured(errors: np.ndarray) -> Errors:
    """Combined, orientation and weighted posture error from what a solver has left, [m, 2]."""
    weights = ErrorWeights()
    orientation, posture = weights.orientation * errors[:, 0], weights.posture * errors[:, 1]
    return dict(zip(MEASURES, (orientation + posture, orientation, posture), strict=True))
