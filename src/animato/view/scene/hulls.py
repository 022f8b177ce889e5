"""Rounded solids spanned by points, and tubes along curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform
from animato.view.raster import NOTHING, Triangles, ball_pair, ellipsoid, grid_faces, outward, unit_rows

_BALL_SAMPLES = 260
_GOLDEN_TURN = np.pi * (3.0 - np.sqrt(5.0))


def rounded_bone(start: ArrayLike, end: ArrayLike, start_radius: float, end_radius: float) -> Triangles:
    """A tapered capsule from `start` to `end`, each shape [3] [m]."""
    first, second = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    length = float(np.linalg.norm(second - first))
    turn = quaternions.shortest_turn((0.0, 0.0, 1.0), second - first) if length > 1e-9 else (1.0, 0.0, 0.0, 0.0)
    return ball_pair(start_radius, end_radius, length).placed(RigidTransform(first, turn))


def hull_of_balls(centres: ArrayLike, radii: ArrayLike) -> Triangles:
    """The convex hull of balls: a rounded bean for two, a rounded plate for three.

    Args:
        centres: [m], shape [ball, 3].
        radii: Greater than 0 [m], shape [ball] or one for all.
    """
    points = np.atleast_2d(np.asarray(centres, dtype=np.float64))
    sizes = np.broadcast_to(np.asarray(radii, dtype=np.float64), (len(points),))
    if len(points) == 1:
        return ellipsoid([sizes[0]] * 3).placed(RigidTransform(points[0]))
    if len(points) == 2:
        return rounded_bone(points[0], points[1], float(sizes[0]), float(sizes[1]))
    from scipy.spatial import ConvexHull

    directions = _even_directions(_BALL_SAMPLES)
    cloud = (points[:, None] + sizes[:, None, None] * directions[None]).reshape(-1, 3)
    hull = ConvexHull(cloud)
    used, faces = np.unique(hull.simplices, return_inverse=True)
    normals = np.tile(directions, (len(points), 1))[used]
    return outward(cloud[used], normals, faces.reshape(-1, 3).astype(np.int32))


def _even_directions(count: int) -> np.ndarray:
    """Unit vectors spread evenly over the sphere (a Fibonacci spiral), shape [count, 3]."""
    height = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    around = _GOLDEN_TURN * np.arange(count)
    ring = np.sqrt(1.0 - height**2)
    return np.column_stack([ring * np.cos(around), ring * np.sin(around), height])


def tube(points: ArrayLike, radius: float, *, segments: int = 10) -> Triangles:
    """A round tube along a curve. Its vertices stand in rings, `segments` for each point that is kept.

    Args:
        points: The curve [m], shape [point, 3].
        radius: [m].
        segments: Around the tube.
    """
    path = np.asarray(points, dtype=np.float64)
    if len(path) < 2:
        return NOTHING
    along = unit_rows(np.gradient(path, axis=0))
    side = np.empty_like(along)
    guess = np.array((0.0, 0.0, 1.0)) if abs(along[0, 2]) < 0.9 else np.array((1.0, 0.0, 0.0))
    for n, direction in enumerate(along):
        # carrying the last side vector along keeps the tube from twisting
        across = guess - direction * (direction @ guess)
        norm = np.linalg.norm(across)
        guess = across / norm if norm > 1e-9 else _any_perpendicular(direction)
        side[n] = guess
    other = np.cross(along, side)
    around = np.linspace(0.0, 2.0 * np.pi, segments, endpoint=False)
    normals = np.cos(around)[None, :, None] * side[:, None] + np.sin(around)[None, :, None] * other[:, None]
    vertices = path[:, None] + radius * normals
    return outward(vertices.reshape(-1, 3), normals.reshape(-1, 3), grid_faces(len(path), segments, closed=True))


def _any_perpendicular(direction: np.ndarray) -> np.ndarray:
    axis = np.eye(3)[np.argmin(np.abs(direction))]
    across = axis - direction * (direction @ axis)
    return np.asarray(across / np.linalg.norm(across))
