"""Torques along a path with exact first and second derivatives with respect to q, q' and q''.

At one place, tau(u) = a u + d b + c with u = s'' and b = s'^2. With S_i the axis of joint i in the world, V_k and A_k
the motion of what joint k carries and xi_k = sum of S_i lambda_i over the joints up to k, a weighted sum of torques is

    L = lambda . tau = sum_k xi_k . (I_k A_k + V_k x* I_k V_k).

A change of q_j carries along everything behind joint j. Seen from there S and I stay, and what comes from before the
joint, p, changes: with psi_j = V_p x S_j,

    D_j xi_k = xi_p x S_j,    D_j V_k = psi_j,    D_j A_k = A_p x S_j + psi_j x (V_k - V_p),

and once more so for the second derivatives. All sums over what is behind a joint are collected once, which leaves a few
products for every pair of joints of which one carries the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.spatial_algebra import (
    force_cross,
    inertia_row,
    inertia_times,
    motion_cross,
    put_six_row,
    six_dot,
    six_minus,
    six_plus,
    six_row,
)
from animato.mechanics.tree.path_torques.joint_chain import JointChain
from animato.mechanics.tree.path_torques.walk import Walk, walk_outward, weigh_torques

Pair = tuple[float, float, float, float, float, float, float, float, float]


class PlaceTorques(NamedTuple):
    """Torques at grid points g and their derivatives, m limited degrees of freedom, n coordinates.

    Attributes:
        a, d, c: Coefficients, [g, m]; d is not written where b = 0.
        a_q: da/dq, [g, m, n].
        a_v: da/dq', the inertia matrix, [g, m, n].
        t_q: d(d b + c)/dq, [g, m, n].
        t_v: d(d b)/dq', [g, m, n].
        hessian: Second derivatives of kappa . a + mu . (d b + c) with respect to (q, q', q''), [g, 3 n, 3 n].
        by_b: mu . dd/d(q, q', q''), [g, 3 n]; not written where b = 0.
    """

    a: np.ndarray
    d: np.ndarray
    c: np.ndarray
    a_q: np.ndarray
    a_v: np.ndarray
    t_q: np.ndarray
    t_v: np.ndarray
    hessian: np.ndarray
    by_b: np.ndarray


def build_place_torques(places: int, limited: int, columns: int) -> PlaceTorques:
    """Room for the answer."""
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("a", "d", "c"), (places, limited))
    shapes |= {"hessian": (places, 3 * columns, 3 * columns), "by_b": (places, 3 * columns)}
    wide = (places, limited, columns)
    return PlaceTorques(**{name: np.zeros(shapes.get(name, wide)) for name in PlaceTorques._fields})


@kernel
def _behind(chain: JointChain, w: Walk, carries: np.ndarray) -> None:
    """Changes of the forces behind every joint i with every q_j and v_j, and what second derivatives need of them."""
    count = len(chain.parent)
    for j in range(count):
        if chain.column[j] < 0:
            continue
        S, psi, above = six_row(w.S, j), six_row(w.psi, j), chain.parent[j]
        V_p, pull = six_row(w.V, above), motion_cross(six_row(w.A, above), S)
        for k in range(j, count):
            if not carries[j, k]:
                continue
            V, xi = six_row(w.V, k), six_row(w.xi, k)
            momentum = inertia_times(inertia_row(w.own, k), V)
            far = six_minus(V, V_p)
            for kind in range(2):
                x, push = psi, six_plus(pull, motion_cross(psi, far))
                if kind == 1:
                    x, push = S, six_plus(psi, motion_cross(S, far))
                moved = inertia_times(inertia_row(w.own, k), x)
                change = six_plus(
                    inertia_times(inertia_row(w.own, k), push),
                    six_plus(force_cross(x, momentum), force_cross(V, moved)),
                )
                twice = six_minus(inertia_times(inertia_row(w.own, k), motion_cross(xi, x)), force_cross(xi, moved))
                put_six_row(w.change[j, kind], k, change)
                put_six_row(w.twice[j, kind], k, twice)
        for k in range(count - 1, j, -1):
            if carries[j, k]:
                above = chain.parent[k]
                for kind in range(2):
                    for e in range(6):
                        w.change[j, kind, above, e] += w.change[j, kind, k, e]
                        w.twice[j, kind, above, e] += w.twice[j, kind, k, e]


@kernel
def _put_torques(chain: JointChain, w: Walk, g: int, b: float, out: PlaceTorques) -> None:
    """Writes a, d and c of one place."""
    out.a[g], out.d[g], out.c[g] = 0.0, 0.0, 0.0
    for k in range(len(chain.parent)):
        row = chain.row[k]
        if row >= 0:
            S, scale = six_row(w.S, k), chain.scale[k]
            held = scale * six_dot(S, six_row(w.F_g, k))
            out.a[g, row] += scale * six_dot(S, six_row(w.F_m, k))
            out.c[g, row] += held
            if b > 0.0:
                out.d[g, row] += (scale * six_dot(S, six_row(w.F, k)) - held) / b


@kernel
def _put_jacobians(chain: JointChain, w: Walk, carries: np.ndarray, g: int, b: float, out: PlaceTorques) -> None:
    """Writes first derivatives of one place: row i by column j."""
    out.a_q[g], out.a_v[g], out.t_q[g], out.t_v[g] = 0.0, 0.0, 0.0, 0.0
    root = np.sqrt(b)
    for j in range(len(chain.parent)):
        column = chain.column[j]
        if column < 0:
            continue
        S_j = six_row(w.S, j)
        turned = motion_cross(six_row(w.A_m, chain.parent[j]), S_j)
        for i in range(len(chain.parent)):
            row = chain.row[i]
            if row < 0 or not (carries[i, j] or carries[j, i]):
                continue
            last = max(i, j)
            S_i, factor = six_row(w.S, i), chain.scale[i] * chain.scale[j]
            by_q, by_v = six_row(w.change[j, 0], last), six_row(w.change[j, 1], last)
            a_by_q = inertia_times(inertia_row(w.all, last), turned)
            if i < j:
                by_q = six_plus(by_q, force_cross(S_j, six_row(w.F, j)))
                a_by_q = six_plus(a_by_q, force_cross(S_j, six_row(w.F_m, j)))
            out.t_q[g, row, column] += factor * six_dot(S_i, by_q)
            out.t_v[g, row, column] += factor * root * six_dot(S_i, by_v)
            out.a_q[g, row, column] += factor * six_dot(S_i, a_by_q)
            out.a_v[g, row, column] += factor * six_dot(S_i, inertia_times(inertia_row(w.all, last), S_j))


@kernel
def _pair_hessian(chain: JointChain, w: Walk, i: int, j: int) -> Pair:
    """Entries of the Hessian for joint i that carries joint j, or is it; of the whole by the joints' own motions.

    Returns:
        By (q_i, q_j), (q_i, v_j), (v_i, q_j), (v_i, v_j), (q_i, a_j), (a_i, q_j) of mu . (d b + c), and by
        (q_i, q_j), (q_i, a_j), (a_i, q_j) of kappa . a.
    """
    S_i, S_j, psi_i, psi_j = six_row(w.S, i), six_row(w.S, j), six_row(w.psi, i), six_row(w.psi, j)
    p_i, p_j = chain.parent[i], chain.parent[j]
    Y, Z, V_p = six_row(w.Y, j), six_row(w.Z, j), six_row(w.V, p_j)
    V_pi = six_row(w.V, p_i)
    far = six_minus(V_p, V_pi) if j > i else six_minus(V_p, V_p)
    xi_i, xi_j = motion_cross(six_row(w.xi, p_i), S_i), motion_cross(six_row(w.xi, p_j), S_j)
    S_ij = motion_cross(S_i, S_j)
    # (q_i, q_j)
    bend = motion_cross(psi_i, S_j)
    pull = six_plus(motion_cross(six_row(w.A, p_i), S_i), motion_cross(psi_i, far))
    straight = six_minus(motion_cross(pull, S_j), motion_cross(bend, V_p))
    qq = six_dot(motion_cross(xi_i, S_j), six_row(w.F, j)) + six_dot(xi_i, six_row(w.change[j, 0], j))
    qq += (
        six_dot(xi_j, six_row(w.change[i, 0], j))
        + six_dot(straight, Y)
        + six_dot(bend, Z)
        + six_dot(psi_j, six_row(w.twice[i, 0], j))
    )
    # (q_i, v_j), and (v_i, q_j)
    qv = six_dot(xi_i, six_row(w.change[j, 1], j)) + six_dot(bend, Y) + six_dot(S_j, six_row(w.twice[i, 0], j))
    vq = qv
    if j > i:
        push = six_plus(psi_i, motion_cross(S_i, far))
        straight = six_minus(motion_cross(push, S_j), motion_cross(S_ij, V_p))
        vq = (
            six_dot(xi_j, six_row(w.change[i, 1], j))
            + six_dot(straight, Y)
            + six_dot(S_ij, Z)
            + six_dot(psi_j, six_row(w.twice[i, 1], j))
        )
    vv = six_dot(S_ij, Y) + six_dot(S_j, six_row(w.twice[i, 1], j))
    carried_i, carried_j = inertia_times(inertia_row(w.all, j), S_i), inertia_times(inertia_row(w.all, j), S_j)
    qa = six_dot(xi_i, carried_j)
    aq = six_dot(xi_j, carried_i) + six_dot(S_ij, Y) if j > i else qa
    # kappa . a
    m_i, m_j = motion_cross(six_row(w.xi_m, p_i), S_i), motion_cross(six_row(w.xi_m, p_j), S_j)
    turn_i, turn_j = motion_cross(six_row(w.A_m, p_i), S_i), motion_cross(six_row(w.A_m, p_j), S_j)
    Y_m = six_row(w.Y_m, j)
    m_qq = six_dot(motion_cross(m_i, S_j), six_row(w.F_m, j)) + six_dot(
        m_i, inertia_times(inertia_row(w.all, j), turn_j)
    )
    m_qq += six_dot(m_j, inertia_times(inertia_row(w.all, j), turn_i)) + six_dot(motion_cross(turn_i, S_j), Y_m)
    m_qa = six_dot(m_i, carried_j)
    m_aq = six_dot(m_j, carried_i) + six_dot(S_ij, Y_m) if j > i else m_qa
    return qq, qv, vq, vv, qa, aq, m_qq, m_qa, m_aq


@inlined_kernel
def _add_pair(H: np.ndarray, x: int, y: int, value: float) -> None:
    """Adds to an entry and to its mirror image."""
    H[x, y] += value
    H[y, x] += value


@kernel
def _put_hessian(chain: JointChain, w: Walk, carries: np.ndarray, b: float, H: np.ndarray) -> None:
    """Writes the Hessian of one place, H [3 n, 3 n]."""
    n = len(H) // 3
    root = np.sqrt(b)
    H[:] = 0.0
    for j in range(len(chain.parent)):
        y = chain.column[j]
        if y < 0:
            continue
        for i in range(j + 1):
            x = chain.column[i]
            if x < 0 or not carries[i, j]:
                continue
            factor = chain.scale[i] * chain.scale[j]
            qq, qv, vq, vv, qa, aq, m_qq, m_qa, m_aq = _pair_hessian(chain, w, i, j)
            by_qq, by_vv = factor * (qq + m_qq), factor * b * vv
            by_qv, by_vq = factor * (root * qv + m_qa), factor * (root * vq + m_aq)
            by_qa, by_aq = factor * b * qa, factor * b * aq
            share = 0.5 if i == j else 1.0
            _add_pair(H, x, y, share * by_qq)
            _add_pair(H, n + x, n + y, share * by_vv)
            _add_pair(H, x, n + y, by_qv)
            _add_pair(H, x, 2 * n + y, by_qa)
            if i != j:
                _add_pair(H, n + x, y, by_vq)
                _add_pair(H, 2 * n + x, y, by_aq)


@kernel
def _put_by_b(chain: JointChain, w: Walk, g: int, b: float, mu: np.ndarray, out: PlaceTorques) -> None:
    """Writes mu . dd/d(q, q', q'') of one place from first derivatives; those of c are taken away."""
    n = out.t_q.shape[2]
    ground = six_row(w.A, len(chain.parent))
    held = np.zeros(n)
    for j in range(len(chain.parent)):
        if chain.column[j] >= 0:
            S = six_row(w.S, j)
            xi = motion_cross(six_row(w.xi, chain.parent[j]), S)
            slope = six_dot(xi, six_row(w.F_g, j)) + six_dot(six_row(w.Y, j), motion_cross(ground, S))
            held[chain.column[j]] += chain.scale[j] * slope
    for column in range(n):
        by_q = by_v = by_a = 0.0
        for row in range(len(mu)):
            by_q += mu[row] * out.t_q[g, row, column]
            by_v += mu[row] * out.t_v[g, row, column]
            by_a += mu[row] * out.a_v[g, row, column]
        out.by_b[g, column] = (by_q - held[column]) / b
        out.by_b[g, n + column] = by_v / b
        out.by_b[g, 2 * n + column] = by_a


@kernel
def torques_kernel(
    chain: JointChain,
    w: Walk,
    carries: np.ndarray,
    armature: np.ndarray,
    dof_column: np.ndarray,
    gravity: np.ndarray,
    samples: np.ndarray,
    b: np.ndarray,
    mu: np.ndarray,
    kappa: np.ndarray,
    order: int,
    out: PlaceTorques,
) -> None:
    """Writes torques at all grid points, and derivatives up to an order.

    Args:
        chain: The joints.
        w: Memory.
        carries: Whether joint i carries joint j, or is it, [j, j].
        armature: Rotor inertia of each limited degree of freedom, [m].
        dof_column: Its column of the path, -1 where it is held, [m].
        gravity: [3].
        samples: q, q' and q'', [3, g, n].
        b: [g].
        mu: Weights of d b + c, [g, m].
        kappa: Weights of a, [g, m].
        order: 0, 1 or 2.
        out: Written.
    """
    for g in range(len(b)):
        walk_outward(chain, w, gravity, samples[0, g], samples[1, g], samples[2, g], b[g])
        _put_torques(chain, w, g, b[g], out)
        if order >= 1:
            weigh_torques(chain, w, mu[g], kappa[g])
            _behind(chain, w, carries)
            _put_jacobians(chain, w, carries, g, b[g], out)
        for row in range(len(armature)):
            column = dof_column[row]
            if column >= 0:
                out.a[g, row] += armature[row] * samples[1, g, column]
                out.d[g, row] += armature[row] * samples[2, g, column]
                if order >= 1:
                    out.a_v[g, row, column] += armature[row]
        if order >= 2:
            _put_hessian(chain, w, carries, b[g], out.hessian[g])
            if b[g] > 0.0:
                _put_by_b(chain, w, g, b[g], mu[g], out)
