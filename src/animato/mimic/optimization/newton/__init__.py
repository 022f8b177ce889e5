"""The normal equations of a whole clip: kernels that assemble them, and the matrix that solves them."""

from animato.mimic.optimization.newton.clip_kernels import (
    add_position_terms,
    add_root_squares,
    add_rows_gradient,
    put_dynamics_rows,
    put_lifted_gradient,
)
from animato.mimic.optimization.newton.clip_system import ClipSystem, CondensedMatrix, DynamicsRows
from animato.mimic.optimization.newton.position_kernel import put_position_squares

__all__ = [
    "ClipSystem",
    "CondensedMatrix",
    "DynamicsRows",
    "add_position_terms",
    "add_root_squares",
    "add_rows_gradient",
    "put_dynamics_rows",
    "put_lifted_gradient",
    "put_position_squares",
]
