"""Interaction meshes: what stands in relation to what in a captured motion, and how much of it is kept."""

from animato.mimic.mesh.interaction_mesh import InteractionMesh, mesh_of
from animato.mimic.mesh.presolving import ANCHOR, Link, Presolved, length_error, link_limits, mesh_residuals, presolve
from animato.mimic.mesh.sequence import MeshSequence, acceleration_energies, meshes_of

__all__ = [
    "ANCHOR",
    "InteractionMesh",
    "Link",
    "MeshSequence",
    "Presolved",
    "acceleration_energies",
    "length_error",
    "link_limits",
    "mesh_of",
    "mesh_residuals",
    "meshes_of",
    "presolve",
]
