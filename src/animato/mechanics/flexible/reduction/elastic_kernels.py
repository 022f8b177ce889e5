"""Elastic forces of a reduced part along its modes, with their tangent; compiled.

Forces are linear a + a remainder, from one of two sources:

- polynomial, exact for St. Venant-Kirchhoff: with the products q_mn = a_m a_n of pairs m <= n the energy is
  1/2 a^T K a + a^T H q + 1/2 q^T Q q;
- cubature points with deformation gradient F = 1 + sum of G_k a_k and a volume each. `linear` then is what the points
  lack of the stiffness at rest, so that small vibrations are those of the whole mesh.

Damping is alpha M + beta K with the stiffness K at rest, constant, so that its derivatives are exact too. (The tangent
at a would differ by the strain's share of it, and for a bent rod by the turn of its sections.)
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.vectors import Matrix
from animato.mechanics.flexible.elements import energy_density, stress, stress_change
from animato.mechanics.flexible.reduction.packed import PackedParts, PartsWork


@inlined_kernel
def _put_products(a: np.ndarray, q: np.ndarray) -> None:
    """Writes a_m a_n of all pairs m <= n, to the start of q."""
    at = 0
    for m in range(len(a)):
        for n in range(m, len(a)):
            q[at] = a[m] * a[n]
            at += 1


@inlined_kernel
def _put_pair_forces(parts: PackedParts, part: int, a: np.ndarray, q: np.ndarray, count: int) -> None:
    """Writes y = H^T a + Q q behind the products q: the derivatives of the energy's remainder by them."""
    mixed, quartic = parts.first_mixed[part], parts.first_quartic[part]
    for i in range(count):
        q[count + i] = 0.0
    for k in range(len(a)):
        x, row = a[k], mixed + k * count
        for i in range(count):
            q[count + i] += x * parts.mixed[row + i]
    for j in range(count):
        x, row = q[j], quartic + j * count
        for i in range(count):
            q[count + i] += x * parts.quartic[row + i]


@inlined_kernel
def _add_polynomial(parts: PackedParts, work: PartsWork, part: int, a: np.ndarray, derivatives: bool) -> None:
    """Adds H q + (dq/da)^T y, and its derivatives by a."""
    r, count = len(a), parts.first_polynomial[part + 1] - parts.first_polynomial[part]
    q, first, square = work.memory, parts.first_mode[part], parts.first_square[part]
    mixed = parts.first_mixed[part]
    _put_products(a, q)
    _put_pair_forces(parts, part, a, q, count)
    for k in range(r):
        total, row = 0.0, mixed + k * count
        for i in range(count):
            total += parts.mixed[row + i] * q[i]
        work.forces[first + k] += total
    at = 0
    for m in range(r):
        for n in range(m, r):
            y = q[count + at]
            work.forces[first + m] += a[n] * y
            work.forces[first + n] += a[m] * y
            if derivatives:
                work.forces_by_a[square + m * r + n] += y
                work.forces_by_a[square + n * r + m] += y
            at += 1
    if derivatives:
        _add_polynomial_tangent(parts, work, part, a, count)


@inlined_kernel
def _add_polynomial_tangent(parts: PackedParts, work: PartsWork, part: int, a: np.ndarray, count: int) -> None:
    """Adds H D + D^T H^T + D^T Q D with D = dq/da, which has two entries a row."""
    r, square, memory = len(a), parts.first_square[part], work.memory
    mixed, quartic, change = parts.first_mixed[part], parts.first_quartic[part], 2 * count
    for k in range(r):  # row k of D^T Q + 2 H, as D^T (Q D + 2 H^T) is the tangent up to its symmetric half
        row = change + k * count
        for i in range(count):
            memory[row + i] = 2.0 * parts.mixed[mixed + k * count + i]
        at = 0
        for m in range(r):
            for n in range(m, r):
                if k in (m, n):
                    x = 2.0 * a[k] if m == n else (a[n] if m == k else a[m])
                    line = quartic + at * count
                    for i in range(count):
                        memory[row + i] += x * parts.quartic[line + i]
                at += 1
        at = 0
        for m in range(r):
            for n in range(m, r):
                y = 0.5 * memory[row + at]
                work.forces_by_a[square + k * r + m] += a[n] * y
                work.forces_by_a[square + m * r + k] += a[n] * y
                work.forces_by_a[square + k * r + n] += a[m] * y
                work.forces_by_a[square + n * r + k] += a[m] * y
                at += 1


