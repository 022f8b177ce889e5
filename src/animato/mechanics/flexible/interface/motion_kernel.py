"""The six hinges that carry what is clamped to a far interface, as functions of the modes; compiled.

Three slides along the axes of the part's frame, phi_1..3, then three turns about x, y, z of the moved frame, phi_4..6:
the interface's rotation is R = Rx(phi_4) Ry(phi_5) Rz(phi_6) = PD(A(a)) with A linear in the modes a. Every mode turns
the interface by w_k, (tr S 1 - S) w_k = vex(R^T A_k - A_k^T R) (see `polar`). Followed over time along (a, a', a'')
up to the second order, these w_k and then the columns of the angles give J = dphi/da, dJ/dt and d2J/dt2, and with them

    phi' = J a',                     d phi'/da = dJ/dt,       d phi'/da' = J,
    phi'' = J a'' + (dJ/dt) a',      d phi''/da = d2J/dt2,    d phi''/da' = 2 dJ/dt,    d phi''/da'' = J.
"""

from __future__ import annotations

import math

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.small_matrices import (
    cofactors,
    crossing,
    determinant,
    matrix_in,
    matrix_plus,
    matrix_size,
    matrix_times,
    outer,
    transposed,
)
from animato.kernels.vectors import Matrix, Triple, product, times, turned
from animato.mechanics.flexible.interface.packed import PackedInterfaces

_ROUNDS = 30
"""Newton's iteration for the polar decomposition doubles its digits each round; near a singular A it halves first."""


@inlined_kernel
def _spread_of(S: Matrix) -> Matrix:
    """The matrix tr S 1 - S of the symmetric half of S."""
    xy, xz, yz = -0.5 * (S[1] + S[3]), -0.5 * (S[2] + S[6]), -0.5 * (S[5] + S[7])
    return S[4] + S[8], xy, xz, xy, S[0] + S[8], yz, xz, yz, S[0] + S[4]


@inlined_kernel
def _polar(A: Matrix, n: Triple) -> Matrix:
    """PD(A) by Newton's iteration X <- (X + X^-T) / 2 with Higham's scaling.

    A flat interface leaves out the direction of its normal n; cof(A) n has the direction to which R turns it.
    """
    c = turned(cofactors(A), n)
    X = matrix_plus(A, outer(c, n))
    for _ in range(_ROUNDS):
        of_cofactors = cofactors(X)
        inverse = matrix_times(1.0 / determinant(X, of_cofactors), of_cofactors)
        scale = math.sqrt(matrix_size(inverse) / matrix_size(X))
        if abs(scale - 1.0) < 1e-2:
            scale = 1.0
        following = matrix_plus(matrix_times(0.5 * scale, X), matrix_times(0.5 / scale, inverse))
        step = matrix_size(matrix_plus(following, matrix_times(-1.0, X)))
        X = following
        if step < 1e-9:  # the error after a step is about half the square of the step
            break
    return X


@inlined_kernel
def _axial_of_turned(R: Matrix, A: Matrix) -> Triple:
    """vex(B - B^T) of B = R^T A."""
    xy = R[0] * A[1] + R[3] * A[4] + R[6] * A[7]
    yx = R[1] * A[0] + R[4] * A[3] + R[7] * A[6]
    xz = R[0] * A[2] + R[3] * A[5] + R[6] * A[8]
    zx = R[2] * A[0] + R[5] * A[3] + R[8] * A[6]
    yz = R[1] * A[2] + R[4] * A[5] + R[7] * A[8]
    zy = R[2] * A[1] + R[5] * A[4] + R[8] * A[7]
    return zy - yz, xz - zx, yx - xy


@inlined_kernel
def _minus(a: Triple, b: Triple) -> Triple:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined_kernel
def _put_turns(
    interfaces: PackedInterfaces,
    i: int,
    a: np.ndarray,
    v: np.ndarray,
    acc: np.ndarray,
    second: bool,
    jac: np.ndarray,
    jac_v: np.ndarray,
    jac_a: np.ndarray,
) -> tuple[Matrix, Triple, Triple]:
    """Writes w_k, their first and (where `second`) second time derivatives to the last three rows; R, w and w'."""
    first, count = interfaces.first[i], len(a)
    A = matrix_in(interfaces.rest, 9 * i)
    A_v, A_a = matrix_times(0.0, A), matrix_times(0.0, A)
    for k in range(count):
        A_k = matrix_in(interfaces.linear, 9 * (first + k))
        A = matrix_plus(A, matrix_times(a[k], A_k))
        A_v = matrix_plus(A_v, matrix_times(v[k], A_k))
        A_a = matrix_plus(A_a, matrix_times(acc[k], A_k))
    R = _polar(A, (interfaces.normal[i, 0], interfaces.normal[i, 1], interfaces.normal[i, 2]))
    back = transposed(R)
    G = _spread_of(product(back, A))
    of_cofactors = cofactors(G)
    inverse = matrix_times(1.0 / determinant(G, of_cofactors), of_cofactors)
    w = turned(inverse, _axial_of_turned(R, A_v))
    R_v = product(R, crossing(w))
    back_v = transposed(R_v)
    G_v = _spread_of(matrix_plus(product(back_v, A), product(back, A_v)))
    both = matrix_plus(matrix_times(2.0, product(back_v, A_v)), product(back, A_a))
    change = _minus(_axial_of_turned(R_v, A_v), turned(G_v, w))
    change = _minus(change, times(-1.0, _axial_of_turned(R, A_a)))
    w_v = turned(inverse, change)
    R_a = product(R, matrix_plus(product(crossing(w), crossing(w)), crossing(w_v)))
    G_a = _spread_of(matrix_plus(product(transposed(R_a), A), both))
    for k in range(count):
        A_k = matrix_in(interfaces.linear, 9 * (first + k))
        w_k = turned(inverse, _axial_of_turned(R, A_k))
        rate = turned(inverse, _minus(_axial_of_turned(R_v, A_k), turned(G_v, w_k)))
        jac[3, k], jac[4, k], jac[5, k] = w_k
        jac_v[3, k], jac_v[4, k], jac_v[5, k] = rate
        if second:
            right = _minus(_axial_of_turned(R_a, A_k), turned(G_a, w_k))
            right = _minus(right, times(2.0, turned(G_v, rate)))
            jac_a[3, k], jac_a[4, k], jac_a[5, k] = turned(inverse, right)
    return R, w, w_v


