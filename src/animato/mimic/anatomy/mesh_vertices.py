"""Vertices of mesh files, as far as they can be read; what is absent has none."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from animato.character import LARGEST_MESH, Mesh, load_mesh
from animato.errors import CharacterError, MissingDependencyError


def mesh_vertices(mesh: Mesh) -> np.ndarray:
    """Vertices of a mesh [m], [vertex, 3]; none where the file is absent or cannot be read."""
    path = Path(mesh.path)
    try:
        state = path.stat()
    except (OSError, ValueError):
        return np.zeros((0, 3))
    if state.st_size > LARGEST_MESH or not path.is_file():
        return np.zeros((0, 3))
    return np.asarray(_read(str(path), state.st_mtime_ns) * np.array(mesh.scale))


@lru_cache(maxsize=64)
def _read(path: str, changed: int) -> np.ndarray:
    """In the file's own unit; read once for each state of it (`changed`, a time stamp [ns])."""
    try:
        vertices = np.asarray(load_mesh(path).vertices, dtype=np.float64)
    except (CharacterError, MissingDependencyError):  # a sole is then guessed, and said to be
        return np.zeros((0, 3))
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        return np.zeros((0, 3))
    return np.asarray(vertices[np.isfinite(vertices).all(axis=1)])
