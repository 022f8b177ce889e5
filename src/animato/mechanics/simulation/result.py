"""What a simulation gives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from animato.character import Character
from animato.described import HasPage, shortened
from animato.mechanics.simulation.energy_balance import EnergyBalance, energy_balance
from animato.mechanics.simulation.integration import Trajectory, loop_gaps
from animato.mechanics.simulation.options import SimulationOptions
from animato.mechanics.simulation.posing import Performance, perform
from animato.mechanics.simulation.system import System
from animato.motion import Clip


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(HasPage):
    """A character that followed a clip, with all that bends and swings.

    Moments are the integrator's steps; frames are some of them, for people.

    Attributes:
        character: Who moved.
        clip: What its motors were told.
        options: How it was simulated.
        run: All moments: coordinates, velocities, multipliers, torques, tracked bodies, energies.
        target: Static equilibria at the frames: what the character would do if it were slow.
        frames: Moments that are frames, [frame].
        seconds: That all of it took [s].
    """

    REPORT: ClassVar[str] = "simulate"

    character: Character
    clip: Clip
    options: SimulationOptions
    run: Trajectory
    target: Trajectory
    frames: np.ndarray
    seconds: float

    @property
    def system(self) -> System:
        """The character in minimal coordinates."""
        return self.run.system

    @property
    def tracked(self) -> tuple[str, ...]:
        """Names of the tracked bodies."""
        return self.system.tracked

    @property
    def times(self) -> np.ndarray:
        """Of the moments, on the clip's clock [s], [t]."""
        return self.clip.times[0] + self.run.times

    @property
    def frame_times(self) -> np.ndarray:
        """Of the frames, on the clip's clock [s], [frame]."""
        return self.times[self.frames]

    @property
    def torques(self) -> np.ndarray:
        """Of the motors at all moments [N m, or N], [t, n_p]."""
        return self.run.torques

    @property
    def points(self) -> np.ndarray:
        """Centres of mass of the tracked bodies at all moments [m], [t, k, 3]."""
        return self.run.points

    @property
    def deviation(self) -> np.ndarray:
        """Distance of the tracked bodies from the quasi-static target at the frames [m], [frame, k]."""
        return np.linalg.norm(self.run.points[self.frames] - self.target.points, axis=2)

    @property
    def peak_deviation_m(self) -> float:
        """The largest over frames and tracked bodies [m]."""
        return float(np.max(self.deviation, initial=0.0))

    @cached_property
    def energy(self) -> EnergyBalance:
        """Where energy went."""
        return energy_balance(self.run)

    @cached_property
    def closure_residual_m(self) -> float:
        """The largest gap of a loop at any frame [m]."""
        return float(np.max(np.abs(loop_gaps(self.run, self.frames)), initial=0.0))

    @property
    def realtime_factor(self) -> float:
        """Simulated seconds a second, the target not counted."""
        return self.run.realtime_factor

    @cached_property
    def performance(self) -> Performance:
        """Poses of bodies and rods at the frames, for films."""
        return self._performed(self.run.coordinates[self.frames], "simulated")

    @cached_property
    def target_performance(self) -> Performance:
        """The same of the quasi-static target."""
        return self._performed(self.target.coordinates, "quasi-static")

    def _performed(self, z: np.ndarray, how: str) -> Performance:
        return perform(self.system, self.frame_times, z, source=f"{self.clip.source or 'clip'}, {how}")

    def facts(self) -> dict[str, str]:
        """At a glance."""
        run = self.run
        return {
            "character": self.character.name,
            "duration": f"{run.times[-1]:.3f} s in steps of {1e3 * run.step_s:.3g} ms",
            "tracked": shortened(self.tracked),
            "peak deviation": f"{100.0 * self.peak_deviation_m:.2f} cm",
            "energy drift": f"{self.energy.relative_drift:.1e}",
            "loops open by": f"{self.closure_residual_m:.1e} m",
            "halved steps": str(run.halved),
            "speed": f"{self.realtime_factor:.1f} times real time",
        }