@kernel
def put_interface_motion(
    interfaces: PackedInterfaces,
    i: int,
    a: np.ndarray,
    v: np.ndarray,
    acc: np.ndarray,
    second: bool,
    phi: np.ndarray,
    phi_v: np.ndarray,
    phi_a: np.ndarray,
    jac: np.ndarray,
    jac_v: np.ndarray,
    jac_a: np.ndarray,
) -> None:
    """Writes the six hinges of a far interface and their Jacobian with its time derivatives.

    The hinges start at the interface's centroid at rest with the axes of the part's frame. No singularity while the
    interface turns by less than 90 degrees.

    Args:
        interfaces: Of all parts.
        i: The interface.
        a: Modes of its part, [r].
        v: da/dt, [r].
        acc: d2a/dt2, [r].
        second: Whether `jac_a` is wanted.
        phi: Written: three slides [m], three turns [rad], [6].
        phi_v: Written: dphi/dt, [6].
        phi_a: Written: d2phi/dt2, [6].
        jac: Written: J = dphi/da, [6, r].
        jac_v: Written: dJ/dt, [6, r].
        jac_a: Written where `second`: d2J/dt2, [6, r].
    """
    first, count = interfaces.first[i], len(a)
    R, w, w_v = _put_turns(interfaces, i, a, v, acc, second, jac, jac_v, jac_a)
    alpha, gamma = math.atan2(-R[5], R[8]), math.atan2(-R[1], R[0])
    beta = math.atan2(R[2], math.sqrt(R[0] * R[0] + R[1] * R[1]))
    # 1/cos and tan of the middle turn, cosine and sine of the last, each with two time derivatives
    c, s, t = math.cos(gamma), math.sin(gamma), math.tan(beta)
    q = 1.0 / math.cos(beta)
    x, y = c * w[0] - s * w[1], s * w[0] + c * w[1]
    beta_v, gamma_v = y, w[2] - t * x
    c_v, s_v, q_v, t_v = -s * gamma_v, c * gamma_v, q * t * beta_v, q * q * beta_v
    x_v = c * w_v[0] - s * w_v[1] + c_v * w[0] - s_v * w[1]
    beta_a = s * w_v[0] + c * w_v[1] + s_v * w[0] + c_v * w[1]
    gamma_a = w_v[2] - t * x_v - t_v * x
    c_a, s_a = -s * gamma_a - c * gamma_v * gamma_v, c * gamma_a - s * gamma_v * gamma_v
    q_a = q * (t * beta_a + (t * t + q * q) * beta_v * beta_v)
    t_a = q * q * (beta_a + 2.0 * t * beta_v * beta_v)
    phi[3], phi[4], phi[5] = alpha, beta, gamma
    phi_v[3], phi_v[4], phi_v[5] = q * x, beta_v, gamma_v
    phi_a[3], phi_a[4], phi_a[5] = q * x_v + q_v * x, beta_a, gamma_a
    for p in range(3):
        phi[p], phi_v[p], phi_a[p] = 0.0, 0.0, 0.0
    for k in range(count):
        for p in range(3):
            shift = interfaces.shift[first + k, p]
            jac[p, k], jac_v[p, k], jac_a[p, k] = shift, 0.0, 0.0
            phi[p] += shift * a[k]
            phi_v[p] += shift * v[k]
            phi_a[p] += shift * acc[k]
        m, n, o = jac[3, k], jac[4, k], jac[5, k]
        m_v, n_v, o_v = jac_v[3, k], jac_v[4, k], jac_v[5, k]
        x, x_v = c * m - s * n, c * m_v - s * n_v + c_v * m - s_v * n
        jac[3, k], jac[4, k], jac[5, k] = q * x, s * m + c * n, o - t * x
        jac_v[3, k] = q * x_v + q_v * x
        jac_v[4, k] = s * m_v + c * n_v + s_v * m + c_v * n
        jac_v[5, k] = o_v - t * x_v - t_v * x
        if second:
            m_a, n_a, o_a = jac_a[3, k], jac_a[4, k], jac_a[5, k]
            x_a = c * m_a - s * n_a + 2.0 * (c_v * m_v - s_v * n_v) + c_a * m - s_a * n
            jac_a[3, k] = q * x_a + 2.0 * q_v * x_v + q_a * x
            jac_a[4, k] = s * m_a + c * n_a + 2.0 * (s_v * m_v + c_v * n_v) + s_a * m + c_a * n
            jac_a[5, k] = o_a - t * x_a - 2.0 * t_v * x_v - t_a * x
