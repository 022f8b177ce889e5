"""A simulation of one scenario with its derivatives: the only place where `steady` meets the integrator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation import Linearization, State, simulate_and_linearize
from animato.steady.problem import Scenario


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
        change = self.linearization.forward(theta, theta_v, theta_a)
        return change.points, change.turns, change.torques

    def adjoint(
        self, by_points: np.ndarray, by_turns: np.ndarray | None, by_torque: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A gradient by outputs as one by profiles."""
        return self.linearization.adjoint(by_points, by_turns, by_torque)


def run(scenario: Scenario, theta: tuple[np.ndarray, np.ndarray, np.ndarray], step_s: float) -> Run | None:
    """Simulates profiles [time, motor] with their first two derivatives; None where the simulation came to nothing."""
    system = scenario.system
    start = State(scenario.start, np.zeros(system.unknown_count), scenario.start_forces)
    made, linearization = simulate_and_linearize(system, np.stack(theta, axis=1), step_s, start=start)
    if linearization is None:
        return None
    return Run(made.points, made.rotations, made.torques, linearization)
