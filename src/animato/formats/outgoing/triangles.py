"""Shapes as triangles, for formats that know nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Box, Capsule, Cylinder, Ellipsoid, Geometry, Sphere, load_mesh
from animato.errors import CharacterError

_AROUND = 32  # corners of a circle
_FARTHEST = 1e15  # [m]; single precision can still square it
_UP = 8  # rings from the equator of a ball to its pole


@dataclass(frozen=True, eq=False)
class Triangles:
    """A surface.

    Attributes:
        vertices: [m], shape [vertex, 3].
        normals: Outward, unit length, shape [vertex, 3]; None where every triangle is flat.
        faces: Numbers of vertices, counter-clockwise seen from outside, shape [face, 3].
    """

    vertices: np.ndarray
    normals: np.ndarray | None
    faces: np.ndarray


def triangles_of(geometry: Geometry) -> Triangles:
    """The surface of a shape in its own frame.

    Raises:
        CharacterError: It is a mesh whose file cannot be read.
        MissingDependencyError: It is a mesh, and trimesh is not installed.
    """
    if isinstance(geometry, Box):
        return _box(np.array(geometry.size))
    if isinstance(geometry, Sphere):
        return ball((geometry.radius,) * 3)
    if isinstance(geometry, Ellipsoid):
        return ball(geometry.radii)
    if isinstance(geometry, Capsule):
        return _turned(*_ball_profile(geometry.radius, 0.5 * geometry.length))
    if isinstance(geometry, Cylinder):
        return _cylinder(geometry.radius, 0.5 * geometry.length)
    mesh = load_mesh(geometry.path, purpose="Writing a mesh")
    vertices, faces = np.asarray(mesh.vertices, dtype=np.float64) * geometry.scale, np.asarray(mesh.faces)
    used, faces = np.unique(faces, return_inverse=True)
    vertices, faces = vertices[used], faces.reshape(-1, 3)
    if not np.abs(vertices).max() < _FARTHEST:
        raise CharacterError(f"Mesh file '{geometry.path}' has vertices that are not numbers, or endlessly far away.")
    # A mirrored mesh shows its back: turn its triangles round.
    return Triangles(vertices, None, faces[:, ::-1] if np.prod(geometry.scale) < 0.0 else faces)


def ball(radii: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Triangles:
    """An ellipsoid about the origin."""
    unit = _turned(*_ball_profile(1.0, 0.0))
    normals = unit.vertices / radii
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Triangles(unit.vertices * radii, normals, unit.faces)


def _box(size: np.ndarray) -> Triangles:
    vertices: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    faces: list[tuple[int, int, int]] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            side, up = np.roll(np.eye(3), axis, axis=1)[1], np.roll(np.eye(3), axis, axis=1)[2]
            first = len(vertices)
            vertices += [normal + sign * a * side + b * up for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            normals += [normal] * 4
            faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return Triangles(0.5 * np.array(vertices) * size, np.array(normals), np.array(faces))


def _ball_profile(radius: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and normals from the lower pole to the upper one, (across, along z), of a ball or a capsule."""
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 2 * _UP + 1)
    if half > 0.0:
        angles = np.insert(angles, _UP, 0.0)  # the equator once for each half
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    normals[[0, -1], 0] = 0.0
    middle = np.where(np.arange(len(angles)) < 0.5 * len(angles), -half, half)
    return radius * normals + np.column_stack([np.zeros(len(angles)), middle]), normals


def _cylinder(radius: float, half: float) -> Triangles:
    points = [(0.0, -half), (radius, -half), (radius, -half), (radius, half), (radius, half), (0.0, half)]
    normals = [(0.0, -1.0), (0.0, -1.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0)]
    return _turned(np.array(points), np.array(normals))


def _turned(profile: np.ndarray, normals: np.ndarray) -> Triangles:
    """The surface that a profile makes when it is turned about z."""
    angles = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    ways = np.column_stack([np.cos(angles), np.sin(angles)])

    def around(pairs: np.ndarray) -> np.ndarray:
        flat = pairs[:, None, :1] * ways[None]
        return np.concatenate([flat, np.broadcast_to(pairs[:, None, 1:], (*flat.shape[:2], 1))], axis=2).reshape(-1, 3)

    faces = []
    for ring in range(len(profile) - 1):
        if np.array_equal(profile[ring], profile[ring + 1]):
            continue  # an edge, where only the normal changes
        low, high = ring * _AROUND, (ring + 1) * _AROUND
        for n in range(_AROUND):
            m = (n + 1) % _AROUND
            if profile[ring, 0] > 0.0:
                faces.append((low + n, low + m, high + m))
            if profile[ring + 1, 0] > 0.0:
                faces.append((low + n, high + m, high + n))
    return Triangles(around(profile), around(normals), np.array(faces))


def stl_bytes(surface: Triangles) -> bytes:
    """The surface as a binary STL file, whose numbers have single precision."""
    corners = surface.vertices[surface.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0.0)
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("end", "<u2")])
    rows["normal"], rows["corners"] = normals, corners
    return b"animato".ljust(80) + np.uint32(len(rows)).astype("<u4").tobytes() + rows.tobytes()
