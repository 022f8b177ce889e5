"""Numerical solvers: arrays in, a solution with its status out. They know no robot.

`stage_qp` and `timing` are rooms of their own for problems of a special shape.
"""

from animato.lazy import lazily
from animato.solvers.augmented import (
    AugmentedOptions,
    AugmentedSolution,
    StiffModel,
    solve_augmented,
)
from animato.solvers.block_models import BlockModel, BlockPoint
from animato.solvers.blocks import Limits, LinearBlock, Residuals, RowBlock
from animato.solvers.interior_model import (
    ELASTIC,
    InteriorConstants,
    InteriorModel,
    InteriorOptions,
    NewtonSystem,
)
from animato.solvers.interior_point import InteriorPoint, InteriorSolution
from animato.solvers.interior_rows import RowWeights
from animato.solvers.least_squares import (
    LeastSquaresModel,
    LeastSquaresOptions,
    LeastSquaresSolution,
    solve_least_squares,
)
from animato.solvers.losses import Cauchy, Loss, SmoothDistance, Square

__all__ = [
    "ELASTIC",
    "AugmentedOptions",
    "AugmentedSolution",
    "BlockModel",
    "BlockPoint",
    "Cauchy",
    "InteriorConstants",
    "InteriorModel",
    "InteriorOptions",
    "InteriorPoint",
    "InteriorSolution",
    "LeastSquaresModel",
    "LeastSquaresOptions",
    "LeastSquaresSolution",
    "Limits",
    "LinearBlock",
    "Loss",
    "NewtonSystem",
    "Residuals",
    "RowBlock",
    "RowWeights",
    "SmoothDistance",
    "Square",
    "StiffModel",
    "solve_augmented",
    "solve_least_squares",
]

__getattr__, __dir__ = lazily(__name__, {}, rooms=("stage_qp", "timing"))
