"""The paper's continuous adjoint (eqs. 26, 27), for systems in minimal coordinates.

A run obeys, with unknowns u, velocities v, multipliers lambda, motors theta(t), forces tau along u and loops g,

    u' - v = 0,      tau(u, v, v', lambda, theta, theta', theta'') = 0,      k = J_u v + J_theta theta' + alpha g = 0,

the last of index 2 with Baumgarte's alpha, as in the paper. With K, D, M the derivatives of tau by u, v, v' and the
integrand f(u, theta) of the objective, varying

    int f + mu . (u' - v) + nu . tau + eta . k dt

by u, v and lambda gives the adjoint system, solved backward from mu(T) = 0, nu(T) = 0:

    mu'       = f_u^T + K^T nu + k_u^T eta,        k_u = dJ_u/dt + alpha J_u,
    (M nu)'   = -mu + D^T nu + J_u^T eta,
    0         = J_u nu.

In print the second line has M nu' with the product rule's other half moved to the right. The gradient is

    dF/dp = int f_p + nu . tau_p + eta . k_p dt,
    tau_p = tau_theta B + tau_theta' B' + tau_theta'' B'',      k_p = (dJ_theta/dt + alpha J_theta) B + J_theta B'

for profiles theta = B p. Both are discretized by themselves: BDF2 backward with one step of BDF1, Simpson's rule. So
this is not the derivative of the discrete run; it comes near to it with the square of the step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation import Linearization


@dataclass(frozen=True, eq=False)
class AdjointRun:
    """Adjoint variables of a run.

    Attributes:
        mu, nu: [time, unknown].
        eta: [time, row].
    """

    mu: np.ndarray
    nu: np.ndarray
    eta: np.ndarray


def continuous_gradient(
    linearization: Linearization,
    by_points: np.ndarray,
    by_turns: np.ndarray,
    weights: np.ndarray,
    *,
    baumgarte: float = 20.0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradient of int f dt by theta, theta' and theta'' at the moments, [time, motor] each.

    The first moment is at rest and held.

    Args:
        linearization: Matrices of a run, in double precision.
        by_points: Derivative of f by the tracked points, [time, body, 3].
        by_turns: By small turns of the tracked bodies about the world's axes, [time, body, 3].
        weights: Of the quadrature [s], [time].
        baumgarte: alpha [1/s].
    """
    records, n_u = linearization.records, linearization.system.unknown_count
    by_z = np.einsum("tki,tkin->tn", by_points, records.point_jac)
    by_z += np.einsum("tki,tkin->tn", by_turns, records.rotation_jac)
    jac = np.array(records.jac, dtype=np.float64)
    jac[0] = jac[1]  # at rest
    k_z = np.gradient(jac, linearization.step_s, axis=0, edge_order=2) + baumgarte * jac
    found = _solve_backward(linearization, by_z[:, :n_u], jac[:, :, :n_u], k_z[:, :, :n_u])
    g = by_z[:, n_u:] + np.einsum("ti,tij->tj", found.nu, records.by_z[:, :n_u, n_u:])
    g += np.einsum("tr,trj->tj", found.eta, k_z[:, :, n_u:])
    g_v = np.einsum("ti,tij->tj", found.nu, records.by_v[:, :n_u, n_u:])
    g_v += np.einsum("tr,trj->tj", found.eta, jac[:, :, n_u:])
    g_a = np.einsum("ti,tij->tj", found.nu, records.by_a[:, :n_u, n_u:])
    return weights[:, None] * g, weights[:, None] * g_v, weights[:, None] * g_a


def _solve_backward(linearization: Linearization, f_u: np.ndarray, J: np.ndarray, k_u: np.ndarray) -> AdjointRun:
    """Backward BDF2 from the last moment to the second one."""
    records, h = linearization.records, linearization.step_s
    (count, n), m = f_u.shape, J.shape[1]
    by_z, by_v, M = (np.asarray(one[:, :n, :n], np.float64) for one in (records.by_z, records.by_v, records.by_a))
    inverse, scale = _step_inverses(by_z, by_v, M, J, k_u, np.full(count, 1.5 / h))
    mu, p, nu, eta = np.zeros((count, n)), np.zeros((count, n)), np.zeros((count, n)), np.zeros((count, m))
    for k in range(count - 2, 0, -1):
        if k == count - 2:  # BDF1
            rate, past_mu, past_p = 1.0 / h, mu[k + 1] / h, p[k + 1] / h
            at = slice(k, k + 1)
            one, size = _step_inverses(by_z[at], by_v[at], M[at], J[at], k_u[at], np.array([rate]))
            matrix, s = one[0], size[0]
        else:
            rate = 1.5 / h
            past_mu = (2.0 * mu[k + 1] - 0.5 * mu[k + 2]) / h
            past_p = (2.0 * p[k + 1] - 0.5 * p[k + 2]) / h
            matrix, s = inverse[k], scale[k]
        x = matrix[:, :n] @ (past_p + (past_mu - f_u[k]) / rate)
        nu[k], eta[k] = x[:n], s * x[n:]
        mu[k] = (past_mu - f_u[k] - nu[k] @ by_z[k] - eta[k] @ k_u[k]) / rate
        p[k] = M[k] @ nu[k]
    return AdjointRun(mu, nu, eta)


def _step_inverses(
    K: np.ndarray, D: np.ndarray, M: np.ndarray, J: np.ndarray, k_u: np.ndarray, rate: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Inverses of the steps' matrices and the factor of eta in their unknowns.

    With mu eliminated a step reads, for the rate c of the scheme,

        [ c M + D^T + K^T / c    s (J + k_u / c)^T ] [ nu      ]
        [ s J                    0                 ] [ eta / s ] = right.
    """
    t, m, n = J.shape
    c = rate[:, None, None]
    matrices = np.zeros((t, n + m, n + m))
    matrices[:, :n, :n] = c * M + np.swapaxes(D + K / c, 1, 2)
    scale = np.abs(np.diagonal(matrices[:, :n, :n], axis1=1, axis2=2)).max(axis=1)
    scale[scale == 0.0] = 1.0
    s = scale[:, None, None]
    matrices[:, :n, n:] = s * np.swapaxes(J + k_u / c, 1, 2)
    matrices[:, n:, :n] = s * J
    if not K[0].any() and not M[0].any():  # a first moment that is held has no matrices
        matrices[0] = np.eye(n + m)
    return np.linalg.inv(matrices), scale
