"""Interaction meshes: what stands in relation to what in a captured motion, and how much of it is kept."""

from animato.mimic.mesh.interaction_mesh import InteractionMesh, mesh_of
from animato.mimic.mesh.sequence import MeshSequence, acceleration_energies, meshes_of

__all__ = [
    "InteractionMesh",
    "MeshSequence",
    "acceleration_energies",
    "mesh_of",
    "meshes_of",
]
