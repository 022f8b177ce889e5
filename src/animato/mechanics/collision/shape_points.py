"""Points whose convex hull is a shape: corners of boxes, samples of round shapes, vertices of meshes."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from animato.character import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, Sphere, load_mesh
from animato.errors import CharacterError

_PURPOSE = "Self-collision of a character with meshes"
_BALL_SAMPLES = 400  # the hull of so many points lies at most 1 % of the radius inside the ball
_RING_SAMPLES = 48
_THICKNESS = 1e-4  # [m] given to meshes that are flat, so that they have a hull at all


def shape_points(geometry: Geometry) -> np.ndarray | None:
    """Points of a shape in its own frame [m], [point, 3]; None for a mesh whose file is absent or cannot be read.

    Raises:
        MissingDependencyError: A mesh is there and trimesh is not.
    """
    if isinstance(geometry, Mesh):
        return _mesh_points(geometry)
    if isinstance(geometry, Box):
        return _corners() * (np.array(geometry.size) / 2.0)
    if isinstance(geometry, Sphere):
        return geometry.radius * even_directions(_BALL_SAMPLES)
    if isinstance(geometry, Ellipsoid):
        return np.asarray(even_directions(_BALL_SAMPLES) * np.array(geometry.radii))
    end = np.array((0.0, 0.0, geometry.length / 2.0))
    if isinstance(geometry, Cylinder):
        angle = np.linspace(0.0, 2.0 * np.pi, _RING_SAMPLES, endpoint=False)
        ring = geometry.radius * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(_RING_SAMPLES)])
        return np.concatenate([ring - end, ring + end])
    assert isinstance(geometry, Capsule)  # for the type checker: the last of the six kinds
    ball = geometry.radius * even_directions(_BALL_SAMPLES)
    return np.concatenate([ball - end, ball + end])


def hull_vertices(points: np.ndarray) -> np.ndarray:
    """Those of the points [point, 3] that span their convex hull; flat sets are made a little thick first."""
    try:
        return np.asarray(points[ConvexHull(points).vertices])
    except (QhullError, ValueError):
        thick = (points[:, None] + _THICKNESS / 2.0 * _corners()).reshape(-1, 3)
        return np.asarray(thick[ConvexHull(thick).vertices])


def even_directions(count: int) -> np.ndarray:
    """Unit vectors spread evenly over the sphere (a Fibonacci spiral), [count, 3]."""
    height = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    around = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    ring = np.sqrt(1.0 - height**2)
    return np.column_stack([ring * np.cos(around), ring * np.sin(around), height])


def _corners() -> np.ndarray:
    """Corners of the cube from -1 to 1, [8, 3]."""
    return np.stack(np.meshgrid([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0], indexing="ij"), axis=-1).reshape(8, 3)


def _mesh_points(mesh: Mesh) -> np.ndarray | None:
    path = Path(mesh.path)
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        return None
    vertices = _read(str(path), changed) if path.is_file() else None
    return None if vertices is None else np.asarray(vertices * np.array(mesh.scale))


@lru_cache(maxsize=256)
def _read(path: str, changed: int) -> np.ndarray | None:
    """Hull vertices of a file in its own unit, read once for each state of it (`changed`, a time stamp [ns])."""
    try:
        vertices = np.asarray(load_mesh(path, purpose=_PURPOSE).vertices, dtype=np.float64)
    except CharacterError:  # the model then lists the body as left out
        return None
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        return None
    vertices = vertices[np.isfinite(vertices).all(axis=1)]
    return hull_vertices(vertices) if len(vertices) else None
