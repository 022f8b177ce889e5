"""One flexible part in the frame of its reference interface, with rigid bodies on its other interfaces.

Unknowns are the displacements u [node, 3] of all nodes in that frame. The reference interface stays where it is:
its centroid does not move and its rotation PD(A) is the identity. The latter holds exactly where the skew part of
A vanishes, so that both are six *linear* conditions C u = 0. What rides on another interface has no coordinates of its
own: its pose follows from that interface's centroid and rotation, and its inertia acts on the interface's nodes
through the twelve numbers (centroid and linear map) that are linear in u. So nothing is penalized, and only the six
linear conditions carry multipliers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
from scipy.sparse import csr_array

from animato.errors import CharacterError, unknown_name
from animato.mechanics.flexible.elements import Elements, build_elements
from animato.mechanics.flexible.full.base_motion import LocalBase
from animato.mechanics.flexible.full.clamped_body import (
    ClampedBody,
    InterfaceWrench,
    body_forces,
    body_kinetic_energy,
    wrench_forces,
)
from animato.mechanics.flexible.full.interface_rotation import nearest_rotation, skew
from animato.mechanics.flexible.mesh import MeshInterface, PartMesh


@dataclass(frozen=True, eq=False)
class FullPart:
    """A part with its elements, its bodies and the six conditions of its reference interface.

    Attributes:
        elements: Finite elements of the part.
        bodies: Rigid bodies on interfaces other than the first.
        reference: The interface that is held; the first of the mesh.
    """

    elements: Elements
    bodies: tuple[ClampedBody, ...]
    reference: MeshInterface

    @property
    def mesh(self) -> PartMesh:
        """The part at rest."""
        return self.elements.mesh

    def interface(self, name: str) -> MeshInterface:
        """The interface to a body."""
        found = {interface.name: interface for interface in self.mesh.interfaces}
        if name not in found:
            raise unknown_name("interface", name, found, self.mesh.name)
        return found[name]

    @cached_property
    def conditions(self) -> csr_array:
        """C of C u = 0, six orthonormal rows, sparse [6, 3 node]."""
        rows = twelve_rows(self.reference)
        skew_rows = rows[[10, 5, 6]] - rows[[8, 9, 4]]  # A_zy - A_yz, A_xz - A_zx, A_yx - A_xy
        local, _ = np.linalg.qr(np.vstack([rows[:3], skew_rows]).T)
        columns = (3 * self.reference.nodes[:, None] + np.arange(3)).ravel()
        return _spread(local.T, columns, 3 * self.mesh.node_count)

    def interface_state(self, interface: MeshInterface, *fields: np.ndarray) -> np.ndarray:
        """Centroid and linear map of an interface at displacements, and of derivatives in time, [field, 12]."""
        rows = twelve_rows(interface)
        state = np.stack([rows @ field[interface.nodes].ravel() for field in fields])
        state[0] += rows @ self.mesh.nodes[interface.nodes].ravel()
        return state

    def pose(self, interface: MeshInterface, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Centroid [m], shape [3], and rotation [3, 3] of an interface in the part's frame."""
        (state,) = self.interface_state(interface, u)
        return state[:3], nearest_rotation(state[3:].reshape(3, 3))

    def forces(
        self,
        u: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        base: LocalBase,
        *,
        wrenches: tuple[InterfaceWrench, ...] = (),
        nodal: np.ndarray | None = None,
    ) -> np.ndarray:
        """What must be supplied at the nodes [N], shape [node, 3]; zero but for the reactions of the reference.

        Args:
            u: Displacements [m], shape [node, 3].
            v: Their velocities in the part's frame [m/s].
            a: Their accelerations there [m/s^2].
            base: Motion of that frame; its fictitious forces and gravity are part of the answer.
            wrenches: Dead loads on interfaces.
            nodal: Dead loads on nodes [N], shape [node, 3].
        """
        place = self.mesh.nodes + u
        turning = skew(base.spin_rate) + skew(base.spin) @ skew(base.spin)
        acceleration = a + base.lift + place @ turning.T + 2.0 * v @ skew(base.spin).T
        out = self.elements.forces(u)
        out += self.elements.node_mass @ acceleration
        out += self.elements.damping_forces(u, v)
        for body in self.bodies:
            interface = self.interface(body.interface)
            state = self.interface_state(interface, u, v, a)
            self._add(out, interface, body_forces(body, body.centre - interface.centroid, state, base))
        for wrench in wrenches:
            interface = self.interface(wrench.interface)
            state = self.interface_state(interface, u)
            self._add(out, interface, -wrench_forces(wrench, state))
        return out if nodal is None else out - nodal

    def energies(self, u: np.ndarray, v: np.ndarray, spin: np.ndarray) -> tuple[float, float]:
        """Kinetic and elastic energy [J] where the frame turns with `spin` about its own resting origin."""
        velocity = v + np.cross(spin, self.mesh.nodes + u)
        kinetic = 0.5 * float((velocity * (self.elements.node_mass @ velocity)).sum())
        for body in self.bodies:
            interface = self.interface(body.interface)
            state = self.interface_state(interface, u, v)
            arm = body.centre - interface.centroid
            kinetic += body_kinetic_energy(body, arm, state, spin)
        return kinetic, self.elements.energy(u)

    def _add(self, out: np.ndarray, interface: MeshInterface, forces: np.ndarray) -> None:
        out[interface.nodes] += (twelve_rows(interface).T @ forces).reshape(-1, 3)

    def matrix(
        self,
        u: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        base: LocalBase,
        rates: tuple[float, float],
        *,
        wrenches: tuple[InterfaceWrench, ...] = (),
    ) -> csr_array:
        """Derivative of `forces` by u, with v and a following at given rates, [3 node, 3 node].

        Terms of the frame's own turning are left out: they are small beside mass over step squared, and Newton's
        method only needs them near.

        Args:
            u: As in `forces`.
            v: As in `forces`.
            a: As in `forces`.
            base: As in `forces`.
            rates: dv/du [1/s] and da/du [1/s^2].
            wrenches: As in `forces`.
        """
        by_v, by_a = rates
        total = self.elements.tangent(u, rate=by_v).tocsr()
        if by_a > 0.0:
            total = total + by_a * self.elements.mass
            if self.elements.node_mass_damping.nnz:
                total = total + by_v * self.elements.mass_damping
        for body in self.bodies:
            interface = self.interface(body.interface)
            state = self.interface_state(interface, u, v, a)
            arm = body.centre - interface.centroid

            supplied = partial(_changed_body_forces, body, arm, state, base, np.array([1.0, by_v, by_a]))
            total = total + self._interface_matrix(interface, _twelve_by_twelve(supplied))
        for wrench in wrenches:
            interface = self.interface(wrench.interface)
            state = self.interface_state(interface, u)
            loaded = partial(_changed_wrench_forces, wrench, state)
            total = total + self._interface_matrix(interface, _twelve_by_twelve(loaded))
        return total

    def mass_matrix(self, u: np.ndarray) -> csr_array:
        """Derivative of `forces` by accelerations at a shape, bodies included, [3 node, 3 node]."""
        total, still = self.elements.mass, LocalBase(np.zeros(3), np.zeros(3), np.zeros(3))
        for body in self.bodies:
            interface = self.interface(body.interface)
            state = self.interface_state(interface, u, 0.0 * u, 0.0 * u)
            arm = body.centre - interface.centroid
            supplied = partial(_changed_body_forces, body, arm, state, still, np.array([0.0, 0.0, 1.0]))
            total = total + self._interface_matrix(interface, _twelve_by_twelve(supplied))
        return total

    def _interface_matrix(self, interface: MeshInterface, derivative: np.ndarray) -> csr_array:
        rows = twelve_rows(interface)
        columns = (3 * interface.nodes[:, None] + np.arange(3)).ravel()
        size = 3 * self.mesh.node_count
        block = rows.T @ derivative @ rows
        places = np.repeat(columns, len(columns)), np.tile(columns, len(columns))
        return csr_array((block.ravel(), places), shape=(size, size))


