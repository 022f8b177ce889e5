"""Constraint rows of a mechanism and their derivatives, for all time steps at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import OptionError
from animato.mechanics.loops.constraints.first_kernel import first_derivatives_kernel
from animato.mechanics.loops.constraints.packing import RowSet
from animato.mechanics.loops.constraints.second_kernel import second_derivatives_kernel

if TYPE_CHECKING:
    from animato.mechanics.loops.constraints.mechanism import Mechanism


@dataclass(frozen=True, eq=False)
class ConstraintJacobians:
    """C and its first derivatives at all steps, as values beside the patterns of a `RowSet`.

    Attributes:
        rows: Which rows; holds the patterns.
        values: C, shape [step, row].
        state: Nonzeros of C_s, shape [step, nonzero], as in `rows.state`.
        control: Nonzeros of C_u, as in `rows.control`.
        design: Nonzeros of C_p, as in `rows.design`.
    """

    rows: RowSet
    values: np.ndarray
    state: np.ndarray
    control: np.ndarray
    design: np.ndarray

    def at(self, step: int) -> ConstraintJacobians:
        """Of one step alone."""
        here = slice(step, step + 1)
        return ConstraintJacobians(
            self.rows, self.values[here], self.state[here], self.control[here], self.design[here]
        )


def constraint_values(
    mechanism: Mechanism, states: ArrayLike, controls: ArrayLike, design: ArrayLike | None = None, *, rows: str = "kept"
) -> np.ndarray:
    """C at all steps, shape [step, row]. Arguments as for `constraint_jacobians`."""
    return constraint_jacobians(mechanism, states, controls, design, rows=rows).values


def constraint_jacobians(
    mechanism: Mechanism, states: ArrayLike, controls: ArrayLike, design: ArrayLike | None = None, *, rows: str = "kept"
) -> ConstraintJacobians:
    """C and its first derivatives at all steps.

    Args:
        mechanism: Whose rows.
        states: c [m] and q (wxyz) of each body one after the other, shape [step, state]. Quaternions
            need not be of unit length: R(q) is then scaled by q . q, in values and derivatives alike.
        controls: [rad, m or quaternion parts], shape [step, control].
        design: The same for configurable joints, shape [design] or [step, design]; the mechanism's
            own where not given.
        rows: As `Mechanism.row_set` takes them.
    """
    chosen = mechanism.row_set(rows)
    s, u, p = arguments(mechanism, states, controls, design)
    count = len(s)
    found = ConstraintJacobians(
        chosen,
        np.empty((count, chosen.count)),
        np.empty((count, chosen.state.count)),
        np.empty((count, chosen.control.count)),
        np.empty((count, chosen.design.count)),
    )
    first_derivatives_kernel(chosen.arrays, s, u, p, found.values, found.state, found.control, found.design)
    return found


def constraint_curvature(
    mechanism: Mechanism,
    states: ArrayLike,
    controls: ArrayLike,
    design: ArrayLike | None,
    multipliers: ArrayLike,
    *,
    rows: str = "kept",
) -> np.ndarray:
    """sum_r lambda_r d2C_r / dz2 at all steps, with z = (state, controls, design).

    Args:
        mechanism: As for `constraint_jacobians`, like the rest.
        states: Shape [step, state].
        controls: Shape [step, control].
        design: Shape [design] or [step, design].
        multipliers: lambda, shape [step, row].
        rows: As `Mechanism.row_set` takes them.

    Returns:
        Nonzeros of the upper triangle, shape [step, nonzero], as in
        `mechanism.row_set(rows).curvature`.
    """
    chosen = mechanism.row_set(rows)
    s, u, p = arguments(mechanism, states, controls, design)
    weights = np.ascontiguousarray(multipliers, dtype=np.float64)
    if weights.shape != (len(s), chosen.count):
        raise OptionError(
            f"The multipliers must have the shape {(len(s), chosen.count)}: one a step and row, not {weights.shape}."
        )
    found = np.empty((len(s), chosen.curvature.count))
    second_derivatives_kernel(chosen.arrays, s, u, p, weights, found)
    return found


def arguments(
    mechanism: Mechanism, states: ArrayLike, controls: ArrayLike, design: ArrayLike | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States, controls and design as contiguous tables with one row a step; checks their widths."""
    s = np.ascontiguousarray(np.atleast_2d(np.asarray(states, dtype=np.float64)))
    u = np.atleast_2d(np.asarray(controls, dtype=np.float64))
    p = np.atleast_2d(np.asarray(mechanism.design if design is None else design, dtype=np.float64))
    for name, given, width in (
        ("states", s, len(mechanism.state_names)),
        ("controls", u, len(mechanism.control_names)),
        ("design", p, len(mechanism.design_names)),
    ):
        if given.ndim != 2 or given.shape[1] != width or given.shape[0] not in (1, len(s)):
            raise OptionError(
                f"The {name} of '{mechanism.name}' must have {width} columns and one row a step ({len(s)}), "
                f"not the shape {given.shape}."
            )
    u = np.ascontiguousarray(np.broadcast_to(u, (len(s), u.shape[1])))
    return s, u, np.ascontiguousarray(np.broadcast_to(p, (len(s), p.shape[1])))
