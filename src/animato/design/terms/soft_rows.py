"""Rows that should be zero and are asked to be so by their squares: what is beyond the kept rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from animato.design.options import DesignWeights
from animato.mechanics.loops.constraints import Mechanism, SparsePattern, constraint_curvature, constraint_jacobians


@dataclass(frozen=True, eq=False)
class SoftValues:
    """Rows and their first derivatives at all steps.

    Attributes:
        values: Shape [step, row].
        state, control, design: Entries of the derivatives, shape [step, entry], as in the patterns.
    """

    values: np.ndarray
    state: np.ndarray
    control: np.ndarray
    design: np.ndarray


class SoftRows(Protocol):
    """Rows r(s, u, p) with weights w, of which 1/2 sum w r^2 is a part of the objective."""

    @property
    def weights(self) -> np.ndarray:
        """Shape [row]."""

    @property
    def state(self) -> SparsePattern:
        """Pattern of the derivative with respect to the states."""

    @property
    def control(self) -> SparsePattern:
        """With respect to the controls."""

    @property
    def design(self) -> SparsePattern:
        """With respect to the design."""

    def evaluated(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> SoftValues:
        """At all steps: states [step, state], controls [step, control], design [design]."""


@runtime_checkable
class MustHold(Protocol):
    """A term that must hold in the end, however soft its rows are: the outcome asks it."""

    def broken(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> str | None:
        """A sentence that says what does not hold at the end, or None; arguments as for `SoftRows.evaluated`."""


@dataclass(frozen=True, eq=False)
class DroppedRows:
    """The rows of a mechanism that redundancy removal took out.

    Redundant rows of joints hold by themselves while the mechanism keeps its special shape; surplus rows of
    actuators say what the controls that were taken out really do.
    """

    mechanism: Mechanism
    weights: np.ndarray

    @classmethod
    def of(cls, mechanism: Mechanism, weights: DesignWeights) -> DroppedRows:
        """All dropped rows of a mechanism."""
        surplus = np.isin(mechanism.dropped, mechanism.row_indices("surplus"))
        return cls(mechanism, np.where(surplus, weights.actuators, weights.shape))

    @property
    def state(self) -> SparsePattern:
        """With respect to the states."""
        return self.mechanism.row_set("dropped").state

    @property
    def control(self) -> SparsePattern:
        """With respect to the controls."""
        return self.mechanism.row_set("dropped").control

    @property
    def design(self) -> SparsePattern:
        """With respect to the design."""
        return self.mechanism.row_set("dropped").design

    def evaluated(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> SoftValues:
        """At all steps."""
        found = constraint_jacobians(self.mechanism, states, controls, design, rows="dropped")
        return SoftValues(found.values, found.state, found.control, found.design)

    def curvature(
        self, states: np.ndarray, controls: np.ndarray, design: np.ndarray, multipliers: np.ndarray
    ) -> np.ndarray:
        """sum_r multiplier_r d2r over (state, controls, design), as in the row set's pattern."""
        return constraint_curvature(self.mechanism, states, controls, design, multipliers, rows="dropped")
