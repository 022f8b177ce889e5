"""Characters in motion: flexible parts and closed loops as one system in minimal coordinates, simulated."""

from animato.mechanics.simulation.closed import Linkage, LinkageDerivatives, LinkageMoments, build_linkage, held_at_root
from animato.mechanics.simulation.energy_balance import EnergyBalance, energy_balance
from animato.mechanics.simulation.integration import (
    IntegrationOptions,
    Integrator,
    State,
    Trajectory,
    integrate,
    loop_gaps,
    quasi_static,
    solve_statics,
)
from animato.mechanics.simulation.loop_torques import LoopTorques, loop_torques
from animato.mechanics.simulation.motor_profile import motor_frames, motor_profile
from animato.mechanics.simulation.options import SimulationOptions
from animato.mechanics.simulation.result import Simulation
from animato.mechanics.simulation.sensitivity import Linearization, OutputChange, simulate_and_linearize
from animato.mechanics.simulation.simulating import end_bodies, simulate
from animato.mechanics.simulation.system import System, build_system

__all__ = [
    "EnergyBalance",
    "IntegrationOptions",
    "Integrator",
    "Linearization",
    "Linkage",
    "LinkageDerivatives",
    "LinkageMoments",
    "LoopTorques",
    "OutputChange",
    "Simulation",
    "SimulationOptions",
    "State",
    "System",
    "Trajectory",
    "build_linkage",
    "build_system",
    "end_bodies",
    "energy_balance",
    "held_at_root",
    "integrate",
    "loop_gaps",
    "loop_torques",
    "motor_frames",
    "motor_profile",
    "quasi_static",
    "simulate",
    "simulate_and_linearize",
    "solve_statics",
]
