"""Derivatives of runs in time: exact for the discrete run, forward and adjoint, on stored factors."""

from animato.mechanics.simulation.sensitivity.linearization import Linearization, OutputChange
from animato.mechanics.simulation.sensitivity.recording import simulate_and_linearize

__all__ = ["Linearization", "OutputChange", "simulate_and_linearize"]
