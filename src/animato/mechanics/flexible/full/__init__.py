"""Full simulation of one flexible part with rigid bodies on its interfaces: statics, dynamics, vibration modes."""

from animato.mechanics.flexible.full.base_motion import EARTH, BaseMotion, LocalBase, resting_base, turning_base
from animato.mechanics.flexible.full.clamped_body import ClampedBody, InterfaceWrench, clamp_bodies
from animato.mechanics.flexible.full.constrained_factor import ConstrainedFactor, factor_with_conditions
from animato.mechanics.flexible.full.dynamics import FullSimulation, simulate_full
from animato.mechanics.flexible.full.full_part import FullPart, build_full_part
from animato.mechanics.flexible.full.integrators import FullIntegrator
from animato.mechanics.flexible.full.statics import FullStatics, solve_full_statics
from animato.mechanics.flexible.full.vibration import FullModes, full_modes

__all__ = [
    "EARTH",
    "BaseMotion",
    "ClampedBody",
    "ConstrainedFactor",
    "FullIntegrator",
    "FullModes",
    "FullPart",
    "FullSimulation",
    "FullStatics",
    "InterfaceWrench",
    "LocalBase",
    "build_full_part",
    "clamp_bodies",
    "factor_with_conditions",
    "full_modes",
    "resting_base",
    "simulate_full",
    "solve_full_statics",
    "turning_base",
]
