"""What a run gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.mechanics.simulation.system import System
from animato.outcome import Outcome


@dataclass(frozen=True, eq=False)
class State:
    """Unknowns at one moment.

    Attributes:
        u: [rad, m, or a strain], [n_u].
        v: Their velocities, [n_u].
        lam: Multipliers of the loops' rows, [m].
    """

    u: np.ndarray
    v: np.ndarray
    lam: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Described):
    """A run, moment by moment: through time, or through static equilibria.

    Attributes:
        system: What moves.
        step_s: Between moments [s]; 0 for equilibria.
        motors: theta [rad or m], its velocity and its acceleration, [t, 3, n_p].
        u, v, a: Unknowns and their derivatives, [t, n_u].
        lam: Multipliers of the loops' rows [N or N m], [t, m].
        torques: Of the motors [N m, or N], [t, n_p].
        gaps: Largest gap of the loops [m], as estimated by the rate at which it fell; exact by `loop_gaps`, [t].
        points: Centres of mass of the tracked bodies in the world [m], [output, k, 3].
        rotations: Of the tracked bodies in the world, [output, k, 3, 3].
        energies: Kinetic, gravitational and elastic [J], [energy, 3].
        output_every: Moments between outputs of tracked bodies.
        energy_every: Moments between energies.
        outcome: How it ended; a run that failed has the moments before.
        iterations: Of Newton's method, in all.
        evaluations: Of forces, in all.
        factors: Matrices factored.
        halved: How often a step was halved.
        seconds: That the run took [s].
    """

    system: System
    step_s: float
    motors: np.ndarray
    u: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    torques: np.ndarray
    gaps: np.ndarray
    points: np.ndarray
    rotations: np.ndarray
    energies: np.ndarray
    output_every: int
    energy_every: int
    outcome: Outcome
    iterations: int
    evaluations: int
    factors: int
    halved: int
    seconds: float

    @property
    def times(self) -> np.ndarray:
        """Of the moments since the start [s]; their numbers for equilibria, [t]."""
        return np.arange(len(self.u)) * (self.step_s or 1.0)

    @property
    def coordinates(self) -> np.ndarray:
        """z, unknowns and motors, [t, n]."""
        return np.hstack([self.u, self.motors[: len(self.u), 0]])

    @property
    def velocities(self) -> np.ndarray:
        """dz/dt, [t, n]."""
        return np.hstack([self.v, self.motors[: len(self.u), 1]])

    @property
    def realtime_factor(self) -> float:
        """Simulated seconds a second."""
        return (len(self.u) - 1) * self.step_s / self.seconds if self.seconds > 0.0 else float("inf")

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "system": self.system.character.name,
            "moments": str(len(self.u)),
            "step": f"{1e3 * self.step_s:g} ms" if self.step_s else "equilibria",
            "ended": str(self.outcome),
            "halved steps": str(self.halved),
        }
