"""The program without states, velocities and unit rows: banded in the controls, bordered by the design."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from animato.algebra.dense_lu import dense_solve
from animato.algebra.sparse_lu import Factors, solve_transposed
from animato.kernels.lanes import LANES
from animato.solvers.stage_qp.analysis import Columns, StageAnalysis
from animato.solvers.stage_qp.kernels import add_products, curve_steps, gather_products, gram_steps, solve_steps
from animato.solvers.stage_qp.program import StageQP
from animato.solvers.stage_qp.recovery import add
from animato.solvers.stage_qp.tangents import Tangents


@dataclass(frozen=True, eq=False)
class ReducedQP:
    """min 1/2 x^T K x + b . x in the reduced controls of all stages and the reduced design.

    Attributes:
        design: y and Z of the design.
        controls: y and Z of the controls.
        diagonal: Controls with controls at every stage, shape [step, control, control].
        below: Stage k + 1 with stage k, shape [step - 1, control, control].
        border: Controls with design, shape [step, control, design].
        corner: Design with design, shape [design, design].
        control_gradient: Shape [step, control].
        design_gradient: Shape [design].
    """

    design: Tangents
    controls: Tangents
    diagonal: np.ndarray
    below: np.ndarray
    border: np.ndarray
    corner: np.ndarray
    control_gradient: np.ndarray
    design_gradient: np.ndarray


@dataclass(frozen=True, eq=False)
class Rows:
    """Kinematic rows and curvature in reduced columns, as values for the tables of the analysis.

    Attributes:
        entries: Of [Cp, Cu] in reduced columns, shape [step, entry].
        constant: C + Cp y + Cu y, shape [step, state].
        curved: Of [Hsp, Hsu] in reduced columns, then (Hsp, Hsu) y in their rows, shape [step, entry].
    """

    entries: np.ndarray
    constant: np.ndarray
    curved: np.ndarray


def reduced(qp: StageQP, analysis: StageAnalysis, factors: Factors, design: Tangents, controls: Tangents) -> ReducedQP:
    """Eliminates states, velocities and unit rows."""
    rows = reduced_rows(qp, analysis, design, controls)
    q, count = analysis.group, analysis.column_count
    total = np.zeros((q, q))
    sides = np.zeros((qp.step_count, controls.count, count))
    eliminate = _gauss_newton if qp.tracked is not None else _exact
    eliminate(qp, analysis, factors, rows, total, sides)
    corner, design_gradient = total[:-1, :-1], total[:-1, -1]
    diagonal, border = sides[:, :, q:], sides[:, :, : q - 1]
    control_gradient = sides[:, :, q - 1].copy()
    _add_own_terms(qp, design, controls, diagonal, border, corner, control_gradient, design_gradient)
    below = _add_velocities(qp, controls, diagonal, control_gradient)
    return ReducedQP(design, controls, diagonal, below, border, corner, control_gradient, design_gradient)


def reduced_rows(qp: StageQP, analysis: StageAnalysis, design: Tangents, controls: Tangents) -> Rows:
    """Everything in reduced columns: A Z, and what A y adds to the constants."""
    a = analysis
    entries = [a.Cp.values(qp.Cp.values, design.values), a.Cu.values(qp.Cu.values, controls.values)]
    curved = [a.Hsp.values(qp.Hps.values, design.values), a.Hsu.values(qp.Hus.values, controls.values)]
    constant, gradient = qp.C.copy(), np.zeros_like(qp.gs)
    add(qp.Cp, design.special, constant)
    add(qp.Cu, controls.special, constant)
    add(qp.Hps, design.special, gradient, transpose=True)
    add(qp.Hus, controls.special, gradient, transpose=True)
    curved.append(gradient[:, a.curved_states])
    return Rows(np.concatenate(entries, axis=1), constant, np.concatenate(curved, axis=1))


def _solved(
    a: StageAnalysis, factors: Factors, block: int, columns: Columns, values: np.ndarray, dense: np.ndarray,
    sign: float, x: np.ndarray, *, transposed: bool,
) -> None:  # fmt: skip
    """Substitution for the steps of one block; steps with pivots of their own are solved densely."""
    s = a.symbolic
    solve_steps(
        transposed, s.pattern, columns.reach, factors.slots[block], columns.place, values,
        columns.dense_place, dense, sign, x,
    )  # fmt: skip
    for step in factors.dense:
        if step // LANES == block:
            lane = step % LANES
            rhs = np.zeros(s.size * columns.width)
            np.add.at(rhs, columns.place, sign * values[lane])
            rhs[columns.dense_place] += sign * dense[lane]
            x[lane] = _densely(factors, step, rhs.reshape(s.size, -1), transposed).reshape(x[lane].shape)


def _densely(factors: Factors, step: int, rhs: np.ndarray, transposed: bool) -> np.ndarray:
    """Solves one step by its dense factors, in positions."""
    symbolic = factors.symbolic
    into, out = (symbolic.col_order, symbolic.row_order) if transposed else (symbolic.row_order, symbolic.col_order)
    given = np.empty_like(rhs)
    given[into] = rhs
    lu, order = factors.dense[step]
    x = np.empty_like(given)
    dense_solve(transposed, lu, order, given, x)
    return x[out]


def _exact(qp: StageQP, a: StageAnalysis, factors: Factors, rows: Rows, total: np.ndarray, sides: np.ndarray) -> None:
    """Sums the products of `exact_products` over the steps."""
    work = Work.exact(a)
    for block in range(len(factors.slots)):
        own = slice(block * LANES, min((block + 1) * LANES, qp.step_count))
        _collect(a, exact_products(qp, a, factors, rows, block, work), total, sides[own])
    _add_gradient(qp, a, factors, rows, total, sides)


@dataclass(frozen=True, eq=False)
class Work:
    """Room for the steps of one block: X, M and their product."""

    x: np.ndarray
    m: np.ndarray
    product: np.ndarray

    @staticmethod
    def exact(a: StageAnalysis) -> Work:
        """For one column for each variable."""
        return Work.of(a, a.symbolic.size)

    @staticmethod
    def of(a: StageAnalysis, rows: int) -> Work:
        """For X and M of some rows."""
        x = np.empty((LANES, rows * a.forward.blocks, LANES))
        return Work(x, np.zeros_like(x), np.empty((LANES, a.forward.width * a.forward.blocks, LANES)))


def exact_products(qp: StageQP, a: StageAnalysis, factors: Factors, rows: Rows, block: int, work: Work) -> np.ndarray:
    """The whole Hessian: ds = X (dp', 1, du') with X = -Cs^-1 [Cp, C, Cu], one column for each variable.

    With T + T^T = Hss and M = T X + [Hsp, (Hsp, Hsu) y, Hsu] the reduced matrix is X^T M + M^T X. The
    gradient gs needs no column of it: X^T gs = -[Cp, C, Cu]^T Cs^-T gs.

    Returns:
        X^T M for the steps of one block, shape [step, width * blocks, LANES].
    """
    own = slice(block * LANES, min((block + 1) * LANES, qp.step_count))
    n = own.stop - own.start
    x, m, product = work.x[:n], work.m[:n], work.product[:n]
    _solved(a, factors, block, a.forward, rows.entries[own], rows.constant[own], -1.0, x, transposed=False)
    curve_steps(*a.triangle.arrays, qp.Hss.values[own], *a.live, a.curved, rows.curved[own], x, m)
    gram_steps(*a.product, x, m, product)
    return product


def _collect(a: StageAnalysis, product: np.ndarray, total: np.ndarray, sides: np.ndarray) -> None:
    """Adds X^T M + M^T X to the sum over the steps, and keeps the rows of the controls of every step."""
    q, count = a.group, a.column_count
    square = product.reshape(len(product), a.forward.width, a.forward.width)
    half = square[:, :q, :q].sum(axis=0)
    total += half + half.T
    sides += square[:, q:count, :count]
    sides += square[:, :count, q:count].transpose(0, 2, 1)


def _add_gradient(
    qp: StageQP, a: StageAnalysis, factors: Factors, rows: Rows, total: np.ndarray, sides: np.ndarray
) -> None:
    """Adds X^T gs to the column of the constant."""
    gradient = state_gradients(qp, a, factors, rows)
    total[:, -1] += gradient[:, : a.group].sum(axis=0)
    sides[:, :, a.group - 1] += gradient[:, a.group :]


def state_gradients(qp: StageQP, a: StageAnalysis, factors: Factors, rows: Rows) -> np.ndarray:
    """X^T gs = -[Cp, C, Cu]^T Cs^-T gs, shape [step, column]; the constant's own entry is left out."""
    adjoint = solve_transposed(factors, qp.gs)
    gradient = np.zeros((qp.step_count, a.column_count))
    line, column = np.concatenate([a.Cp.rows, a.Cu.rows]), np.concatenate([a.Cp.cols, a.Cu.cols + a.group])
    add_products(column, line, rows.entries, adjoint, gradient)
    return -gradient


