"""Meshes of flexible parts: ten-node tetrahedra, rods and bars built in, others from files, and their interfaces."""

from animato.mechanics.flexible.mesh.clamping import build_interface
from animato.mechanics.flexible.mesh.part_mesh import MeshInterface, PartMesh, with_materials
from animato.mechanics.flexible.mesh.part_meshing import DEFAULT_MESH, MeshOptions, build_part_mesh
from animato.mechanics.flexible.mesh.tetrahedra import (
    EDGES,
    boundary_faces,
    jacobian_determinants,
    shape_gradients,
    with_middles,
)
from animato.mechanics.flexible.mesh.volume_files import VolumeMesh, load_volume

__all__ = [
    "DEFAULT_MESH",
    "EDGES",
    "MeshInterface",
    "MeshOptions",
    "PartMesh",
    "VolumeMesh",
    "boundary_faces",
    "build_interface",
    "build_part_mesh",
    "jacobian_determinants",
    "load_volume",
    "shape_gradients",
    "with_materials",
    "with_middles",
]
