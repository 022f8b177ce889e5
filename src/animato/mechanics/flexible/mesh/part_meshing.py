"""Meshes of flexible parts: rods and bars are built in, other shapes come from a file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import FlexiblePart, Material, Mesh, Rod
from animato.errors import CharacterError, OptionError
from animato.mechanics.flexible.mesh.clamping import build_interface, clamped_nodes
from animato.mechanics.flexible.mesh.extrusion import disc_section, extruded, rectangle_section, widening
from animato.mechanics.flexible.mesh.part_mesh import PartMesh
from animato.mechanics.flexible.mesh.volume_files import VolumeMesh, load_volume


@dataclass(frozen=True)
class MeshOptions:
    """How fine a mesh is.

    Attributes:
        layers: Of elements along a rod or bar; None for elements about as long as `slenderness` times the section.
        slenderness: Length of an element of a rod or bar over the rod's radius or half the bar's smaller edge.
        sectors: Of a rod's section around; its second moment of area is right with any number, its area within
            0.4 % (6), 0.1 % (8) or 0.02 % (12), torsion within 1, 0.3 or 0.1 %.
        curved: Whether a rod's surface is round (area and second moment are right to 2e-6) or a prism. Straight
            elements hold pure bending exactly however long they are, curved ones do not: they need `slenderness` of
            1.3 for 0.3 % in frequency, and 4 leaves 1.7 %.
        rings: Of a rod's section outward.
        across: Cells of a bar's section along x and y.
        edge_length: Of tetrahedra that fill a surface [m]; None for a twentieth of its size.
    """

    layers: int | None = None
    slenderness: float = 4.0
    sectors: int = 8
    curved: bool = False
    rings: int = 1
    across: tuple[int, int] = (2, 2)
    edge_length: float | None = None

    def __post_init__(self) -> None:
        least = {"layers": 1, "sectors": 4, "rings": 1}
        for name, smallest in least.items():
            value = getattr(self, name)
            if value is not None and value < smallest:
                raise OptionError(f"`{name}` must be at least {smallest}, given {value}.")
        if min(self.across) < 1:
            raise OptionError(f"`across` holds two counts of at least 1, given {self.across}.")
        for name in ("slenderness", "edge_length"):
            value = getattr(self, name)
            if value is not None and not value > 0.0:
                raise OptionError(f"`{name}` must be greater than 0, given {value}.")


DEFAULT_MESH = MeshOptions()


def build_part_mesh(
    part: FlexiblePart, options: MeshOptions = DEFAULT_MESH, *, materials: dict[int, Material] | None = None
) -> PartMesh:
    """Makes the mesh of a flexible part, in the part's own coordinates, with its interfaces.

    Args:
        part: A rod or bar along z from its origin, or a mesh file: a volume (.msh, .vtk, .vtu, .mesh, .inp; linear
            tetrahedra become quadratic) or a closed surface (.stl, .obj; needs the package `wildmeshing`).
        options: How fine it is.
        materials: By the labels of a file's cells ("material", "gmsh:physical"); labels that are not in it, and all
            where it is None, mean the part's own material.
    """
    volume = _volume_of(part, options)
    interfaces = tuple(
        build_interface(interface.body, clamped_nodes(part, interface, volume.nodes), volume.nodes, volume.tets)
        for interface in part.interfaces
    )
    chosen, material_of = _chosen_materials(part, volume, materials)
    return PartMesh(part.name, volume.nodes, volume.tets, interfaces, chosen, material_of)


def _volume_of(part: FlexiblePart, options: MeshOptions) -> VolumeMesh:
    geometry = part.geometry
    if isinstance(geometry, Mesh):
        return load_volume(geometry.path, scale=geometry.scale, edge_length=options.edge_length)
    size = geometry.radius if isinstance(geometry, Rod) else 0.5 * min(geometry.width, geometry.height)
    layers = options.layers or max(2, round(geometry.length / (options.slenderness * size)))
    if isinstance(geometry, Rod):
        section = disc_section(geometry.radius, sectors=options.sectors, rings=options.rings)
        around = geometry.radius if options.curved else None
        nodes, tets = extruded(*section, length=geometry.length, layers=layers, round_radius=around)
        sample = extruded(*section, length=2.0 * size, layers=2, round_radius=around)
        nodes[:, :2] *= widening(*sample, radius=geometry.radius, length=2.0 * size)
    else:
        section = rectangle_section(geometry.width, geometry.height, across=options.across)
        nodes, tets = extruded(*section, length=geometry.length, layers=layers)
    return VolumeMesh(nodes, tets, None)


def _chosen_materials(
    part: FlexiblePart, volume: VolumeMesh, materials: dict[int, Material] | None
) -> tuple[tuple[Material, ...], np.ndarray]:
    count = len(volume.tets)
    if not materials:
        return (part.material,), np.zeros(count, dtype=np.int64)
    if volume.material_labels is None:
        raise CharacterError(
            f"`materials` names labels {sorted(materials)} but the mesh of flexible part '{part.name}' has no cell "
            "field 'material' (or 'gmsh:physical')."
        )
    labels = sorted(materials)
    material_of = np.zeros(count, dtype=np.int64)
    for index, label in enumerate(labels):
        material_of[volume.material_labels == label] = index + 1
    return (part.material, *(materials[label] for label in labels)), material_of
