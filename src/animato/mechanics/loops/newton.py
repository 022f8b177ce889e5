"""Newton's method on the rows of a mechanism, for many time steps at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.loops.assembly import normalized_state, unit_scales
from animato.mechanics.loops.constraints import (
    ConstraintFactors,
    ConstraintJacobians,
    Mechanism,
    RowPurpose,
    constraint_jacobians,
    factor_constraints,
    sensitivities,
)

_ROUNDS = 14
_LONGEST = 2.0  # [rad, or typical lengths]: a Newton step beyond this has lost its way


@dataclass(frozen=True, eq=False)
class Compromise:
    """Linear algebra of actuators that contradict one another, at all steps.

    With W = J_D C_s^-1 for the dropped actuator rows D and K the kept ones, the state moves by
    C_s^-1 (E_K y - r), after which kept actuators miss by y and dropped ones by b + W_K y. The y with the
    smallest sum of squares is -(I + W_K^T W_K)^-1 W_K^T b = -W_K^T (I + W_K W_K^T)^-1 b.

    Attributes:
        reach: W, shape [step, surplus, row].
        kept: Columns of the kept actuator rows.
    """

    reach: np.ndarray
    kept: np.ndarray

    @classmethod
    def at(cls, mechanism: Mechanism, surplus: ConstraintJacobians, factors: ConstraintFactors) -> Compromise:
        """From the Jacobian of the surplus rows and the factors of the kept ones."""
        rows = surplus.rows.state.dense(surplus.state)
        reach = factors.solve_transposed(rows.transpose(0, 2, 1)).transpose(0, 2, 1)
        kept = [n for n, i in enumerate(mechanism.kept) if mechanism.rows[i].purpose is RowPurpose.ACTUATOR]
        return cls(reach, np.array(kept, dtype=np.int64))

    def target(self, kept: np.ndarray, surplus: np.ndarray) -> np.ndarray:
        """What the kept rows should be after the step, shape [step, row].

        Args:
            kept: C of the kept rows, shape [step, row].
            surplus: C of the surplus rows, shape [step, surplus].
        """
        miss = surplus - np.einsum("nsr,nr->ns", self.reach, kept)
        part = self.reach[:, :, self.kept]
        square = np.eye(part.shape[1]) + np.einsum("nsk,ntk->nst", part, part)
        share = np.linalg.solve(square, miss[:, :, None])[:, :, 0]
        wanted = np.zeros_like(kept)
        wanted[:, self.kept] = -np.einsum("nsk,ns->nk", part, share)
        return wanted


@dataclass(frozen=True, eq=False)
class NewtonSteps:
    """Where Newton's method ended at each step.

    Attributes:
        states: Shape [step, state].
        converged: Shape [step].
        jacobians: Of the kept rows, at the last iterate but one, which is the same to rounding.
        factors: Of these.
        surplus: The same of the actuator rows that are too many, with what they come to together with the others;
            None where there are none.
    """

    states: np.ndarray
    converged: np.ndarray
    jacobians: ConstraintJacobians
    factors: ConstraintFactors
    surplus: tuple[ConstraintJacobians, Compromise] | None = None

    def at(self, step: int) -> NewtonSteps:
        """One step alone."""
        here = slice(step, step + 1)
        extra = None
        if self.surplus is not None:
            rows, compromise = self.surplus
            extra = (rows.at(step), Compromise(compromise.reach[here], compromise.kept))
        return NewtonSteps(
            self.states[here], self.converged[here], self.jacobians.at(step), self.factors.at(step), extra
        )


def newton(
    mechanism: Mechanism, guess: np.ndarray, controls: np.ndarray, design: np.ndarray, *, tolerance: float = 1e-9
) -> NewtonSteps:
    """Solves C(s, u, p) = 0 at every step; where actuators contradict one another, in the least-squares sense.

    A step has converged when its last correction was below the tolerance: what is left is of the order of
    its square.

    Args:
        mechanism: Whose rows.
        guess: Shape [step, state].
        controls: Shape [step, control].
        design: Shape [step, design].
        tolerance: [rad, or typical lengths].
    """
    too_many = mechanism.counts.redundant_active > 0
    surplus: tuple[ConstraintJacobians, Compromise] | None = None
    _, by_column = unit_scales(mechanism)
    states = normalized_state(guess)
    converged = np.zeros(len(states), dtype=bool)
    lost = np.zeros(len(states), dtype=bool)
    for _ in range(3 * _ROUNDS if too_many else _ROUNDS):
        found = constraint_jacobians(mechanism, states, controls, design)
        factors = factor_constraints(mechanism, found.state)
        right = found.values
        if too_many:
            extra = constraint_jacobians(mechanism, states, controls, design, rows="surplus")
            surplus = (extra, Compromise.at(mechanism, extra, factors))
            right = right - surplus[1].target(right, extra.values)
        step = factors.solve(right)
        size = np.max(np.abs(step / by_column), axis=1)
        lost |= ~(size < _LONGEST)
        moving = ~lost & ~converged
        states[moving] = normalized_state(states[moving] - step[moving])
        converged |= moving & (size < tolerance)
        if np.all(converged | lost):
            break
    return NewtonSteps(states, converged & ~lost, found, factors, surplus)


def first_order_change(solved: NewtonSteps, controls: np.ndarray, design: np.ndarray) -> np.ndarray:
    """Change of each step's state with its controls and design, to first order: -C_s^-1 (C_u du + C_p dp).

    Where actuators are too many, that of their compromise.

    Args:
        solved: At as many steps as there are changes.
        controls: du, shape [step, control].
        design: dp, shape [step, design].
    """
    right = _changed_rows(solved.jacobians, controls, design)
    if solved.surplus is not None:
        extra, compromise = solved.surplus
        right = right - compromise.target(right, _changed_rows(extra, controls, design))
    return -solved.factors.solve(right)


def _changed_rows(jacobians: ConstraintJacobians, controls: np.ndarray, design: np.ndarray) -> np.ndarray:
    """C_u du + C_p dp, shape [step, row]."""
    rows = jacobians.rows
    right = np.zeros((len(controls), rows.count))
    for pattern, values, change in (
        (rows.control, jacobians.control, controls),
        (rows.design, jacobians.design, design),
    ):
        if pattern.count and np.any(change):
            np.add.at(right.T, pattern.rows, (values * change[:, pattern.columns]).T)
    return right


def extrapolated(solved: NewtonSteps, controls: np.ndarray, design: np.ndarray) -> np.ndarray:
    """States that follow from one step by many changes of controls and design, to first order, [change, state].

    Args:
        solved: At one step.
        controls: du, shape [change, control].
        design: dp, shape [change, design].
    """
    if solved.surplus is not None:
        changes = zip(controls[:, None], design[:, None], strict=True)
        return solved.states + np.vstack([first_order_change(solved, *change) for change in changes])
    slope = sensitivities(solved.jacobians, solved.factors)[0]
    return solved.states - np.hstack([controls, design]) @ slope.T
