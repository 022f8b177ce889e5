"""The objective of `steady` with its derivatives, as solvers ask for it."""

from animato.steady.optimization.barrier import Barrier
from animato.steady.optimization.model import SteadyModel, SteadyPoint
from animato.steady.optimization.orientation import rates, rotation_vectors
from animato.steady.optimization.runs import Run, run

__all__ = ["Barrier", "Run", "SteadyModel", "SteadyPoint", "rates", "rotation_vectors", "run"]
