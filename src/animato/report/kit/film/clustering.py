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
    _, _, own, members = _unique_rows(np.column_stack([cells, side]))
    weights = 1.0 / members[own]
    middles, facing = (
        np.column_stack([np.bincount(own, weights * column, len(members)) for column in part.T])
        for part in (vertices, normals)
    )
    faces = own[mesh.faces]
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    kept = _unique_rows(faces[real])[0] if real.any() else np.zeros((0, 3), dtype=np.int64)
    used, corners = np.unique(kept, return_inverse=True)
    return Triangles(middles[used], unit_rows(facing[used]), corners.reshape(-1, 3))


def _unique_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Different rows of whole numbers from 0 in order, the first of each, which one each is, and how many there are.

    As one number each where that is large enough: these are put in order ten times faster than rows.
    """
    sizes = rows.max(axis=0) + 1
    if np.prod(sizes.astype(np.float64)) >= 2.0**62:
        _, first, own, count = np.unique(rows, axis=0, return_index=True, return_inverse=True, return_counts=True)
    else:
        one = np.ravel_multi_index(tuple(rows.T), tuple(int(size) for size in sizes))
        _, first, own, count = np.unique(one, return_index=True, return_inverse=True, return_counts=True)
    return rows[first], first, own.reshape(-1), count
