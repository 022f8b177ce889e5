"""How far a mechanism is from singular poses along a motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.kernels.one_thread import one_blas_thread
from animato.mechanics.loops.assembly import unit_scales
from animato.mechanics.loops.constraints import (
    ConstraintFactors,
    Mechanism,
    constraint_jacobians,
    factor_constraints,
)
from animato.mechanics.loops.newton import Compromise

_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class UnitlessConstraints:
    """A = [C_s; J_D] without units at all steps, D the surplus actuators.

    Rows that are lengths and columns that are positions are counted in the mechanism's typical length. With K = C_s
    without units and W = J_D C_s^-1, A^T A = K^T (I + W^T W) K, whose inverse takes two solves and a small system.

    Attributes:
        factors: Of C_s, with units.
        by_row: Factors of the kept rows, shape [row].
        by_column: Factors of the columns, shape [state].
        reach: W without units, shape [step, surplus, row].
    """

    factors: ConstraintFactors
    by_row: np.ndarray
    by_column: np.ndarray
    reach: np.ndarray

    @classmethod
    def at(
        cls, mechanism: Mechanism, states: np.ndarray, controls: np.ndarray, design: np.ndarray
    ) -> UnitlessConstraints:
        """At states [step, state], controls [step, control] and a design [design] or [step, design]."""
        found = constraint_jacobians(mechanism, states, controls, design)
        by_row, by_column = unit_scales(mechanism)
        kept = by_row[mechanism.kept]
        factors = factor_constraints(mechanism, found.state)
        reach = np.zeros((len(states), 0, found.values.shape[1]))
        if mechanism.counts.redundant_active:
            extra = constraint_jacobians(mechanism, states, controls, design, rows="surplus")
            scale = by_row[mechanism.row_indices("surplus")]
            # Row scales S_D W S_K^-1 of what W maps; column scales cancel inside W.
            reach = Compromise.at(mechanism, extra, factors).reach * scale[:, None] / kept
        return cls(factors, kept, by_column, reach)

    @cached_property
    def _small(self) -> np.ndarray:
        return np.eye(self.reach.shape[1]) + self.reach @ self.reach.transpose(0, 2, 1)

    def solved_gram(self, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The x = (A^T A)^-1 v of vectors v, shape [step, state, vector], and K x, shape [step, row, vector]."""
        rows, columns = self.by_row[:, None], self.by_column[:, None]
        inner = _solved(self.factors.solve_transposed, vectors / columns) / rows
        if self.reach.shape[1]:
            inner = inner - self.reach.transpose(0, 2, 1) @ np.linalg.solve(self._small, self.reach @ inner)
        return _solved(self.factors.solve, inner / rows) / columns, inner


def _solved(solve: Callable[[np.ndarray], np.ndarray], right: np.ndarray) -> np.ndarray:
    """Solves for several vectors a step, or for one, which is faster by itself."""
    return solve(right) if right.shape[2] > 1 else solve(right[:, :, 0])[:, :, None]


@one_blas_thread
def smallest_singular_values(
    mechanism: Mechanism, states: np.ndarray, controls: np.ndarray, design: np.ndarray
) -> np.ndarray:
    """Smallest singular value of C_s without units at all steps, surplus actuators included, shape [step].

    Inverse iteration from a fixed start approaches the value from above.

    Args:
        mechanism: Whose rows.
        states: Shape [step, state].
        controls: Shape [step, control].
        design: Shape [design] or [step, design].
    """
    scaled = UnitlessConstraints.at(mechanism, states, controls, design)
    vector = np.tile(np.random.default_rng(0).standard_normal(len(mechanism.state)), (len(states), 1))
    vector /= np.linalg.norm(vector, axis=1, keepdims=True)
    value = np.full(len(states), np.inf)
    for _ in range(_ROUNDS):
        vector = scaled.solved_gram(vector[:, :, None])[0][:, :, 0]
        growth = np.linalg.norm(vector, axis=1)
        new = np.where(np.isfinite(growth) & (growth > 0.0), 1.0 / np.sqrt(growth), 0.0)
        vector = np.where(new[:, None] > 0.0, vector / np.where(growth > 0.0, growth, 1.0)[:, None], 0.0)
        if np.all(np.abs(new - value) <= 1e-6 * new):
            value = new
            break
        value = new
    return value
