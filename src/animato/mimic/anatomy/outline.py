"""Points on the surface of bodies: what soles, hands and heads are read from."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Box, Capsule, Cylinder, Ellipsoid, Geometry, Shape, Sphere
from animato.mimic.anatomy.mesh_vertices import mesh_vertices

_RIM = 16  # points on the rim of a cylinder


def surface_points(body: Body, down: np.ndarray) -> np.ndarray:
    """Points of a body's shapes that matter for its extent, in its frame [m], [point, 3].

    Shapes for collision count where there are any, else those that are drawn. A ball gives its
    lowest point only, a capsule its two lowest ones: they touch a floor there.

    Args:
        body: Any body.
        down: Unit vector in the body's frame, [3].
    """
    solid = [shape for shape in body.shapes if shape.collision]
    for shapes in (solid, [shape for shape in body.shapes if shape.visual]):
        clouds = [_placed(shape, down) for shape in shapes]
        points = np.concatenate([np.zeros((0, 3)), *clouds])
        if len(points):
            return points
    return np.zeros((0, 3))


def _placed(shape: Shape, down: np.ndarray) -> np.ndarray:
    place = shape.frame.transform
    inner = place.rotation.T @ down
    return np.asarray(place.apply(_points(shape.geometry, inner)))


def _points(geometry: Geometry, down: np.ndarray) -> np.ndarray:
    """In the geometry's own frame [m], [point, 3]; `down` in that frame too."""
    signs = np.array([(i, j, k) for i in (-1.0, 1.0) for j in (-1.0, 1.0) for k in (-1.0, 1.0)])
    if isinstance(geometry, Box):
        return signs * np.array(geometry.size) / 2.0
    if isinstance(geometry, Sphere):
        return geometry.radius * down[None]
    if isinstance(geometry, Capsule):
        ends = np.array([(0.0, 0.0, -0.5), (0.0, 0.0, 0.5)]) * geometry.length
        return ends + geometry.radius * down
    if isinstance(geometry, Ellipsoid):
        radii = np.array(geometry.radii)
        return (radii**2 * down / np.linalg.norm(radii * down))[None]
    if isinstance(geometry, Cylinder):
        angles = np.arange(_RIM) * 2.0 * np.pi / _RIM
        rim = geometry.radius * np.column_stack([np.cos(angles), np.sin(angles)])
        half = np.full((_RIM, 1), geometry.length / 2.0)
        return np.concatenate([np.hstack([rim, -half]), np.hstack([rim, half])])
    return mesh_vertices(geometry)
