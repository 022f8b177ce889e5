"""What became of a problem: the motion, whether it may be used, and how well it faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from animato.described import HasPage
from animato.express.loop import LoopReport
from animato.express.problem import Problem, Target
from animato.mechanics.limits import LimitUsage
from animato.motion import Clip
from animato.outcome import Iteration, Outcome


def in_degrees(angle_rad: float) -> str:
    """An angle for people; what nobody can see is not counted out."""
    degrees = float(np.degrees(angle_rad))
    return f"{degrees:.2g} deg" if degrees >= 1e-3 else "less than 0.001 deg"


@dataclass(frozen=True, kw_only=True)
class Frame(Iteration):
    """A moment of the motion; `objective` is the angle by which it is off its target [rad].

    Attributes:
        time_s: In the motion [s].
        changing: Whether the joints are on the way from one branch of solutions to another.
    """

    time_s: float = 0.0
    changing: bool = False


@dataclass(frozen=True, repr=False, eq=False)
class Solution(HasPage):
    """A motion that holds a posture while it faces.

    Attributes:
        problem: What was asked.
        outcome: Whether the motion may be used: every limit holds, and the last target is faced as well as it can be.
        clip: The motion of the whole character at `rate_hz`; it begins and ends at rest.
        held: What was held meanwhile, frame by frame, as a motion of the whole character: errors of the posture are
            against it. It moves where a clip runs underneath.
        faced: What was to be faced, frame by frame and by end-point.
        usage: How much of each limit it uses.
        errors_rad: Angle by which each frame is off its target, 0 before there is one [rad], [frame].
        changing: Whether a change of branch was under way, [frame].
        report: Rates, errors and warnings in figures.
        history: Moments of the motion, a tenth of a second apart.
        seconds: That it took [s].
    """

    REPORT: ClassVar[str] = "express"

    problem: Problem
    outcome: Outcome
    clip: Clip
    held: Clip
    faced: tuple[Mapping[str, Target], ...]
    usage: LimitUsage
    errors_rad: np.ndarray
    changing: np.ndarray
    report: LoopReport
    history: tuple[Frame, ...]
    seconds: float

    def facts(self) -> dict[str, str]:
        """What is worth knowing at a glance."""
        degrees = np.degrees(self.errors_rad)
        return {
            **self.problem.facts(),
            "outcome": str(self.outcome),
            "motion": f"{self.clip.duration:.2f} s, {self.clip.frame_count} frames",
            "off the target": f"{degrees.mean():.2f} deg in the mean, {in_degrees(self.errors_rad[-1])} at the end",
            "changes of branch": str(self.report.branch_changes),
            "took": f"{self.seconds:.2f} s",
        }
