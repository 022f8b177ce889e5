"""The result of `mimic`: a motion that the robot can perform, and what it kept of the person's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from animato.described import HasPage
from animato.mechanics.contact import zero_moment_points
from animato.mechanics.limits import LimitUsage, usage_of_states
from animato.mechanics.tree import States, packed_tree
from animato.mimic.curve import ControlPoints, knots_of, sampled_clip
from animato.mimic.optimization.evaluation import states_of_knots
from animato.mimic.optimization.packing import idle_columns
from animato.mimic.problem import Problem
from animato.motion import Clip
from animato.outcome import Iteration, Outcome


@dataclass(frozen=True, repr=False, eq=False)
class Solution(HasPage):
    """A robot's motion after a person's.

    Attributes:
        problem: What was asked for, at the times of the result.
        outcome: Whether it may be used, and why.
        controls: Control points of the motion.
        kinematic: The motion that keeps landmarks and contacts alone, before balance and torque.
        errors: Of key-points, relative to the pelvis [m], [knot, landmark].
        kinematic_errors: The same of `kinematic`.
        forces: At the contact points, in the world [N], [knot, point, 3].
        planted: Parts that stand still, some longer than planned, [knot, part].
        torques: Of motors, with the root's six, which nothing gives, first, [knot, dof].
        scale: Of the person.
        slowed_percent: How much longer the robot takes, flights apart.
        history: Every round.
        seconds: It took [s].
        notes: What was found, assumed, left out or given up, in plain sentences.
    """

    REPORT: ClassVar[str] = "mimic"

    problem: Problem
    outcome: Outcome
    controls: ControlPoints
    kinematic: Clip
    errors: np.ndarray
    kinematic_errors: np.ndarray
    forces: np.ndarray
    planted: np.ndarray
    torques: np.ndarray
    scale: float
    slowed_percent: float
    history: tuple[Iteration, ...]
    seconds: float
    notes: tuple[str, ...] = ()

    @cached_property
    def clip(self) -> Clip:
        """The motion, at `Options.clip_hz` frames a second."""
        return clip_of(self.problem, self.controls)

    @cached_property
    def states(self) -> States:
        """At the knots, in the robot's time."""
        nothing = np.zeros((len(self.controls.places), 3))
        return states_of_knots(knots_of(self.controls, nothing, self.problem.step), self.problem.step)

    @cached_property
    def zmp(self) -> np.ndarray:
        """Zero moment points on the floor at the knots [m], NaN in flight, [knot, 2]."""
        return zero_moment_points(self.problem.character, self.states)

    @cached_property
    def usage(self) -> LimitUsage:
        """How much of each limit the motion uses at the knots, with the floor's forces as they were found.

        Torques of joints that move no key-point, such as those of grippers, are left out.
        """
        jerks, torques = np.full(self.torques.shape, np.nan), self.torques.copy()
        torques[:, 6:][:, idle_columns(self.problem)] = np.nan
        return usage_of_states(self.problem.character, self.states, torques, jerks)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        told = {
            "robot": self.problem.character.name,
            "person": self.problem.person.source or "unknown",
            "outcome": str(self.outcome.status),
            "key-points off": f"{1e3 * float(self.errors.mean()):.1f} mm",
            "torque": f"{100.0 * self.usage.peak('torque'):.0f} % of the limit at most",
            "solved in": f"{self.seconds:.2g} s",
        }
        if self.slowed_percent > 0.0:
            told["slower by"] = f"{self.slowed_percent:.1f} %"
        return told


def clip_of(problem: Problem, controls: ControlPoints) -> Clip:
    """A curve as a clip."""
    source = f"{problem.person.source} (mimic)"
    tree = packed_tree(problem.character)
    return sampled_clip(tree, controls, problem.step, problem.options.clip_hz, start=0.0, source=source)
