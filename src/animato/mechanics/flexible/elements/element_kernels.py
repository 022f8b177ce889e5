"""Elastic energy, forces and tangent of quadratic tetrahedra, compiled: one pass over elements and their points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.mechanics.flexible.elements.material_laws import Nine, energy_density, stress, stress_change


class PackedElements(NamedTuple):
    """Elements as the kernels take them; e elements, q quadrature points each.

    Attributes:
        tets: Nodes of each element, int64 [e, 10].
        gradients: Gradients of the shape functions at rest [1/m], shape [e, q, 10, 3].
        volumes: Volume that goes with each point [m^3], shape [e, q].
        lam: First parameter of Lame [Pa], shape [e].
        mu: Shear modulus [Pa], shape [e].
        model: Number of the material law, int64 [e].
        stiffness_damping: beta [s], shape [e].
    """

    tets: np.ndarray
    gradients: np.ndarray
    volumes: np.ndarray
    lam: np.ndarray
    mu: np.ndarray
    model: np.ndarray
    stiffness_damping: np.ndarray


@inlined_kernel
def gradient_at(tets: np.ndarray, gradients: np.ndarray, e: int, q: int, field: np.ndarray, diagonal: float) -> Nine:
    """Gradient of a field of nodes [node, 3] at a point, plus `diagonal` times the identity; nine numbers."""
    xx, xy, xz = diagonal, 0.0, 0.0
    yx, yy, yz = 0.0, diagonal, 0.0
    zx, zy, zz = 0.0, 0.0, diagonal
    for a in range(10):
        node = tets[e, a]
        x, y, z = field[node, 0], field[node, 1], field[node, 2]
        gx, gy, gz = gradients[e, q, a, 0], gradients[e, q, a, 1], gradients[e, q, a, 2]
        xx += x * gx
        xy += x * gy
        xz += x * gz
        yx += y * gx
        yy += y * gy
        yz += y * gz
        zx += z * gx
        zy += z * gy
        zz += z * gz
    return xx, xy, xz, yx, yy, yz, zx, zy, zz


@inlined_kernel
def add_divergence(
    tets: np.ndarray, gradients: np.ndarray, e: int, q: int, factor: float, P: Nine, out: np.ndarray
) -> None:
    """Adds factor * P grad N_a to the rows [node, 3] of an element's nodes."""
    for a in range(10):
        node = tets[e, a]
        gx, gy, gz = factor * gradients[e, q, a, 0], factor * gradients[e, q, a, 1], factor * gradients[e, q, a, 2]
        out[node, 0] += P[0] * gx + P[1] * gy + P[2] * gz
        out[node, 1] += P[3] * gx + P[4] * gy + P[5] * gz
        out[node, 2] += P[6] * gx + P[7] * gy + P[8] * gz


@kernel
def add_elastic_forces(elements: PackedElements, u: np.ndarray, out: np.ndarray) -> None:
    """Adds d energy / du to `out` [node, 3] at displacements u [node, 3]: what holds the part in this shape [N]."""
    for e in range(elements.tets.shape[0]):
        for q in range(elements.volumes.shape[1]):
            F = gradient_at(elements.tets, elements.gradients, e, q, u, 1.0)
            P = stress(elements.model[e], elements.lam[e], elements.mu[e], F)
            add_divergence(elements.tets, elements.gradients, e, q, elements.volumes[e, q], P, out)


@kernel
def add_stiffness_times(elements: PackedElements, u: np.ndarray, v: np.ndarray, damping: bool, out: np.ndarray) -> None:
    """Adds K(u) v to `out` [node, 3]; with `damping`, each element's part times its beta: Rayleigh's force [N]."""
    for e in range(elements.tets.shape[0]):
        share = elements.stiffness_damping[e] if damping else 1.0
        if share == 0.0:
            continue
        for q in range(elements.volumes.shape[1]):
            F = gradient_at(elements.tets, elements.gradients, e, q, u, 1.0)
            D = gradient_at(elements.tets, elements.gradients, e, q, v, 0.0)
            P = stress_change(elements.model[e], elements.lam[e], elements.mu[e], F, D)
            add_divergence(elements.tets, elements.gradients, e, q, share * elements.volumes[e, q], P, out)


