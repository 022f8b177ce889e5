"""How low a character reaches, without the triangles that pictures need."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from animato.character import Character, Mesh, Shape, load_mesh
from animato.errors import CharacterError, MissingDependencyError
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions
from animato.view.scene.composition import outline_points
from animato.view.scene.mesh_files import changed_at
from animato.view.scene.scene import build_scene, shape_triangles


def has_meshes(character: Character) -> bool:
    """Whether files must be read to see the character."""
    return any(isinstance(shape.geometry, Mesh) for body in character.bodies for shape in body.shapes if shape.visual)


def lowest_height(character: Character, poses: BodyPoses) -> float:
    """The lowest place of all that is drawn of a character [m].

    Of meshes only the vertices are looked at; a picture needs their edges and normals, too, which take ten times
    as long.

    Args:
        character: Who.
        poses: At one moment.
    """
    if has_meshes(character) and not character.flexible_parts:
        heights = [
            _lowest(vertices, poses, n)
            for n, body in enumerate(character.bodies)
            for shape in body.shapes
            if shape.visual and (vertices := _vertices(shape)) is not None
        ]
        known = [one for one in heights if np.isfinite(one)]
        if known and len(heights) == sum(shape.visual for body in character.bodies for shape in body.shapes):
            return min(known)
    return float(outline_points(build_scene(character), poses)[:, 2].min())


def _lowest(vertices: np.ndarray, poses: BodyPoses, body: int) -> float:
    """Of some vertices of a body [m]."""
    up = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[0, body])[2]
    return float(np.min(vertices @ up, initial=np.inf) + poses.positions[0, body, 2])


def _vertices(shape: Shape) -> np.ndarray | None:
    """In the frame of the body [m], shape [vertex, 3]; None for a mesh that cannot be read."""
    if not isinstance(shape.geometry, Mesh):
        triangles = shape_triangles(shape)
        return None if triangles is None else triangles.vertices
    changed = changed_at(shape.geometry)
    raw = None if changed is None else _read(shape.geometry.path, changed)
    if raw is None:
        return None
    return np.asarray(shape.frame.transform.apply(raw * np.asarray(shape.geometry.scale)))


@lru_cache(maxsize=256)
def _read(path: str, changed: int) -> np.ndarray | None:
    """Vertices of a file's mesh, once for each state of it (`changed`, a time stamp [ns])."""
    try:
        vertices = np.asarray(load_mesh(path).vertices, dtype=np.float64)
    except (CharacterError, MissingDependencyError):
        return None
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        return None
    vertices = vertices[np.isfinite(vertices).all(axis=1)]
    return vertices if len(vertices) else None
