"""How the surface of a flexible part follows what it hangs on: its two clamps, or the links of a simulated rod."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation.posing import LinkPlace
from animato.spatial import quaternions
from animato.view.raster import Triangles


@dataclass(frozen=True, eq=False)
class Bend:
    """How the far end of a flexible part moves: the rigid motions of its clamps are blended, which keeps both ends.

    Attributes:
        body: Index of the body at the far clamp.
        vertices: The part's undeformed vertices, held by that body, in its coordinates [m], [vertex, 3].
        normals: Likewise, [vertex, 3].
        weights: Share of the far body in each vertex, 0 at the near clamp, 1 at the far one, [vertex].
    """

    body: int
    vertices: np.ndarray
    normals: np.ndarray
    weights: np.ndarray

    def bent(
        self, vertices: np.ndarray, normals: np.ndarray, positions: np.ndarray, turns_wxyz: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and normals in the world, from where the near clamp alone would put them."""
        far = quaternions.matrix_from_quaternion(turns_wxyz[self.body])
        weight = self.weights[:, None]
        return (
            vertices + weight * (self.vertices @ far.T + positions[self.body] - vertices),
            normals + weight * (self.normals @ far.T - normals),
        )


@dataclass(frozen=True, eq=False)
class Skin:
    """How a rod moves whose links are known: each vertex between two links blends their rigid motions.

    Attributes:
        links: Indices of the two links among all poses, [2, vertex].
        vertices: In the coordinates of each of the two [m], [2, vertex, 3].
        normals: The same in all links, as they lie along one another at rest, [vertex, 3].
        weights: Share of the second link, [vertex].
        clamps: Used instead where the links' poses are not known.
    """

    links: np.ndarray
    vertices: np.ndarray
    normals: np.ndarray
    weights: np.ndarray
    clamps: Bend | None

    def bent(
        self, vertices: np.ndarray, normals: np.ndarray, positions: np.ndarray, turns_wxyz: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and normals in the world."""
        if len(positions) <= self.links.max():
            return (
                (vertices, normals)
                if self.clamps is None
                else self.clamps.bent(vertices, normals, positions, turns_wxyz)
            )
        turns = quaternions.matrix_from_quaternion(turns_wxyz)
        shares = np.stack([1.0 - self.weights, self.weights])[..., None]
        held = np.einsum("lvij,lvj->lvi", turns[self.links], self.vertices) + positions[self.links]
        facing = np.einsum("lvij,vj->lvi", turns[self.links], self.normals)
        return np.sum(shares * held, axis=0), np.sum(shares * facing, axis=0)


def skin_of(mesh: Triangles, links: Sequence[LinkPlace], clamps: Bend | None) -> Skin:
    """The surface of a rod on its links.

    Args:
        mesh: Undeformed, from the rod's origin along z.
        links: From its origin on.
        clamps: Used where the links' poses are not known.
    """
    stations = np.array([link.station for link in links])
    indices = np.array([link.index for link in links])
    height = mesh.vertices[:, 2]
    first = np.clip(np.searchsorted(stations, height) - 1, 0, max(len(links) - 2, 0))
    pair = np.stack([first, np.minimum(first + 1, len(links) - 1)])
    gap = np.maximum(stations[pair[1]] - stations[pair[0]], 1e-12)
    share = np.clip((height - stations[pair[0]]) / gap, 0.0, 1.0)
    held = np.repeat(mesh.vertices[None], 2, axis=0)
    held[:, :, 2] -= stations[pair]
    return Skin(indices[pair], held, mesh.normals, share * share * (3.0 - 2.0 * share), clamps)
