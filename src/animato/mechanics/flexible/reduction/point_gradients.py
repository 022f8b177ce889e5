"""Deformation gradients of a basis at the quadrature points of a mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.flexible.elements import Elements


@dataclass(frozen=True, eq=False)
class PointGradients:
    """All quadrature points of a mesh, seen by a basis.

    Attributes:
        gradients: Change of the deformation gradient per unit of each mode, row by row, [point, 9, r].
        volumes: Of the points [m^3], [point].
        models: Number of the material model of each, [point].
        lame: lambda and mu [Pa], [point, 2].
    """

    gradients: np.ndarray
    volumes: np.ndarray
    models: np.ndarray
    lame: np.ndarray


def point_gradients(elements: Elements, basis: np.ndarray) -> PointGradients:
    """Deformation gradients of a basis [node, 3, r] at all quadrature points."""
    packed = elements.packed
    of_nodes = basis[packed.tets]  # [element, 10, 3, r]
    gradients = np.einsum("eapk,eqac->eqpck", of_nodes, packed.gradients, optimize=True)
    count, points = packed.volumes.shape
    lame = np.column_stack((np.broadcast_to(packed.lam, count), np.broadcast_to(packed.mu, count)))
    return PointGradients(
        np.ascontiguousarray(gradients.reshape(count * points, 9, -1)),
        packed.volumes.ravel(),
        np.repeat(packed.model, points).astype(np.int64),
        np.repeat(lame, points, axis=0),
    )
