"""Elastic forces of a reduced part along its modes, with their tangent; compiled.

They come from one of two sources:

- a polynomial, exact for St. Venant-Kirchhoff: with the products q of pairs of modes the energy is
  1/2 a^T K a + a^T H q + q^T Q q, where K is `linear` and H, Q are `PolynomialForces`;
- cubature points with deformation gradient F = 1 + sum of G_k a_k and a volume each; `linear` is zero.

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
def _pairs_up_to(m: int) -> int:
    """Number of pairs of modes none of which is behind m."""
    return (m + 1) * (m + 2) // 2


@kernel
def _put_products(a: np.ndarray, q: np.ndarray) -> None:
    """Writes a_m a_n of all pairs m >= n."""
    at = 0
    for m in range(len(a)):
        for n in range(m + 1):
            q[at] = a[m] * a[n]
            at += 1


@kernel
def _put_pair_forces(
    mixed: np.ndarray, quartic: np.ndarray, a: np.ndarray, q: np.ndarray, y: np.ndarray, along: np.ndarray
) -> None:
    """Writes y = H^T a + Q q + Q^T q, the derivatives of the energy's remainder by the products q, and Q q."""
    y[:] = 0.0
    for i in range(len(a)):
        x = a[i]
        for c in range(_pairs_up_to(i)):
            y[c] += x * mixed[i, c]
    p = 0
    for i in range(len(a)):
        for j in range(i + 1):
            x = q[p]
            for c in range(_pairs_up_to(j)):
                y[c] += x * quartic[p, c]
            p += 1
    # four rows at a time, so that sums do not wait for one another; a row is zero where it is shorter than the last
    for i in range(len(a)):
        first, last = _pairs_up_to(i) - i - 1, _pairs_up_to(i) - 1
        for j in range(0, i + 1, 4):
            s, t, u, v = first + j, min(first + j + 1, last), min(first + j + 2, last), min(first + j + 3, last)
            e, f, g, h = 0.0, 0.0, 0.0, 0.0
            for c in range(_pairs_up_to(min(j + 3, i))):
                x = q[c]
                e += quartic[s, c] * x
                f += quartic[t, c] * x
                g += quartic[u, c] * x
                h += quartic[v, c] * x
            along[s], along[t], along[u], along[v] = e, f, g, h
    for p in range(len(q)):
        y[p] += along[p]


@kernel
def _add_pair_forces(mixed: np.ndarray, a: np.ndarray, q: np.ndarray, y: np.ndarray, forces: np.ndarray) -> None:
    """Adds H q + (dq/da)^T y."""
    at = 0
    for m in range(len(a)):
        total = 0.0
        for c in range(_pairs_up_to(m)):
            total += mixed[m, c] * q[c]
        for n in range(m + 1):
            total += a[n] * y[at]
            forces[n] += a[m] * y[at]
            at += 1
        forces[m] += total


@kernel
def _add_pair_tangent(
    mixed: np.ndarray, quartic: np.ndarray, a: np.ndarray, y: np.ndarray, rows: np.ndarray, tangent: np.ndarray
) -> None:
    """Adds X + X^T, X = (H + D^T Q) D with D = dq/da, which has two entries a row, and what y adds, to [r, r].

    The first factor of X is written to `rows` [r, pair].
    """
    r, p = len(a), 0
    rows[:] = mixed
    for m in range(r):
        for n in range(m + 1):
            x, z = a[n], a[m]
            for c in range(_pairs_up_to(n)):
                rows[m, c] += x * quartic[p, c]
            for c in range(_pairs_up_to(n)):
                rows[n, c] += z * quartic[p, c]
            tangent[m, n] += y[p]
            tangent[n, m] += y[p]
            p += 1
    for k in range(r):
        p = 0
        for m in range(r):
            total = 0.0
            for n in range(m + 1):
                value = rows[k, p]
                total += a[n] * value
                tangent[k, n] += a[m] * value
                tangent[n, k] += a[m] * value
                p += 1
            tangent[k, m] += total
            tangent[m, k] += total


