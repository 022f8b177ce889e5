"""Shapes as small closed meshes for scripts that draw them: hulls of what is convex, coarser meshes of what is not."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from animato.report.kit.film.clustering import clustered
from animato.report.kit.film.numbers import Packer
from animato.view.raster import Triangles
from animato.view.scene import Bend, Part, Scene, Skin

# Heights of rings, and directions around. Normals at these few heights are almost those of faces, and so many around
# find each edge of what is round; where that is not enough there are more and coarser rings
_EDGED = np.radians([-86.0, -4.0, 4.0, 86.0]), 48
_ROUND = np.radians([-86.0, -64.0, -42.0, -21.0, 0.0, 21.0, 42.0, 64.0, 86.0]), 24
_LARGE = np.radians(np.linspace(-86.0, 86.0, 15)), 40
_SEEN = 0.12  # of the character's size: what is larger and round needs more corners not to look cut
_MOST = 255  # points of the hull of a smaller shape, so that a byte counts them
_FLAT, _CLOSE = 1e-6, 0.03  # of its extent: thinner, a shape has no inside; nearer, its hull is good enough
_FILLED = 0.86  # a shape that fills so much of its hull is drawn as the hull
_CELLS = 0.004, 0.2  # of the character's size: cells of coarser meshes, from the finest to the coarsest
_MANY = 3000  # vertices from which on it is quicker to look for the corners of the hull first
_MOST_CONCAVE = 9000  # vertices of all shapes that are not convex


def solids_of(scene: Scene, packer: Packer) -> list[dict[str, Any]]:
    """All parts of a scene as packed numbers.

    Points are 16-bit shares of `extent` [m], normals 8-bit, corners of faces numbers of points, counted against the
    clock from outside. A part that bends has a `skin`: each point is held by two bodies, see `_skin`.
    """
    parts = [part for part in scene.parts if len(part.triangles.vertices)]
    meshes = {n: _hull(part.triangles, _SEEN * scene.size) for n, part in enumerate(parts) if part.bend is None}
    concave = [n for n, mesh in meshes.items() if mesh is None]
    cell = _cell([parts[n].triangles for n in concave], scene.size)
    sent = []
    for n, part in enumerate(parts):
        if part.bend is not None:
            sent.append(_skin(part, packer))
        else:
            mesh = meshes[n] or _coarser(part.triangles, cell)
            if len(mesh.vertices):
                sent.append({**_about(part), **_mesh(mesh, packer)})
    return sent


def _coarser(mesh: Triangles, cell: float) -> Triangles:
    """With one vertex a cell [m]; smaller ones for what would be lost in one of them."""
    extent = float(np.ptp(mesh.vertices, axis=0).max())
    coarse = clustered(mesh, cell)
    return coarse if len(coarse.faces) else clustered(mesh, max(extent, 1e-9) / 8)


def _about(part: Part) -> dict[str, Any]:
    colour = "#" + "".join(f"{round(255 * value):02x}" for value in part.colour)
    return {"body": part.body, "colour": colour, "opacity": part.opacity}


def _mesh(mesh: Triangles, packer: Packer) -> dict[str, Any]:
    extent = float(np.abs(mesh.vertices).max()) or 1.0
    kind = "u1" if len(mesh.vertices) <= 256 else "<u2"
    # each face begins at its lowest corner, and faces stand in order: neighbours differ little, which packs well
    turn = np.argmin(mesh.faces, axis=1)[:, None] if len(mesh.faces) else np.zeros((0, 1), dtype=int)
    faces = np.take_along_axis(np.asarray(mesh.faces), (turn + np.arange(3)) % 3, axis=1)
    return {
        "extent": round(extent, 6),
        "points": packer.shares(mesh.vertices / extent),
        "normals": packer.whole(np.rint(127.0 * mesh.normals).astype("i1")),
        "faces": packer.whole(faces[np.lexsort(faces.T[::-1])].astype(kind)),
    }


def _skin(part: Part, packer: Packer) -> dict[str, Any]:
    """A part that bends: points and normals on a first and on a second body, and the share of the second."""
    mesh, bend, count = part.triangles, part.bend, len(part.triangles.vertices)
    if isinstance(bend, Skin):
        links, held, weights = bend.links, bend.vertices, bend.weights
        facing = np.stack([bend.normals, bend.normals])
    else:
        assert isinstance(bend, Bend)
        links = np.stack([np.full(count, part.body), np.full(count, bend.body)])
        held, weights = np.stack([mesh.vertices, bend.vertices]), bend.weights
        facing = np.stack([mesh.normals, bend.normals])
    extent = float(np.abs(held).max()) or 1.0
    sent = _mesh(Triangles(held[0], facing[0], mesh.faces), packer)
    skin = {
        "links": packer.whole(links.T.astype("<u2")),
        "extent": round(extent, 6),
        "points": packer.shares(held[1] / extent),
        "normals": packer.whole(np.rint(127.0 * facing[1]).astype("i1")),
        "weights": packer.whole(np.rint(255.0 * np.clip(weights, 0.0, 1.0)).astype("u1")),
    }
    return {**_about(part), **sent, "skin": skin}


def _cell(meshes: list[Triangles], size: float) -> float:
    """The finest cell that leaves so few vertices in all meshes [m]."""
    fine, coarse = _CELLS[0] * size, _CELLS[1] * size
    while fine < coarse and sum(len(clustered(mesh, fine).vertices) for mesh in meshes) > _MOST_CONCAVE:
        fine *= 1.35
    return fine


def _hull(mesh: Triangles, large: float) -> Triangles | None:
    """The hull of some vertices that reach far; None where the shape leaves much of it empty.

    A shape that has no inside is left as flat as it is.

    Args:
        mesh: Of the shape.
        large: From which width on its roundness is seen [m].
    """
    is_large = float(np.ptp(mesh.vertices, axis=0).max()) > large
    chosen, faces, volume = _hull_of(mesh.vertices, (_EDGED, _LARGE) if is_large else (_EDGED, _ROUND))
    if len(faces) and abs(_volume(mesh)) < _FILLED * volume:
        return None
    return Triangles(mesh.vertices[chosen], mesh.normals[chosen], faces)


def _volume(mesh: Triangles) -> float:
    """That a closed mesh has inside [m^3]."""
    a, b, c = (mesh.vertices[mesh.faces[:, n]] - mesh.vertices.mean(axis=0) for n in range(3))
    return float(np.einsum("fk,fk->", a, np.cross(b, c))) / 6.0


def _hull_of(vertices: np.ndarray, looks: tuple[tuple[np.ndarray, int], ...]) -> tuple[np.ndarray, np.ndarray, float]:
    """Numbers of some vertices, triangles between these, [face, 3], none where they span no volume, and the volume."""
    local = vertices - vertices.mean(axis=0)
    axes = _own_axes(local)
    outer = _outer(local)  # only these can reach far
    local = local[outer]
    chosen, faces, volume = np.zeros(0, dtype=np.int64), np.zeros((0, 3), dtype=np.int64), 0.0
    for heights, around in looks:
        found = np.unique(np.argmax(local @ (_rings(heights, around) @ axes).T, axis=0))
        if len(found) > _MOST and around < _LARGE[1]:
            continue
        chosen = found
        points = local[chosen]
        size = float(np.ptp(points, axis=0).max())
        if len(points) < 4 or np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[2] < _FLAT * size:
            break
        try:
            hull = ConvexHull(points)
        except QhullError:
            break
        a, b, c = (points[hull.simplices[:, n]] for n in range(3))
        inward = np.einsum("fk,fk->f", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
        faces, volume = np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices), float(hull.volume)
        outside = (local @ hull.equations[:, :3].T + hull.equations[:, 3]).max()
        if outside < _CLOSE * size:
            break
    return outer[chosen], faces, volume


def _outer(points: np.ndarray) -> np.ndarray:
    """Numbers of points among which all corners of their hull are, rising; of a few points all."""
    every = np.arange(len(points))
    if len(points) < _MANY:
        return every
    _, first = np.unique(np.ascontiguousarray(points).view([("", points.dtype)] * 3).ravel(), return_index=True)
    try:
        return np.sort(first[ConvexHull(points[first]).vertices])
    except QhullError:
        return every


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
