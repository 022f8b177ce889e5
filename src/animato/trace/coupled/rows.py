"""Limits of the coupled problem: how much of each is used, how that changes, and the Newton system with them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.mechanics.tree.path_torques import PlaceTorques
from animato.spatial.basis import ORDER
from animato.trace.coupled.problem import CoupledArrays


class RowForces(NamedTuple):
    """What an interior point makes of the used shares: of accelerations and torques, and of squared velocities.

    Attributes:
        stiff, stiff_speed: Weight of the square of a change, [N, 2, n + m] and [N + 1, n].
        force, force_speed: Weight of a change.
        dual, dual_speed: Multiplier.
        negligible: Below this, `stiff` of a torque is left out.
    """

    stiff: np.ndarray
    force: np.ndarray
    dual: np.ndarray
    stiff_speed: np.ndarray
    force_speed: np.ndarray
    dual_speed: np.ndarray
    negligible: float


@kernel
def sample_kernel(first: np.ndarray, values: np.ndarray, points: np.ndarray, out: np.ndarray) -> None:
    """Writes p, p' and p'' at the grid points, [3, N + 1, n], of control points [c, n]."""
    for g in range(len(first)):
        for d in range(3):
            for i in range(points.shape[1]):
                total = 0.0
                for a in range(ORDER):
                    total += values[g, d, a] * points[first[g] + a, i]
                out[d, g, i] = total


@inlined_kernel
def _push(widths: np.ndarray, b: np.ndarray, i: int) -> float:
    """The constant s'' of segment i."""
    return (b[i + 1] - b[i]) / (2.0 * widths[i])


@kernel
def usage_kernel(
    p: CoupledArrays,
    samples: np.ndarray,
    b: np.ndarray,
    t: PlaceTorques,
    speeds: np.ndarray,
    pushes: np.ndarray,
) -> None:
    """Writes used shares: of squared velocities, [N + 1, n], and of accelerations, then torques, [N, 2, n + m].

    The last two have a sign; limits are -1 and 1.
    """
    n = samples.shape[2]
    for g in range(len(b)):
        for j in range(n):
            speeds[g, j] = p.velocity[j] * samples[1, g, j] ** 2 * b[g]
    for i in range(len(p.timing.widths)):
        u = _push(p.timing.widths, b, i)
        for end in range(2):
            g = i + end
            for j in range(n):
                pushes[i, end, j] = p.acceleration[j] * (samples[1, g, j] * u + samples[2, g, j] * b[g])
            for r in range(len(p.torque)):
                k = p.row_dof[r]
                dragged = p.drag[r] * samples[1, g, p.row_column[r]] * np.sqrt(b[g])
                pushes[i, end, n + r] = p.torque[r] * (t.a[g, k] * u + t.d[g, k] * b[g] + t.c[g, k] + dragged)


@kernel
def usage_change_kernel(
    p: CoupledArrays,
    samples: np.ndarray,
    b: np.ndarray,
    t: PlaceTorques,
    moved: np.ndarray,
    db: np.ndarray,
    speeds: np.ndarray,
    pushes: np.ndarray,
) -> None:
    """Writes the change of the used shares to first order with changes of samples, `moved`, and of b."""
    n = samples.shape[2]
    for g in range(len(b)):
        for j in range(n):
            rate = samples[1, g, j]
            speeds[g, j] = p.velocity[j] * (2.0 * rate * moved[1, g, j] * b[g] + rate * rate * db[g])
    for i in range(len(p.timing.widths)):
        u, du = _push(p.timing.widths, b, i), _push(p.timing.widths, db, i)
        for end in range(2):
            g = i + end
            for j in range(n):
                change = moved[1, g, j] * u + samples[1, g, j] * du + moved[2, g, j] * b[g] + samples[2, g, j] * db[g]
                pushes[i, end, j] = p.acceleration[j] * change
            for r in range(len(p.torque)):
                k = p.row_dof[r]
                change = t.a[g, k] * du + t.d[g, k] * db[g]
                for j in range(n):
                    change += (t.a_q[g, k, j] * u + t.t_q[g, k, j]) * moved[0, g, j]
                    change += (t.a_v[g, k, j] * u + t.t_v[g, k, j]) * moved[1, g, j]
                    change += b[g] * t.a_v[g, k, j] * moved[2, g, j]
                if p.drag[r] > 0.0 and b[g] > 0.0:
                    column, root = p.row_column[r], np.sqrt(b[g])
                    change += p.drag[r] * (moved[1, g, column] * root + 0.5 * samples[1, g, column] * db[g] / root)
                pushes[i, end, n + r] = p.torque[r] * change


