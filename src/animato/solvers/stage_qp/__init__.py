"""Quadratic programs over time steps that share parameters, and three ways to their search direction."""

from animato.solvers.stage_qp.direction import METHODS, Method, search_direction
from animato.solvers.stage_qp.kernels import add_products
from animato.solvers.stage_qp.program import Direction, StageQP, StepMatrices, Tracked, UnitRows
from animato.solvers.stage_qp.recovery import add

__all__ = [
    "METHODS",
    "Direction",
    "Method",
    "StageQP",
    "StepMatrices",
    "Tracked",
    "UnitRows",
    "add",
    "add_products",
    "search_direction",
]
