"""A flexible part in the relative coordinates of a rigid body: Sec. 5 and App. A of the paper, as printed.

A point that lies at X in the coordinates of the reference body is at x = R (X + sum of phi_j u_j) + c (eq. 12). Tested
with R phi_j alone, its inertia is that of eqs. 14 to 17, and the rows of the reference body carry none of it (eq. 18).
That is right as long as what the part does when its reference body is moved is in the span of R phi_j: the basis must
hold all rigid motions, of the deformed part too. A basis of scalar fields, 1, x, y and z among them, times the three
axes (`field_basis`) holds them exactly and is the same seen from any body; six linear rigid modes beside others, as the
paper adds them (`with_rigid_modes`), hold them nearly as long as the part bends little. Modes of snapshots belong to
the body that the snapshots were seen from: from another body the same motion is in the span of others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.errors import OptionError
from animato.mechanics.flexible.elements import Elements
from animato.mechanics.flexible.interface import InterfaceMap, interface_map
from animato.mechanics.flexible.reduction import InertiaIntegrals, inertia_integrals


@dataclass(frozen=True, eq=False)
class PartInterface:
    """Where a part meets a body; in the coordinates of the reference body.

    Attributes:
        centroid: At rest [m], [3].
        shift: Displacement of the centroid per unit of a mode, [mode, 3].
        linear: Change of the best linear map A per unit of a mode, [mode, 3, 3].
        rest: A at rest, [3, 3].
    """

    centroid: np.ndarray
    shift: np.ndarray
    linear: np.ndarray
    rest: np.ndarray


@dataclass(frozen=True, eq=False)
class RelativePart:
    """A flexible part with a basis.

    Attributes:
        name: For people.
        reference: Which frame it is relative to: 0 for the world, else 1 + the number of a moving body.
        basis: Displacements of nodes per unit of a mode, in the coordinates of the reference body, [node, 3, mode].
        elements: Of its mesh, in the part's own coordinates.
        rotation: Of the part's own coordinates in those of the reference body, [3, 3].
        integrals: Of its inertia, in the coordinates of the reference body.
        interfaces: With the bodies that it meets, in the order of the mesh.
    """

    name: str
    reference: int
    basis: np.ndarray
    elements: Elements
    rotation: np.ndarray
    integrals: InertiaIntegrals
    interfaces: tuple[PartInterface, ...]

    @cached_property
    def _crossed(self) -> np.ndarray:
        """Int rho phi_j x phi_k, with X as phi_0, [1 + mode, 1 + mode, 3]."""
        B = self.integrals.second
        return np.stack((B[..., 1, 2] - B[..., 2, 1], B[..., 2, 0] - B[..., 0, 2], B[..., 0, 1] - B[..., 1, 0]), -1)

    @cached_property
    def _flat(self) -> np.ndarray:
        """The basis in the part's own coordinates, [3 node, mode]."""
        own = np.einsum("pq,nqm->npm", self.rotation.T, self.basis)
        return np.ascontiguousarray(own.reshape(-1, self.mode_count))

    @property
    def mode_count(self) -> int:
        """Of the basis."""
        return self.basis.shape[2]

    @cached_property
    def is_damped(self) -> bool:
        """Whether its materials have Rayleigh damping."""
        return any(one.mass_damping + one.stiffness_damping > 0.0 for one in self.elements.mesh.materials)

    def inertial_forces(
        self, u: np.ndarray, v: np.ndarray, a: np.ndarray, turning: np.ndarray, turn: np.ndarray, pull: np.ndarray
    ) -> np.ndarray:
        """Eqs. 14 to 17 and gravity: what accelerating the part takes, along its modes, [..., mode].

        Args:
            u: Modal coordinates, [..., mode].
            v: Their velocities.
            a: Their accelerations.
            turning: Angular velocity of the reference body, along its own axes [rad/s], [..., 3].
            turn: Its angular acceleration, likewise.
            pull: Acceleration of its origin less gravity, likewise [m/s^2].
        """
        B, mass, lead, r = self.integrals.second, self.integrals.modal_mass, u.shape[:-1], self.mode_count
        crossed = self._crossed[1:, 1:].transpose(1, 0, 2).reshape(r, 3 * r)
        M12 = self._crossed[1:, 0] + (u @ crossed).reshape(*lead, r, 3)  # M1 + M2(u)
        M2_v = (v @ crossed).reshape(*lead, r, 3)
        squares = (turning[..., :, None] * turning[..., None, :]).reshape(*lead, 9)
        spread = (squares @ B[1:].reshape(-1, 9).T).reshape(*lead, r, r + 1)
        centrifugal = spread[..., 0] + np.matvec(spread[..., 1:], u)  # M4, M5(u)
        M6 = np.trace(B[1:, 0], axis1=1, axis2=2)
        centrifugal -= (M6 + u @ mass) * np.sum(turning**2, axis=-1)[..., None]
        coriolis = -2.0 * np.matvec(M2_v, turning)
        from_frame = pull @ self.integrals.first[1:].T - np.matvec(M12, turn)  # M3
        return np.asarray(from_frame + a @ mass + centrifugal + coriolis)

    def elastic_forces(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Internal forces and Rayleigh damping along the modes, [mode]."""
        flat = self._flat
        forces = self.elements.forces(flat @ u)
        if self.is_damped:
            forces = forces + self.elements.damping_forces(flat @ u, flat @ v)
        return np.asarray(flat.T @ forces.ravel())

    def stiffness(self, u: np.ndarray, rate: float = 0.0) -> np.ndarray:
        """K(u) + rate (alpha M + beta K(u)) along the modes, [mode, mode]."""
        flat = self._flat
        tangent = flat.T @ (self.elements.tangent(flat @ u, rate=rate) @ flat)
        if rate and self.elements.node_mass_damping.nnz:
            modes = self.basis.reshape(len(self.basis), -1)
            weighted = (self.elements.node_mass_damping @ modes).reshape(self.basis.shape)
            tangent = tangent + rate * np.einsum("npj,npk->jk", self.basis, weighted)
        return np.asarray(tangent)


def build_relative_part(
    elements: Elements, basis: np.ndarray, *, reference: int, rotation: np.ndarray, position: np.ndarray
) -> RelativePart:
    """A part relative to a body.

    Args:
        elements: Of the part's mesh.
        basis: Displacements of nodes per unit of a mode, in the part's own coordinates, [node, 3, mode].
        reference: 0 for the world, else 1 + the number of a moving body.
        rotation: Of the part's own coordinates in those of the reference body, at rest, [3, 3].
        position: Of the part's origin likewise [m], [3].
    """
    mesh = elements.mesh
    nodes = mesh.nodes @ rotation.T + position
    turned = np.einsum("pq,nqm->npm", rotation, basis)
    maps = [interface_map(nodes, one.nodes, one.weights) for one in mesh.interfaces]
    integrals = inertia_integrals(nodes, elements.node_mass, turned)
    interfaces = tuple(_interface(one, turned) for one in maps)
    return RelativePart(mesh.name, reference, turned, elements, rotation, integrals, interfaces)


def _interface(one: InterfaceMap, basis: np.ndarray) -> PartInterface:
    modes = np.moveaxis(basis, -1, 0)
    return PartInterface(one.centroid, one.centroid_of(modes), one.linear_part_of(modes), one.rest)


def field_basis(fields: np.ndarray) -> np.ndarray:
    """Scalar fields times the three axes.

    Args:
        fields: Values at the nodes, [node, field].

    Returns:
        Basis, [node, 3, 3 field].
    """
    nodes, count = fields.shape
    basis = np.zeros((nodes, 3, count, 3))
    for axis in range(3):
        basis[:, axis, :, axis] = fields
    return basis.reshape(nodes, 3, 3 * count)


def slender_fields(nodes: np.ndarray, degree: int) -> np.ndarray:
    """Fields of a slender part along z: Legendre's polynomials up to a degree, and x and y times those below it.

    Args:
        nodes: Places at rest in the part's own coordinates [m], [node, 3].
        degree: At least 1, so that all linear fields are among them.

    Returns:
        Values, all of the size of one, [node, 3 degree + 1].
    """
    if degree < 1:
        raise OptionError(f"`degree` must be at least 1, given {degree}.")
    low, high = nodes[:, 2].min(), nodes[:, 2].max()
    along = np.polynomial.legendre.legvander((2.0 * nodes[:, 2] - low - high) / (high - low), degree)
    across = nodes[:, :2] / np.abs(nodes[:, :2]).max()
    return np.column_stack((along, across[:, :1] * along[:, :-1], across[:, 1:] * along[:, :-1]))


def with_rigid_modes(nodes: np.ndarray, node_mass: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """The paper's basis: six linear rigid modes, then others, orthonormal under the mass.

    Args:
        nodes: Places at rest [m], [node, 3].
        node_mass: int rho N_a N_b [kg], sparse or dense [node, node].
        modes: Displacements, of a mass-PCA or other, [node, 3, mode].

    Returns:
        Basis, [node, 3, 6 + mode] less what was in the span already.
    """
    count = len(nodes)
    centred = nodes - nodes.mean(axis=0)
    rigid = np.zeros((count, 3, 6))
    rigid[:, :, :3] = np.eye(3)
    for axis in range(3):
        rigid[:, :, 3 + axis] = np.cross(np.eye(3)[axis], centred)
    columns: list[np.ndarray] = []
    for column in np.moveaxis(np.concatenate((rigid, modes), axis=2), -1, 0):
        size = np.sqrt(np.sum(column * (node_mass @ column)))
        left = column / max(size, 1e-300)
        for _ in range(2):  # twice, against rounding
            for other in columns:
                left = left - np.sum(other * (node_mass @ left)) * other
        remains = np.sqrt(np.sum(left * (node_mass @ left)))
        if remains > 1e-6:
            columns.append(left / remains)
    return np.stack(columns, axis=-1)
