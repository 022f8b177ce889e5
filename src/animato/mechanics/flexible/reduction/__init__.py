"""Flexible parts in a few modes: bases, constant integrals of inertia, reduced forces, and the kernels over them."""

from animato.mechanics.flexible.reduction.basis import coordinates, held, mass_pca, orthonormal
from animato.mechanics.flexible.reduction.elastic_kernels import add_part_elasticity, part_elastic_energy
from animato.mechanics.flexible.reduction.inertia_integrals import InertiaIntegrals, inertia_integrals
from animato.mechanics.flexible.reduction.linear_modes import modal_basis, modal_derivatives, rigid_modes
from animato.mechanics.flexible.reduction.modal_kernels import part_energy, put_modal_inertia, put_part_interfaces
from animato.mechanics.flexible.reduction.packed import PackedParts, PartsWork, build_parts_work
from animato.mechanics.flexible.reduction.packing import pack_parts
from animato.mechanics.flexible.reduction.reduced_part import CubatureForces, PolynomialForces, ReducedPart
from animato.mechanics.flexible.reduction.reducing import (
    DEFAULT_REDUCTION,
    ReducedForces,
    ReductionOptions,
    reduce_part,
)
from animato.mechanics.flexible.reduction.static_snapshots import StaticSnapshots, static_snapshots

__all__ = [
    "DEFAULT_REDUCTION",
    "CubatureForces",
    "InertiaIntegrals",
    "PackedParts",
    "PartsWork",
    "PolynomialForces",
    "ReducedForces",
    "ReducedPart",
    "ReductionOptions",
    "StaticSnapshots",
    "add_part_elasticity",
    "build_parts_work",
    "coordinates",
    "held",
    "inertia_integrals",
    "mass_pca",
    "modal_basis",
    "modal_derivatives",
    "orthonormal",
    "pack_parts",
    "part_elastic_energy",
    "part_energy",
    "put_modal_inertia",
    "put_part_interfaces",
    "reduce_part",
    "rigid_modes",
    "static_snapshots",
]
