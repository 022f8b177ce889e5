"""Flexible parts that several tests share."""

from __future__ import annotations

import numpy as np

from animato.character import Bar, FlexiblePart, Frame, Interface, Material, MaterialModel, Rod
from animato.mechanics.flexible.full import ClampedBody, FullPart, build_full_part
from animato.mechanics.flexible.mesh import MeshOptions, PartMesh, build_part_mesh


def steel(model: MaterialModel = MaterialModel.NEO_HOOKEAN, **changes: float) -> Material:
    return Material(**{"density": 7850.0, "youngs_modulus": 200e9, "poisson_ratio": 0.3, **changes}, model=model)


def rod_part(material: Material, *, radius: float = 0.002, length: float = 0.7) -> FlexiblePart:
    """A rod between "motor" (its reference) and "tip"."""
    ends = Interface("motor"), Interface("tip", frame_part=Frame((0.0, 0.0, length)))
    return FlexiblePart("rod", Rod(radius, length), material, ends)


def bar_part(material: Material, *, edges: tuple[float, float, float] = (0.01, 0.02, 0.1)) -> FlexiblePart:
    """A bar between "motor" (its reference) and "tip"."""
    ends = Interface("motor"), Interface("tip", frame_part=Frame((0.0, 0.0, edges[2])))
    return FlexiblePart("bar", Bar(*edges), material, ends)


def rod_mesh(material: Material, *, layers: int = 20, sectors: int = 6, **sizes: float) -> PartMesh:
    return build_part_mesh(rod_part(material, **sizes), MeshOptions(layers=layers, sectors=sectors))


def tip_mass_rod(*, layers: int = 20) -> FullPart:
    """The rod of 70 cm and 4 mm with 100 g at its tip."""
    tip = ClampedBody("tip", 0.1, np.array([0.0, 0.0, 0.7]), 8e-6 * np.eye(3))
    return build_full_part(rod_mesh(steel(), layers=layers), (tip,))
