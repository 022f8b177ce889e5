"""The same mesh in scikit-fem: quadrature, gradients of shape functions and mass come from there."""

from __future__ import annotations

from typing import Any

import numpy as np

from animato.mechanics.flexible.mesh import EDGES, PartMesh


def build_skfem_basis(mesh: PartMesh, *, order: int) -> tuple[Any, np.ndarray]:
    """scikit-fem's basis of scalar quadratic elements on a part's curved mesh.

    Args:
        mesh: Any.
        order: Polynomials up to this degree are integrated exactly on straight elements.

    Returns:
        The basis (`skfem.Basis`), and the node of the part for each of its degrees of freedom, shape [node].
    """
    from dataclasses import replace

    from skfem import Basis, ElementTetP2, MeshTet, MeshTet2

    corners, compact = np.unique(mesh.tets[:, :4], return_inverse=True)
    straight = MeshTet(np.ascontiguousarray(mesh.nodes[corners].T), np.ascontiguousarray(compact.reshape(-1, 4).T))
    curved = MeshTet2.from_mesh(straight)
    dofs = curved.dofs
    node_of = np.empty(mesh.node_count, dtype=np.int64)
    node_of[dofs.nodal_dofs[0]] = corners
    node_of[dofs.edge_dofs[0]] = _middles_of(mesh, corners[curved.edges])
    curved = replace(curved, doflocs=np.ascontiguousarray(mesh.nodes[node_of].T))
    return Basis(curved, ElementTetP2(), intorder=order), node_of


def _middles_of(mesh: PartMesh, edges: np.ndarray) -> np.ndarray:
    """The middle node of each edge between two corner nodes [2, edge], shape [edge]."""

    def key(pairs: np.ndarray) -> np.ndarray:
        return pairs.min(axis=-1) * mesh.node_count + pairs.max(axis=-1)

    known = key(mesh.tets[:, EDGES]).ravel()
    order = np.argsort(known)
    found = order[np.searchsorted(known[order], key(edges.T))]
    return mesh.tets[:, 4:].ravel()[found]
