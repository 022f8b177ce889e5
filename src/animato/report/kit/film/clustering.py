"""Coarser meshes: vertices of a cell that face the same way become one (Rossignac and Borrel, 1993)."""

from __future__ import annotations

import numpy as np

from animato.view.raster import Triangles, unit_rows


def clustered(mesh: Triangles, cell: float) -> Triangles:
    """A mesh with one vertex a cell and side.

    Args:
        mesh: Any mesh.
        cell: Width of a cell [m]. What is thinner than it may be lost.
    """
    vertices, normals = mesh.vertices, unit_rows(mesh.normals)
    cells = np.floor((vertices - vertices.min(axis=0)) / cell).astype(np.int64)
    # edges stay sharp: what faces another of the six sides is another vertex
    side = np.argmax(np.abs(normals), axis=1)
    side = 2 * side + (np.take_along_axis(normals, side[:, None], axis=1)[:, 0] < 0.0)
    _, own, members = np.unique(np.column_stack([cells, side]), axis=0, return_inverse=True, return_counts=True)
    own = own.reshape(-1)
    weights = 1.0 / members[own][:, None]
    middles, facing = np.zeros((len(members), 3)), np.zeros((len(members), 3))
    np.add.at(middles, own, weights * vertices)
    np.add.at(facing, own, weights * normals)
    faces = own[mesh.faces]
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    kept = np.unique(faces[real], axis=0) if real.any() else np.zeros((0, 3), dtype=np.int64)
    used, corners = np.unique(kept, return_inverse=True)
    return Triangles(middles[used], unit_rows(facing[used]), corners.reshape(-1, 3))
