"""What an interface's nodes say about its motion: linear in their displacements.

Centroid and best linear map of Hoshyari, Xu, Knoop, Coros, Bächer: Vibration-Minimizing Motion Retargeting for Robotic
Characters (2019), eqs. 5 and 6: with D_i the nodes from their area-weighted centroid and d_i the same deformed, A
minimizes the sum of w_i |A D_i - d_i|^2, so A = (sum of w_i d_i D_i^T) Q^-1 with Q = sum of w_i D_i D_i^T. Where the
nodes lie in a plane, Q has rank two and so has A; its polar-decomposed rotation is determined all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import CharacterError

_FLAT = 1e-9
"""Second moments this small beside the largest count as none."""


@dataclass(frozen=True, eq=False)
class InterfaceMap:
    """An interface as sums over its nodes; u_i are their displacements.

    Attributes:
        nodes: Of the mesh, [node].
        weights: Shares of the area, summing to one, [node].
        centroid: At rest [m], in the part's frame, [3].
        arms: g_i = Q^-1 D_i [1/m], so that A = rest + sum of w_i u_i g_i^T, [node, 3].
        rest: A at rest: one, or where the interface is flat the projection onto its plane, [3, 3].
        normal: Unit normal of a flat interface, else zero, [3].
    """

    nodes: np.ndarray
    weights: np.ndarray
    centroid: np.ndarray
    arms: np.ndarray
    rest: np.ndarray
    normal: np.ndarray

    def centroid_of(self, displacements: np.ndarray) -> np.ndarray:
        """Displacement of the centroid [m], [..., 3], of those of all nodes of the part, [..., node, 3]."""
        return np.asarray(np.einsum("i,...ip->...p", self.weights, displacements[..., self.nodes, :]))

    def linear_part_of(self, displacements: np.ndarray) -> np.ndarray:
        """A less its value at rest, [..., 3, 3], of the displacements of all nodes, [..., node, 3]."""
        return np.asarray(np.einsum("i,...ip,iq->...pq", self.weights, displacements[..., self.nodes, :], self.arms))

    def rows(self, node_count: int) -> np.ndarray:
        """Six rows on all displacements that vanish where centroid and rotation stay, [6, 3 node_count].

        The last three are vex(A - A^T) = sum of w_i g_i x u_i. A symmetric A turns nothing, so where these rows
        vanish the rotation of the interface is none, exactly, whatever the size of the displacements.
        """
        found = np.zeros((6, node_count, 3))
        for p in range(3):
            found[p, self.nodes, p] = self.weights
            unit = np.zeros(3)
            unit[p] = 1.0
            found[3 + p][self.nodes] = self.weights[:, None] * np.cross(unit, self.arms)  # e . (g x u) = (e x g) . u
        return found.reshape(6, 3 * node_count)


def interface_map(points: np.ndarray, nodes: np.ndarray, weights: np.ndarray) -> InterfaceMap:
    """The sums over the nodes of an interface.

    Args:
        points: All nodes of the part at rest [m], in the part's frame, [node, 3].
        nodes: Those of the interface.
        weights: Area that belongs to each of them [m^2], or any share of it.
    """
    share = np.asarray(weights, dtype=float) / np.sum(weights)
    at = np.asarray(points, dtype=float)[nodes]
    centroid = share @ at
    D = at - centroid
    values, axes = np.linalg.eigh(np.einsum("i,ip,iq->pq", share, D, D))
    if len(nodes) < 3 or values[1] <= _FLAT * values[2]:
        raise CharacterError(
            f"The {len(nodes)} nodes of the interface about {np.round(centroid, 6).tolist()} lie on a line or in a "
            "point, so that its rotation is undetermined. Make the interface's `extent` larger or the mesh finer."
        )
    flat = values[0] <= _FLAT * values[2]
    kept = axes[:, 1:] if flat else axes
    inverse = (kept / values[-kept.shape[1] :]) @ kept.T
    return InterfaceMap(
        nodes=np.asarray(nodes),
        weights=share,
        centroid=centroid,
        arms=D @ inverse,
        rest=kept @ kept.T,
        normal=axes[:, 0] if flat else np.zeros(3),
    )
