"""Path and timing in one optimization."""

from animato.trace.coupled.interior_point import TimingModel, slowed, solve_timing
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem, build_coupled_problem
from animato.trace.coupled.solving import solve_coupled

__all__ = [
    "CoupledModel",
    "CoupledProblem",
    "TimingModel",
    "build_coupled_problem",
    "slowed",
    "solve_coupled",
    "solve_timing",
]
