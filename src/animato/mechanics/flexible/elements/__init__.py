"""Finite elements of flexible parts: quadratic tetrahedra, hyperelastic, with mass and Rayleigh damping."""

from animato.mechanics.flexible.elements.assembled import Elements, build_elements
from animato.mechanics.flexible.elements.element_kernels import (
    PackedElements,
    add_elastic_forces,
    add_stiffness_times,
    add_tangent,
    elastic_energy,
)
from animato.mechanics.flexible.elements.material_laws import (
    LINEAR,
    MODEL_NUMBERS,
    NEO_HOOKEAN,
    ST_VENANT_KIRCHHOFF,
    energy_density,
    lame_parameters,
    stress,
    stress_change,
)
from animato.mechanics.flexible.elements.skfem_basis import build_skfem_basis

__all__ = [
    "LINEAR",
    "MODEL_NUMBERS",
    "NEO_HOOKEAN",
    "ST_VENANT_KIRCHHOFF",
    "Elements",
    "PackedElements",
    "add_elastic_forces",
    "add_stiffness_times",
    "add_tangent",
    "build_elements",
    "build_skfem_basis",
    "elastic_energy",
    "energy_density",
    "lame_parameters",
    "stress",
    "stress_change",
]