def _gauss_newton(
    qp: StageQP, a: StageAnalysis, factors: Factors, rows: Rows, total: np.ndarray, sides: np.ndarray
) -> None:
    """Hss = J^T W J: J ds = J X (dp', 1, du') with J X = -(Cs^-T J^T)^T [Cp, C, Cu].

    So one adjoint solve for each tracked residual takes the place of one forward solve for each variable.
    """
    if qp.tracked is None or a.adjoint is None:
        raise ValueError("Gauss-Newton needs tracked residuals in the program and in its analysis.")
    columns, jacobian, weights = a.adjoint, qp.tracked.jacobian, qp.tracked.weights
    y = np.empty((LANES, a.symbolic.size * columns.blocks, LANES))
    work = Work.of(a, jacobian.shape[0])
    line = a.row_position[np.concatenate([a.Cp.rows, a.Cu.rows])]
    column = np.concatenate([a.Cp.cols, a.Cu.cols + a.group])
    for block in range(len(factors.slots)):
        own = slice(block * LANES, min((block + 1) * LANES, qp.step_count))
        n = own.stop - own.start
        x, m, product = work.x[:n], work.m[:n], work.product[:n]
        _solved(a, factors, block, columns, jacobian.values[own], qp.gs[own], 1.0, y[:n], transposed=True)
        gather_products(
            line, column, rows.entries[own], rows.constant[own], a.group - 1, weights[own], a.row_position, y[:n], x, m
        )
        gram_steps(*a.residual_product, x, m, product)
        _collect(a, product, total, sides[own])
    _add_gradient(qp, a, factors, rows, total, sides)


