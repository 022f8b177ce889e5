"""Bases that know nothing of large shapes but what follows from small ones, and rigid modes.

Modal derivatives are after Barbič, James: Real-Time Subspace Integration for St. Venant-Kirchhoff Deformable Models
(2005): how a vibration mode changes as another one bends the part.
"""

from __future__ import annotations

import numpy as np

from animato.mechanics.flexible.full import FullPart, factor_with_conditions, full_modes
from animato.mechanics.flexible.reduction.basis import held, mass_pca, orthonormal, without
from animato.mechanics.flexible.reduction.load_cases import second_change


def modal_derivatives(full: FullPart, modes: np.ndarray) -> np.ndarray:
    """Solutions of K u_ij = -f''(phi_i, phi_j) for all pairs i <= j of modes, [pair, node, 3] of [mode, node, 3]."""
    factor = factor_with_conditions(full, full.elements.tangent(np.zeros_like(full.mesh.nodes)).tocsr())
    first, second = np.triu_indices(len(modes))
    pairs = zip(first, second, strict=True)
    return np.stack([factor.solve(-second_change(full, modes[i], modes[j])) for i, j in pairs])


def modal_basis(full: FullPart, *, modes: int, derivatives: int = 0, count: int | None = None) -> np.ndarray:
    """Vibration modes about rest, and principal components of the derivatives of the lowest of them.

    Args:
        full: The part with the bodies that ride on it.
        modes: Number of vibration modes.
        derivatives: The derivatives of so many lowest modes take part.
        count: Modes of the basis in all; None for `modes` where there are no derivatives, else for all.

    Returns:
        The basis, orthonormal in mass, [node, 3, mode].
    """
    found = full_modes(full, count=modes)
    linear = held(found.shapes, full.conditions)
    mass = full.elements.node_mass
    basis = orthonormal(np.moveaxis(linear, 0, 2), mass)
    if not derivatives:
        return basis
    lowest = linear[:derivatives] / (found.frequencies[:derivatives] / found.frequencies[0])[:, None, None] ** 2
    more = held(modal_derivatives(full, lowest), full.conditions)
    room = len(more) if count is None else max(0, count - modes)
    extra, _ = mass_pca(without(more, basis, mass), mass, room)
    return orthonormal(np.concatenate((basis, extra), axis=2), mass)


def rigid_modes(nodes: np.ndarray) -> np.ndarray:
    """Three shifts and three small turns about the origin of nodes [node, 3], as a basis [node, 3, 6]."""
    shifts = np.broadcast_to(np.eye(3), (len(nodes), 3, 3))
    turns = np.stack([np.cross(axis, nodes) for axis in np.eye(3)], axis=2)
    return np.concatenate((shifts, turns), axis=2)
