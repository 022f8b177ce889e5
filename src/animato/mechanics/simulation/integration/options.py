"""How a run in time is integrated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from animato.errors import OptionError
from animato.mechanics.simulation.integration.memory import BDF2, GENERALIZED_ALPHA, STATIC, Settings


class Integrator(StrEnum):
    """Schemes for second-order systems with loops closed at the level of positions (index 3)."""

    GENERALIZED_ALPHA = "generalized-alpha"
    BDF2 = "bdf2"


@dataclass(frozen=True, kw_only=True)
class IntegrationOptions:
    """What a run is told.

    Attributes:
        integrator: Generalized-alpha keeps energy well and is the default; BDF2, with a first step of BDF1, damps what
            is fast and is the one whose derivatives can be recorded.
        spectral_radius: Of generalized-alpha at infinite frequency, in [0, 1]; with loops at most 0.95.
        tolerance_m: Largest error of Newton's method in a step, as a displacement [m] in the mean over all mass.
        gap_tolerance_m: Largest gap of the loops [m] before the last correction of a step.
        iterations: Of Newton's method in one step at the most.
        halvings: How often a step that does not converge may be halved before the run fails.
        output_every: Steps between those at which tracked bodies are written.
        energy_every: Steps between those at which energies are written; an energy costs as much as forces do.
    """

    integrator: Integrator = Integrator.GENERALIZED_ALPHA
    spectral_radius: float = 0.9
    tolerance_m: float = 1e-12
    gap_tolerance_m: float = 5e-11
    iterations: int = 12
    halvings: int = 6
    output_every: int = 1
    energy_every: int = 10

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "integrator", Integrator(self.integrator))
        except ValueError:
            allowed = ", ".join(repr(one.value) for one in Integrator)
            raise OptionError(f"The `integrator` is one of {allowed}, given {self.integrator!r}.") from None
        if not 0.0 <= self.spectral_radius <= 1.0:
            raise OptionError(f"The `spectral_radius` is between 0 and 1, given {self.spectral_radius}.")
        for name in ("tolerance_m", "gap_tolerance_m"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise OptionError(f"`{name}` is a length above 0 m, given {value}.")
        for name, least in (("iterations", 2), ("halvings", 0), ("output_every", 1), ("energy_every", 1)):
            if getattr(self, name) < least:
                raise OptionError(f"`{name}` is a whole number of at least {least}, given {getattr(self, name)}.")


def settings_of(options: IntegrationOptions, step_s: float, *, record: bool = False) -> Settings:
    """The numbers that the kernels take.

    Generalized-alpha by Chung, Hulbert: A time integration algorithm for structural dynamics with improved numerical
    dissipation (1993), with multipliers at the step's end as in Arnold, Brüls: Convergence of the generalized-alpha
    scheme for constrained mechanical systems (2007).
    """
    rho = options.spectral_radius
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return Settings(
        scheme=BDF2 if options.integrator is Integrator.BDF2 else GENERALIZED_ALPHA,
        step=float(step_s),
        alpha_m=alpha_m,
        alpha_f=alpha_f,
        beta=0.25 * (gamma + 0.5) ** 2,
        gamma=gamma,
        tolerance=float(options.tolerance_m),
        gap_tolerance=float(options.gap_tolerance_m),
        iterations=int(options.iterations),
        halvings=0 if record else int(options.halvings),
        keep=1 if record else 5,
        largest_move=0.1,
        stride=int(options.output_every),
        energy_stride=int(options.energy_every),
        record=record,
    )


def static_settings(*, record: bool = False) -> Settings:
    """The same for static equilibria."""
    settings = settings_of(IntegrationOptions(energy_every=1), 0.0, record=record)
    return settings._replace(scheme=STATIC, halvings=7)
