"""Who is next to whom: Delaunay's tetrahedra of a set of points, and what is done where there are none."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.spatial import Delaunay, QhullError, cKDTree

COINCIDENT = 1e-6
"""Points nearer than this share of the whole set's size are one vertex."""

_FLAT = 1e-6  # of the set's size: a set thinner than that has no tetrahedra


def neighbour_pairs(points: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Pairs of vertices that share a tetrahedron.

    Points that lie in one plane are joined by Delaunay's triangles in it, points on one line one after the other: both
    are what is left of the tetrahedra as a set gets thinner. A point that lies where an earlier one lies has that
    one as its only neighbour, and is nobody else's: inverse distances would give the two to each other alone.

    Args:
        points: [m], [vertex, 3], at least two.

    Returns:
        Directed pairs (vertex, its neighbour), sorted, [pair, 2]; and notes on what was flat or coincident.
    """
    first = _first_of_place(points)
    kept = np.flatnonzero(first == np.arange(len(points)))
    notes = [f"vertex {k} lies where vertex {first[k]} lies" for k in np.flatnonzero(first != np.arange(len(points)))]
    cells, twins, flatness = _cells(points[kept])
    if flatness:
        notes.append(flatness)
    pairs = {(int(kept[a]), int(kept[b])) for cell in cells for a, b in combinations(cell, 2)}
    pairs |= {(b, a) for a, b in pairs}
    pairs |= {(int(k), int(first[k])) for k in np.flatnonzero(first != np.arange(len(points)))}
    pairs |= {(int(kept[point]), int(kept[near])) for point, near in twins}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2), tuple(notes)


def _first_of_place(points: np.ndarray) -> np.ndarray:
    """The first vertex at the place of each, [vertex]."""
    first = np.arange(len(points))
    size = float(np.ptp(points, axis=0).max())
    for a, b in sorted(cKDTree(points).query_pairs(max(COINCIDENT * size, 1e-12))):
        first[b] = min(first[b], first[a])
    return first


def _cells(points: np.ndarray) -> tuple[np.ndarray, list[tuple[int, int]], str]:
    """Tetrahedra, triangles or segments; points that Qhull left out with their nearest; and what was flat."""
    none: list[tuple[int, int]] = []
    if len(points) < 2:
        return np.zeros((0, 2), dtype=np.int64), none, "all vertices lie in one place"
    centred = points - points.mean(0)
    _, stretch, axes = np.linalg.svd(centred, full_matrices=False)
    dimension = int(np.sum(stretch > _FLAT * stretch[0]))
    if dimension == 1:
        order = np.argsort(centred @ axes[0], kind="stable")
        return np.stack([order[:-1], order[1:]], axis=1), none, "all vertices lie on one line"
    flatness = "all vertices lie in one plane" if dimension == 2 else ""
    try:
        made = Delaunay(centred @ axes[:dimension].T if dimension == 2 else points)
    except QhullError:  # thinner than Qhull's own measure
        made, flatness = Delaunay(points, qhull_options="QJ Pp"), "vertices lie nearly in one plane; they were joggled"
    return made.simplices, [(int(row[0]), int(row[2])) for row in made.coplanar], flatness
