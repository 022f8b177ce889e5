"""A run and its derivatives by the motors' motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from animato.described import Described
from animato.errors import OptionError
from animato.mechanics.simulation.integration import Records
from animato.mechanics.simulation.sensitivity.sweep_kernels import sweep_back, sweep_forward
from animato.mechanics.simulation.system import System


class OutputChange(NamedTuple):
    """Changes of outputs, or the gradient of something by them.

    Attributes:
        points: Of the tracked centres of mass in the world [m], [t, k, 3].
        turns: Small turns of the tracked bodies about the world's axes [rad], [t, k, 3].
        torques: Of the motors [N m, or N], [t, n_p]; zero where they were not recorded.
    """

    points: np.ndarray
    turns: np.ndarray
    torques: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Linearization(Described):
    """The exact derivative of a discrete BDF2 run: outputs at all moments by the motors at all moments.

    theta, theta' and theta'' count as three inputs of each moment; a spline gives all three. The first moment is the
    static equilibrium with the motors at theta_0 and moves with it, by statics; where the motion's first moment is
    fixed, its change is zero. A run that was given its start has the start held.

    Attributes:
        system: What moved.
        step_s: h [s].
        records: Derivatives and factors of all moments, in single or double precision.
        has_torques: Whether rows of the motors were kept.
    """

    system: System
    step_s: float
    records: Records
    has_torques: bool

    @property
    def moment_count(self) -> int:
        """Moments, the first one included."""
        return len(self.records.scales)

    @property
    def megabytes(self) -> float:
        """That it keeps [MB]."""
        return sum(array.nbytes for array in self.records) / 1e6

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "system": self.system.character.name,
            "moments": str(self.moment_count),
            "precision": str(self.records.factors.dtype),
            "torques": "kept" if self.has_torques else "left out",
            "memory": f"{self.megabytes:.0f} MB",
        }

    def forward(self, theta: ArrayLike, theta_v: ArrayLike, theta_a: ArrayLike) -> OutputChange:
        """How outputs change with changes of theta, theta' and theta'', [t, n_p] each."""
        shape = (len(self.system.motor_names),)
        change = np.stack([self._array(one, shape, "A change of the motors") for one in (theta, theta_v, theta_a)], 1)
        found = self._outputs()
        sweep_forward(self.records, self.step_s, change, found.points, found.turns, found.torques)
        return found

    def adjoint(
        self,
        points: ArrayLike | None = None,
        turns: ArrayLike | None = None,
        torques: ArrayLike | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The gradient by theta, theta' and theta'', [t, n_p] each, of what has these gradients by the outputs.

        Args:
            points: [t, k, 3]; zero where not given, as the others.
            turns: [t, k, 3].
            torques: [t, n_p].

        Raises:
            OptionError: Torques are asked for and were not recorded, or a shape is another one.
        """
        zero, k = self._outputs(), len(self.system.tracked)
        if torques is not None and not self.has_torques:
            raise OptionError("This linearization was made without torques; linearize again with `torques=True`.")
        by_points = zero.points if points is None else self._array(points, (k, 3), "The gradient by points")
        by_turns = zero.turns if turns is None else self._array(turns, (k, 3), "The gradient by turns")
        count = len(self.system.motor_names)
        by_torques = zero.torques if torques is None else self._array(torques, (count,), "The gradient by torques")
        motors = np.empty((self.moment_count, 3, count))
        sweep_back(self.records, self.step_s, by_points, by_turns, by_torques, motors)
        return motors[:, 0], motors[:, 1], motors[:, 2]

    def _outputs(self) -> OutputChange:
        t, k = self.moment_count, len(self.system.tracked)
        return OutputChange(np.zeros((t, k, 3)), np.zeros((t, k, 3)), np.zeros((t, len(self.system.motor_names))))

    def _array(self, given: ArrayLike, shape: tuple[int, ...], what: str) -> np.ndarray:
        array = np.ascontiguousarray(given, dtype=np.float64)
        if array.shape != (self.moment_count, *shape):
            raise OptionError(f"{what} has the shape {(self.moment_count, *shape)}, given {array.shape}.")
        return array
