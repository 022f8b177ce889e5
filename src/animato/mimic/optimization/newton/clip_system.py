"""The Newton system of a whole clip: a band over control points, with the forces of each knot eliminated from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.banded import BandedFactor, BandedMatrix
from animato.mimic.optimization.newton.clip_kernels import (
    add_eliminated,
    add_rows_gradient,
    put_rows_change,
    put_through,
)


@dataclass(frozen=True, eq=False)
class DynamicsRows:
    """Rows of dynamics at one point: the wrench that nothing gives, then torques.

    Attributes:
        rows: By control points, A, [t, R, 3 D].
        gains: By forces, G, [t, R, force].
        stiffness: W, [t, R].
        active: Which forces may act, [t, force].
        spread: What spreads the load, V without walls.
    """

    rows: np.ndarray
    gains: np.ndarray
    stiffness: np.ndarray
    active: np.ndarray
    spread: float


@dataclass(frozen=True, eq=False)
class CondensedMatrix:
    """What `SymmetricMatrix` asks of the normal matrix over control points, then forces.

    Attributes:
        band: Of all terms but dynamics, [control point * D, 4 D].
        dynamics: Rows of dynamics; None for kinematics alone.
    """

    band: np.ndarray
    dynamics: DynamicsRows | None

    @property
    def diagonal(self) -> np.ndarray:
        """Of the band, and of what spreads forces; the rest only adds to it."""
        if self.dynamics is None:
            return self.band[:, -1]
        forces = np.full(self.dynamics.active.size, self.dynamics.spread)
        return np.concatenate([self.band[:, -1], forces])

    def product(self, x: np.ndarray) -> np.ndarray:
        """A x."""
        size = len(self.band)
        out = BandedMatrix(self.band).product(x[:size])
        if self.dynamics is None:
            return out
        rows, gains, active = self.dynamics.rows, self.dynamics.gains, self.dynamics.active
        dx, forces = x[:size].reshape(-1, rows.shape[2] // 3), np.where(active, x[size:].reshape(active.shape), 0.0)
        change = np.empty(self.dynamics.stiffness.shape)
        put_rows_change(rows, dx, change)
        change = self.dynamics.stiffness * (change + np.einsum("trn,tn->tr", gains, forces))
        lifted = np.zeros_like(dx)
        add_rows_gradient(rows, change, lifted)
        back = np.einsum("trn,tr->tn", gains, change) + self.dynamics.spread * forces
        return np.concatenate([out + lifted.ravel(), back.ravel()])

    def form(self, x: np.ndarray) -> float:
        """x^T A x."""
        return float(x @ self.product(x))

    def factored(self, added: np.ndarray | float, held: np.ndarray) -> CondensedFactor | BandedFactor | None:
        """By eliminating forces knot by knot, then Cholesky's method on the band; see `SymmetricMatrix`."""
        size = len(self.band)
        if self.dynamics is None:
            return BandedMatrix(self.band).factored(added, held)
        walls = np.broadcast_to(np.asarray(added, dtype=np.float64), (size + self.dynamics.active.size,))
        active = self.dynamics.active & ~held[size:].reshape(self.dynamics.active.shape)
        springs = np.ascontiguousarray(walls[size:].reshape(active.shape) + self.dynamics.spread)
        count = self.dynamics.rows.shape[1]
        factors, band = np.zeros((len(active), count, count)), self.band.copy()
        add_eliminated(band, self.dynamics.rows, self.dynamics.gains, self.dynamics.stiffness, springs, active, factors)
        factor = BandedMatrix(band).factored(walls[:size], held[:size])
        return None if factor is None else CondensedFactor(factor, held[:size], self.dynamics, springs, active, factors)


@dataclass(frozen=True, eq=False)
class CondensedFactor:
    """A factor that also brings the forces back.

    Attributes:
        band: Of what is left over control points.
        held: Which of these do not move, [control point * D].
        dynamics: Rows of dynamics.
        springs: V, [t, force].
        active: Forces that take part, [t, force].
        factors: Of M^-1, [t, R, R].
    """

    band: BandedFactor
    held: np.ndarray
    dynamics: DynamicsRows
    springs: np.ndarray
    active: np.ndarray
    factors: np.ndarray

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution for a right-hand side over control points, then forces."""
        rows, gains = self.dynamics.rows, self.dynamics.gains
        size = len(self.band.band)
        by_forces = right[size:].reshape(self.active.shape)
        eased = np.where(self.active, by_forces / self.springs, 0.0)
        pushed = np.matmul(gains, eased[..., None])[..., 0]
        through = pushed.copy()
        put_through(self.factors, through)
        left = np.zeros((size // (rows.shape[2] // 3), rows.shape[2] // 3))
        add_rows_gradient(rows, through, left)
        dx = self.band.solve(np.where(self.held, right[:size], right[:size] - left.ravel()))  # forces move no held one
        change = np.empty_like(pushed)
        put_rows_change(rows, dx.reshape(left.shape), change)
        change += pushed
        put_through(self.factors, change)
        back = np.matmul(change[:, None, :], gains)[:, 0]
        forces = np.where(self.active, eased - back / self.springs, by_forces)
        return np.concatenate([dx, forces.ravel()])


@dataclass(frozen=True, eq=False)
class ClipSystem:
    """What the interior point asks of one point.

    Attributes:
        gradient: Of the objective, [N].
        pressed: Of the rows' forces, [N].
        matrix: The normal matrix.
    """

    gradient: np.ndarray
    pressed: np.ndarray
    matrix: CondensedMatrix