@kernel
def _add_polynomial(parts: PackedParts, work: PartsWork, part: int, a: np.ndarray, derivatives: bool) -> None:
    """Adds the forces of the polynomial energy beyond K a, and their derivatives by a."""
    r, count = len(a), parts.first_polynomial[part + 1] - parts.first_polynomial[part]
    first, square = parts.first_mode[part], parts.first_square[part]
    mixed = parts.mixed[parts.first_mixed[part] : parts.first_mixed[part + 1]].reshape(r, count)
    quartic = parts.quartic[parts.first_quartic[part] : parts.first_quartic[part + 1]].reshape(count, count)
    q, y = work.memory[:count], work.memory[count : 2 * count]
    _put_products(a, q)
    _put_pair_forces(mixed, quartic, a, q, y, work.memory[2 * count : 3 * count])
    _add_pair_forces(mixed, a, q, y, work.forces[first : first + r])
    if derivatives:
        rows = work.memory[2 * count : (2 + r) * count].reshape(r, count)
        tangent = work.forces_by_a[square : square + r * r].reshape(r, r)
        _add_pair_tangent(mixed, quartic, a, y, rows, tangent)


@inlined_kernel
def _gradient(G: np.ndarray, a: np.ndarray) -> Matrix:
    """F = 1 + sum of G_k a_k of a point, whose G are [9, r]."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    for k in range(len(a)):
        x = a[k]
        xx += x * G[0, k]
        xy += x * G[1, k]
        xz += x * G[2, k]
        yx += x * G[3, k]
        yy += x * G[4, k]
        yz += x * G[5, k]
        zx += x * G[6, k]
        zy += x * G[7, k]
        zz += x * G[8, k]
    return xx, xy, xz, yx, yy, yz, zx, zy, zz


@inlined_kernel
def _add_spread(G: np.ndarray, factor: float, P: Matrix, out: np.ndarray) -> None:
    """Adds factor P : G_k to r numbers."""
    a, b, c, d, e = factor * P[0], factor * P[1], factor * P[2], factor * P[3], factor * P[4]
    f, g, h, i = factor * P[5], factor * P[6], factor * P[7], factor * P[8]
    for k in range(len(out)):
        total = a * G[0, k] + b * G[1, k] + c * G[2, k] + d * G[3, k] + e * G[4, k]
        out[k] += total + f * G[5, k] + g * G[6, k] + h * G[7, k] + i * G[8, k]


@kernel
def _add_point(
    G: np.ndarray,
    model: int,
    lame: np.ndarray,
    weight: float,
    a: np.ndarray,
    derivatives: bool,
    forces: np.ndarray,
    tangent: np.ndarray,
) -> None:
    """Adds the forces of a cubature point [r], and their derivatives by a [r, r]."""
    lam, mu = lame[0], lame[1]
    F = _gradient(G, a)
    _add_spread(G, weight, stress(model, lam, mu, F), forces)
    if derivatives:
        for k in range(len(a)):
            D = (G[0, k], G[1, k], G[2, k], G[3, k], G[4, k], G[5, k], G[6, k], G[7, k], G[8, k])
            _add_spread(G, weight, stress_change(model, lam, mu, F, D), tangent[k])


@kernel
def _add_points(parts: PackedParts, work: PartsWork, part: int, a: np.ndarray, derivatives: bool) -> None:
    """Adds the forces of all cubature points of a part, and their derivatives by a."""
    r, first, square = len(a), parts.first_mode[part], parts.first_square[part]
    start, last = parts.first_point[part], parts.first_point[part + 1]
    gradients = parts.gradient[parts.first_gradient[part] : parts.first_gradient[part + 1]].reshape(last - start, 9, r)
    forces = work.forces[first : first + r]
    tangent = work.forces_by_a[square : square + r * r].reshape(r, r)
    for point in range(start, last):
        model, weight = parts.point_model[point], parts.point_weight[point]
        _add_point(gradients[point - start], model, parts.point_lame[point], weight, a, derivatives, forces, tangent)


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
        mixed = parts.mixed[parts.first_mixed[part] : parts.first_mixed[part + 1]].reshape(r, count)
        quartic = parts.quartic[parts.first_quartic[part] : parts.first_quartic[part + 1]].reshape(count, count)
        q, along = work.memory[:count], work.memory[2 * count : 3 * count]
        _put_products(a, q)
        _put_pair_forces(mixed, quartic, a, q, work.memory[count : 2 * count], along)
        for c in range(count):
            total += q[c] * along[c]
            for k in range(r):
                total += a[k] * mixed[k, c] * q[c]
    start, last = parts.first_point[part], parts.first_point[part + 1]
    gradients = parts.gradient[parts.first_gradient[part] : parts.first_gradient[part + 1]].reshape(last - start, 9, r)
    for point in range(start, last):
        F = _gradient(gradients[point - start], a)
        lam, mu = parts.point_lame[point, 0], parts.point_lame[point, 1]
        total += parts.point_weight[point] * energy_density(parts.point_model[point], lam, mu, F)
    return total
