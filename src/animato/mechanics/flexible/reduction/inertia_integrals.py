"""Inertia of a deforming part as constant integrals over its basis.

With X the place of a mass point at rest and phi_j its displacement per unit of mode j, both in the part's frame, and
with X as phi_0, all that Hoshyari, Xu, Knoop, Coros, Bächer: Vibration-Minimizing Motion Retargeting for Robotic
Characters (2019) need in App. A (eqs. 28, 29) is in

    m = int rho,      s_j = int rho phi_j,      B_jk = int rho phi_j phi_k^T,      j, k = 0..r.

Who uses them decides whether the coupling of part and body goes one way, as in its eq. 18, or both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class InertiaIntegrals:
    """Constant blocks of a part's inertia, in its frame.

    Attributes:
        mass: [kg].
        first: s_j, with s_0 the first moment at rest [kg m], [r + 1, 3].
        second: B_jk = int rho phi_j phi_k^T [kg m^2], [r + 1, r + 1, 3, 3]; B_kj is its transpose.
    """

    mass: float
    first: np.ndarray
    second: np.ndarray

    @property
    def modal_mass(self) -> np.ndarray:
        """The integrals of rho phi_j . phi_k [kg m^2], [r, r]."""
        return np.asarray(np.trace(self.second[1:, 1:], axis1=2, axis2=3))


def inertia_integrals(points: np.ndarray, node_mass: csr_array, basis: np.ndarray) -> InertiaIntegrals:
    """Integrates over a mesh.

    Args:
        points: Nodes at rest [m], in the part's frame, [node, 3].
        node_mass: int rho N_a N_b of the nodes' shape functions [kg], [node, node]. It is exact for the place at rest
            too, which the same functions interpolate.
        basis: Displacements per unit of each mode, [node, 3, mode].
    """
    fields = np.concatenate((np.asarray(points, dtype=float)[:, :, None], basis), axis=2)  # [node, 3, 1 + mode]
    nodes, _, count = fields.shape
    flat = fields.reshape(nodes, 3 * count)
    weighted = np.asarray(node_mass @ flat)
    total = np.asarray(node_mass @ np.ones(nodes))
    second = (flat.T @ weighted).reshape(3, count, 3, count).transpose(1, 3, 0, 2)
    return InertiaIntegrals(float(total.sum()), (total @ flat).reshape(3, count).T.copy(), np.ascontiguousarray(second))
