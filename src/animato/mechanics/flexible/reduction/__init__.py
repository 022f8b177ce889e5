"""Flexible parts in a few modes: bases, constant integrals of inertia, reduced forces, and the kernels over them."""

from animato.mechanics.flexible.reduction.elastic_kernels import add_part_elasticity, part_elastic_energy
from animato.mechanics.flexible.reduction.inertia_integrals import InertiaIntegrals, inertia_integrals
from animato.mechanics.flexible.reduction.modal_kernels import part_energy, put_modal_inertia, put_part_interfaces
from animato.mechanics.flexible.reduction.packed import PackedParts, PartsWork, build_parts_work
from animato.mechanics.flexible.reduction.packing import pack_parts
from animato.mechanics.flexible.reduction.reduced_part import CubatureForces, PolynomialForces, ReducedPart

__all__ = [
    "CubatureForces",
    "InertiaIntegrals",
    "PackedParts",
    "PartsWork",
    "PolynomialForces",
    "ReducedPart",
    "add_part_elasticity",
    "build_parts_work",
    "inertia_integrals",
    "pack_parts",
    "part_elastic_energy",
    "part_energy",
    "put_modal_inertia",
    "put_part_interfaces",
]
