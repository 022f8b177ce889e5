"""The result of `trace`: what the robot does, and what lies between that and the drawing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from animato.described import HasPage
from animato.mechanics.limits import LimitUsage, limit_usage
from animato.motion import Clip
from animato.outcome import Iteration, Outcome
from animato.trace.path import JointPath, PathFit
from animato.trace.pen_marks import PenDown, pen_lines, places_of_frames
from animato.trace.problem import Problem
from animato.trace.timing import SettledClip, TimeScaling

FINE_PLACES = 4001


@dataclass(frozen=True, repr=False, eq=False)
class Solution(HasPage):
    """A sketch as a robot performs it.

    Attributes:
        problem: What was asked for.
        outcome: Whether it may be used, and why.
        path_fit: Where: the path, how near it is, and what was out of reach.
        scaling: When: the time scaling, and how good that is.
        settled: Frames of it whose spline holds the limits, too.
        history: Every step.
        seconds: It took, without what it was given as a start [s].
    """

    REPORT: ClassVar[str] = "trace"

    problem: Problem
    outcome: Outcome
    path_fit: PathFit
    scaling: TimeScaling
    settled: SettledClip
    history: tuple[Iteration, ...]
    seconds: float

    @property
    def clip(self) -> Clip:
        """Joint positions over time."""
        return self.settled.clip

    @property
    def path(self) -> JointPath:
        """Joint positions along the stroke."""
        return self.path_fit.path

    @cached_property
    def usage(self) -> LimitUsage:
        """How much of each limit the clip uses."""
        return limit_usage(self.problem.character, self.clip)

    @property
    def objective(self) -> float:
        """f_g + alpha f_c + pull f_r + beta f_t + gamma t_f: what all methods make small."""
        return self.path_fit.path_cost + self.scaling.objective

    def points_at(self, s: np.ndarray) -> np.ndarray:
        """Where the robot's points are at places s of the path [m], [place, point, 3]."""
        return self.problem.path.kinematics.places(self.path.at(s))[:, : len(self.problem.sketch.points)]

    @cached_property
    def pen_down(self) -> tuple[PenDown, ...]:
        """The lines that are drawn, in s and in seconds of the clip; between them the pen is in the air."""
        return pen_lines(self.problem, self.clip, self.frame_places)

    @cached_property
    def frame_places(self) -> np.ndarray:
        """Where along the path each frame of the clip is: s, rising, [frame]."""
        return places_of_frames(self.path, self.clip)

    @cached_property
    def places(self) -> np.ndarray:
        """S at which line and rhythm are judged: evenly along the path where the pen is down, at most FINE_PLACES."""
        s = np.linspace(0.0, 1.0, FINE_PLACES)
        return s[self.problem.sketch.is_down(s)]

    @cached_property
    def deviations(self) -> np.ndarray:
        """Distance of each point from where it was drawn [m] at `places`, [place, point]."""
        return np.linalg.norm(self.points_at(self.places) - self.problem.sketch.x_of_s(self.places), axis=-1)

    @property
    def tempo(self) -> float:
        """Duration of the performance over that of the drawing; above 1 it is slower."""
        return self.scaling.duration / self.problem.drawn.duration

    def lateness(self, s: np.ndarray) -> np.ndarray:
        """How far the robot is behind the drawn rhythm [s] at places s: t_q(s) - r t_x(s).

        r is the tempo where timing is relative, and 1 where it is absolute.
        """
        tempo = self.tempo if self.problem.options.timing == "relative" else 1.0
        # at a pause the drawn time jumps; the robot's rest begins where that of the hand does
        return self.scaling.time_of(s) - tempo * self.problem.drawn.at(np.asarray(s, dtype=float), from_left=True)

    @property
    def timing_error(self) -> float:
        """Root mean square of `lateness` over `places` [s]."""
        return float(np.sqrt(np.mean(self.lateness(self.places) ** 2)))

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "stroke": self.problem.name,
            "robot": self.problem.character.name,
            "outcome": str(self.outcome.status),
            "takes": f"{self.clip.duration:.4g} s ({self.problem.drawn.duration:.4g} s drawn)",
            "off the line": f"{1000.0 * float(self.deviations.max()):.3g} mm at most",
            "off the rhythm": f"{1000.0 * self.timing_error:.3g} ms",
            "solved in": f"{self.seconds:.2g} s",
        }
