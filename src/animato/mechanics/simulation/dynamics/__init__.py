"""Forces of a system in minimal coordinates at one moment, with exact derivatives; compiled."""

from animato.mechanics.simulation.dynamics.build import build_work
from animato.mechanics.simulation.dynamics.forces import put_forces, put_forces_and_derivatives
from animato.mechanics.simulation.dynamics.outputs import put_energy, put_outputs
from animato.mechanics.simulation.dynamics.work import Work

__all__ = ["Work", "build_work", "put_energy", "put_forces", "put_forces_and_derivatives", "put_outputs"]
