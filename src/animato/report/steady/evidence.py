"""What a page of steady shows beyond the solution itself: simulations of it, on this and on other models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from animato.mechanics.simulation.vibration import Modes
from animato.outcome import Progress, announcer
from animato.report.bending import Course, Figure, overlaid_film, save_overlaid
from animato.report.kit import Film, Use, use_of
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
        return figures_of(self.before, self.after)


def figures_of(before: Trial, after: Trial) -> tuple[Figure, Figure, Figure]:
    """Target, before and after, to be overlaid."""
    target, naive, steadied = before.target_performance(), before.performance(), after.performance()
    return (
        Figure("target", "target", target, _sampled(before.target.points, target.frame_count)),
        Figure("before", "before", naive, _sampled(before.run.points, naive.frame_count)),
        Figure("steadied", "after", steadied, _sampled(after.run.points, steadied.frame_count)),
    )


def film_of(solution: Solution, figures: tuple[Figure, Figure, Figure] | None = None) -> Film:
    """Target, before and after, to be played.

    Args:
        solution: A steadied motion.
        figures: What was found by trying it; both profiles are simulated now where not given.
    """
    problem = solution.problem
    shown = figures or figures_of(*nominal_trials(problem, solution.before.x, solution.after.x))
    names = [one.body for one in problem.tracked]
    return overlaid_film(problem.character, shown, names, use=_use(solution), frame_times=problem.clip.times)


def _use(solution: Solution) -> Use:
    """What the steadied motion uses of the motors' limits, in the time of the clip."""
    usage, start = solution.usage, solution.problem.basis.start
    moved = replace(usage, times=start + usage.times, frame_times=start + usage.frame_times)
    return use_of(solution.problem.character, moved)


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
    return save_overlaid(path, evidence.after.run.system.character, after, before, progress=progress)
