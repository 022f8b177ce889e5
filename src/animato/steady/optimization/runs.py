"""A simulation of one scenario with its derivatives: the only place where `steady` meets the integrator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation import Linearization


@dataclass(frozen=True, eq=False)
class Run:
    """What came of profiles.

    Attributes:
        points: Of tracked bodies [m], [time, body, 3].
        rotations: [time, body, 3, 3].
        torque: Of the motors [N m], [time, motor].
        linearization: Sweeps forward and backward.
    """

    points: np.ndarray
    rotations: np.ndarray
    torque: np.ndarray
    linearization: Linearization

    def forward(
        self, theta: np.ndarray, theta_v: np.ndarray, theta_a: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Changes of points, turns and torque with changes of profiles."""
        return self.linearization.forward(theta, theta_v, theta_a)

    def adjoint(
        self, by_points: np.ndarray, by_turns: np.ndarray | None, by_torque: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A gradient by outputs as one by profiles."""
        return self.linearization.adjoint(by_points, by_turns, by_torque)
