"""A part's finite elements, ready for forces, tangents and mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import bsr_array, csr_array, kron

from animato.described import Described
from animato.mechanics.flexible.elements.element_kernels import (
    PackedElements,
    add_elastic_forces,
    add_stiffness_times,
    add_tangent,
    elastic_energy,
)
from animato.mechanics.flexible.elements.material_laws import MODEL_NUMBERS, lame_parameters
from animato.mechanics.flexible.elements.skfem_basis import build_skfem_basis
from animato.mechanics.flexible.mesh import PartMesh

MASS_ORDER = 6  # products of two quadratics on elements of curved edges


@dataclass(frozen=True, repr=False, eq=False)
class Elements(Described):
    """Finite elements of one part. Displacements, velocities and forces are [node, 3] in the part's coordinates.

    Attributes:
        mesh: The part.
        packed: What the kernels take.
        slots: Block of each pair of an element's nodes in the pattern, int64 [element, 10, 10].
        indptr: Rows of the pattern of 3x3 blocks, as in `scipy.sparse.bsr_array`.
        indices: Its columns.
        node_mass: Consistent mass between nodes [kg], sparse [node, node]; each axis has the same.
        node_mass_damping: The same times alpha of each element [kg/s].
    """

    mesh: PartMesh
    packed: PackedElements
    slots: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray
    node_mass: csr_array
    node_mass_damping: csr_array

    def energy(self, u: np.ndarray) -> float:
        """Elastic energy at displacements u [m] [J]."""
        return float(elastic_energy(self.packed, _rows(u)))

    def forces(self, u: np.ndarray) -> np.ndarray:
        """What holds the part at displacements u [m]: d energy / du [N], shape [node, 3]."""
        out = np.zeros((self.mesh.node_count, 3))
        add_elastic_forces(self.packed, _rows(u), out)
        return out

    def stiffness_times(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """K(u) v, shape [node, 3]."""
        out = np.zeros((self.mesh.node_count, 3))
        add_stiffness_times(self.packed, _rows(u), _rows(v), False, out)
        return out

    def damping_forces(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(alpha M + beta K(u)) v of each element with its own alpha and beta [N], shape [node, 3]."""
        out = self.node_mass_damping @ _rows(v)
        if self.packed.stiffness_damping.any():
            add_stiffness_times(self.packed, _rows(u), _rows(v), True, out)
        return out

    def tangent(self, u: np.ndarray, *, rate: float = 0.0) -> bsr_array:
        """K(u) of all elements, each times 1 + rate * beta, symmetric [3 node, 3 node], freedom 3 i + axis."""
        blocks = np.zeros((len(self.indices), 3, 3))
        add_tangent(self.packed, _rows(u), rate, self.slots, blocks)
        size = 3 * self.mesh.node_count
        return bsr_array((blocks, self.indices, self.indptr), shape=(size, size))

    @cached_property
    def mass(self) -> csr_array:
        """Consistent mass of all freedoms [kg], symmetric [3 node, 3 node], freedom 3 i + axis."""
        return kron(self.node_mass, np.eye(3), format="csr")

    @cached_property
    def mass_damping(self) -> csr_array:
        """Mass times alpha of all freedoms [kg/s], symmetric [3 node, 3 node]."""
        return kron(self.node_mass_damping, np.eye(3), format="csr")

    def facts(self) -> dict[str, str]:
        """Size at a glance."""
        points = self.packed.volumes.shape[1]
        return {"part": self.mesh.name, "elements": f"{len(self.packed.tets)} of {points} points"}


def build_elements(mesh: PartMesh, *, order: int = 2) -> Elements:
    """Prepares a part's finite elements: quadrature, gradients, pattern and mass by scikit-fem.

    Args:
        mesh: Any.
        order: Degree up to which elastic forces are integrated exactly on straight elements: 2 (four points; exact
            for linear elasticity there and enough for the others), 5 (fourteen) or 6 (fifteen) for large strain or
            strongly curved elements.
    """
    basis, node_of = build_skfem_basis(mesh, order=order)
    shapes = [np.asarray(basis.basis[a][0].grad) for a in range(10)]
    gradients = np.ascontiguousarray(np.stack(shapes).transpose(2, 3, 0, 1))
    tets = np.ascontiguousarray(node_of[basis.element_dofs].T)
    lame = np.array([lame_parameters(material) for material in mesh.materials])[mesh.material_of]
    models = np.array([MODEL_NUMBERS[material.model] for material in mesh.materials], dtype=np.int64)
    betas = np.array([material.stiffness_damping for material in mesh.materials], dtype=np.float64)
    packed = PackedElements(
        tets,
        gradients,
        np.ascontiguousarray(basis.dx),
        np.ascontiguousarray(lame[:, 0]),
        np.ascontiguousarray(lame[:, 1]),
        models[mesh.material_of],
        betas[mesh.material_of],
    )
    indptr, indices, slots = _pattern(mesh.node_count, tets)
    densities = np.array([material.density for material in mesh.materials])[mesh.material_of]
    alphas = np.array([material.mass_damping for material in mesh.materials])[mesh.material_of]
    mass = _node_mass(mesh, densities)
    damping = _node_mass(mesh, densities * alphas) if alphas.any() else csr_array(mass.shape)
    return Elements(mesh, packed, slots, indptr, indices, mass, damping)


def _pattern(node_count: int, tets: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows and columns of the blocks that elements touch, and the block of each pair of their nodes."""
    rows, columns = np.repeat(tets, 10, axis=1), np.tile(tets, (1, 10))
    keys = rows * node_count + columns
    unique, inverse = np.unique(keys, return_inverse=True)
    indptr = np.searchsorted(unique, np.arange(node_count + 1) * node_count).astype(np.int32)
    slots = inverse.reshape(-1, 10, 10).astype(np.int64)
    return indptr, (unique % node_count).astype(np.int32), slots


def _node_mass(mesh: PartMesh, densities: np.ndarray) -> csr_array:
    """Mass between nodes [kg] of elements of given densities, assembled by scikit-fem."""
    from skfem import BilinearForm

    basis, node_of = build_skfem_basis(mesh, order=MASS_ORDER)
    form = BilinearForm(lambda u, v, w: w.density * u * v)
    matrix = form.assemble(basis, density=np.repeat(densities[:, None], basis.dx.shape[1], axis=1)).tocoo()
    count = mesh.node_count
    return csr_array((matrix.data, (node_of[matrix.row], node_of[matrix.col])), shape=(count, count))


def _rows(field: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(field, dtype=np.float64).reshape(-1, 3)
