"""A design problem: a character, what it should do, and what counts how much."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.design.options import DesignWeights, Optimize, Options
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms import DesignLimits, SoftRows, Tracking
from animato.mechanics.loops.constraints import Mechanism


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Described):
    """Everything `solve` needs; built by `build`.

    Attributes:
        character: With its initial design.
        mechanism: Its rows.
        motions: What it should do; their steps stand one after the other.
        tracking: Their targets, packed.
        limits: Of controls, velocities and design.
        options: What may change, what must hold, and what counts how much.
        references: Controls that are kept to, shape [step, control]; NaN where they are not given.
        reference_weights: Of the controls, shape [control].
        starts: First step of every motion.
        spans: Time from each step to the next [s], shape [step - 1].
        terms: Rows that are asked to be zero by their squares.
    """

    character: Character
    mechanism: Mechanism
    motions: tuple[TargetMotion, ...]
    tracking: Tracking
    limits: DesignLimits
    options: Options
    references: np.ndarray
    reference_weights: np.ndarray
    starts: tuple[int, ...]
    spans: np.ndarray
    terms: tuple[SoftRows, ...] = ()

    def facts(self) -> dict[str, str]:
        """Who does what, and how large the problem is."""
        return {
            "character": self.character.name,
            "motions": ", ".join(f"{motion.name} ({motion.step_count} steps)" for motion in self.motions),
            "optimizes": self.optimize,
            "terms": ", ".join(type(one).__name__ for one in self.terms) or "none",
            "variables": f"{self.variable_count:,}",
        }

    @property
    def weights(self) -> DesignWeights:
        """Of everything but the targets."""
        return self.options.weights

    @property
    def optimize(self) -> Optimize:
        """What may change."""
        return self.options.optimize or "both"

    @property
    def step_count(self) -> int:
        """Time steps of all motions together."""
        return len(self.references)

    @cached_property
    def linked(self) -> np.ndarray:
        """Whether steps k and k + 1 belong to one motion, shape [step - 1]."""
        found = np.ones(self.step_count - 1, dtype=bool)
        found[[start - 1 for start in self.starts[1:]]] = False
        return found

    @property
    def design_free(self) -> bool:
        """Whether design parameters may change."""
        return self.options.design_free and len(self.mechanism.design_names) > 0

    @property
    def controls_free(self) -> bool:
        """Whether controls may change."""
        return self.options.controls_free

    @cached_property
    def held(self) -> np.ndarray:
        """Which controls keep exactly to what they are given, shape [control]."""
        joints = {joint.name: joint.coordinate_names for joint in self.mechanism.joints}
        names = {one for name in self.options.hold for one in joints.get(name, (name,))}
        return np.array([name in names for name in self.mechanism.control_names], dtype=bool)

    @property
    def variable_count(self) -> int:
        """Optimization variables as Maloisel et al. (2023), Table 7, count them, with a design at every step."""
        s, u, p = (len(part) for part in (self.mechanism.state, self.mechanism.controls, self.mechanism.design))
        steps = self.step_count
        return steps * (s + u + p) + int(self.linked.sum()) * u

    @property
    def constraint_count(self) -> int:
        """Constraints as the same table counts them."""
        m = self.mechanism
        s, u, p = (len(part) for part in (m.state, m.controls, m.design))
        units = len(m.design_quaternions) + self.step_count * len(m.control_quaternions)
        return self.step_count * s + int(self.linked.sum()) * u + (self.step_count - 1) * p + units

    def motion_at(self, step: int) -> tuple[TargetMotion, int]:
        """The motion that a step belongs to, and the step at which it begins."""
        which = max(n for n, start in enumerate(self.starts) if start <= step)
        return self.motions[which], self.starts[which]

    def at_steps(self, chosen: np.ndarray) -> Problem:
        """The problem of single steps with a fixed design: inverse kinematics, in which no step knows another.

        Args:
            chosen: Indices of steps, shape [chosen].
        """
        return replace(
            self,
            tracking=self.tracking.at_steps(chosen),
            references=self.references[chosen],
            options=replace(self.options, optimize="control"),
            starts=tuple(range(len(chosen))),
            spans=np.ones(max(len(chosen) - 1, 0)),
        )
