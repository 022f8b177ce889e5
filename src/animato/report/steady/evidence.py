"""What a page of steady shows beyond the solution itself: simulations of it, on this and on other models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from animato.mechanics.simulation.vibration import Modes
from animato.outcome import Progress, announcer
from animato.report.bending import Course, Figure, film_of
from animato.steady import Solution
from animato.steady.judging import (
    Compared,
    Sensitivity,
    Trial,
    Validation,
    compared,
    modes_at_start,
    nominal_trials,
    sensitivity,
    validated,
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was found by trying.

    Attributes:
        before, after: Both profiles on the nominal model.
        modes: Of the nominal model in the first pose.
        sensitivity: To stiffness.
        validation: On a finer model.
        compared: Beside what else could be done.
    """

    before: Trial
    after: Trial
    modes: Modes
    sensitivity: Sensitivity
    validation: Validation
    compared: tuple[Compared, ...]

    @cached_property
    def figures(self) -> tuple[Figure, Figure, Figure]:
        """Target, before and after, to be overlaid."""
        target = self.before.target_performance()
        before, after = self.before.performance(), self.after.performance()
        return (
            Figure("target", "target", target, _sampled(self.before.target.points, target.frame_count)),
            Figure("before", "before", before, _sampled(self.before.run.points, before.frame_count)),
            Figure("steadied", "after", after, _sampled(self.after.run.points, after.frame_count)),
        )


def gather_evidence(solution: Solution, *, progress: Progress | None = None) -> Evidence:
    """Tries a solution; a few times what one simulation takes.

    Args:
        solution: To be tried.
        progress: Told what is being tried.
    """
    problem, say = solution.problem, announcer(progress)
    say("simulating for the page")
    before, after = nominal_trials(problem, solution.before.x, solution.after.x)
    return Evidence(
        before,
        after,
        modes_at_start(problem),
        sensitivity(solution, progress=progress),
        validated(solution, progress=progress),
        compared(solution),
    )


def courses(solution: Solution) -> list[Course]:
    """What the motors do, before and after, at the steps of the problem."""
    found = []
    for kind, name, point in (("before", "before", solution.before), ("after", "steadied", solution.after)):
        theta = solution.problem.theta(point.x)
        found.append(Course(kind, name, *theta, point.runs[0].torque))
    return found


def _sampled(points: np.ndarray, frames: int) -> np.ndarray:
    """Points at evenly spaced frames, straight between steps, [frame, body, 3]."""
    place, where = np.arange(len(points)), np.linspace(0.0, len(points) - 1.0, frames)
    flat = points.reshape(len(points), -1)
    return np.column_stack([np.interp(where, place, column) for column in flat.T]).reshape(frames, -1, 3)


def save_film(path: str | Path, evidence: Evidence, *, progress: Progress | None = None) -> Path:
    """Writes a film of the steadied motion with the artist's as a ghost, .gif or .mp4."""
    _, before, after = evidence.figures
    return film_of(path, evidence.after.run.system.character, after, before, progress=progress)
