"""Shapes as small closed meshes for scripts that draw them: their convex hulls, with the normals of the shapes."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from animato.report.kit.moving import packed
from animato.view.scene import Part

# Heights of rings, and directions around. Normals at these few heights are almost those of faces, and so many around
# find each edge of what is round; where that is not enough there are more and coarser rings
_EDGED = np.radians([-86.0, -4.0, 4.0, 86.0]), 48
_ROUND = np.radians([-86.0, -64.0, -42.0, -21.0, 0.0, 21.0, 42.0, 64.0, 86.0]), 24
_MOST = 255  # points, so that a byte counts them
_FLAT, _CLOSE = 1e-6, 0.03  # of its extent: thinner, a shape has no inside; nearer, its hull is good enough


def solid_of(part: Part) -> dict[str, Any]:
    """The hull of some vertices that reach far, as packed numbers; a shape that is hollow or bent is filled.

    Points are 16-bit shares of `extent` [m], normals 8-bit, corners of faces 8-bit numbers of points, counted against
    the clock from outside.
    """
    vertices, normals = part.triangles.vertices, part.triangles.normals
    chosen, faces = _hull(vertices)
    points = vertices[chosen]
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


def _hull(vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of some vertices, and triangles between these, [face, 3]; none where they span no volume."""
    local = vertices - vertices.mean(axis=0)
    axes = _own_axes(local)
    chosen, faces = np.zeros(0, dtype=np.int64), np.zeros((0, 3), dtype=np.int64)
    for heights, around in (_EDGED, _ROUND):
        found = np.unique(np.argmax(local @ (_rings(heights, around) @ axes).T, axis=0))
        if len(found) > _MOST:
            continue
        chosen = found
        points = local[chosen]
        size = float(np.ptp(points, axis=0).max())
        if len(points) < 4 or np.linalg.svd(points - points.mean(axis=0))[1][2] < _FLAT * size:
            break
        try:
            hull = ConvexHull(points)
        except QhullError:
            break
        a, b, c = (points[hull.simplices[:, n]] for n in range(3))
        inward = np.einsum("fk,fk->f", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
        faces = np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)
        outside = (local @ hull.equations[:, :3].T + hull.equations[:, 3]).max()
        if outside < _CLOSE * size:
            break
    return chosen, faces


def _own_axes(points: np.ndarray) -> np.ndarray:
    """Axes of a shape, the one about which it is roundest first: rods and discs are cut evenly around, [3, 3]."""
    _, spread, axes = np.linalg.svd(points, full_matrices=False)
    return axes if spread[0] - spread[1] > spread[1] - spread[2] else axes[[2, 0, 1]]


def _rings(heights: np.ndarray, around: int) -> np.ndarray:
    """Directions in rings about the first axis at heights [rad], and along it, [direction, 3]."""
    turns = np.arange(around) * 2.0 * np.pi / around
    ring = np.column_stack([np.zeros(around), np.cos(turns), np.sin(turns)])
    pole = np.array([[1.0, 0.0, 0.0]])
    return np.vstack([*(np.cos(height) * ring + np.sin(height) * pole for height in heights), pole, -pole])


def _bytes(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
