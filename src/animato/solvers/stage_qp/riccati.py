"""The search direction by dynamic programming, as Maloisel et al. (2023) give it.

Algorithms 3 and 4 with the matrices of Table 8, all dense; design and controls are the states of the
recursion and velocities its inputs. Corrections to the printed text: equation 11 has a minus sign and a
leading 1; in equation 10 the last two terms change sign, as Table 8 has them; S_pu of Table 8 is S_uv; and
the cost-to-go is made symmetric at every step, without which rounding grows until it spoils the answer.

Columns are ordered as design, the constant 1, controls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.algebra.gram import gram
from animato.algebra.sparse_lu import Factors
from animato.algebra.sparse_lu_analysis import SymbolicLU
from animato.kernels.compiled import kernel
from animato.kernels.lanes import LANES
from animato.solvers.stage_qp.analysis import StageAnalysis, analyse_stages, factored_states, meeting_rows
from animato.solvers.stage_qp.program import Direction, StageQP, UnitRows
from animato.solvers.stage_qp.recovery import recovered
from animato.solvers.stage_qp.reduction import Work, exact_products, reduced_rows, state_gradients
from animato.solvers.stage_qp.tangents import Tangents, tangents


@dataclass(frozen=True, eq=False)
class _Transitions:
    """What leads from stage k to k + 1: u' = A u + a + B v, and the cost of v, for every k < N - 1.

    With velocities v = y + X u + Z v' (Section 6.2): A = I + dt X, B = dt Z, R = Z^T Lvv Z. Between motions
    the controls begin anew: A = 0, and a + B v' are all controls with unit quaternions.
    """

    A: np.ndarray
    a: np.ndarray
    B: np.ndarray
    R: np.ndarray
    S: np.ndarray
    s: np.ndarray
    Q: np.ndarray
    q: np.ndarray


def _transitions(qp: StageQP, controls: Tangents) -> _Transitions:
    """The transitions of Table 8."""
    n, u = qp.step_count, qp.control_count
    eye = np.eye(u)
    Z = np.broadcast_to(controls.dense(), (n, u, controls.count))[1:]
    special = np.broadcast_to(controls.special, (n, u))[1:]
    across = eye - Z @ Z.transpose(0, 2, 1)  # onto the quaternions themselves
    dt, linked = qp.spans[:, :, None], qp.linked[:, None, None]
    X = -across / dt
    y = (special + (across @ qp.velocity[:, :, None])[:, :, 0]) / qp.spans
    pull = qp.Hvv * y + qp.gv
    weighted = qp.Hvv[:, :, None] * X
    return _Transitions(
        A=np.where(linked, eye + dt * X, 0.0),
        a=np.where(qp.linked[:, None], qp.spans * y - qp.velocity, special),
        B=np.where(linked, dt * Z, Z),
        R=np.where(linked, Z.transpose(0, 2, 1) @ (qp.Hvv[:, :, None] * Z), 0.0),
        S=np.where(linked, Z.transpose(0, 2, 1) @ weighted, 0.0),
        s=np.where(linked[:, :, 0], (Z.transpose(0, 2, 1) @ pull[:, :, None])[:, :, 0], 0.0),
        Q=np.where(linked, X.transpose(0, 2, 1) @ weighted, 0.0),
        q=np.where(linked[:, :, 0], (X.transpose(0, 2, 1) @ pull[:, :, None])[:, :, 0], 0.0),
    )


@kernel
def _solve_small(F: np.ndarray, x: np.ndarray) -> None:
    """Solves F x = x in place by elimination with row pivots; F is spoiled."""
    size = len(F)
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(F[i, k]) > abs(F[best, k]):
                best = i
        for c in range(k, size):
            F[k, c], F[best, c] = F[best, c], F[k, c]
        for c in range(x.shape[1]):
            x[k, c], x[best, c] = x[best, c], x[k, c]
        for i in range(k + 1, size):
            factor = F[i, k] / F[k, k]
            for c in range(k + 1, size):
                F[i, c] -= factor * F[k, c]
            for c in range(x.shape[1]):
                x[i, c] -= factor * x[k, c]
    for back in range(size):
        k = size - 1 - back
        for i in range(k + 1, size):
            for c in range(x.shape[1]):
                x[k, c] -= F[k, i] * x[i, c]
        for c in range(x.shape[1]):
            x[k, c] /= F[k, k]


@kernel
def _inputs(
    first: int,
    B: np.ndarray,
    S: np.ndarray,
    s: np.ndarray,
    P: np.ndarray,
    PA: np.ndarray,
    F: np.ndarray,
    G: np.ndarray,
) -> None:
    """F += B^T P B and G = S + B^T P A."""
    count, inputs = B.shape
    G[:] = 0.0
    for i in range(inputs):
        for j in range(count):
            for c in range(len(P)):
                G[i, c] += B[j, i] * PA[first + j, c]
            for m in range(count):
                for o in range(inputs):
                    F[i, o] += B[j, i] * P[first + j, first + m] * B[m, o]
            G[i, first + j] += S[i, j]
        G[i, first - 1] += s[i]


@kernel
def _cost_to_go(Q: np.ndarray, APA: np.ndarray, G: np.ndarray, gain: np.ndarray, P: np.ndarray) -> None:
    """P = Q + A^T P A - G^T gain, made symmetric."""
    width = len(P)
    for i in range(width):
        for c in range(width):
            APA[i, c] += Q[i, c]
        for j in range(len(G)):
            for c in range(width):
                APA[i, c] -= G[j, i] * gain[j, c]
    for i in range(width):
        for c in range(width):
            P[i, c] = 0.5 * (APA[i, c] + APA[c, i])


class _Recursion:
    """P = Q + A^T P A - (S + B^T P A)^T (R + B^T P B)^-1 (S + B^T P A), all dense."""

    def __init__(self, width: int, first: int, inputs: int) -> None:
        self.first = first
        self.P, self.A, self.PA, self.APA = (np.zeros((width, width)) for _ in range(4))
        self.F, self.G = np.empty((inputs, inputs)), np.empty((inputs, width))
        every = np.ones((width, width // LANES), dtype=bool)
        self.products = meeting_rows(every, every)
        self.A[np.arange(first), np.arange(first)] = 1.0

    def step(self, t: _Transitions, k: int, Q: np.ndarray, gain: np.ndarray) -> None:
        """One stage back; the gain of its inputs goes to `gain`."""
        first, count = self.first, t.A.shape[1]
        self.A[first : first + count, first - 1] = t.a[k]
        self.A[first : first + count, first : first + count] = t.A[k]
        P, A, PA, APA = (matrix.reshape(-1, LANES) for matrix in (self.P, self.A, self.PA, self.APA))
        gram(*self.products, P, A, PA)
        gram(*self.products, A, PA, APA)
        self.F[:] = t.R[k]
        _inputs(first, t.B[k], t.S[k], t.s[k], self.P, self.PA, self.F, self.G)
        gain[:] = self.G
        _solve_small(self.F, gain)
        _cost_to_go(Q, self.APA, self.G, gain, self.P)


class _Stages:
    """The matrices Q of Table 8, block by block, in all design and control variables."""

    def __init__(self, qp: StageQP, analysis: StageAnalysis, factors: Factors, shift: float) -> None:
        self.qp, self.factors, self.shift, self.analysis = qp, factors, shift, analysis
        self.rows = reduced_rows(qp, analysis, analysis.design, analysis.controls.at(qp.control_units))
        self.work = Work.exact(analysis)
        self.gradients = state_gradients(qp, analysis, factors, self.rows)

    @property
    def width(self) -> int:
        """Columns, with padding."""
        return self.analysis.forward.width

    def block(self, block: int) -> np.ndarray:
        """Q of the steps of a block, shape [step, width, width]."""
        qp, a, q = self.qp, self.analysis, self.analysis.group
        product = exact_products(qp, a, self.factors, self.rows, block, self.work)
        square = product.reshape(-1, self.width, self.width)
        result = square + square.transpose(0, 2, 1)
        own = slice(block * LANES, block * LANES + len(result))
        p, u = slice(0, q - 1), slice(q, a.column_count)
        for matrices, rows, cols in ((qp.Hpp, p, p), (qp.Hpu, p, u), (qp.Huu, u, u)):
            dense = replace(matrices, values=matrices.values[own]).dense()
            result[:, rows, cols] += dense
            if rows is not cols:
                result[:, cols, rows] += dense.transpose(0, 2, 1)
        gradient = self.gradients[own].copy()
        gradient[:, p] += qp.gp[own]
        gradient[:, u] += qp.gu[own]
        gradient[:, q - 1] = 0.0
        result[:, : a.column_count, q - 1] += gradient
        result[:, q - 1, : a.column_count] += gradient
        index = np.delete(np.arange(a.column_count), q - 1)
        result[:, index, index] += self.shift
        return result


def riccati_direction(qp: StageQP, analysis: StageAnalysis | None = None, *, shift: float = 0.0) -> Direction:
    """Solves a stage program; see `stage_qp_direction.search_direction`."""
    factors = factored_states(qp, None if analysis is None else analysis.symbolic)
    if analysis is None or factors.symbolic is not analysis.symbolic:
        analysis = analyse_riccati(qp, factors.symbolic)
    design, controls = tangents(qp.design_units, qp.design_count), tangents(qp.control_units, qp.control_count)
    stages, t = _Stages(_free(qp), analysis, factors, shift), _transitions(qp, controls)
    q, count, n = qp.design_count + 1, qp.design_count + 1 + qp.control_count, qp.step_count
    gains = np.zeros((n - 1, controls.count, stages.width))
    recursion = _Recursion(stages.width, q, controls.count)
    for block in reversed(range(len(factors.slots))):
        Q = stages.block(block)
        for k in reversed(range(block * LANES, block * LANES + len(Q))):
            own = Q[k - block * LANES]
            if k == n - 1:
                recursion.P[:] = own
                continue
            own[q:count, q:count] += t.Q[k]
            own[q:count, q - 1] += t.q[k]
            own[q - 1, q:count] += t.q[k]
            recursion.step(t, k, own, gains[k])
    state = _first_state(recursion.P[:count, :count], q, design, controls)
    du = np.empty((n, qp.control_count))
    du[0] = state[q:]
    for k in range(n - 1):
        v = -gains[k][:, :count] @ state
        du[k + 1] = t.A[k] @ du[k] + t.a[k] + t.B[k] @ v
        state[q:] = du[k + 1]
    direction, _ = recovered(qp, factors, state[: q - 1], du, shift=shift)
    return replace(direction, analysis=analysis)


def _first_state(P: np.ndarray, q: int, design: Tangents, controls: Tangents) -> np.ndarray:
    """The design and the first controls that make the cost-to-go smallest (equations 9 and 11)."""
    Zp, Zu = design.dense()[0], controls.dense()[0]
    Z = np.zeros((len(P), design.count + controls.count))
    Z[: q - 1, : design.count] = Zp
    Z[q:, design.count :] = Zu
    special = np.zeros(len(P))
    special[: q - 1], special[q - 1], special[q:] = design.special[0], 1.0, controls.special[0]
    return special + Z @ np.linalg.solve(Z.T @ P @ Z, -Z.T @ P @ special)


def _free(qp: StageQP) -> StageQP:
    """The program with its Gauss-Newton curvature multiplied out, and without unit rows: those come in later."""
    none, n = np.empty((0, 4), dtype=np.int64), qp.step_count
    return replace(
        qp,
        tracked=None,
        Hss=qp.Hss if qp.tracked is None else qp.tracked.curvature(),
        design_units=UnitRows(none, np.empty((0, 4)), np.empty(0)),
        control_units=UnitRows(none, np.empty((n, 0, 4)), np.empty((n, 0))),
    )


def analyse_riccati(qp: StageQP, symbolic: SymbolicLU | None = None) -> StageAnalysis:
    """Makes the tables of the dynamic program for programs of this pattern."""
    return analyse_stages(_free(qp), symbolic, skip_zeros=False)
