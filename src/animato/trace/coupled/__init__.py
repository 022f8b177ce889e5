"""Path and timing in one optimization."""

from animato.trace.coupled.interior_point import TimingModel, slowed, solve_timing
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem, build_coupled_problem
from animato.trace.coupled.solving import COARSE, solve_coupled, solve_refined

__all__ = [
    "COARSE",
    "CoupledModel",
    "CoupledProblem",
    "TimingModel",
    "build_coupled_problem",
    "slowed",
    "solve_coupled",
    "solve_refined",
    "solve_timing",
]
