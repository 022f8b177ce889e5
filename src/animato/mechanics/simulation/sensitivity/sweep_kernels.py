"""Derivatives of a whole BDF2 run, forward and transposed, on the factors that the run has left.

With V and A for what the past gives to the velocities and accelerations of a step (c, p, q of BDF2; of BDF1 at first),

    V_k = p du_{k-1} + q du_{k-2},           dv_k = c du_k + V_k,
    A_k = c V_k + p dv_{k-1} + q dv_{k-2},   da_k = c^2 du_k + A_k,

each step is one solve with its own matrix S (see `newton_kernel`),

    S (du, dlambda / s) = -(by_v (V, dtheta') + by_a (A, dtheta'') + by_z (0, dtheta),  s J (0, dtheta)).

The first moment is a static equilibrium: c = 0. The transposed sweep goes through the same lines backwards.
"""

from __future__ import annotations

import numpy as np

from animato.algebra.lu_vectors import row_product, solve_transposed_vector, solve_vector
from animato.kernels.compiled import inlined_kernel, kernel
from animato.mechanics.simulation.integration import Records


@inlined_kernel
def _scheme(k: int, step: float) -> tuple[float, float, float]:
    """Numbers c, p, q of moment k."""
    if k == 0:
        return 0.0, 0.0, 0.0
    if k == 1:
        return 1.0 / step, -1.0 / step, 0.0
    return 1.5 / step, -2.0 / step, 0.5 / step


@inlined_kernel
def _add_row(row: np.ndarray, factor: float, first: int, last: int, out: np.ndarray) -> None:
    """Adds factor * row[j] to out[j] for first <= j < last."""
    for j in range(first, last):
        out[j] += factor * row[j]


@kernel
def sweep_forward(
    records: Records,
    step: float,
    motors: np.ndarray,
    points: np.ndarray,
    turns: np.ndarray,
    torques: np.ndarray,
) -> None:
    """Writes how outputs change with the motors.

    Args:
        records: Of a run of BDF2, [t, ...]; rows of the motors may be left out of by_z, by_v, by_a.
        step: h [s].
        motors: Changes of theta, theta', theta'', [t, 3, n_p].
        points: Written: changes of the tracked points [m], [t, k, 3].
        turns: Written: their small turns about the world's axes [rad], [t, k, 3].
        torques: Written where rows of the motors were kept [N m, or N], [t, n_p].
    """
    n, n_p, size = records.by_z.shape[2], motors.shape[2], records.factors.shape[1]
    n_u, kept = n - n_p, records.by_z.shape[1]
    u, v = np.zeros((2, n_u)), np.zeros((2, n_u))
    dz, dv, da = np.zeros(n), np.zeros(n), np.zeros(n)
    right, x = np.zeros(size), np.zeros(size)
    for k in range(len(motors)):
        c, p, q = _scheme(k, step)
        for i in range(n_u):
            dv[i] = p * u[0, i] + q * u[1, i]
            da[i] = c * dv[i] + p * v[0, i] + q * v[1, i]
        for i in range(n_p):
            dz[n_u + i] = motors[k, 0, i]
            dv[n_u + i] = motors[k, 1, i]
            da[n_u + i] = motors[k, 2, i]
        for i in range(n_u):
            total = row_product(records.by_v[k, i], dv, 0, n) + row_product(records.by_a[k, i], da, 0, n)
            right[i] = -(total + row_product(records.by_z[k, i], dz, n_u, n))
        for r in range(size - n_u):
            right[n_u + r] = -records.scales[k] * row_product(records.jac[k, r], dz, n_u, n)
        solve_vector(records.factors[k], records.orders[k], right, x)
        for i in range(n_u):
            dz[i] = x[i]
            dv[i] += c * x[i]
            da[i] += c * c * x[i]
            u[1, i] = u[0, i]
            v[1, i] = v[0, i]
            u[0, i] = dz[i]
            v[0, i] = dv[i]
        for b in range(points.shape[1]):
            for axis in range(3):
                points[k, b, axis] = row_product(records.point_jac[k, b, axis], dz, 0, n)
                turns[k, b, axis] = row_product(records.rotation_jac[k, b, axis], dz, 0, n)
        for i in range(n_u, kept):
            total = row_product(records.by_v[k, i], dv, 0, n) + row_product(records.by_a[k, i], da, 0, n)
            total += row_product(records.by_z[k, i], dz, 0, n)
            for r in range(size - n_u):
                total += records.scales[k] * records.jac[k, r, i] * x[n_u + r]
            torques[k, i - n_u] = total


@kernel
def sweep_back(
    records: Records,
    step: float,
    points: np.ndarray,
    turns: np.ndarray,
    torques: np.ndarray,
    motors: np.ndarray,
) -> None:
    """Writes the transpose of `sweep_forward`: the gradient by theta, theta', theta'' of what has these by the outputs.

    Args:
        records: Of a run of BDF2.
        step: h [s].
        points: Gradient by the tracked points, [t, k, 3].
        turns: By their small turns, [t, k, 3].
        torques: By the torques, [t, n_p]; not read where rows of the motors were left out.
        motors: Written, [t, 3, n_p].
    """
    n, n_p, size = records.by_z.shape[2], motors.shape[2], records.factors.shape[1]
    n_u, kept = n - n_p, records.by_z.shape[1]
    u, v = np.zeros((2, n_u)), np.zeros((2, n_u))  # gradients by the moment before this one, and by the one before it
    gz, gv, ga = np.zeros(n), np.zeros(n), np.zeros(n)
    right, w, spare = np.zeros(size), np.zeros(size), np.zeros(size)
    for back in range(len(motors)):
        k = len(motors) - 1 - back
        c, p, q = _scheme(k, step)
        for i in range(n):
            gz[i] = u[0, i] if i < n_u else 0.0
            gv[i] = v[0, i] if i < n_u else 0.0
            ga[i] = 0.0
        for b in range(points.shape[1]):
            for axis in range(3):
                _add_row(records.point_jac[k, b, axis], points[k, b, axis], 0, n, gz)
                _add_row(records.rotation_jac[k, b, axis], turns[k, b, axis], 0, n, gz)
        for r in range(size - n_u):
            right[n_u + r] = 0.0
        for i in range(n_u, kept):
            y = torques[k, i - n_u]
            _add_row(records.by_z[k, i], y, 0, n, gz)
            _add_row(records.by_v[k, i], y, 0, n, gv)
            _add_row(records.by_a[k, i], y, 0, n, ga)
            for r in range(size - n_u):
                right[n_u + r] += records.scales[k] * records.jac[k, r, i] * y
        for i in range(n_u):
            right[i] = gz[i] + c * gv[i] + c * c * ga[i]
        solve_transposed_vector(records.factors[k], records.orders[k], right, w, spare)
        for i in range(n_u):
            _add_row(records.by_v[k, i], -w[i], 0, n, gv)
            _add_row(records.by_a[k, i], -w[i], 0, n, ga)
            _add_row(records.by_z[k, i], -w[i], n_u, n, gz)
        for r in range(size - n_u):
            _add_row(records.jac[k, r], -records.scales[k] * w[n_u + r], n_u, n, gz)
        for i in range(n_u):
            by_past = gv[i] + c * ga[i]
            u[0, i] = u[1, i] + p * by_past
            v[0, i] = v[1, i] + p * ga[i]
            u[1, i] = q * by_past
            v[1, i] = q * ga[i]
        for i in range(n_p):
            motors[k, 0, i] = gz[n_u + i]
            motors[k, 1, i] = gv[n_u + i]
            motors[k, 2, i] = ga[n_u + i]