@inlined_kernel
def _gradient(parts: PackedParts, first: int, a: np.ndarray) -> Matrix:
    """F = 1 + sum of G_k a_k of a point whose G start at `first`."""
    r, G = len(a), parts.gradient
    xx, xy, xz, yx, yy, yz, zx, zy, zz = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    for k in range(r):
        x, at = a[k], first + k
        xx += x * G[at]
        xy += x * G[at + r]
        xz += x * G[at + 2 * r]
        yx += x * G[at + 3 * r]
        yy += x * G[at + 4 * r]
        yz += x * G[at + 5 * r]
        zx += x * G[at + 6 * r]
        zy += x * G[at + 7 * r]
        zz += x * G[at + 8 * r]
    return xx, xy, xz, yx, yy, yz, zx, zy, zz


@inlined_kernel
def _add_spread(G: np.ndarray, first: int, r: int, factor: float, P: Matrix, out: np.ndarray, at: int) -> None:
    """Adds factor P : G_k to r numbers of an array."""
    a, b, c, d, e = factor * P[0], factor * P[1], factor * P[2], factor * P[3], factor * P[4]
    f, g, h, i = factor * P[5], factor * P[6], factor * P[7], factor * P[8]
    for k in range(r):
        n = first + k
        total = a * G[n] + b * G[n + r] + c * G[n + 2 * r] + d * G[n + 3 * r] + e * G[n + 4 * r]
        out[at + k] += total + f * G[n + 5 * r] + g * G[n + 6 * r] + h * G[n + 7 * r] + i * G[n + 8 * r]


@inlined_kernel
def _add_points(parts: PackedParts, work: PartsWork, part: int, a: np.ndarray, derivatives: bool) -> None:
    """Adds the forces of the cubature points, and their derivatives by a."""
    r, G = len(a), parts.gradient
    start = parts.first_point[part]
    for point in range(start, parts.first_point[part + 1]):
        first = parts.first_gradient[part] + 9 * r * (point - start)
        model, weight = parts.point_model[point], parts.point_weight[point]
        lam, mu = parts.point_lame[point, 0], parts.point_lame[point, 1]
        F = _gradient(parts, first, a)
        _add_spread(G, first, r, weight, stress(model, lam, mu, F), work.forces, parts.first_mode[part])
        if derivatives:
            for k in range(r):
                n = first + k
                D = (G[n], G[n + r], G[n + 2 * r], G[n + 3 * r], G[n + 4 * r], G[n + 5 * r], G[n + 6 * r])
                D_k = (D[0], D[1], D[2], D[3], D[4], D[5], D[6], G[n + 7 * r], G[n + 8 * r])
                change = stress_change(model, lam, mu, F, D_k)
                _add_spread(G, first, r, weight, change, work.forces_by_a, parts.first_square[part] + k * r)


@kernel
def add_part_elasticity(
    parts: PackedParts, work: PartsWork, part: int, a: np.ndarray, v: np.ndarray, derivatives: bool
) -> None:
    """Adds elastic forces and damping along the modes of a part to `work`, after `put_modal_inertia`.

    Args:
        parts: All of them.
        work: Added to: forces, and with derivatives forces_by_a and forces_by_v.
        part: Which one.
        a: Its modes, [r].
        v: da/dt, [r].
        derivatives: Whether derivatives are wanted.
    """
    r, first, square = len(a), parts.first_mode[part], parts.first_square[part]
    for j in range(r):
        total, row = 0.0, square + j * r
        for k in range(r):
            total += parts.linear[row + k] * a[k] + parts.damping[row + k] * v[k]
        work.forces[first + j] += total
    if derivatives:
        for c in range(square, square + r * r):
            work.forces_by_a[c] += parts.linear[c]
            work.forces_by_v[c] += parts.damping[c]
    if parts.first_polynomial[part + 1] > parts.first_polynomial[part]:
        _add_polynomial(parts, work, part, a, derivatives)
    _add_points(parts, work, part, a, derivatives)


@kernel
def part_elastic_energy(parts: PackedParts, work: PartsWork, part: int, a: np.ndarray) -> float:
    """Elastic energy of a part [J] at modes a [r]."""
    r, square = len(a), parts.first_square[part]
    total = 0.0
    for j in range(r):
        for k in range(r):
            total += 0.5 * a[j] * parts.linear[square + j * r + k] * a[k]
    count = parts.first_polynomial[part + 1] - parts.first_polynomial[part]
    if count > 0:
        q = work.memory
        _put_products(a, q)
        _put_pair_forces(parts, part, a, q, count)
        for i in range(count):
            total += 0.5 * q[i] * q[count + i]
        for k in range(r):
            row = parts.first_mixed[part] + k * count
            for i in range(count):
                total += 0.5 * a[k] * parts.mixed[row + i] * q[i]
    start = parts.first_point[part]
    for point in range(start, parts.first_point[part + 1]):
        F = _gradient(parts, parts.first_gradient[part] + 9 * r * (point - start), a)
        lam, mu = parts.point_lame[point, 0], parts.point_lame[point, 1]
        total += parts.point_weight[point] * energy_density(parts.point_model[point], lam, mu, F)
    return total
