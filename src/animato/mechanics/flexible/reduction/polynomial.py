"""Exact elastic forces of St. Venant-Kirchhoff in a basis, as polynomials of its coordinates.

With F = 1 + sum of G_k a_k the strain is a polynomial too, E = sum of sym(G_k) a_k + 1/2 sum of sym(G_m^T G_n) a_m a_n,
so it is linear in the modes and their products q_mn = a_m a_n, m <= n, and the energy 1/2 int E : C : E is quadratic in
both: one Gram matrix holds all coefficients. Many of them belong to the same power of the modes, as a_0 a_1 times
a_2 a_3 is a_0 a_2 times a_1 a_3; added up, a fifth of them is left.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.errors import OptionError
from animato.mechanics.flexible.elements import ST_VENANT_KIRCHHOFF
from animato.mechanics.flexible.reduction.point_gradients import PointGradients
from animato.mechanics.flexible.reduction.reduced_part import PolynomialForces

_CHUNK = 2000
"""Points that are worked on at once, which bounds the memory."""

_ROOT_2 = np.sqrt(2.0)


def polynomial_forces(points: PointGradients) -> tuple[np.ndarray, PolynomialForces]:
    """Stiffness at rest [r, r] and the exact forces beyond it.

    Args:
        points: Of a basis; all materials must be St. Venant-Kirchhoff.
    """
    stiffness, mixed, quartic = _blocks(points)
    r = len(stiffness)
    first, second = np.triu_indices(r)
    cubes, fourths = np.zeros((r, len(first))), np.zeros_like(quartic)
    for i in range(r):
        low, middle, high = np.sort((np.full_like(first, i), first, second), axis=0)
        np.add.at(cubes, (high, _pair(middle, low)), mixed[i])
    for p in range(len(first)):
        a, b, c, d = np.sort((np.full_like(first, first[p]), np.full_like(first, second[p]), first, second), axis=0)
        np.add.at(fourths, (_pair(d, c), _pair(b, a)), 0.5 * quartic[p])
    return stiffness, PolynomialForces(cubes, fourths)


def _pair(m: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Index of the pairs m >= n in the order (0, 0), (1, 0), (1, 1), (2, 0), ..."""
    return np.asarray(m * (m + 1) // 2 + n)


def _blocks(points: PointGradients) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K [r, r], H [r, pair] and Q [pair, pair] of the energy 1/2 a^T K a + a^T H q + 1/2 q^T Q q."""
    if (points.models != ST_VENANT_KIRCHHOFF).any():
        raise OptionError(
            "Polynomial forces are exact for materials of model `st_venant_kirchhoff` alone. Choose that model for the "
            "part's material, which is as good for small strain, or `forces` 'cubature'."
        )
    r = points.gradients.shape[2]
    first, second = np.triu_indices(r)
    total = np.zeros((r + len(first), r + len(first)))
    for start in range(0, len(points.volumes), _CHUNK):
        here = slice(start, start + _CHUNK)
        G = points.gradients[here].reshape(-1, 3, 3, r)
        linear = _strain_vector(0.5 * (G + G.swapaxes(1, 2)))
        product = np.einsum("xcim,xcjm->xijm", G[..., first], G[..., second], optimize=True)
        share = np.where(first == second, 0.5, 1.0)  # each product of two different modes comes twice
        quadratic = _strain_vector(0.5 * share * (product + product.swapaxes(1, 2)))
        strain = np.concatenate((linear, quadratic), axis=2)
        lam, mu = points.lame[here, 0, None], points.lame[here, 1, None, None]
        stress = 2.0 * mu * strain
        stress[:, :3] += (lam * strain[:, :3].sum(axis=1))[:, None]
        stress *= points.volumes[here, None, None]
        total += strain.reshape(-1, total.shape[0]).T @ stress.reshape(-1, total.shape[0])
    total = 0.5 * (total + total.T)
    return total[:r, :r].copy(), total[:r, r:].copy(), total[r:, r:].copy()


def _strain_vector(E: np.ndarray) -> np.ndarray:
    """Six numbers whose scalar product is that of the symmetric matrices, [x, 6, ...] of [x, 3, 3, ...]."""
    return np.stack(
        (E[:, 0, 0], E[:, 1, 1], E[:, 2, 2], _ROOT_2 * E[:, 0, 1], _ROOT_2 * E[:, 0, 2], _ROOT_2 * E[:, 1, 2]), axis=1
    )


def shapes_at_rest(
    points: PointGradients, responses: np.ndarray, *, steps: int = 4, iterations: int = 30
) -> np.ndarray:
    """Shapes [shape, r] under the loads of small responses [load, r]; loads without equilibrium are left out.

    Args:
        points: Of the basis; materials count as St. Venant-Kirchhoff of the same stiffness.
        responses: What the loads would do to a part that stays linear.
        steps: In which each load grows.
        iterations: Of Newton's method a step, at the most.
    """
    stiffness, of_mixed, quartic = _blocks(replace(points, models=np.full_like(points.models, ST_VENANT_KIRCHHOFF)))
    first, second = np.triu_indices(len(stiffness))
    rows = np.arange(len(first))
    found = []
    for load in responses @ stiffness:
        a, step = np.zeros(len(stiffness)), np.inf
        for share in np.arange(1, steps + 1) / steps:
            for _ in range(iterations):
                D = np.zeros((len(first), len(a)))
                D[rows, first] += a[second]
                D[rows, second] += a[first]
                q = a[first] * a[second]
                y = of_mixed.T @ a + quartic @ q
                lacking = share * load - stiffness @ a - of_mixed @ q - D.T @ y
                curved = np.zeros_like(stiffness)
                np.add.at(curved, (first, second), y)
                mixed = of_mixed @ D
                tangent = stiffness + mixed + mixed.T + D.T @ quartic @ D + curved + curved.T
                change = np.linalg.solve(tangent, lacking)
                a, step = a + change, float(np.abs(change).max())
                if not step > 1e-9 * np.abs(a).max():
                    break
        if step <= 1e-6 * np.abs(a).max():
            found.append(a)
    return np.array(found).reshape(-1, len(stiffness))
