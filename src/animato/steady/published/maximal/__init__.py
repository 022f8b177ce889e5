"""The paper's simulation in maximal coordinates, index 2, BDF2: the reference of the fast one."""

from animato.steady.published.maximal.building import build_maximal_system
from animato.steady.published.maximal.relative_part import (
    RelativePart,
    build_relative_part,
    field_basis,
    slender_fields,
    with_rigid_modes,
)
from animato.steady.published.maximal.stepping import MaximalRun, simulate_maximal, solve_maximal_statics
from animato.steady.published.maximal.system import MaximalSystem

__all__ = [
    "MaximalRun",
    "MaximalSystem",
    "RelativePart",
    "build_maximal_system",
    "build_relative_part",
    "field_basis",
    "simulate_maximal",
    "slender_fields",
    "solve_maximal_statics",
    "with_rigid_modes",
]
