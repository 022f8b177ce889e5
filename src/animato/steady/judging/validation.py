"""The result on a model that it was not optimized on: twice the coordinates of every rod, shorter steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Bar, Character, Rod
from animato.mechanics.flexible.rods import RodOptions, section_of
from animato.mechanics.simulation import Integrator, build_system
from animato.outcome import Progress, announcer
from animato.steady.judging.trial import Trial, try_profiles
from animato.steady.optimization import Solution


@dataclass(frozen=True, eq=False)
class Validation:
    """Both profiles on the finer model.

    Attributes:
        before: What it does with the artist's.
        after: With the steadied ones.
        moved: How far apart both models bring the tracked bodies with the steadied profiles [m], at the most.
    """

    before: Trial
    after: Trial
    moved: float

    @property
    def peak_before(self) -> float:
        """Largest deviation of the artist's profiles [m]."""
        return self.before.peak

    @property
    def peak_after(self) -> float:
        """Largest deviation of the steadied ones [m]."""
        return self.after.peak


def validated(solution: Solution, *, progress: Progress | None = None) -> Validation:
    """Simulates both profiles on the finer model, with generalized-alpha at `check_step_s`."""
    problem, say = solution.problem, announcer(progress)
    say("checking on a finer model")
    names = tuple(one.body for one in problem.tracked)
    finer = build_system(problem.character, tracked=names, rods=finer_rods(problem.character))
    step, scheme = problem.options.check_step_s, Integrator.GENERALIZED_ALPHA
    before = try_profiles(problem, solution.before.x, finer, step_s=step, integrator=scheme)
    after = try_profiles(problem, solution.after.x, finer, step_s=step, integrator=scheme, target=before.target)
    return Validation(before, after, _apart(solution, after))


def finer_rods(character: Character, times: int = 2) -> dict[str, RodOptions]:
    """Options of every rod and bar with so many times the coordinates that it has by itself."""
    found = {}
    for part in character.flexible_parts:
        shape = part.geometry
        if isinstance(shape, Rod | Bar):
            curvature, torsion, stretch, links = RodOptions().counts(
                shape.length, section_of(shape, part.material).thickness
            )
            found[part.name] = RodOptions(
                times * curvature, times * torsion, stretch, times * links + 1 - times * links % 2
            )
    return found


def _apart(solution: Solution, fine: Trial) -> float:
    """Between the points of the nominal model and those of the finer one, at the steps of the nominal one."""
    times, places = solution.problem.times, solution.after.runs[0].points
    flat = fine.run.points.reshape(len(fine.run.points), -1)
    own = fine.run.times
    there = np.column_stack([np.interp(times, own, column) for column in flat.T]).reshape(places.shape)
    return float(np.linalg.norm(there - places, axis=2).max())
