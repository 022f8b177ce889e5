"""How far a mechanism is from singular poses along a motion."""

from __future__ import annotations

import numpy as np

from animato.mechanics.loops.assembly import unit_scales
from animato.mechanics.loops.constraints import Mechanism, constraint_jacobians, factor_constraints
from animato.mechanics.loops.newton import Compromise

_ROUNDS = 100


def smallest_singular_values(
    mechanism: Mechanism, states: np.ndarray, controls: np.ndarray, design: np.ndarray
) -> np.ndarray:
    """Smallest singular value of C_s without units at all steps, shape [step].

    Rows that are lengths and columns that are positions are counted in the mechanism's typical length.
    Surplus actuator rows count: A = [C_s; J_D] has A^T A = C_s^T (I + W^T W) C_s with W = J_D C_s^-1,
    whose inverse takes two solves and a small system. Inverse iteration on it, from a fixed start,
    approaches the value from above.

    Args:
        mechanism: Whose rows.
        states: Shape [step, state].
        controls: Shape [step, control].
        design: Shape [design] or [step, design].
    """
    found = constraint_jacobians(mechanism, states, controls, design)
    by_row, by_column = unit_scales(mechanism)
    kept_scale = by_row[mechanism.kept]
    factors = factor_constraints(mechanism, found.state)
    reach = np.zeros((len(states), 0, found.values.shape[1]))
    if mechanism.counts.redundant_active:
        extra = constraint_jacobians(mechanism, states, controls, design, rows="surplus")
        scale = by_row[mechanism.row_indices("surplus")]
        # Row scales S_D W S_K^-1 of what W maps; column scales cancel inside W.
        reach = Compromise.at(mechanism, extra, factors).reach * scale[:, None] / kept_scale
    square = np.eye(reach.shape[1]) + np.einsum("nsr,ntr->nst", reach, reach)
    vector = np.tile(np.random.default_rng(0).standard_normal(len(mechanism.state)), (len(states), 1))
    vector /= np.linalg.norm(vector, axis=1, keepdims=True)
    value = np.full(len(states), np.inf)
    for _ in range(_ROUNDS):
        inner = factors.solve_transposed(vector / by_column) / kept_scale
        if reach.shape[1]:
            seen = np.einsum("nsr,nr->ns", reach, inner)[:, :, None]
            inner = inner - np.einsum("nsr,ns->nr", reach, np.linalg.solve(square, seen)[:, :, 0])
        vector = factors.solve(inner / kept_scale) / by_column
        growth = np.linalg.norm(vector, axis=1)
        new = np.where(np.isfinite(growth) & (growth > 0.0), 1.0 / np.sqrt(growth), 0.0)
        vector = np.where(new[:, None] > 0.0, vector / np.where(growth > 0.0, growth, 1.0)[:, None], 0.0)
        if np.all(np.abs(new - value) <= 1e-6 * new):
            value = new
            break
        value = new
    return value
