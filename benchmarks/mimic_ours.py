"""Our motions in the benchmark of mimic, timed, and scored as the peers' are."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from animato import mimic
from animato.mimic.judging import Score, score
from animato.mimic.person import Person, resampled
from benchmarks.mimic_cases import RULES, person, robot


@dataclass(frozen=True, eq=False)
class Ours:
    """Our motion of a case.

    Attributes:
        solution: What was found.
        person: As captured, unsampled.
        robot: Its name.
        seconds: Processor time of building and solving [s].
    """

    solution: mimic.Solution
    person: Person
    robot: str
    seconds: float

    @property
    def frames(self) -> int:
        """Of the capture at the rate of judging."""
        return int(np.floor((self.person.times[-1] - self.person.times[0]) * RULES.rate_hz + 1e-6)) + 1

    def score(self) -> Score:
        """The delivered motion at the rate of judging, the person at the capture's own times."""
        problem, clip = self.solution.problem, self.solution.clip
        count = int(np.floor(clip.duration * RULES.rate_hz + 1e-6)) + 1
        since = np.arange(count) / RULES.rate_hz
        source = np.interp(since, problem.times - problem.times[0], problem.source_times)
        return score(
            problem.anatomy,
            clip.resampled(clip.times[0] + since),
            resampled(self.person, source),
            curve=clip,
            rules=RULES,
        )


def cut(whole: Person, seconds: float) -> Person:
    """The beginning of a person's motion."""
    keep = whole.times <= whole.times[0] + seconds + 1e-9
    return replace(whole, times=whole.times[keep], positions=whole.positions[keep])


def solved(who: Person, robot_name: str, options: mimic.Options | None = None) -> Ours:
    """Our motion of a person on a robot that is on this machine."""
    _warm_up(robot_name)
    anatomy = robot(robot_name)
    assert anatomy is not None  # for the type checker: callers asked before
    begin = time.process_time()
    solution = mimic.solve(mimic.build(anatomy.character, who, options, anatomy=anatomy))
    return Ours(solution, who, robot_name, time.process_time() - begin)


@lru_cache
def _warm_up(robot_name: str) -> None:
    """Compiles or loads kernels, and packs the robot, so that times do not have that in them."""
    anatomy = robot(robot_name)
    assert anatomy is not None  # for the type checker: callers asked before
    mimic.solve(mimic.build(anatomy.character, cut(person("golf"), 0.5), anatomy=anatomy))