@kernel
def torque_weights_kernel(p: CoupledArrays, b: np.ndarray, dual: np.ndarray, mu: np.ndarray, kappa: np.ndarray) -> None:
    """Writes the weights of d b + c and of a that multipliers dual [N, 2, n + m] of the shares give, [N + 1, m]."""
    mu[:] = 0.0
    kappa[:] = 0.0
    n = dual.shape[2] - len(p.torque)
    for i in range(len(p.timing.widths)):
        u = _push(p.timing.widths, b, i)
        for end in range(2):
            for r in range(len(p.torque)):
                value = dual[i, end, n + r] * p.torque[r]
                mu[i + end, p.row_dof[r]] += value
                kappa[i + end, p.row_dof[r]] += value * u


@inlined_kernel
def _put_torque_row(
    p: CoupledArrays, samples: np.ndarray, t: PlaceTorques, g: int, r: int, u: float, here: float, row: np.ndarray
) -> tuple[float, float]:
    """Writes the slope of the share of a torque by (q, q', q'') into row [3 n], and returns those by s'' and b."""
    factor, k, n = p.torque[r], p.row_dof[r], samples.shape[2]
    for j in range(n):
        row[j] = factor * (t.a_q[g, k, j] * u + t.t_q[g, k, j])
        row[n + j] = factor * (t.a_v[g, k, j] * u + t.t_v[g, k, j])
        row[2 * n + j] = factor * here * t.a_v[g, k, j]
    by_b = factor * t.d[g, k]
    if p.drag[r] > 0.0 and here > 0.0:
        root = np.sqrt(here)
        row[n + p.row_column[r]] += factor * p.drag[r] * root
        by_b += 0.5 * factor * p.drag[r] * samples[1, g, p.row_column[r]] / root
    return factor * t.a[g, k], by_b


@inlined_kernel
def _add_acceleration(
    p: CoupledArrays,
    samples: np.ndarray,
    here: float,
    f: RowForces,
    g: int,
    i: int,
    end: int,
    k: int,
    u: float,
    L: np.ndarray,
    y: np.ndarray,
) -> None:
    """Adds the row of one acceleration, which has four entries: q', q'', and b at both ends of the segment."""
    n, inverse = samples.shape[2], 0.5 / p.timing.widths[i]
    scale, weight, z, along = p.acceleration[k], f.stiff[i, end, k], f.dual[i, end, k], f.force[i, end, k]
    near, far = 3 * n + 1, 3 * n + 2 * (1 - end)  # columns of b here, and at the other end of the segment
    sign = -1.0 if end == 0 else 1.0
    by_v, by_a = scale * u, scale * here
    by_near = scale * (samples[2, g, k] + sign * samples[1, g, k] * inverse)
    by_far = -scale * sign * samples[1, g, k] * inverse
    v, a = n + k, 2 * n + k
    y[v] += along * by_v
    y[a] += along * by_a
    y[near] += along * by_near
    y[far] += along * by_far
    L[v, v] += weight * by_v * by_v
    L[a, v] += weight * by_a * by_v
    L[a, a] += weight * by_a * by_a
    L[near, v] += weight * by_near * by_v + z * scale * sign * inverse
    L[near, a] += weight * by_near * by_a + z * scale
    L[near, near] += weight * by_near * by_near
    L[far, v] += weight * by_far * by_v - z * scale * sign * inverse
    L[far, a] += weight * by_far * by_a
    L[far, far] += weight * by_far * by_far
    L[max(near, far), min(near, far)] += weight * by_near * by_far


@inlined_kernel
def _add_drag_curvature(
    p: CoupledArrays, samples: np.ndarray, here: float, z: float, g: int, r: int, L: np.ndarray
) -> None:
    """Adds second derivatives of drag q' sqrt b by q' and b, with the multiplier z of the row."""
    if p.drag[r] > 0.0 and here > 0.0:
        n, column, root = samples.shape[2], p.row_column[r], np.sqrt(here)
        weight = z * p.torque[r] * p.drag[r]
        L[3 * n + 1, n + column] += 0.5 * weight / root
        L[3 * n + 1, 3 * n + 1] -= 0.25 * weight * samples[1, g, column] / (here * root)


