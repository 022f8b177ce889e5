"""Solves with C_s of a mechanism at all time steps, from one symbolic factorization."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from animato.algebra import sparse_lu
from animato.algebra.sparse_lu import Factors
from animato.algebra.sparse_lu_analysis import SingularMatrixError, SymbolicLU
from animato.errors import MechanismError
from animato.kernels.lanes import LANES
from animato.mechanics.loops.constraints.coordinates import joint_coordinates
from animato.mechanics.loops.constraints.mechanism import Mechanism
from animato.mechanics.loops.constraints.values import constraint_jacobians


@dataclass(frozen=True, eq=False)
class ConstraintFactors:
    """C_s = L U at all steps.

    Attributes:
        factors: As `animato.algebra.sparse_lu` makes them; steps that need pivots of their own have them.
        determinant_sign: Of C_s, shape [step]; it changes where a motion passes a singular pose. 0 where
            C_s is singular.
    """

    factors: Factors
    determinant_sign: np.ndarray

    def solve(self, right: np.ndarray) -> np.ndarray:
        """C_s^-1 b at all steps.

        Args:
            right: b, shape [step, row] or [step, row, column].

        Returns:
            Shape of `right`, [step, state] or [step, state, column]; NaN where C_s is singular.
        """
        return sparse_lu.solve(self.factors, right)

    def solve_transposed(self, right: np.ndarray) -> np.ndarray:
        """C_s^-T b at all steps: right [step, state(, column)] to [step, row(, column)]."""
        return sparse_lu.solve_transposed(self.factors, right)

    def at(self, step: int) -> ConstraintFactors:
        """The factors of one step alone."""
        all_steps = self.factors
        one = all_steps.slots[step // LANES, None, :, step % LANES, None]
        alone = Factors(
            all_steps.symbolic,
            1,
            np.repeat(one, LANES, axis=2),
            all_steps.growth[step : step + 1],
            {0: all_steps.dense[step]} if step in all_steps.dense else {},
            (0,) if step in all_steps.singular else (),
        )
        return ConstraintFactors(alone, self.determinant_sign[step : step + 1])


@dataclass(frozen=True, eq=False)
class ConstraintSolver:
    """The symbolic part, once a mechanism.

    Attributes:
        symbolic: Order of pivots and fill of C_s of the kept rows.
        parity: Sign of the two permutations together.
    """

    symbolic: SymbolicLU
    parity: float


_SOLVERS: WeakKeyDictionary[Mechanism, ConstraintSolver] = WeakKeyDictionary()


def constraint_solver(mechanism: Mechanism) -> ConstraintSolver:
    """The solver of a mechanism's kept rows; made at its first use and kept while the mechanism lives.

    Pivots are chosen to be good at the rest pose and at the generic pose; where the rest is singular, at
    the generic one.

    Raises:
        MechanismError: The mechanism moves although all actuators stand still.
    """
    if mechanism in _SOLVERS:
        return _SOLVERS[mechanism]
    if mechanism.free_bodies:
        raise MechanismError(
            f"'{mechanism.name}' cannot be solved: these bodies move freely: {', '.join(mechanism.free_bodies)}."
        )
    states = np.stack([mechanism.generic_state, mechanism.state])
    controls = joint_coordinates(mechanism, states).columns(mechanism.control_names)
    found = constraint_jacobians(mechanism, states, controls)
    pattern = found.rows.state
    try:
        symbolic = sparse_lu.analyse(pattern.rows, pattern.columns, pattern.shape[0], found.state)
    except SingularMatrixError:
        symbolic = sparse_lu.analyse(pattern.rows, pattern.columns, pattern.shape[0], found.state[:1])
    solver = ConstraintSolver(symbolic, _parity(symbolic.row_order) * _parity(symbolic.col_order))
    _SOLVERS[mechanism] = solver
    return solver


def factor_constraints(mechanism: Mechanism, values: np.ndarray) -> ConstraintFactors:
    """L U = C_s of the kept rows at all steps.

    Args:
        mechanism: Whose rows.
        values: `constraint_jacobians(...).state`, shape [step, nonzero].
    """
    solver = constraint_solver(mechanism)
    factors = sparse_lu.factor(solver.symbolic, values)
    pivots = factors.slots[:, : solver.symbolic.size]
    odd = np.count_nonzero(pivots < 0.0, axis=1).ravel()[: len(values)] % 2
    sign = np.where(odd, -solver.parity, solver.parity)
    for step in factors.dense:
        sign[step] = np.linalg.slogdet(sparse_lu.dense_matrix(solver.symbolic, values[step]))[0]
    sign[list(factors.singular)] = 0.0
    return ConstraintFactors(factors, sign)


def _parity(order: np.ndarray) -> float:
    """1 for an even permutation, -1 for an odd one."""
    sign, seen = 1.0, np.zeros(len(order), dtype=bool)
    for first in range(len(order)):
        length, at = 0, first
        while not seen[at]:
            seen[at] = True
            at = int(order[at])
            length += 1
        if length and length % 2 == 0:
            sign = -sign
    return sign
