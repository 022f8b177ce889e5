"""A motion of a mechanism and how well it holds together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.mechanics.loops.constraints import Mechanism
from animato.mechanics.loops.singular_values import smallest_singular_values


@dataclass(frozen=True, eq=False)
class LoopMotion:
    """States of all bodies over time, with what should be looked at.

    Attributes:
        mechanism: Which one moves.
        states: Shape [step, state]; NaN where `reached` is false.
        controls: As asked for, shape [step, control].
        design: Shape [design].
        reached: Whether the state was found, shape [step].
        residual: Largest kept row of joints, designs and unit lengths [m or 1], shape [step].
        dropped_residual: Largest dropped row of passive joints; not small where a redundant mechanism has
            lost the shape that made it so, shape [step].
        actuator_residual: Largest actuator row, kept or dropped: how far actuators that are too many
            contradict one another [sine of an angle, or m], shape [step].
        determinant_sign: Of C_s of the kept rows, shape [step].
        flipped: Whether some joint is flipped by half a turn against how it was built, shape [step].
        flipped_joints: Names of joints that are flipped at some step.
        crossed: Steps on the way to which a singular pose was passed, going straight on; an even number
            of them at the same time is not noticed.
        entered: Whether the first step was assembled anew, because no way leads to it from a rest that is singular
            or outside limits.
        notes: Sentences about how it was followed: poses passed or entered, and why it stops.
    """

    mechanism: Mechanism
    states: np.ndarray
    controls: np.ndarray
    design: np.ndarray
    reached: np.ndarray
    residual: np.ndarray
    dropped_residual: np.ndarray
    actuator_residual: np.ndarray
    determinant_sign: np.ndarray
    flipped: np.ndarray
    flipped_joints: tuple[str, ...]
    crossed: tuple[int, ...] = ()
    entered: bool = False
    notes: tuple[str, ...] = ()

    @property
    def branch_changes(self) -> np.ndarray:
        """Steps whose determinant has another sign than the step before: the assembly mode may have changed.

        Passing a singular pose straight on changes it as well: see `crossed`.
        """
        return np.flatnonzero(self.determinant_sign[1:] * self.determinant_sign[:-1] < 0.0) + 1

    @cached_property
    def smallest_singular_value(self) -> np.ndarray:
        """Of C_s without units, surplus actuators included; small near singular poses, shape [step]."""
        found = np.full(len(self.states), np.nan)
        s, u = self.states[self.reached], self.controls[self.reached]
        found[self.reached] = smallest_singular_values(self.mechanism, s, u, self.design)
        return found

    def positions(self, body: str) -> np.ndarray:
        """Where a body's origin is [m], shape [step, 3]."""
        first = 7 * self.mechanism.body_index(body)
        return self.states[:, first : first + 3]

    def quaternions_wxyz(self, body: str) -> np.ndarray:
        """How a body is turned, shape [step, 4]."""
        first = 7 * self.mechanism.body_index(body)
        return self.states[:, first + 3 : first + 7]
