"""The coupled problem at one point: objective, used shares of all limits, and the Newton system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.kernels.compiled import released_kernel
from animato.trace.coupled.dynamics import PlaceTorques, build_place_torques, torques_kernel
from animato.trace.coupled.problem import CoupledProblem
from animato.trace.coupled.rows import (
    RowForces,
    assemble_rows_kernel,
    sample_kernel,
    torque_weights_kernel,
    usage_change_kernel,
    usage_kernel,
)
from animato.trace.coupled.timing import timing_cost_kernel, timing_slopes_kernel
from animato.trace.coupled.walk import Walk, build_walk
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
        pushes: Those of accelerations and torques, with sign, [N, 2, n + m].
    """

    x: np.ndarray
    path: PathIterate
    samples: np.ndarray
    timing_cost: float
    speeds: np.ndarray
    pushes: np.ndarray

    @property
    def cost(self) -> float:
        """The objective."""
        return self.path.cost + self.timing_cost


class CoupledModel:
    """Evaluates one problem again and again in the same memory."""

    def __init__(self, problem: CoupledProblem) -> None:
        self.problem = problem
        arrays = problem.arrays
        self.shape = problem.start_points.shape
        self.start = problem.start_points.size
        self._walk: Walk = build_walk(len(arrays.chain.parent))
        self._torques: PlaceTorques = build_place_torques(len(problem.grid), len(arrays.torque), self.shape[1])
        self._mu = np.zeros((len(problem.grid), len(arrays.torque)))
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
        return CoupledPoint(x, path, samples, timing_cost_kernel(arrays.timing, b, arrays.waits), speeds, pushes)

    def newton_system(
        self, point: CoupledPoint, forces: RowForces, *, path_moves: bool = True
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Gradient of the objective, J^T force, and the lower triangle of the matrix; the next call overwrites it.

        Where the path does not move, what has to do with it in the matrix is not of use.
        """
        problem, arrays = self.problem, self.problem.arrays
        _, b = self.split(point.x)
        torque_weights_kernel(arrays, b, forces.dual, self._mu, self._kappa)
        self._write_torques(point.samples, b, 2 if path_moves else 1)
        gradient, pressed = np.zeros(problem.size), np.zeros(problem.size)
        self._H[:] = 0.0
        band, slope = assembled(problem.path, point.path, problem.rest, exact=True)
        _add_band(band, self._H)
        gradient[: self.start] = 2.0 * slope[:, 0]
        timing_slopes_kernel(arrays.timing, b, arrays.waits, self.start, gradient, self._H)
        assemble_rows_kernel(arrays, point.samples, b, self._torques, forces, self.start, pressed, self._H)
        return gradient, pressed, self._H

    def change(self, point: CoupledPoint, dx: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """First-order change of the used shares along dx; the Newton system must have been made at the same point."""
        moved, db = self.split(dx)
        _, b = self.split(point.x)
        speeds, pushes = np.empty_like(point.speeds), np.empty_like(point.pushes)
        usage_change_kernel(
            self.problem.arrays, point.samples, b, self._torques, self._sampled(moved), db, speeds, pushes
        )
        return speeds, pushes

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


@released_kernel
def _add_band(band: np.ndarray, H: np.ndarray) -> None:
    """Adds twice a band, as in `path_band`, to the lower triangle of a matrix."""
    size, width = band.shape
    for r in range(size):
        for c in range(max(0, r - width + 1), r + 1):
            H[r, c] += 2.0 * band[r, width - 1 - r + c]
