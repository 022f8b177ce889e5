"""The result of `steady`: motor profiles, and what the structure does with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from animato.described import HasPage
from animato.mechanics.limits import LimitUsage
from animato.motion import Clip
from animato.outcome import Iteration, Outcome
from animato.steady.optimization.model import SteadyPoint
from animato.steady.optimization.usage import profile_usage
from animato.steady.problem import Problem


@dataclass(frozen=True, repr=False, eq=False)
class Solution(HasPage):
    """Steadied motor profiles.

    Attributes:
        problem: What was asked for.
        outcome: Whether they may be used, and why.
        before: The artist's profiles, and what comes of them.
        after: Those that were found.
        history: Every step.
        seconds: It took [s].
    """

    REPORT: ClassVar[str] = "steady"

    problem: Problem
    outcome: Outcome
    before: SteadyPoint
    after: SteadyPoint
    history: tuple[Iteration, ...]
    seconds: float

    @cached_property
    def clip(self) -> Clip:
        """The motor profiles, at `Options.rate_hz` frames a second."""
        return self.profiles(self.after.x)

    def profiles(self, x: np.ndarray) -> Clip:
        """Profiles of unknowns as a clip."""
        basis = self.problem.basis
        frames = round(basis.duration * self.problem.options.rate_hz)
        times = np.linspace(0.0, basis.duration, max(2, frames + 1))
        positions = basis.matrix(times) @ basis.control_points(x)
        return Clip(
            basis.start + times, basis.names, np.asarray(positions), source=f"{self.problem.clip.source} (steady)"
        )

    def deviations(self, point: SteadyPoint, scenario: int = 0) -> np.ndarray:
        """Distance of tracked bodies from their quasi-static targets [m], [time, body]."""
        target = self.problem.scenarios[scenario].target_points
        return np.linalg.norm(point.runs[scenario].points - target, axis=2)

    @property
    def peak_before(self) -> float:
        """Largest deviation of the artist's profiles over the clip and the tracked bodies [m]."""
        return float(self.deviations(self.before).max())

    @property
    def peak_after(self) -> float:
        """The same of the steadied ones [m]."""
        return float(self.deviations(self.after).max())

    @cached_property
    def usage(self) -> LimitUsage:
        """How much of each limit the steadied profiles use, with torques as simulated."""
        return self.usage_of(self.after)

    def usage_of(self, point: SteadyPoint) -> LimitUsage:
        """The same of any profiles, at the steps of the nominal simulation."""
        return profile_usage(self.problem, point)

    def peak_acceleration(self, x: np.ndarray) -> float:
        """Of any motor [rad/s^2]; that of a cubic spline is straight between knots, so its peak is at one of them."""
        basis = self.problem.basis
        return float(np.abs(basis.matrix(np.unique(basis.knots), 2) @ basis.control_points(x)).max())

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "character": self.problem.character.name,
            "outcome": str(self.outcome.status),
            "off target": f"{100.0 * self.peak_after:.3g} cm at most ({100.0 * self.peak_before:.3g} cm before)",
            "accelerations": f"{self.peak_acceleration(self.after.x):.3g} rad/s^2 "
            f"({self.peak_acceleration(self.before.x):.3g} before)",
            "solved in": f"{self.seconds:.2g} s",
        }