def _add_own_terms(
    qp: StageQP, design: Tangents, controls: Tangents, diagonal: np.ndarray, border: np.ndarray, corner: np.ndarray,
    control_gradient: np.ndarray, design_gradient: np.ndarray,
) -> None:  # fmt: skip
    """Terms in design and controls alone."""
    g_u, g_p = qp.gu.copy(), qp.gp.copy()
    add(qp.Huu, controls.special, g_u)
    add(qp.Hpp, design.special, g_p)
    add(qp.Hpu, design.special, g_u, transpose=True)
    add(qp.Hpu, controls.special, g_p)
    control_gradient += controls.contracted(g_u)
    design_gradient += design.contracted(g_p.sum(axis=0)[None])[0]
    # sparse products stay on one core, where small dense ones would wake the threads of BLAS
    Z = sparse.csr_array((design.values[0], (design.rows, design.cols)), shape=(design.full_count, design.count))
    Hpp = sparse.csr_array((qp.Hpp.values.sum(axis=0), (qp.Hpp.rows, qp.Hpp.cols)), shape=qp.Hpp.shape)
    corner += (Z.T @ Hpp @ Z).toarray()
    Zu = controls.dense()
    diagonal += Zu.transpose(0, 2, 1) @ qp.Huu.dense() @ Zu
    if not qp.Hpu.empty:
        border += Zu.transpose(0, 2, 1) @ (qp.Hpu.dense().transpose(0, 2, 1) @ design.dense()[0])


def _add_velocities(qp: StageQP, controls: Tangents, diagonal: np.ndarray, control_gradient: np.ndarray) -> np.ndarray:
    """Dv = (du_{k+1} - du_k + velocity_k) / dt put into its terms; the blocks below the diagonal."""
    stiffness = np.where(qp.linked[:, None], qp.Hvv / qp.spans**2, 0.0)
    special = np.broadcast_to(controls.special, (qp.step_count, qp.control_count))
    offset = qp.velocity + special[1:] - special[:-1]
    push = np.where(qp.linked[:, None], qp.gv / qp.spans, 0.0) + stiffness * offset
    full = np.zeros((qp.step_count, qp.control_count))
    full[1:] += push
    full[:-1] -= push
    control_gradient += controls.contracted(full)
    both = np.zeros((qp.step_count, qp.control_count))
    both[1:] += stiffness
    both[:-1] += stiffness
    if controls.whole:
        index = np.arange(qp.control_count)
        diagonal[:, index, index] += both
        below = np.zeros((qp.step_count - 1, qp.control_count, qp.control_count))
        below[:, index, index] = -stiffness
        return below
    Z = controls.dense()
    diagonal += Z.transpose(0, 2, 1) @ (both[:, :, None] * Z)
    return -Z[1:].transpose(0, 2, 1) @ (stiffness[:, :, None] * Z[:-1])
