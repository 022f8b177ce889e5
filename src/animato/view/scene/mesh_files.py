"""Triangles of mesh files, as far as they can be read; a drawing never fails for want of one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from animato.character import LARGEST_MESH, Mesh, load_mesh
from animato.errors import CharacterError, MissingDependencyError
from animato.view.raster import Triangles, not_slivers, unit_rows

MOST_FACES = 12_000  # of one mesh; more is not seen, and a picture would wait for it
_CREASE = np.cos(np.radians(38.0))  # faces that meet at a sharper angle keep their edge
_MOST_PAIRS = 20_000_000


def mesh_triangles(mesh: Mesh) -> Triangles | None:
    """The triangles of a mesh in metres, or None where the file is absent or cannot be read."""
    changed = changed_at(mesh)
    raw = None if changed is None else _read(mesh.path, changed)
    return None if raw is None else raw.scaled(mesh.scale)


def changed_at(mesh: Mesh) -> int | None:
    """When the file of a mesh was last changed [ns]; None where it is absent or too large."""
    path = Path(mesh.path)
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return None if state.st_size > LARGEST_MESH or not path.is_file() else state.st_mtime_ns


@lru_cache(maxsize=256)
def _read(path: str, changed: int) -> Triangles | None:
    """Reads a file once for each state of it (`changed`, a time stamp [ns])."""
    try:
        mesh = load_mesh(path)
    except (CharacterError, MissingDependencyError):  # a stand-in is drawn instead
        return None
    vertices = np.asarray(mesh.vertices, dtype=np.float64)
    faces = np.asarray(mesh.faces, dtype=np.int64)
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or len(faces) == 0 or faces.shape[1] != 3:
        return None
    if faces.min() < 0 or faces.max() >= len(vertices):
        return None
    faces = faces[np.isfinite(vertices[faces]).all(axis=(1, 2))]
    if len(faces) == 0:
        return None
    return creased(*thinned(vertices, faces, MOST_FACES))


def thinned(vertices: np.ndarray, faces: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Fewer triangles of the same shape, by merging all vertices that share a cell of a grid.

    Args:
        vertices: [vertex, 3].
        faces: [face, 3].
        most: Number of faces to stay below; a mesh with fewer is returned as it is.
    """
    used = vertices[faces].reshape(-1, 3)
    low, extent = used.min(axis=0), float(np.ptp(used, axis=0).max())
    cells = 160
    while len(faces) > most and cells >= 4 and extent > 0.0:
        cell = np.floor((vertices - low) / extent * cells).astype(np.int64)
        _, group = np.unique(cell, axis=0, return_inverse=True)
        group = group.ravel()
        count = np.bincount(group)
        merged = np.column_stack([np.bincount(group, vertices[:, k]) / count for k in range(3)])
        fewer = group[faces]
        whole = (fewer[:, 0] != fewer[:, 1]) & (fewer[:, 1] != fewer[:, 2]) & (fewer[:, 2] != fewer[:, 0])
        fewer = fewer[whole]
        if len(fewer) <= most or cells == 4:
            return merged, fewer
        cells = max(4, int(cells / 1.3))
    return vertices, faces


def creased(vertices: np.ndarray, faces: np.ndarray) -> Triangles:
    """Triangles with normals that are smooth over round surfaces and break at sharp edges.

    The normal of a corner is the mean, weighted by area, of the faces at its vertex that make less
    than 38 degrees with its own face.
    """
    corners = vertices[faces]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sound = not_slivers(corners, facing)
    faces, corners, facing = faces[sound], corners[sound], facing[sound]
    flat = unit_rows(facing)
    normals = np.repeat(flat, 3, axis=0)
    ids = faces.ravel()
    order = np.argsort(ids, kind="stable")
    sizes = np.bincount(ids, minlength=len(vertices))
    if int(np.sum(sizes.astype(np.int64) ** 2)) <= _MOST_PAIRS:
        starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        repeat = sizes[ids[order]]
        mine = np.repeat(order, repeat)
        within = np.arange(len(mine)) - np.repeat(np.cumsum(repeat) - repeat, repeat)
        other = order[np.repeat(starts[ids[order]], repeat) + within]
        near = np.einsum("ij,ij->i", flat[mine // 3], flat[other // 3]) > _CREASE
        mine, other = mine[near], other[near]
        total = np.column_stack([np.bincount(mine, facing[other // 3, k], len(ids)) for k in range(3)])
        normals = unit_rows(np.where(np.abs(total).sum(axis=1, keepdims=True) > 0.0, total, normals))
    return Triangles(corners.reshape(-1, 3), normals, np.arange(len(ids), dtype=np.int32).reshape(-1, 3))
