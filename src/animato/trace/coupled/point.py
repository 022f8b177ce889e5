"""The coupled problem at one point: objective, used shares of all limits, and the Newton system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.symmetric import DenseMatrix
from animato.kernels.compiled import kernel
from animato.mechanics.tree.path_torques import PlaceTorques, Walk, build_place_torques, build_walk, torques_kernel
from animato.solvers import RowWeights
from animato.solvers.timing import FIXED_DURATION
from animato.trace.coupled.problem import CoupledProblem
from animato.trace.coupled.rows import (
    RowForces,
    assemble_rows_kernel,
    sample_kernel,
    torque_weights_kernel,
    usage_change_kernel,
    usage_kernel,
)
from animato.trace.coupled.timing import (
    duration_kernel,
    duration_slope_kernel,
    press_duration_kernel,
    timing_cost_kernel,
    timing_derivatives_kernel,
)
from animato.trace.path import PathIterate, assembled, evaluated


@dataclass(frozen=True, eq=False)
class CoupledPoint:
    """Control points and b, and what follows from them.

    Attributes:
        x: Control points, then b, [c n + N + 1].
        path: The geometric part.
        samples: q, q', q'' at the grid, [3, N + 1, n].
        timing_cost: beta f_t + gamma t_f.
        speeds: Used shares of squared velocities, [N + 1, n]; 1 is the limit.
        pushes: Those of accelerations and torques, with sign, [N, 2, n + r].
        durations: The duration as a share of the wanted one, [1]; empty where none is wanted.
    """

    x: np.ndarray
    path: PathIterate
    samples: np.ndarray
    timing_cost: float
    speeds: np.ndarray
    pushes: np.ndarray
    durations: np.ndarray

    @property
    def cost(self) -> float:
        """The objective."""
        return self.path.cost + self.timing_cost

    @property
    def rows(self) -> np.ndarray:
        """All used shares: speeds, then pushes, then the duration, [m]."""
        return np.concatenate([self.speeds.ravel(), self.pushes.ravel(), self.durations])

    @property
    def most_used(self) -> np.ndarray:
        """Used shares to either side: speeds, then pushes upward, then downward; 1 is the limit of each."""
        return np.concatenate([self.speeds.ravel(), self.pushes.ravel(), -self.pushes.ravel()])


@dataclass(frozen=True, eq=False)
class CoupledSystem:
    """The Newton system at a point.

    Attributes:
        model: Whose memory it is in; the next system overwrites it.
        point: Where.
        gradient: Of the objective, [size].
        pressed: J^T force of the rows, [size].
        matrix: Second derivatives of both.
    """

    model: CoupledModel
    point: CoupledPoint
    gradient: np.ndarray
    pressed: np.ndarray
    matrix: DenseMatrix

    def change(self, dx: np.ndarray) -> np.ndarray:
        """First-order change of the used shares along dx, [m]."""
        return self.model.change(self.point, dx)


class CoupledModel:
    """One coupled problem for an interior point; evaluates again and again in the same memory.

    Unknowns are control points, then b, [size]; rows are used shares, so that 1 is the limit of each.

    Attributes:
        problem: The problem.
        start: Where b begins among the unknowns.
        lower, upper: Bounds of the unknowns.
        free: Unknowns that may move.
        row_lower, row_upper: Limits of the rows.
    """

    row_price = None

    def __init__(self, problem: CoupledProblem) -> None:
        self.problem = problem
        arrays, path, count = problem.arrays, problem.path, len(problem.grid)
        self.shape = problem.start_points.shape
        self.start = problem.start_points.size
        b_high = np.full(count, np.inf)
        locked = arrays.lock > 0.0
        b_high[locked] = 1.0 / arrays.lock[locked]
        self.lower = np.concatenate([path.lower.ravel(), np.zeros(count)])
        self.upper = np.concatenate([path.upper.ravel(), b_high])
        self.free = (self.upper > self.lower) & np.concatenate([np.ones(self.start, dtype=bool), arrays.timing.moves])
        speeds, pushes = count * self.shape[1], 2 * (count - 1) * (self.shape[1] + len(arrays.torque))
        self.lasts = int(arrays.timing.mode == FIXED_DURATION)
        self.row_lower = np.concatenate([np.full(speeds, -np.inf), np.full(pushes, -1.0), np.ones(self.lasts)])
        self.row_upper = np.ones(speeds + pushes + self.lasts)
        self._walk: Walk = build_walk(len(arrays.chain.parent))
        self._torques: PlaceTorques = build_place_torques(count, len(arrays.armature), self.shape[1])
        self._mu = np.zeros((count, len(arrays.armature)))
        self._kappa = np.zeros_like(self._mu)
        self._H = np.zeros((problem.size, problem.size))

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Control points [c, n] and b [N + 1] of all unknowns."""
        return x[: self.start].reshape(self.shape), x[self.start :]

    def at(self, x: np.ndarray) -> CoupledPoint:
        """Objective and used shares."""
        problem, arrays = self.problem, self.problem.arrays
        points, b = self.split(x)
        samples = self._sampled(points)
        self._write_torques(samples, b, 0)
        count, n = len(arrays.timing.widths), self.shape[1]
        speeds, pushes = np.empty((count + 1, n)), np.empty((count, 2, n + len(arrays.torque)))
        usage_kernel(arrays, samples, b, self._torques, speeds, pushes)
        path = evaluated(problem.path, points, problem.rest)
        cost = timing_cost_kernel(arrays.timing, b, arrays.waits)
        durations = np.zeros(self.lasts)
        if self.lasts:
            durations[0] = duration_kernel(arrays.timing, b, arrays.waits) / arrays.timing.duration
        return CoupledPoint(x, path, samples, cost, speeds, pushes, durations)

    def newton_system(self, point: CoupledPoint, weights: RowWeights, *, path_moves: bool = True) -> CoupledSystem:
        """The Newton system; the next call overwrites it.

        Where the path does not move, what has to do with it in the matrix is not of use.
        """
        problem, arrays = self.problem, self.problem.arrays
        _, b = self.split(point.x)
        forces = _row_forces(point, weights)
        torque_weights_kernel(arrays, b, forces.dual, self._mu, self._kappa)
        self._write_torques(point.samples, b, 2 if path_moves else 1)
        gradient, pressed = np.zeros(problem.size), np.zeros(problem.size)
        self._H[:] = 0.0
        slope, hessian = assembled(problem.path, point.path, problem.rest, exact=True)
        _add_band(hessian.band, self._H)
        gradient[: self.start] = slope
        timing_derivatives_kernel(arrays.timing, b, arrays.waits, self.start, gradient, self._H)
        assemble_rows_kernel(arrays, point.samples, b, self._torques, forces, self.start, pressed, self._H)
        if self.lasts:
            last = weights.stiffness[-1], weights.force[-1], weights.multiplier[-1]
            press_duration_kernel(arrays.timing, b, *last, self.start, pressed, self._H)
        return CoupledSystem(self, point, gradient, pressed, DenseMatrix(self._H))

    def change(self, point: CoupledPoint, dx: np.ndarray) -> np.ndarray:
        """First-order change of the used shares along dx, [m]; the Newton system must have been made at that point."""
        moved, db = self.split(dx)
        _, b = self.split(point.x)
        speeds, pushes = np.empty_like(point.speeds), np.empty_like(point.pushes)
        usage_change_kernel(
            self.problem.arrays, point.samples, b, self._torques, self._sampled(moved), db, speeds, pushes
        )
        durations = np.zeros(self.lasts)
        if self.lasts:
            slope, timing = np.zeros(len(b)), self.problem.arrays.timing
            duration_slope_kernel(timing, b, slope)
            durations[0] = slope @ db / timing.duration
        return np.concatenate([speeds.ravel(), pushes.ravel(), durations])

    def _sampled(self, points: np.ndarray) -> np.ndarray:
        arrays = self.problem.arrays
        samples = np.empty((3, len(self.problem.grid), self.shape[1]))
        sample_kernel(arrays.first, arrays.values, points, samples)
        return samples

    def _write_torques(self, samples: np.ndarray, b: np.ndarray, order: int) -> None:
        arrays = self.problem.arrays
        if len(arrays.torque) == 0:
            return
        torques_kernel(
            arrays.chain,
            self._walk,
            arrays.carries,
            arrays.armature,
            arrays.dof_column,
            arrays.gravity,
            samples,
            b,
            self._mu,
            self._kappa,
            order,
            self._torques,
        )


def _row_forces(point: CoupledPoint, weights: RowWeights) -> RowForces:
    """Weights of all rows as the kernels want them."""
    count, push, speed = point.speeds.size, point.pushes.shape, point.speeds.shape
    pushes = slice(count, count + point.pushes.size)
    return RowForces(
        weights.stiffness[pushes].reshape(push),
        weights.force[pushes].reshape(push),
        weights.multiplier[pushes].reshape(push),
        weights.stiffness[:count].reshape(speed),
        weights.force[:count].reshape(speed),
        weights.multiplier[:count].reshape(speed),
        weights.negligible,
    )


@kernel
def _add_band(band: np.ndarray, H: np.ndarray) -> None:
    """Adds a band, as in `algebra.banded`, to the lower triangle of a matrix."""
    size, width = band.shape
    for r in range(size):
        for c in range(max(0, r - width + 1), r + 1):
            H[r, c] += band[r, width - 1 - r + c]
