"""Quadratic tetrahedra as arrays: shape functions, mid-nodes, signed volumes, boundary faces.

An element has ten nodes: its four corners, then the middles of the edges 01, 12, 02, 03, 13, 23 (the order of VTK and
of scikit-fem).
"""

from __future__ import annotations

import numpy as np

EDGES = np.array([[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]])
"""Corners of each edge; the middle of edge k is node 4 + k of the element."""

FACES = np.array([[0, 2, 1, 6, 5, 4], [0, 1, 3, 4, 8, 7], [1, 2, 3, 5, 9, 8], [0, 3, 2, 7, 9, 6]])
"""Six nodes of each face, corners first, then the middles of its edges 01, 12, 20; seen from outside, corners turn
anticlockwise."""

CORNER_POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
"""Corners of the reference element."""


def shape_values(points: np.ndarray) -> np.ndarray:
    """The ten shape functions at reference points [point, 3], shape [point, 10]."""
    barycentric = np.column_stack([1.0 - points.sum(axis=1), points])
    one, other = EDGES.T
    return np.hstack([barycentric * (2.0 * barycentric - 1.0), 4.0 * barycentric[:, one] * barycentric[:, other]])


def shape_gradients(points: np.ndarray) -> np.ndarray:
    """Gradients of the ten shape functions at reference points [point, 3], shape [point, 10, 3]."""
    barycentric = np.column_stack([1.0 - points.sum(axis=1), points])
    slope = np.vstack([-np.ones(3), np.eye(3)])
    corners = (4.0 * barycentric - 1.0)[:, :, None] * slope
    one, other = EDGES.T
    middles = 4.0 * (barycentric[:, one, None] * slope[other] + barycentric[:, other, None] * slope[one])
    return np.concatenate([corners, middles], axis=1)


def jacobian_determinants(nodes: np.ndarray, tets: np.ndarray, points: np.ndarray = CORNER_POINTS) -> np.ndarray:
    """Determinants of the map from the reference element, shape [element, point]; six times a volume where straight."""
    maps = np.einsum("eni,pnj->epij", nodes[tets], shape_gradients(points))
    return np.linalg.det(maps)


def with_middles(corner_nodes: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Makes straight quadratic elements of linear ones.

    Args:
        corner_nodes: Places of the corners [m], shape [node, 3].
        corners: Corner indices of each element, shape [element, 4].

    Returns:
        Nodes [m], the given ones first, then a middle for every edge; and tets [element, 10].
    """
    pairs = np.sort(corners[:, EDGES], axis=2).reshape(-1, 2)
    unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
    middles = 0.5 * (corner_nodes[unique[:, 0]] + corner_nodes[unique[:, 1]])
    tets = np.hstack([corners, len(corner_nodes) + inverse.reshape(-1, 6)])
    return np.vstack([corner_nodes, middles]), tets.astype(np.int64)


def boundary_faces(tets: np.ndarray) -> np.ndarray:
    """Six-node faces that belong to one element only, shape [face, 6], corners anticlockwise from outside."""
    faces = tets[:, FACES].reshape(-1, 6)
    keys = np.sort(faces[:, :3], axis=1)
    _, first, counts = np.unique(keys, axis=0, return_index=True, return_counts=True)
    return faces[np.sort(first[counts == 1])]


def pieces_of(node_count: int, tets: np.ndarray) -> tuple[int, np.ndarray]:
    """How many pieces the elements form, and the piece [element] of each; pieces share no node."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = np.repeat(tets[:, 0], 9), tets[:, 1:].ravel()
    graph = coo_array((np.ones(len(ends[0])), ends), shape=(node_count, node_count))
    _, labels = connected_components(graph, directed=False)
    used, piece = np.unique(labels[tets[:, 0]], return_inverse=True)
    return len(used), piece
