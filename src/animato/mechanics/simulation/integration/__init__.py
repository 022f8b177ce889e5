"""Time stepping of systems in minimal coordinates: statics, BDF2 and generalized-alpha, compiled whole."""

from animato.mechanics.simulation.integration.closing import loop_gaps
from animato.mechanics.simulation.integration.memory import ROW_SCALE, Memory, Records, build_records
from animato.mechanics.simulation.integration.newton_kernel import factor_step
from animato.mechanics.simulation.integration.options import IntegrationOptions, Integrator
from animato.mechanics.simulation.integration.preparation import Derivatives, Prepared, derivatives, prepare
from animato.mechanics.simulation.integration.start import accelerations, gap_curvature
from animato.mechanics.simulation.integration.statics import quasi_static, settle_at, solve_statics
from animato.mechanics.simulation.integration.time_stepping import checked_motors, integrate, run_in_time
from animato.mechanics.simulation.integration.trajectory import State, Trajectory

__all__ = [
    "ROW_SCALE",
    "Derivatives",
    "IntegrationOptions",
    "Integrator",
    "Memory",
    "Prepared",
    "Records",
    "State",
    "Trajectory",
    "accelerations",
    "build_records",
    "checked_motors",
    "derivatives",
    "factor_step",
    "gap_curvature",
    "integrate",
    "loop_gaps",
    "prepare",
    "quasi_static",
    "run_in_time",
    "settle_at",
    "solve_statics",
]
