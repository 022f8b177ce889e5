"""Facing one target: the problem, the search over the whole space of solutions, the descent."""

from animato.express.facing.arrays import FACING, LOWER, UPPER, WEIGHT, FacingArrays, facing_arrays
from animato.express.facing.descent import FACED, Aim, Descent, descend, descent_memory, evaluate, orientation_cost
from animato.express.facing.errors import (
    SQRT_2,
    BendMeasure,
    ErrorWeights,
    FacingError,
    FacingErrors,
    bend_errors,
    bend_measure,
    checked_weights,
    facing_errors,
    orientation_gap,
    weights_of,
)
from animato.express.facing.facing import REACHED, Facing, FacingBatch, degrees_off, iterated_status
from animato.express.facing.kernel import Effort, targets_of
from animato.express.facing.looking import NOWHERE, shortest, upright
from animato.express.facing.once import HALF_TURN, ITERATIONS, REST, normalize, write_errors
from animato.express.facing.packed_turns import pack_turns
from animato.express.facing.problem import FacingProblem, Roll, build_facing_problem, checked_posture, facing_problem_of
from animato.express.facing.solver import (
    Reach,
    batch_of,
    checked_previous,
    checked_target,
    checked_targets,
    held,
    numbers,
    solve_facing,
    solve_facings,
)
from animato.express.facing.step import solve_symmetric

__all__ = [
    "FACED",
    "FACING",
    "HALF_TURN",
    "ITERATIONS",
    "LOWER",
    "NOWHERE",
    "REACHED",
    "REST",
    "SQRT_2",
    "UPPER",
    "WEIGHT",
    "Aim",
    "BendMeasure",
    "Descent",
    "Effort",
    "ErrorWeights",
    "Facing",
    "FacingArrays",
    "FacingBatch",
    "FacingError",
    "FacingErrors",
    "FacingProblem",
    "Reach",
    "Roll",
    "batch_of",
    "bend_errors",
    "bend_measure",
    "build_facing_problem",
    "checked_posture",
    "checked_previous",
    "checked_target",
    "checked_targets",
    "checked_weights",
    "degrees_off",
    "descend",
    "descent_memory",
    "evaluate",
    "facing_arrays",
    "facing_errors",
    "facing_problem_of",
    "held",
    "iterated_status",
    "normalize",
    "numbers",
    "orientation_cost",
    "orientation_gap",
    "pack_turns",
    "shortest",
    "solve_facing",
    "solve_facings",
    "solve_symmetric",
    "targets_of",
    "upright",
    "weights_of",
    "write_errors",
]
