"""The interaction mesh of one frame: which points stand in relation to which, and how much.

Ho, Komura, Tai: Spatial Relationship Preserving Character Motion Adaptation (2010), as Moulard, Yoshida and Nakaoka use
it in *Optimization-based Motion Retargeting Integrating Spatial and Dynamic Constraints for Humanoid* (ISR 2013). Mesh
and weights come from the source's frame and stay: a mesh that followed the answer would make the energy jump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from animato.described import Described
from animato.errors import MotionError
from animato.mimic.mesh.neighbours import neighbour_pairs


@dataclass(frozen=True, eq=False, repr=False)
class InteractionMesh(Described):
    """Neighbours and weights of a set of points, with the points it was made of.

    Attributes:
        source: p0 [m], [vertex, 3].
        pairs: Directed pairs (vertex j, its neighbour l), [pair, 2].
        weights: w of each pair, inverse distances, of one vertex 1 in sum, [pair].
        notes: What was flat or coincident, in plain sentences.
    """

    source: np.ndarray
    pairs: np.ndarray
    weights: np.ndarray
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, str]:
        """At a glance."""
        edges = {(min(a, b), max(a, b)) for a, b in self.pairs.tolist()}
        return {"vertices": str(self.vertex_count), "edges": str(len(edges))}

    @property
    def vertex_count(self) -> int:
        """Number of points."""
        return len(self.source)

    @property
    def matrix(self) -> csr_array:
        """L = 1 - W with L p = the Laplacian coordinates of p, sparse, [vertex, vertex]."""
        count = self.vertex_count
        row, column = self.pairs.T
        spread = csr_array((self.weights, (row, column)), shape=(count, count))
        return csr_array(csr_array(np.eye(count)) - spread)

    @property
    def dense(self) -> np.ndarray:
        """The same in full."""
        L = np.eye(self.vertex_count)
        L[self.pairs[:, 0], self.pairs[:, 1]] -= self.weights
        return L

    def laplacian(self, points: ArrayLike) -> np.ndarray:
        """Laplacian coordinates p_j - sum_l w_jl p_l [m] (eq. 1), [vertex, 3], of points [vertex, 3]."""
        return np.asarray(self.dense @ self._checked(points))

    def energy(self, points: ArrayLike) -> float:
        """How far the Laplacian coordinates are from the source's, sum_j |L(p_j) - L(p0_j)|^2 [m^2] (eq. 2)."""
        return float(np.sum((self.dense @ (self._checked(points) - self.source)) ** 2))

    def _checked(self, points: ArrayLike) -> np.ndarray:
        array = np.asarray(points, dtype=np.float64)
        if array.shape != self.source.shape:
            raise MotionError(f"The mesh has {self.vertex_count} vertices [vertex, 3]; given {list(array.shape)}.")
        return array


def mesh_of(points: ArrayLike) -> InteractionMesh:
    """Makes the interaction mesh of a set of points.

    Args:
        points: [m], [vertex, 3]; markers or landmarks of bodies, and points of objects.

    Raises:
        MotionError: Fewer than two points, or values that are not finite.
    """
    source = np.array(points, dtype=np.float64)
    if source.ndim != 2 or source.shape[1] != 3 or len(source) < 2:
        raise MotionError(f"A mesh needs at least two points [vertex, 3]; given {list(source.shape)}.")
    missing = np.flatnonzero(~np.isfinite(source).all(axis=1))
    if len(missing):
        raise MotionError(
            f"Vertices {missing.tolist()} of the mesh are not finite. Fill the gaps first, or leave the vertices out."
        )
    pairs, notes = neighbour_pairs(source)
    return InteractionMesh(source, pairs, _weights(source, pairs), notes)


def _weights(points: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Inverse distances over their sum at each vertex, [pair]; a vertex with a single neighbour has the weight 1."""
    distance = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    nearness = 1.0 / np.maximum(distance, np.finfo(float).tiny ** 0.25)
    return np.asarray(nearness / np.bincount(pairs[:, 0], nearness, len(points))[pairs[:, 0]])
