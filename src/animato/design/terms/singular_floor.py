"""A floor on the smallest singular value along a motion: keeps a design away from singular poses."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from animato.design.terms.soft_rows import SoftValues
from animato.mechanics.loops import UnitlessConstraints, smallest_singular_values
from animato.mechanics.loops.assembly import unit_scales
from animato.mechanics.loops.constraints import Mechanism, SparsePattern, constraint_curvature
from animato.solvers.stage_qp import add_products

_ROUNDS = 60
_BLOCK = 4
"""Vectors that are iterated together, so that singular values close to the smallest do no harm."""

_MARGIN = 1.1
"""The row begins to act a little above the floor, so that the floor itself is kept."""


@dataclass(frozen=True, eq=False)
class SingularFloor:
    """One row a step: how far the smallest singular value is below the floor, as a share of it, or 0.

    With A = [C_s; J_D] without units, D the surplus actuators, and its smallest singular value
    sigma = a^T A b, the derivative is a^T dA b = sum_r a_r d2C_r(b, .), one contraction of second derivatives.

    Attributes:
        mechanism: Whose rows.
        floor: Without units.
        weight: Of the squared row.
    """

    mechanism: Mechanism
    floor: float
    weight: float
    _spaces: dict[int, np.ndarray] = field(default_factory=dict, repr=False)  # of the last call, where the next begins

    @cached_property
    def weights(self) -> np.ndarray:
        """Shape [1]."""
        return np.array([self.weight])

    @cached_property
    def state(self) -> SparsePattern:
        """With respect to the states."""
        return _full_row(len(self.mechanism.state))

    @cached_property
    def control(self) -> SparsePattern:
        """With respect to the controls."""
        return _full_row(len(self.mechanism.controls))

    @cached_property
    def design(self) -> SparsePattern:
        """With respect to the design."""
        return _full_row(len(self.mechanism.design))

    def evaluated(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> SoftValues:
        """At all steps."""
        count = len(states)
        found = smallest_singular_vectors(self.mechanism, states, controls, design, start=self._spaces.get(count))
        value, left, right, self._spaces[count] = found
        short = _MARGIN - value / self.floor
        near = short > 0.0
        slope = np.zeros((count, sum(pattern.count for pattern in (self.state, self.control, self.design))))
        if near.any():
            slope[near] = -self._slopes(states[near], controls[near], design, left[near], right[near]) / self.floor
        n, u = len(self.mechanism.state), len(self.mechanism.controls)
        return SoftValues(np.maximum(short, 0.0)[:, None], slope[:, :n], slope[:, n : n + u], slope[:, n + u :])

    def broken(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> str | None:
        """How far below the floor the smallest singular value falls."""
        least = float(np.min(smallest_singular_values(self.mechanism, states, controls, design)))
        if least >= self.floor:
            return None
        return f"The smallest singular value falls to {least:.3g}, below the floor of {self.floor:.3g}."

    def _slopes(
        self, states: np.ndarray, controls: np.ndarray, design: np.ndarray, left: np.ndarray, right: np.ndarray
    ) -> np.ndarray:
        """Derivative of the singular value over (state, controls, design), shape [step, variable]."""
        m = self.mechanism
        by_row, by_column = unit_scales(m)
        count = len(m.state)
        total = count + len(m.controls) + len(m.design)
        along = np.zeros((len(states), total))
        along[:, :count] = right * by_column
        found = np.zeros((len(states), total))
        first = 0
        for which in ("kept", "surplus"):
            rows = m.row_indices(which)
            if not len(rows):
                continue
            part = left[:, first : first + len(rows)] * by_row[rows]
            first += len(rows)
            pattern = m.row_set(which).curvature
            values = constraint_curvature(m, states, controls, design, part, rows=which)
            add_products(pattern.rows, pattern.columns, values, along, found)
            off = pattern.rows != pattern.columns
            mirrored = np.ascontiguousarray(values[:, off])
            add_products(pattern.columns[off], pattern.rows[off], mirrored, along, found)
        return found


def smallest_singular_vectors(
    mechanism: Mechanism,
    states: np.ndarray,
    controls: np.ndarray,
    design: np.ndarray,
    *,
    start: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Smallest singular value of the constraint Jacobian without units, with its vectors.

    Args:
        mechanism: Whose rows; surplus actuators count.
        states: Shape [step, state].
        controls: Shape [step, control].
        design: Shape [design].
        start: The space that an earlier call nearby ended with, shape [step, state, vector].

    Returns:
        Value [step], left vector over kept and surplus rows [step, row], right vector [step, state], and the
        space of the few smallest.
    """
    scaled = UnitlessConstraints.at(mechanism, states, controls, design)
    reach = scaled.reach
    if start is None:
        random = np.random.default_rng(0).standard_normal((len(mechanism.state), _BLOCK))
        start = np.tile(random, (len(states), 1, 1))
    space = start
    value = np.full(len(states), np.inf)
    for _ in range(_ROUNDS):
        solved, inner = scaled.solved_gram(space)
        space, upper = np.linalg.qr(solved)
        image = inner @ np.linalg.inv(upper)  # A_kept space
        gram = image.transpose(0, 2, 1) @ image
        if reach.shape[1]:
            gram += (reach @ image).transpose(0, 2, 1) @ (reach @ image)
        squares, vectors = np.linalg.eigh(gram)
        new = np.sqrt(np.maximum(squares[:, 0], 0.0))
        done = bool(np.all(np.abs(new - value) <= 1e-11 * new))
        value = new
        if done:
            break
    right, rows = (space @ vectors)[:, :, 0], (image @ vectors)[:, :, 0]
    left = np.hstack([rows, np.einsum("nsr,nr->ns", reach, rows)]) / value[:, None]
    return value, left, right, space


def _full_row(count: int) -> SparsePattern:
    return SparsePattern((1, count), np.zeros(count, dtype=np.int64), np.arange(count))
