"""What a simulation is told."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from animato.errors import OptionError
from animato.mechanics.flexible.rods import RodOptions
from animato.mechanics.simulation.integration import IntegrationOptions, Integrator

_LARGEST_STEP = 0.05  # [s]


@dataclass(frozen=True, kw_only=True)
class SimulationOptions:
    """What a simulation is told.

    Attributes:
        step_s: Largest step of the integrator [s]; steps are of one length and end with the clip.
        integrator: "generalized-alpha" keeps energy; "bdf2" damps what is fast.
        spectral_radius: Of generalized-alpha, in [0, 1]: how much of the fastest motion a step leaves.
        tolerance_m: Largest error of Newton's method in a step [m].
        halvings: How often a step that does not converge may be halved.
        tracked: Names of bodies to follow; the ends of the character where empty.
        frame_rate_hz: At which poses and the quasi-static target are given.
        start_speed: Up to this a clip counts as starting at rest [rad/s or m/s].
        rods: How rods are discretized, for all or by the name of a part; by their shape where not given.
        joint_stiffness: Of motors that give way, for all or by coordinate [N m/rad, or N/m]; rigid where not given.
        joint_damping: Of the same [N m s/rad, or N s/m].
    """

    step_s: float = 0.5e-3
    integrator: Integrator = Integrator.GENERALIZED_ALPHA
    spectral_radius: float = 0.9
    tolerance_m: float = 1e-12
    halvings: int = 6
    tracked: tuple[str, ...] = ()
    frame_rate_hz: float = 100.0
    start_speed: float = 0.1
    rods: RodOptions | Mapping[str, RodOptions] | None = None
    joint_stiffness: Mapping[str, float] | float | None = None
    joint_damping: Mapping[str, float] | float = 0.0

    def __post_init__(self) -> None:
        for name, unit in (("step_s", "s"), ("frame_rate_hz", "Hz"), ("start_speed", "rad/s or m/s")):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise OptionError(f"`{name}` is a number above 0 {unit}, given {value}.")
        if self.step_s > _LARGEST_STEP:
            raise OptionError(
                f"`step_s` is at most {_LARGEST_STEP} s, or vibrations fall between the steps; given {self.step_s}. "
                "Usual are 0.0005 to 0.005."
            )
        object.__setattr__(self, "tracked", tuple(self.tracked))
        object.__setattr__(self, "integrator", self.integration.integrator)

    @property
    def integration(self) -> IntegrationOptions:
        """What the integrator is told."""
        return IntegrationOptions(
            integrator=self.integrator,
            spectral_radius=self.spectral_radius,
            tolerance_m=self.tolerance_m,
            halvings=self.halvings,
        )
