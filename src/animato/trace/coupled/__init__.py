"""Path and timing in one optimization."""

from animato.trace.coupled.interior_point import CoupledInteriorPoint
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem, build_coupled_problem
from animato.trace.coupled.solving import solve_coupled

__all__ = [
    "CoupledInteriorPoint",
    "CoupledModel",
    "CoupledProblem",
    "build_coupled_problem",
    "solve_coupled",
]
