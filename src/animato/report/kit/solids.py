"""Shapes as small closed meshes for scripts that draw them: their convex hulls, with the normals of the shapes."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from animato.report.kit.moving import packed
from animato.view.scene import Part

_AROUND = 24
_HEIGHTS = np.radians([-65.0, -20.0, 20.0, 65.0])
_FLAT = 1e-6  # of its extent: below this a shape has no inside


def solid_of(part: Part) -> dict[str, Any]:
    """The hull of some vertices that reach far, as packed numbers; a shape that is hollow or bent is filled.

    Points are 16-bit shares of `extent` [m], normals 8-bit, corners of faces 8-bit numbers of points, counted against
    the clock from outside.
    """
    vertices, normals = part.triangles.vertices, part.triangles.normals
    middle = vertices.mean(axis=0)
    chosen = np.unique(np.argmax((vertices - middle) @ (_rings() @ _own_axes(vertices - middle)).T, axis=0))
    points, faces = vertices[chosen], _faces(vertices[chosen])
    extent = float(np.abs(points).max()) or 1.0
    return {
        "body": part.body,
        "colour": "#" + "".join(f"{round(255 * value):02x}" for value in part.colour),
        "opacity": part.opacity,
        "extent": round(extent, 6),
        "points": packed(points / extent),
        "normals": _bytes(np.rint(127.0 * normals[chosen]).astype("i1")),
        "faces": _bytes(faces.astype("u1")),
    }


def _faces(points: np.ndarray) -> np.ndarray:
    """Triangles of the hull, [face, 3]; none where the points span no volume."""
    if len(points) < 4 or np.linalg.svd(points - points.mean(axis=0))[1][2] < _FLAT * np.ptp(points):
        return np.zeros((0, 3), dtype=np.int64)
    try:
        hull = ConvexHull(points)
    except QhullError:
        return np.zeros((0, 3), dtype=np.int64)
    a, b, c = (points[hull.simplices[:, n]] for n in range(3))
    inward = np.einsum("fk,fk->f", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    return np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)


def _own_axes(points: np.ndarray) -> np.ndarray:
    """Axes of a shape, the one about which it is roundest first: rods and discs are cut evenly around, [3, 3]."""
    _, spread, axes = np.linalg.svd(points, full_matrices=False)
    return axes if spread[0] - spread[1] > spread[1] - spread[2] else axes[[2, 0, 1]]


def _rings() -> np.ndarray:
    """Directions in rings about the first axis, and along it, [direction, 3]."""
    turns = np.arange(_AROUND) * 2.0 * np.pi / _AROUND
    ring = np.column_stack([np.zeros(_AROUND), np.cos(turns), np.sin(turns)])
    pole = np.array([[1.0, 0.0, 0.0]])
    return np.vstack([*(np.cos(height) * ring + np.sin(height) * pole for height in _HEIGHTS), pole, -pole])


def _bytes(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
