"""The result of `trace`: what was drawn, what the robot does, and what lies between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.mechanics.tree import build_point_kinematics
from animato.motion import Clip
from animato.trace.path import JointPath, PathFit
from animato.trace.sketch import DrawnTiming, Sketch
from animato.trace.timing import SettledClip, TimeScaling

FINE_PLACES = 4001
TIMINGS = ("relative", "absolute")
HIGHEST_RATE_HZ = 20_000.0


@dataclass(frozen=True)
class TraceOptions:
    """What was asked for.

    Attributes:
        alpha: Weight of the smoothness of the path; None lets it follow from the knots.
        beta: Weight of the timing error [1/s^2].
        gamma: Weight of the duration [1/s].
        timing: "relative": the rhythm counts and the tempo is free; "absolute": every moment counts.
        tempo_lock: Never faster than drawn.
        duration_s: Wanted duration [s]; None where it is free.
        segments: Of the time scaling, about.
        rate_hz: Frames of the clip a second.
        torque: Whether torque limits hold.
        jerk: Whether limits of jerk hold in the frames.
    """

    alpha: float | None = None
    beta: float = 1.0
    gamma: float = 0.1
    timing: str = "relative"
    tempo_lock: bool = True
    duration_s: float | None = None
    segments: int = 500
    rate_hz: float = 250.0
    torque: bool = True
    jerk: bool = False

    def __post_init__(self) -> None:
        if self.timing not in TIMINGS:
            raise OptionError(f"Timing is one of {', '.join(TIMINGS)}; given {self.timing!r}.")
        if not (math.isfinite(self.rate_hz) and 0.0 < self.rate_hz <= HIGHEST_RATE_HZ):
            raise OptionError(f"rate_hz is a number above 0 and at most {HIGHEST_RATE_HZ:g}, given {self.rate_hz}.")


@dataclass(frozen=True, eq=False)
class Traced:
    """A sketch as a robot performs it.

    Attributes:
        character: The robot.
        sketch: What was drawn, in the world.
        path_fit: The geometric stage: where, and what was out of reach.
        scaling: The temporal stage: when, and how good that is.
        settled: Frames of it whose spline holds the limits, too.
        options: What was asked for.
        name: Of the stroke, for people.
    """

    character: Character
    sketch: Sketch
    path_fit: PathFit
    scaling: TimeScaling
    settled: SettledClip
    options: TraceOptions
    name: str = "the stroke"

    @property
    def clip(self) -> Clip:
        """Joint positions over time."""
        return self.settled.clip

    @property
    def path(self) -> JointPath:
        """Joint positions along the stroke."""
        return self.path_fit.path

    def points_at(self, s: np.ndarray) -> np.ndarray:
        """Where the robot's points are at places s of the path [m], [place, point, 3]."""
        kinematics = build_point_kinematics(self.character, self.sketch.points, start=self.path.held)
        return kinematics.places(self.path.at(s))

    @cached_property
    def deviations(self) -> np.ndarray:
        """Distance of each point from where it was drawn [m], evenly along the path, [FINE_PLACES, point]."""
        s = np.linspace(0.0, 1.0, FINE_PLACES)
        return np.linalg.norm(self.points_at(s) - self.sketch.x_of_s(s), axis=-1)

    @property
    def drawn_duration(self) -> float:
        """From the first to the last move of the drawing hand [s]."""
        return DrawnTiming.from_sketch(self.sketch).duration

    @property
    def tempo(self) -> float:
        """Duration of the performance over that of the drawing; above 1 it is slower."""
        return self.scaling.duration / self.drawn_duration

    def lateness(self, s: np.ndarray) -> np.ndarray:
        """How far the robot is behind the drawn rhythm [s] at places s: t_q(s) - r t_x(s).

        r is the tempo where timing is relative, and 1 where it is absolute.
        """
        drawn = DrawnTiming.from_sketch(self.sketch)
        tempo = self.tempo if self.options.timing == "relative" else 1.0
        # at a pause the drawn time jumps; the robot's rest begins where that of the hand does
        return self.scaling.time_of(s) - tempo * drawn.at(np.asarray(s, dtype=float), from_left=True)

    @property
    def timing_error(self) -> float:
        """Root mean square of `lateness` over the path [s]."""
        return float(np.sqrt(np.mean(self.lateness(np.linspace(0.0, 1.0, FINE_PLACES)) ** 2)))
