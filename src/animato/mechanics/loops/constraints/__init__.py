"""A mechanism as scalar constraint rows: values, derivatives, factors, sensitivities."""

from animato.mechanics.loops.constraints.coordinates import joint_coordinates, joint_transforms
from animato.mechanics.loops.constraints.counts import IdleSpin, MechanismCounts, joints_by_type
from animato.mechanics.loops.constraints.factor import ConstraintFactors, factor_constraints
from animato.mechanics.loops.constraints.mechanism import Mechanism
from animato.mechanics.loops.constraints.packing import ParameterSource
from animato.mechanics.loops.constraints.pattern import SparsePattern
from animato.mechanics.loops.constraints.rows import (
    WORLD_BODY,
    ConstraintRow,
    MotionKind,
    RowKind,
    RowPurpose,
    branch_rows,
    driving_rows,
    passive_rows,
    unit_row,
)
from animato.mechanics.loops.constraints.sensitivity import sensitivities
from animato.mechanics.loops.constraints.values import (
    ConstraintJacobians,
    constraint_curvature,
    constraint_jacobians,
    constraint_values,
)

__all__ = [
    "WORLD_BODY",
    "ConstraintFactors",
    "ConstraintJacobians",
    "ConstraintRow",
    "IdleSpin",
    "Mechanism",
    "MechanismCounts",
    "MotionKind",
    "ParameterSource",
    "RowKind",
    "RowPurpose",
    "SparsePattern",
    "branch_rows",
    "constraint_curvature",
    "constraint_jacobians",
    "constraint_values",
    "driving_rows",
    "factor_constraints",
    "joint_coordinates",
    "joint_transforms",
    "joints_by_type",
    "passive_rows",
    "sensitivities",
    "unit_row",
]
