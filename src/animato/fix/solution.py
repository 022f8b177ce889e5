"""The result of `fix`: what the robot can perform, and what lies between that and what was asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from animato.described import HasPage
from animato.fix.deviation import Deviation
from animato.fix.problem import Problem
from animato.mechanics.limits import LimitUsage, limit_usage
from animato.motion import Clip
from animato.outcome import Iteration, Outcome


@dataclass(frozen=True, repr=False, eq=False)
class Solution(HasPage):
    """A clip as a robot can perform it.

    Attributes:
        problem: What was asked for.
        outcome: Whether it may be used, and why.
        clip: Every limit holds in it, between its frames, too.
        artist: The artist's motion in the fixed clip's time, frame by frame: what it is compared with.
        pace: The artist's time of each frame of the fixed clip [s], [frame].
        deviation: What has changed.
        stretches: Of the fixed clip's time in which shape has changed [s], (start, end) each.
        gap: By how much the objective could be better at most, relative, as the last convex programs prove for
            themselves.
        history: Every step.
        seconds: It took [s].
        notes: What was found, assumed or left out, in plain sentences.
    """

    REPORT: ClassVar[str] = "fix"

    problem: Problem
    outcome: Outcome
    clip: Clip
    artist: Clip
    pace: np.ndarray
    deviation: Deviation
    stretches: tuple[tuple[float, float], ...]
    gap: float
    history: tuple[Iteration, ...]
    seconds: float
    notes: tuple[str, ...] = ()

    @cached_property
    def usage(self) -> LimitUsage:
        """How much of each limit the fixed clip uses."""
        return limit_usage(self.problem.character, self.clip)

    @cached_property
    def before(self) -> LimitUsage:
        """How much of each limit the artist's clip uses."""
        return limit_usage(self.problem.character, self.problem.clip)

    @property
    def changed(self) -> bool:
        """Whether anything had to change."""
        return bool(self.stretches) or not np.array_equal(self.pace, self.clip.times)

    @property
    def longer(self) -> float:
        """Duration over the artist's; 1 where time did not give way."""
        return self.clip.duration / self.problem.clip.duration

    def facts(self) -> dict[str, str]:
        """At a glance."""
        far, name, when = self.deviation.largest
        return {
            "clip": self.problem.clip.source or "unknown",
            "character": self.problem.character.name,
            "outcome": str(self.outcome),
            "takes": f"{self.clip.duration:.4g} s ({self.problem.clip.duration:.4g} s asked)",
            "visible change": f"{1000.0 * self.deviation.mean_m:.3g} mm on average, {1000.0 * far:.3g} mm at most"
            + (f" ({name} at {when:.2f} s)" if name else ""),
            "solved in": f"{self.seconds:.2g} s",
        }