@kernel
def elastic_energy(elements: PackedElements, u: np.ndarray) -> float:
    """Elastic energy at displacements u [node, 3] [J]."""
    total = 0.0
    for e in range(elements.tets.shape[0]):
        for q in range(elements.volumes.shape[1]):
            F = gradient_at(elements.tets, elements.gradients, e, q, u, 1.0)
            density = energy_density(elements.model[e], elements.lam[e], elements.mu[e], F)
            total += elements.volumes[e, q] * density
    return total


@kernel
def add_tangent(elements: PackedElements, u: np.ndarray, rate: float, slots: np.ndarray, blocks: np.ndarray) -> None:
    """Adds the tangent stiffness K(u) = d force / du to blocks of a pattern.

    Args:
        elements: Any.
        u: Displacements [m], shape [node, 3].
        rate: Each element counts 1 + rate * beta times: with d velocity / d displacement as rate [1/s], stiffness and
            its damping in one matrix.
        slots: Block of each pair of an element's nodes, shape [e, 10, 10].
        blocks: Shape [block, 3, 3], added to.
    """
    law = np.empty((3, 3, 3, 3))  # dP_ik / dF_jm
    column = np.empty((3, 3, 3))  # by i, k, j for one node
    local = np.empty((10, 10, 3, 3))
    for e in range(elements.tets.shape[0]):
        local[:] = 0.0
        share = 1.0 + rate * elements.stiffness_damping[e]
        for q in range(elements.volumes.shape[1]):
            F = gradient_at(elements.tets, elements.gradients, e, q, u, 1.0)
            _put_law(elements.model[e], elements.lam[e], elements.mu[e], F, share * elements.volumes[e, q], law)
            grad = elements.gradients[e, q]
            for b in range(10):
                for i in range(3):
                    for k in range(3):
                        for j in range(3):
                            row = law[i, k, j]
                            column[i, k, j] = row[0] * grad[b, 0] + row[1] * grad[b, 1] + row[2] * grad[b, 2]
                for a in range(b + 1):
                    gx, gy, gz = grad[a, 0], grad[a, 1], grad[a, 2]
                    for i in range(3):
                        for j in range(3):
                            local[a, b, i, j] += gx * column[i, 0, j] + gy * column[i, 1, j] + gz * column[i, 2, j]
        for b in range(10):
            for a in range(b + 1):
                upper, lower = blocks[slots[e, a, b]], blocks[slots[e, b, a]]
                for i in range(3):
                    for j in range(3):
                        upper[i, j] += local[a, b, i, j]
                        if a != b:
                            lower[j, i] += local[a, b, i, j]


@inlined_kernel
def _put_law(model: int, lam: float, mu: float, F: Nine, factor: float, law: np.ndarray) -> None:
    """Writes factor * dP/dF [i, k, j, m] at F."""
    for j in range(3):
        for m in range(3):
            n = 3 * j + m
            D = (
                1.0 if n == 0 else 0.0,
                1.0 if n == 1 else 0.0,
                1.0 if n == 2 else 0.0,
                1.0 if n == 3 else 0.0,
                1.0 if n == 4 else 0.0,
                1.0 if n == 5 else 0.0,
                1.0 if n == 6 else 0.0,
                1.0 if n == 7 else 0.0,
                1.0 if n == 8 else 0.0,
            )
            P = stress_change(model, lam, mu, F, D)
            law[0, 0, j, m] = factor * P[0]
            law[0, 1, j, m] = factor * P[1]
            law[0, 2, j, m] = factor * P[2]
            law[1, 0, j, m] = factor * P[3]
            law[1, 1, j, m] = factor * P[4]
            law[1, 2, j, m] = factor * P[5]
            law[2, 0, j, m] = factor * P[6]
            law[2, 1, j, m] = factor * P[7]
            law[2, 2, j, m] = factor * P[8]
