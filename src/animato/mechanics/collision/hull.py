"""Convex hulls of bodies' collision shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from animato.character import Body, Geometry, Mesh, Shape
from animato.mechanics.collision.shape_points import hull_vertices, shape_points
from animato.spatial.rigid_transform import RigidTransform

_SLACK = 0.01  # share of a round shape's size by which samples of it may lie inside


@dataclass(frozen=True, eq=False)
class Hull:
    """A convex part of a body that may not meet another body, and a capsule around it for a first look.

    Attributes:
        body: Name of the body.
        index: Its place among the bodies of `BodyPoses`.
        points: Vertices in the body's frame [m], [point, 3]; samples of the surface of a round primitive.
        exact: The primitive that it is, or None where it is the hull of `points`.
        frame: T_body_hull of the primitive; nothing for the hull of points.
        ends: Of the middle line of the capsule in the body's frame [m], [2, 3].
        radius: Of the capsule [m].
    """

    body: str
    index: int
    points: np.ndarray
    exact: Geometry | None
    frame: RigidTransform
    ends: np.ndarray
    radius: float


class PackedHulls(NamedTuple):
    """Hulls side by side.

    Attributes:
        bodies: Their bodies' places, [hull].
        origins: Of their primitives in their bodies' frames [m], [hull, 3].
        rotations: Of these, [hull, 3, 3].
        ends: Of their capsules, [hull, 2, 3].
        radii: Of these [m], [hull].
    """

    bodies: np.ndarray
    origins: np.ndarray
    rotations: np.ndarray
    ends: np.ndarray
    radii: np.ndarray


@lru_cache(maxsize=32)
def packed_hulls(hulls: tuple[Hull, ...]) -> PackedHulls:
    """What is asked of hulls again and again, as arrays."""
    return PackedHulls(
        np.array([hull.index for hull in hulls], dtype=np.int64),
        np.array([hull.frame.position for hull in hulls]).reshape(-1, 3),
        np.array([hull.frame.rotation for hull in hulls]).reshape(-1, 3, 3),
        np.array([hull.ends for hull in hulls]).reshape(-1, 2, 3),
        np.array([hull.radius for hull in hulls]),
    )


def hulls_of(body: Body, index: int, one_hull: bool = False) -> tuple[list[Hull], bool]:
    """Hulls of a body's collision shapes, and whether all of its meshes could be read.

    Args:
        body: The body. Primitives are kept as they are, a mesh becomes its convex hull.
        index: Its place among the bodies of the character.
        one_hull: Whether all shapes of the body together become one convex hull.
    """
    shapes = [shape for shape in body.shapes if shape.collision]
    clouds = [(shape, shape_points(shape.geometry)) for shape in shapes]
    read = [(shape, shape.frame.transform.apply(points)) for shape, points in clouds if points is not None]
    if one_hull and len(read) > 1:
        hulls = [_hull(body.name, index, np.concatenate([points for _, points in read]))]
    else:
        hulls = [_hull(body.name, index, points, shape) for shape, points in read]
    return hulls, len(read) == len(shapes)


def _hull(name: str, index: int, cloud: np.ndarray, shape: Shape | None = None) -> Hull:
    """The hull of a cloud of points [point, 3], or the one primitive that they are samples of."""
    points = hull_vertices(cloud)
    ends, radius = _capsule(points)
    if shape is None or isinstance(shape.geometry, Mesh):
        return Hull(name, index, points, None, RigidTransform(), ends, radius)
    slack = _SLACK * float(np.ptp(points, axis=0).max())
    return Hull(name, index, points, shape.geometry, shape.frame.transform, ends, radius + slack)


def _capsule(points: np.ndarray) -> tuple[np.ndarray, float]:
    """A capsule that holds the points, along the longest of their principal axes: ends [2, 3] and radius [m]."""
    middle = points.mean(axis=0)
    axes = np.linalg.svd(points - middle, full_matrices=False)[2]
    spans = (points - middle) @ axes.T
    centre = (spans.max(axis=0) + spans.min(axis=0)) / 2.0
    along = int(np.argmax(np.ptp(spans, axis=0)))
    offsets = spans - centre
    beside = np.linalg.norm(np.delete(offsets, along, axis=1), axis=1)
    radius = float(beside.max())
    # a point at distance `beside` from the axis may stand out by `reach` beyond the end of the middle line
    reach = np.sqrt(np.maximum(radius**2 - beside**2, 0.0))
    high = max(float((offsets[:, along] - reach).max()), 0.0)
    low = min(float((offsets[:, along] + reach).min()), 0.0)
    origin = middle + centre @ axes
    return np.stack([origin + low * axes[along], origin + high * axes[along]]), radius