@kernel
def _local_system(
    p: CoupledArrays,
    samples: np.ndarray,
    b: np.ndarray,
    t: PlaceTorques,
    f: RowForces,
    g: int,
    row: np.ndarray,
    L: np.ndarray,
    y: np.ndarray,
) -> None:
    """Second derivatives L and slope y of all rows of a grid point by (q, q', q'', b before, b, b after)."""
    n = samples.shape[2]
    size = 3 * n + 3
    L[:] = 0.0
    y[:] = 0.0
    if len(p.torque) > 0:
        L[: 3 * n, : 3 * n] = t.hessian[g]
        if b[g] > 0.0:
            for j in range(3 * n):
                L[3 * n + 1, j] += t.by_b[g, j]
    for j in range(n):
        rate = samples[1, g, j]
        by_rate, by_b = 2.0 * p.velocity[j] * rate * b[g], p.velocity[j] * rate * rate
        L[n + j, n + j] += f.stiff_speed[g, j] * by_rate * by_rate + f.dual_speed[g, j] * 2.0 * p.velocity[j] * b[g]
        L[3 * n + 1, n + j] += f.stiff_speed[g, j] * by_rate * by_b + f.dual_speed[g, j] * 2.0 * p.velocity[j] * rate
        L[3 * n + 1, 3 * n + 1] += f.stiff_speed[g, j] * by_b * by_b
        y[n + j] += f.force_speed[g, j] * by_rate
        y[3 * n + 1] += f.force_speed[g, j] * by_b
    for side in range(2):
        i, end = (g - 1, 1) if side == 0 else (g, 0)
        if i < 0 or i >= len(p.timing.widths):
            continue
        u, inverse = _push(p.timing.widths, b, i), 0.5 / p.timing.widths[i]
        low, high = 3 * n + side, 3 * n + side + 1  # columns of b at the segment's start and end
        for k in range(n):
            _add_acceleration(p, samples, b[g], f, g, i, end, k, u, L, y)
        for k in range(n, n + len(p.torque)):
            weight, z, along = f.stiff[i, end, k], f.dual[i, end, k], f.force[i, end, k]
            by_u, by_b = _put_torque_row(p, samples, t, g, k - n, u, b[g], row)
            row[3 * n], row[3 * n + 1], row[3 * n + 2] = 0.0, 0.0, 0.0
            row[low] -= by_u * inverse
            row[high] += by_u * inverse
            row[3 * n + 1] += by_b
            for e in range(size):
                y[e] += along * row[e]
            if weight > f.negligible:
                for e in range(size):
                    value = weight * row[e]
                    for h in range(e + 1):
                        L[e, h] += value * row[h]
            _add_drag_curvature(p, samples, b[g], z, g, k - n, L)
            # the product of s'' with what the path does
            factor, dof = z * p.torque[k - n] * inverse, p.row_dof[k - n]
            for j in range(n):
                by_q, by_v = factor * t.a_q[g, dof, j], factor * t.a_v[g, dof, j]
                L[low, j] -= by_q
                L[high, j] += by_q
                L[low, n + j] -= by_v
                L[high, n + j] += by_v
    for e in range(size):
        for h in range(e):
            if e < 3 * n:
                L[h, e] = L[e, h]


@kernel
def assemble_rows_kernel(
    p: CoupledArrays,
    samples: np.ndarray,
    b: np.ndarray,
    t: PlaceTorques,
    f: RowForces,
    start: int,
    gradient: np.ndarray,
    H: np.ndarray,
) -> None:
    """Adds all rows to the Newton system: J^T force, and J^T stiff J + sum dual * second derivatives, lower triangle.

    Args:
        p: The problem.
        samples: q, q', q'' at the grid, [3, N + 1, n].
        b: [N + 1].
        t: Torques there, to second order.
        f: What the interior point makes of the rows.
        start: Where b begins among the unknowns; before it are the control points.
        gradient: [size].
        H: [size, size].
    """
    n = samples.shape[2]
    row, y = np.zeros(3 * n + 3), np.zeros(3 * n + 3)
    L, X = np.zeros((3 * n + 3, 3 * n + 3)), np.zeros((ORDER * n, 3 * n))
    for g in range(len(b)):
        _local_system(p, samples, b, t, f, g, row, L, y)
        at = p.first[g] * n
        for a in range(ORDER):
            v0, v1, v2 = p.values[g, 0, a], p.values[g, 1, a], p.values[g, 2, a]
            for i in range(n):
                gradient[at + a * n + i] += v0 * y[i] + v1 * y[n + i] + v2 * y[2 * n + i]
                for e in range(3 * n):
                    X[a * n + i, e] = v0 * L[i, e] + v1 * L[n + i, e] + v2 * L[2 * n + i, e]
        for a in range(ORDER):
            for i in range(n):
                r = a * n + i
                for c in range(a + 1):
                    v0, v1, v2 = p.values[g, 0, c], p.values[g, 1, c], p.values[g, 2, c]
                    for k in range(n if c < a else i + 1):
                        H[at + r, at + c * n + k] += v0 * X[r, k] + v1 * X[r, n + k] + v2 * X[r, 2 * n + k]
        for e in range(3):
            there = g - 1 + e
            if there < 0 or there >= len(b):
                continue
            gradient[start + there] += y[3 * n + e]
            for h in range(e + 1):
                if g - 1 + h >= 0:
                    H[start + there, start + g - 1 + h] += L[3 * n + e, 3 * n + h]
            for c in range(ORDER):
                v0, v1, v2 = p.values[g, 0, c], p.values[g, 1, c], p.values[g, 2, c]
                for k in range(n):
                    line = L[3 * n + e]
                    H[start + there, at + c * n + k] += v0 * line[k] + v1 * line[n + k] + v2 * line[2 * n + k]
