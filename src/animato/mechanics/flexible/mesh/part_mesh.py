"""A flexible part as quadratic tetrahedra, with the node sets where it meets bodies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from animato.character import Material
from animato.described import Described
from animato.errors import CharacterError
from animato.mechanics.flexible.mesh.tetrahedra import boundary_faces, jacobian_determinants, pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable

_QUADRATURE = 0.1381966011250105, 0.5854101966249685  # four points, exact for quadratics
_POINTS = np.full((4, 3), _QUADRATURE[0])
_POINTS[1:] += (_QUADRATURE[1] - _QUADRATURE[0]) * np.eye(3)


@dataclass(frozen=True, eq=False)
class MeshInterface:
    """The nodes that stand for an interface, and how their places give its centroid and rotation.

    With x_i the deformed places of the nodes: centroid = sum_i weights_i x_i, linear map A = sum_i x_i map_rows_i^T,
    rotation = PD(A), the rotation nearest to A (Hoshyari et al. 2019, eqs. 5, 6). On a flat interface A has rank
    two (nothing is known of the normal): PD is then still unique, as the rotation R that maximizes tr(R^T A).
    Both are linear in x, so that an interface is twelve numbers, linear in the displacements.

    Attributes:
        name: Name of the body that it is clamped to.
        nodes: Indices of nodes, shape [k].
        weights: Share of the interface's area that goes with each node, shape [k], sum 1.
        centroid: At rest, in the part's coordinates [m], shape [3].
        map_rows: [1/m], shape [k, 3]; they sum to 0.
    """

    name: str
    nodes: np.ndarray
    weights: np.ndarray
    centroid: np.ndarray
    map_rows: np.ndarray


@dataclass(frozen=True, repr=False, eq=False)
class PartMesh(Described):
    """A flexible part at rest, made of ten-node tetrahedra.

    Attributes:
        name: Name of the part.
        nodes: Places at rest in the part's coordinates [m], shape [node, 3].
        tets: Ten nodes an element, in the order of `tetrahedra`, shape [element, 10].
        interfaces: Where it meets bodies; the first is the reference.
        materials: What it is made of.
        material_of: Index into `materials`, shape [element].
    """

    name: str
    nodes: np.ndarray
    tets: np.ndarray
    interfaces: tuple[MeshInterface, ...]
    materials: tuple[Material, ...]
    material_of: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", np.ascontiguousarray(self.nodes, dtype=np.float64))
        object.__setattr__(self, "tets", np.ascontiguousarray(self.tets, dtype=np.int64))
        object.__setattr__(self, "material_of", np.ascontiguousarray(self.material_of, dtype=np.int64))
        _refuse_bad_elements(self)

    @property
    def node_count(self) -> int:
        """Number of nodes; each has three freedoms."""
        return len(self.nodes)

    @cached_property
    def element_volumes(self) -> np.ndarray:
        """[m^3], shape [element]."""
        return jacobian_determinants(self.nodes, self.tets, _POINTS).mean(axis=1) / 6.0

    @cached_property
    def element_centroids(self) -> np.ndarray:
        """Mean of the four corners [m], shape [element, 3]."""
        return self.nodes[self.tets[:, :4]].mean(axis=1)

    @cached_property
    def surface(self) -> np.ndarray:
        """Six-node boundary faces, corners anticlockwise from outside, shape [face, 6]."""
        return boundary_faces(self.tets)

    @property
    def volume(self) -> float:
        """[m^3]."""
        return float(self.element_volumes.sum())

    @property
    def mass(self) -> float:
        """[kg]."""
        densities = np.array([material.density for material in self.materials])
        return float(densities[self.material_of] @ self.element_volumes)

    def facts(self) -> dict[str, str]:
        """Size and mass at a glance."""
        return {
            "name": self.name,
            "nodes": str(self.node_count),
            "tetrahedra": str(len(self.tets)),
            "freedoms": str(3 * self.node_count),
            "mass": f"{self.mass:.4g} kg",
            "interfaces": ", ".join(interface.name for interface in self.interfaces) or "none",
        }


def with_materials(
    mesh: PartMesh, materials: tuple[Material, ...], choose: np.ndarray | Callable[[np.ndarray], np.ndarray]
) -> PartMesh:
    """The same mesh of several materials.

    Args:
        mesh: Any.
        materials: What it is made of.
        choose: Index into `materials` of each element [element], or a function from the centroids of elements in the
            part's coordinates [m], shape [element, 3], to such indices.
    """
    indices = np.asarray(choose(mesh.element_centroids) if callable(choose) else choose)
    if indices.shape != (len(mesh.tets),) or indices.min() < 0 or indices.max() >= len(materials):
        raise CharacterError(
            f"The materials of flexible part '{mesh.name}' need one index from 0 to {len(materials) - 1} for each of "
            f"its {len(mesh.tets)} elements, given shape {indices.shape} from {indices.min()} to {indices.max()}."
        )
    return replace(mesh, materials=tuple(materials), material_of=indices)


def _refuse_bad_elements(mesh: PartMesh) -> None:
    if mesh.tets.ndim != 2 or mesh.tets.shape[1:] != (10,) or len(mesh.tets) == 0:
        raise CharacterError(f"Flexible part '{mesh.name}' has no tetrahedra of ten nodes; its mesh is empty.")
    worst = np.minimum(
        jacobian_determinants(mesh.nodes, mesh.tets).min(axis=1),
        jacobian_determinants(mesh.nodes, mesh.tets, _POINTS).min(axis=1),
    )
    inverted = np.flatnonzero(worst <= 0.0)
    if len(inverted):
        first = mesh.nodes[mesh.tets[inverted[0], :4]].mean(axis=0)
        raise CharacterError(
            f"Flexible part '{mesh.name}' has {len(inverted)} inverted or flat elements of {len(mesh.tets)}; the "
            f"first is element {inverted[0]} near ({first[0]:.4g}, {first[1]:.4g}, {first[2]:.4g}) m. "
            "Repair the mesh, or make it anew with a better quality."
        )
    count, piece = pieces_of(mesh.node_count, mesh.tets)
    if count > 1:
        sizes = ", ".join(str(size) for size in sorted(np.bincount(piece), reverse=True)[:6])
        raise CharacterError(
            f"Flexible part '{mesh.name}' falls into {count} pieces (of {sizes} elements) that share no node. "
            "Join them, or make each a part of its own."
        )
