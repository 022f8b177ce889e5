"""Followers of a moving target: animato's loop, and a rule of a few lines that it has to be better than."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from animato.express.facing import FacingProblem, Reach, facing_errors, solve_facing
from animato.express.filter import MotionFilter
from animato.express.gaze import facing_direction, solve_gaze, tip_pose
from animato.express.loop import Loop
from benchmarks.express_track_cases import RESPONSIVENESS, SMOOTHNESS, Case
from benchmarks.express_track_measures import Moved

BETTER = 0.05  # by which the error must be less elsewhere for the rule to go there
GAZE_SOLVES = 4  # of the rule for each point
LOOK_EVERY = 10  # frames from one look of the rule at all ways to face a point to the next; it takes 4 solves

Follow = Callable[[Case], Moved]
"""Has a case followed, from its start to its end."""

SetPoints = Callable[[np.ndarray], np.ndarray]
"""From what a frame asks for, an orientation wxyz [4] or a point [3], to joint positions [n]."""


def follow_live(case: Case, **changed: Any) -> Moved:
    """animato's loop, with some options changed."""
    problem = replace(case.problem, options=replace(case.problem.options, **changed))
    loop = Loop(problem, start=case.start)
    targets = case.course.targets(problem.chain.end_point)
    positions, velocities = np.empty((2, len(targets), len(case.start)))
    changes, changing = 0, False
    for frame, target in enumerate(targets):
        loop.submit(target)
        command = loop.step()
        positions[frame], velocities[frame] = command.positions, command.velocities
        changes += command.changing and not changing
        changing = command.changing
    warnings = loop.report().warnings
    if warnings:
        raise RuntimeError(f"the loop was not well: {warnings}")
    return Moved(positions, velocities, changes)


def follow_filtered(case: Case, build: Callable[[Case], SetPoints]) -> Moved:
    """A follower of set-points, and behind it the motion filter that the loop has."""
    follower, limits = build(case), case.facing.chain.limits
    smooth = MotionFilter(limits, case.course.rate_hz, smoothness=SMOOTHNESS, responsiveness=RESPONSIVENESS)
    smooth.reset(case.start)
    asked = asked_for(case)
    positions, velocities = np.empty((2, len(asked), len(case.start)))
    for frame, one in enumerate(asked):
        smooth.step(follower(one))
        positions[frame], velocities[frame] = smooth.positions, smooth.velocities
    return Moved(positions, velocities, getattr(follower, "changes", 0))


def asked_for(case: Case) -> np.ndarray:
    """What each frame asks for: orientations wxyz [frame, 4], or points [m] [frame, 3]."""
    points = case.course.points
    return case.course.orientations(case.facing.chain.end_point) if points is None else points


class Rule:
    """Stays with the solution next to the last one; goes to the best of all where that is better by 0.05."""

    def __init__(self, case: Case) -> None:
        self.problem: FacingProblem = case.facing
        self.positions = case.start
        self.changes = self.frame = 0

    def __call__(self, asked: np.ndarray) -> np.ndarray:
        """Joint positions for the next orientation or point."""
        last = self.positions
        self.positions = self._solved(asked, last, "local")
        self.frame += 1
        if len(asked) == 4 or self.frame % LOOK_EVERY == 0:
            best = self._solved(asked, last, "global")
            if self._error(best, asked) < self._error(self.positions, asked) - BETTER:
                self.positions = best
                self.changes += 1
        return self.positions

    def _solved(self, asked: np.ndarray, last: np.ndarray, reach: Reach) -> np.ndarray:
        def solve(target_wxyz: np.ndarray) -> np.ndarray:
            return solve_facing(self.problem, target_wxyz, last, reach=reach).positions

        if len(asked) == 4:
            return solve(asked)
        return solve_gaze(self.problem.chain, asked, solve, last, tolerance=1e-6, max_solves=GAZE_SOLVES).positions

    def _error(self, positions: np.ndarray, asked: np.ndarray) -> float:
        """Combined error of positions [n]."""
        problem, target = self.problem, asked
        if len(asked) == 3:
            target = facing_direction(problem.chain.end_point, asked - tip_pose(problem.chain, positions)[1])
        found = facing_errors(
            problem.chain,
            positions[None],
            problem.posture,
            target[None],
            problem.weights,
            roll_tolerance=problem.roll_tolerance,
        )
        return float(found.combined[0])


FOLLOWERS: dict[str, Follow] = {
    "ours": follow_live,
    "rule": lambda case: follow_filtered(case, Rule),
    "horizon3": lambda case: follow_live(case, horizon_s=3.0),
}
"""By name; those of other packages are in `express_track_peers`."""
