"""The objective of `steady` with its derivatives, as solvers ask for it."""

from animato.steady.optimization.barrier import Barrier
from animato.steady.optimization.model import SteadyModel, SteadyPoint
from animato.steady.optimization.orientation import rates, rotation_vectors
from animato.steady.optimization.runs import Run, run
from animato.steady.optimization.solution import Solution
from animato.steady.optimization.steadying import solve

__all__ = [
    "Barrier",
    "Run",
    "Solution",
    "SteadyModel",
    "SteadyPoint",
    "rates",
    "rotation_vectors",
    "run",
    "solve",
]