def build_full_part(
    part: PartMesh | Elements, bodies: tuple[ClampedBody, ...] = (), *, quadrature_order: int = 2
) -> FullPart:
    """Prepares a part for full simulation, in the frame of its first interface.

    Args:
        part: Its mesh, or elements that are already there.
        bodies: What rides on its other interfaces.
        quadrature_order: Of elastic forces, where elements are made here.
    """
    elements = build_elements(part, order=quadrature_order) if isinstance(part, PartMesh) else part
    if not elements.mesh.interfaces:
        raise CharacterError(f"Flexible part '{elements.mesh.name}' has no interface; say which body holds it.")
    full = FullPart(elements, tuple(bodies), elements.mesh.interfaces[0])
    for body in full.bodies:
        if full.interface(body.interface) is full.reference:
            raise CharacterError(
                f"Body '{body.interface}' is at the reference interface of flexible part '{full.mesh.name}', which "
                "moves as prescribed; give bodies for the other interfaces only."
            )
    return full


@lru_cache(maxsize=256)
def twelve_rows(interface: MeshInterface) -> np.ndarray:
    """Centroid and linear map (row by row) of an interface as rows on its nodes' places, shape [12, 3 k]."""
    count = len(interface.nodes)
    rows = np.zeros((12, count, 3))
    for i in range(3):
        rows[i, :, i] = interface.weights
        for j in range(3):
            rows[3 + 3 * i + j, :, i] = interface.map_rows[:, j]
    return rows.reshape(12, 3 * count)


def _changed_body_forces(
    body: ClampedBody, arm: np.ndarray, state: np.ndarray, base: LocalBase, rates: np.ndarray, change: np.ndarray
) -> np.ndarray:
    return body_forces(body, arm, state + np.outer(rates, change), base)


def _changed_wrench_forces(wrench: InterfaceWrench, state: np.ndarray, change: np.ndarray) -> np.ndarray:
    return -wrench_forces(wrench, state + change)


def _spread(local: np.ndarray, columns: np.ndarray, size: int) -> csr_array:
    rows = np.repeat(np.arange(len(local)), len(columns))
    return csr_array((local.ravel(), (rows, np.tile(columns, len(local)))), shape=(len(local), size))


def _twelve_by_twelve(function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Derivative of twelve numbers by twelve, by central differences: good to 1e-8, plenty for Newton's method."""
    step = 1e-6
    columns = [(function(step * axis) - function(-step * axis)) / (2.0 * step) for axis in np.eye(12)]
    return np.stack(columns, axis=1)
