"""A flexible part with a few coordinates: the amplitudes of its modes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animato.described import Described
from animato.mechanics.flexible.interface import InterfaceMap
from animato.mechanics.flexible.reduction.inertia_integrals import InertiaIntegrals


@dataclass(frozen=True, eq=False)
class PolynomialForces:
    """Exact forces of St. Venant-Kirchhoff beyond the linear ones.

    With the products q of pairs m >= n of modes, in the order a_0 a_0, a_1 a_0, a_1 a_1, a_2 a_0 and so on, the energy
    is a^T H q + q^T Q q. Each power of the modes stands there once: H has a_i q_mn for i >= m, Q has q_ij q_mn for
    j >= m, so that each row is zero behind the pairs of modes up to i or j.

    Attributes:
        mixed: H, [r, pair].
        quartic: Q, [pair, pair].
    """

    mixed: np.ndarray
    quartic: np.ndarray


@dataclass(frozen=True, eq=False)
class CubatureForces:
    """Forces of a few points that stand for the whole volume.

    Attributes:
        gradients: Change of the deformation gradient per unit of each mode, [point, 9, r].
        weights: Volume that each point stands for, positive [m^3], [point].
        models: Number of the material model of each point, [point].
        lame: lambda and mu [Pa], [point, 2].
        training_error: Relative error of the forces where the points were chosen.
        test_error: The same at shapes that were not seen there.
    """

    gradients: np.ndarray
    weights: np.ndarray
    models: np.ndarray
    lame: np.ndarray
    training_error: float
    test_error: float


@dataclass(frozen=True, eq=False, repr=False)
class ReducedPart(Described):
    """A flexible part in modal coordinates a [r]: displacements are basis a, in the part's coordinates.

    The reference interface stays where it is: its centroid does not move and its polar-decomposed rotation is none,
    whatever a. So the part's coordinates are those of the body that it is clamped to there, up to a constant pose.

    Attributes:
        name: Of the part.
        nodes: At rest [m], in the part's coordinates, [node, 3].
        surface: Six-node faces for drawing, [face, 6].
        basis: [node, 3, r], orthonormal in mass.
        interface_names: Bodies at the interfaces, the reference first.
        interfaces: The same interfaces as sums over their nodes.
        integrals: Its inertia.
        stiffness: At rest, [r, r].
        damping: alpha M + beta K at rest, [r, r].
        forces: Elastic forces beyond those of `stiffness` (polynomial), all of them (cubature), or None where linear.
        provenance: What it was made of, for people: words and values.
    """

    name: str
    nodes: np.ndarray
    surface: np.ndarray
    basis: np.ndarray
    interface_names: tuple[str, ...]
    interfaces: tuple[InterfaceMap, ...]
    integrals: InertiaIntegrals
    stiffness: np.ndarray
    damping: np.ndarray
    forces: PolynomialForces | CubatureForces | None
    provenance: dict[str, str] = field(default_factory=dict)

    @property
    def mode_count(self) -> int:
        """Coordinates, r."""
        return self.basis.shape[2]

    @property
    def far_interfaces(self) -> tuple[InterfaceMap, ...]:
        """All but the reference."""
        return self.interfaces[1:]

    def displaced(self, a: np.ndarray) -> np.ndarray:
        """Places of the nodes in the part's coordinates [m], [..., node, 3], of modes [..., r]."""
        return np.asarray(self.nodes + np.einsum("npk,...k->...np", self.basis, a))

    def facts(self) -> dict[str, str]:
        """At a glance."""
        facts = {"name": self.name, "modes": str(self.mode_count), "freedoms of the mesh": str(3 * len(self.nodes))}
        if isinstance(self.forces, CubatureForces):
            facts["cubature"] = f"{len(self.forces.weights)} points, error {self.forces.test_error:.2g}"
        return {**facts, **self.provenance}
