"""From design and controls to everything else: velocities, states and all multipliers.

After algorithm 4 of Maloisel et al. (2023); what happens at the first and the last stage, which it leaves
open, follows from the derivative of the Lagrangian there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.sparse_lu import Factors, solve, solve_transposed
from animato.solvers.stage_qp.kernels import add_products
from animato.solvers.stage_qp.program import Direction, StageQP, StepMatrices, UnitRows


def add(matrices: StepMatrices, x: np.ndarray, out: np.ndarray, *, transpose: bool = False) -> None:
    """Out += A x at every step, or A^T x; x of shape [1 or step, col]."""
    rows, cols = (matrices.cols, matrices.rows) if transpose else (matrices.rows, matrices.cols)
    if len(rows):
        add_products(rows, cols, matrices.values, x, out)


def velocities(qp: StageQP, du: np.ndarray) -> np.ndarray:
    """Dv from the velocity rows; zero between motions."""
    dv = (du[1:] - du[:-1] + qp.velocity) / qp.spans
    dv[~qp.linked] = 0.0
    return dv


def states(qp: StageQP, factors: Factors, dp: np.ndarray, du: np.ndarray) -> np.ndarray:
    """Ds from the kinematic rows."""
    rhs = -qp.C
    right = np.zeros_like(rhs)
    add(qp.Cp, dp[None], right)
    add(qp.Cu, du, right)
    return solve(factors, rhs - right)


@dataclass(frozen=True, eq=False)
class Slope:
    """What is left of the derivative of the Lagrangian once velocities, states and their multipliers fit.

    At the solution it lies along the quaternions, where the unit rows carry it, and is zero elsewhere.

    Attributes:
        design: Shape [1, design].
        controls: Shape [step, control].
        scale: Largest absolute term that went into them.
    """

    design: np.ndarray
    controls: np.ndarray
    scale: float


def recovered(
    qp: StageQP, factors: Factors, dp: np.ndarray, du: np.ndarray, *, shift: float = 0.0, negative_pivots: int = -1
) -> tuple[Direction, Slope]:
    """The whole direction from its design and its controls, and how well they fit.

    With h = g + H d, the derivative of the Lagrangian with respect to d vanishes where h = A^T lambda.
    """
    ds, dv = states(qp, factors, dp, du), velocities(qp, du)
    h_p, h_u, h_s = qp.gp + shift * dp, qp.gu + shift * du, qp.gs.copy()
    for matrices, x, out in (
        (qp.Hpp, dp[None], h_p), (qp.Hpu, du, h_p), (qp.Hps, ds, h_p),
        (qp.Huu, du, h_u), (qp.Hus, ds, h_u), (qp.Hss, ds, h_s),
    ):  # fmt: skip
        add(matrices, x, out)
    add(qp.Hpu, dp[None], h_u, transpose=True)
    add(qp.Hps, dp[None], h_s, transpose=True)
    add(qp.Hus, du, h_s, transpose=True)
    if qp.tracked is not None:
        residuals = np.zeros_like(qp.tracked.weights)
        add(qp.tracked.jacobian, ds, residuals)
        add(qp.tracked.jacobian, qp.tracked.weights * residuals, h_s, transpose=True)
    lambda_c = solve_transposed(factors, h_s)
    lambda_v = -(qp.gv + qp.Hvv * dv) / qp.spans
    lambda_v[~qp.linked] = 0.0
    left_p, left_u = np.zeros_like(h_p), np.zeros_like(h_u)
    add(qp.Cp, lambda_c, left_p, transpose=True)
    add(qp.Cu, lambda_c, left_u, transpose=True)
    parts = (h_p, h_u, left_p, left_u, lambda_v)
    scale = max(float(np.abs(part).max(initial=0.0)) for part in parts)
    h_p, h_u = h_p - left_p, h_u - left_u
    h_u[1:] -= lambda_v
    h_u[:-1] += lambda_v
    sums = np.cumsum(h_p[::-1], axis=0)[::-1]
    direction = Direction(
        dp=dp, du=du, dv=dv, ds=ds,
        lambda_d=sums[1:], lambda_v=lambda_v,
        lambda_p=unit_multipliers(qp.design_units, sums[:1])[0],
        lambda_u=unit_multipliers(qp.control_units, h_u),
        lambda_c=lambda_c, shift=shift, negative_pivots=negative_pivots, repivoted=factors.repivoted,
    )  # fmt: skip
    return direction, Slope(sums[:1], h_u, scale)


def unit_multipliers(units: UnitRows, h: np.ndarray) -> np.ndarray:
    """Lambda of (unit rows)^T lambda = h, shape [step, quaternion], for h [step, variable]."""
    part = h[:, units.columns]
    return (part * units.gradients).sum(axis=-1) / (units.gradients**2).sum(axis=-1)
