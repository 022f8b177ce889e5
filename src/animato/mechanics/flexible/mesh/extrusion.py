"""Structured meshes of rods and bars: a triangulated section, extruded along z."""

from __future__ import annotations

import numpy as np

from animato.mechanics.flexible.mesh.tetrahedra import EDGES, jacobian_determinants, shape_values, with_middles


def disc_section(radius: float, *, sectors: int, rings: int) -> tuple[np.ndarray, np.ndarray]:
    """Triangles of a disc about the origin: a fan in the middle, rings around it.

    Returns:
        Points [m], shape [point, 2], and triangles [triangle, 3], anticlockwise.
    """
    turns = 2.0 * np.pi * np.arange(sectors) / sectors
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    radii = radius * np.arange(1, rings + 1) / rings
    points = np.vstack([np.zeros((1, 2)), (radii[:, None, None] * circle).reshape(-1, 2)])
    here = np.arange(sectors)
    following = (here + 1) % sectors
    triangles = [np.column_stack([np.zeros(sectors, int), 1 + here, 1 + following])]
    for ring in range(rings - 1):
        inner, outer = 1 + ring * sectors, 1 + (ring + 1) * sectors
        triangles.append(np.column_stack([inner + here, outer + here, outer + following]))
        triangles.append(np.column_stack([inner + here, outer + following, inner + following]))
    return points, np.vstack(triangles)


def rectangle_section(width: float, height: float, *, across: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Triangles of a rectangle about the origin, `across` cells along x and y; diagonals alternate.

    Returns:
        Points [m], shape [point, 2], and triangles [triangle, 3], anticlockwise.
    """
    columns, rows = across
    x, y = np.meshgrid(width * (np.arange(columns + 1) / columns - 0.5), height * (np.arange(rows + 1) / rows - 0.5))
    triangles = []
    for row in range(rows):
        for column in range(columns):
            a = row * (columns + 1) + column
            b, c, d = a + 1, a + columns + 2, a + columns + 1
            triangles += [[a, b, c], [a, c, d]] if (row + column) % 2 == 0 else [[a, b, d], [b, c, d]]
    return np.column_stack([x.ravel(), y.ravel()]), np.array(triangles)


def extruded(
    points: np.ndarray, triangles: np.ndarray, *, length: float, layers: int, round_radius: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Quadratic tetrahedra of a section extruded from z = 0 to `length`, nodes ordered along z.

    Each prism is cut into three tetrahedra. Cuts follow an order of the section's points that is reversed in every
    other layer, so that neighbours meet and no twist is preferred.

    Args:
        points: Of the section [m], shape [point, 2].
        triangles: Of the section, anticlockwise, shape [triangle, 3].
        length: [m].
        layers: Number of layers of elements.
        round_radius: Middles of edges on this circle are put on it, so that area and inertia are those of a disc [m].

    Returns:
        Nodes [m], shape [node, 3], and tets [element, 10].
    """
    count = len(points)
    heights = length * np.arange(layers + 1) / layers
    corner_nodes = np.column_stack([np.tile(points, (layers + 1, 1)), np.repeat(heights, count)])
    upward = np.sort(triangles, axis=1)
    layer_cuts = [_cut_prisms(upward, count), _cut_prisms(upward[:, ::-1], count)]
    corners = np.vstack([layer_cuts[layer % 2] + layer * count for layer in range(layers)])
    nodes, tets = with_middles(corner_nodes, _turned_right(corner_nodes, corners))
    if round_radius is not None:
        _put_on_circle(nodes, tets, round_radius)
    order = np.lexsort((nodes[:, 1], nodes[:, 0], np.round(nodes[:, 2] / length, 9)))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return nodes[order], place[tets]


def widening(nodes: np.ndarray, tets: np.ndarray, *, radius: float, length: float) -> float:
    """The factor on x and y after which a round rod's mesh has the second moment of area of the true disc.

    A polygon within the circle, or parabolas through points of it, cut a little of it off. The widened mesh bends as
    the rod does; its area is right as well to 2e-6 (parabolas) or 0.1 % (an octagon).
    """
    one, weight = np.polynomial.legendre.leggauss(4)
    r, s, t = (grid.ravel() for grid in np.meshgrid(*[0.5 * (one + 1.0)] * 3))
    points = np.column_stack([r, s * (1.0 - r), t * (1.0 - r) * (1.0 - s)])  # a cube collapsed to the reference element
    weights = np.einsum("i,j,k->jik", weight, weight, weight).ravel() / 8.0 * (1.0 - r) ** 2 * (1.0 - s)
    places = np.einsum("pn,eni->epi", shape_values(points), nodes[tets])
    volumes = jacobian_determinants(nodes, tets, points) * weights
    moment = float((volumes * (places[..., 0] ** 2 + places[..., 1] ** 2)).sum())
    return float((0.5 * np.pi * radius**4 * length / moment) ** 0.25)


def _cut_prisms(ordered: np.ndarray, count: int) -> np.ndarray:
    """Three tetrahedra a prism over triangles whose points are in a common order; the top is `count` further."""
    a, b, c = ordered.T
    top_a, top_b, top_c = ordered.T + count
    return np.vstack(
        [
            np.column_stack([a, b, c, top_c]),
            np.column_stack([a, b, top_b, top_c]),
            np.column_stack([a, top_a, top_b, top_c]),
        ]
    )


def _turned_right(nodes: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The same elements with positive volume."""
    edges = nodes[corners[:, 1:]] - nodes[corners[:, :1]]
    wrong = np.linalg.det(edges) < 0.0
    corners = corners.copy()
    corners[wrong] = corners[wrong][:, [0, 2, 1, 3]]
    return corners


def _put_on_circle(nodes: np.ndarray, tets: np.ndarray, radius: float) -> None:
    """Moves middles of edges whose two ends are on the circle outward onto it."""
    ends = tets[:, EDGES].reshape(-1, 2)
    middles = tets[:, 4:].ravel()
    distance = np.hypot(nodes[:, 0], nodes[:, 1])
    on_circle = np.abs(distance - radius) < 1e-6 * radius
    moved = np.unique(middles[on_circle[ends].all(axis=1)])
    nodes[moved, :2] *= (radius / distance[moved])[:, None]
