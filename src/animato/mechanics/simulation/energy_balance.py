"""Where the energy of a run goes: what motors give, what damping takes, and what the integrator loses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation.integration import Trajectory


@dataclass(frozen=True, eq=False)
class EnergyBalance:
    """Energies of a run, at the moments at which it has them.

    Attributes:
        kinetic, gravitational, elastic: [J], [energy].
        work: Of the motors since the start [J], [energy].
        dissipated: By damping of joints and rods, and by friction, since the start [J], [energy].
    """

    kinetic: np.ndarray
    gravitational: np.ndarray
    elastic: np.ndarray
    work: np.ndarray
    dissipated: np.ndarray

    @property
    def drift(self) -> np.ndarray:
        """Energy that nothing explains [J], [energy]."""
        total = self.kinetic + self.gravitational + self.elastic
        return total - total[0] - self.work + self.dissipated

    @property
    def relative_drift(self) -> float:
        """The largest drift over the largest energy that moved: kinetic, or exchanged with gravity and springs."""
        moved = max(
            float(np.max(self.kinetic)),
            float(np.ptp(self.gravitational)),
            float(np.ptp(self.elastic)),
        )
        return float(np.max(np.abs(self.drift))) / moved if moved > 0.0 else 0.0


def energy_balance(run: Trajectory) -> EnergyBalance:
    """The balance of a run in time.

    Powers are summed over steps by the trapezoidal rule. Damping of reduced meshes is not counted.
    """
    springs, v = run.system.packed.springs, run.velocities
    motors = np.sum(run.torques * run.motors[: len(run.u), 1], axis=1)
    lost = v[:, springs.row] * v[:, springs.column] @ springs.damping
    lost += np.sum(springs.friction * np.tanh(v / springs.friction_speed) * v, axis=1)
    shown = slice(None, None, run.energy_every)
    kinetic, gravitational, elastic = run.energies.T
    return EnergyBalance(
        kinetic, gravitational, elastic, _summed(motors, run.step_s)[shown], _summed(lost, run.step_s)[shown]
    )


def _summed(power: np.ndarray, step: float) -> np.ndarray:
    """The integral since the start, [t]."""
    return np.concatenate([[0.0], np.cumsum(0.5 * step * (power[1:] + power[:-1]))])
