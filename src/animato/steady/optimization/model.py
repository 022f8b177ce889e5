"""The retargeting objective as a least-squares model: simulation forward, adjoint backward, products in between.

Unknowns x are control points of motor profiles. With the tracked bodies' places c and rotation vectors e against their
quasi-static targets, and the artist's profile p~,

    F(x) = 1/2 sum over models m and steps k of  share_m dt ( w_k |c - c~|^2 + o_k |e|^2 )          eqs. 19 to 22
         + 1/2 int  d (p - p~)^2 + r p''^2 dt                                                        eqs. 23, 24
         + barriers of all limits.

Its gradient is one adjoint sweep a model, and Gauss and Newton's matrix times a vector one forward and one adjoint
sweep, all on the factors of the steps that the simulation has left. The matrix itself is never written down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from animato.algebra.banded import BandedMatrix
from animato.algebra.conjugate_gradients import OperatorMatrix
from animato.steady.optimization.barrier import Barrier
from animato.steady.optimization.orientation import rates, rotation_vectors
from animato.steady.optimization.runs import Run, run
from animato.steady.problem import Problem, Scenario

_BAND = 4  # a cubic spline's neighbours, and the diagonal
_PRODUCTS = 40


@dataclass(frozen=True, eq=False)
class SteadyPoint:
    """Profiles and all that came of them.

    Attributes:
        x: Control points, [size].
        runs: One a scenario; empty where a simulation came to nothing.
        cost: F, infinite where a simulation came to nothing.
        tracking: The first line of F alone.
    """

    x: np.ndarray
    runs: tuple[Run, ...]
    cost: float
    tracking: float


@dataclass(frozen=True, eq=False)
class _Residuals:
    """Of one run: weighted differences, and how rotation vectors follow turns."""

    places: np.ndarray  # [time, body, 3]
    turns: np.ndarray  # [time, body, 3]
    place_weights: np.ndarray  # [time, body]
    turn_weights: np.ndarray  # [time, body]
    rates: np.ndarray | None  # [time, body, 3, 3]


@dataclass(frozen=True, eq=False)
class SteadyModel:
    """What `solve_least_squares` asks for.

    Attributes:
        problem: What is to be solved.
        barrier: Of the limits; None where there are none.
    """

    problem: Problem
    barrier: Barrier | None
    has_curvature: bool = False

    @property
    def lower(self) -> np.ndarray:
        """Held control points are bounded to where they are."""
        return np.where(self.problem.basis.held, self.problem.artist, -np.inf)

    @property
    def upper(self) -> np.ndarray:
        """The same from above."""
        return np.where(self.problem.basis.held, self.problem.artist, np.inf)

    def with_barrier(self, barrier: Barrier | None) -> SteadyModel:
        """The same with other barriers."""
        return replace(self, barrier=barrier)

    def evaluate(self, x: np.ndarray) -> SteadyPoint:
        """Simulates every scenario."""
        problem = self.problem
        theta = problem.theta(x)
        runs: list[Run] = []
        for scenario in problem.scenarios:
            made = run(scenario, theta, problem.step_s)
            if made is None:
                return SteadyPoint(x, (), np.inf, np.inf)
            runs.append(made)
        tracking = sum(
            0.5 * scenario.share * self._squares(self._residuals(scenario, one))
            for scenario, one in zip(problem.scenarios, runs, strict=True)
        )
        cost = tracking + self._regularizer(x) + self._barriers(x, tuple(runs), theta)
        return SteadyPoint(x, tuple(runs), float(cost), float(tracking))

    def assemble(self, point: SteadyPoint, *, exact: bool) -> tuple[np.ndarray, OperatorMatrix]:
        """F' and Gauss and Newton's part of F''."""
        problem = self.problem
        gradient = problem.regularizer @ (point.x - problem.artist)
        gradient += problem.smoother @ point.x
        theta = problem.theta(point.x)
        residuals, torque_weights = [], []
        for scenario, one in zip(problem.scenarios, point.runs, strict=True):
            found = self._residuals(scenario, one)
            to_torque, to_speed, weights = self._torque_terms(one, theta[1])
            by_places = scenario.share * found.place_weights[..., None] * found.places
            by_turns = None
            if found.rates is not None:
                weighted = scenario.share * found.turn_weights[..., None] * found.turns
                by_turns = np.einsum("tkji,tkj->tki", found.rates, weighted)
            gradient += self._back(one, by_places, by_turns, to_torque, to_speed)
            residuals.append(found)
            torque_weights.append(weights)
        curvature = self._limit_curvature(point.x, gradient)

        def product(x: np.ndarray) -> np.ndarray:
            out = problem.regularizer @ x + problem.smoother @ x
            if curvature is not None:
                out = out + curvature @ x
            change = problem.theta(x)
            for scenario, one, found, weights in zip(
                problem.scenarios, point.runs, residuals, torque_weights, strict=True
            ):
                out = out + self._normal_product(scenario, one, found, weights, change)
            return np.asarray(out)

        near = BandedMatrix(self._preconditioner(curvature))
        return gradient, OperatorMatrix(product, near.diagonal, near, most_products=_PRODUCTS)

    def _residuals(self, scenario: Scenario, one: Run) -> _Residuals:
        problem = self.problem
        places = one.points - scenario.target_points
        if not problem.turn_weights.any():
            nothing = np.zeros_like(places)
            return _Residuals(places, nothing, problem.place_weights, problem.turn_weights, None)
        turns = rotation_vectors(one.rotations, scenario.target_rotations)
        return _Residuals(places, turns, problem.place_weights, problem.turn_weights, rates(turns))

    def _squares(self, found: _Residuals) -> float:
        of_places = float(np.einsum("tk,tki,tki->", found.place_weights, found.places, found.places))
        return of_places + float(np.einsum("tk,tki,tki->", found.turn_weights, found.turns, found.turns))

    def _regularizer(self, x: np.ndarray) -> float:
        problem, off = self.problem, x - self.problem.artist
        return 0.5 * float(off @ (problem.regularizer @ off) + x @ (problem.smoother @ x))

    def _barriers(self, x: np.ndarray, runs: tuple[Run, ...], theta: tuple[np.ndarray, ...]) -> float:
        if self.barrier is None:
            return 0.0
        total = 0.0
        if self.problem.limits is not None:
            total += self.barrier.value(self._rows(x), self.problem.row_measure)
        if self.problem.torque is not None:
            for one in runs:
                for y in self._torque_rows(one, theta[1]):
                    total += self.barrier.value(y, self.problem.step_s)
        return total

    def _rows(self, x: np.ndarray) -> np.ndarray:
        limits = self.problem.limits
        assert limits is not None
        return np.asarray(limits.matrix @ x - 0.5 * (limits.lower + limits.upper))

    def _torque_rows(self, one: Run, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shares of torque: of what there is at rest, and of what there is at speed; [time, motor] each."""
        torque = self.problem.torque
        assert torque is not None
        stall = torque.stall * (1.0 - self.problem.options.margin)
        return one.torque / stall, (one.torque + torque.slope * speed) / stall

    def _torque_terms(
        self, one: Run, speed: np.ndarray
    ) -> tuple[np.ndarray | None, np.ndarray | None, list[np.ndarray]]:
        """Derivatives of the barrier by torque and by speed, and second derivatives of both kinds of rows."""
        torque = self.problem.torque
        if self.barrier is None or torque is None:
            return None, None, []
        stall = torque.stall * (1.0 - self.problem.options.margin)
        slow, fast = self._torque_rows(one, speed)
        first_slow, second_slow = self.barrier.derivatives(slow, self.problem.step_s)
        first_fast, second_fast = self.barrier.derivatives(fast, self.problem.step_s)
        return (
            (first_slow + first_fast) / stall,
            first_fast * torque.slope / stall,
            [second_slow / stall**2, second_fast / stall**2],
        )

    def _back(
        self,
        one: Run,
        by_places: np.ndarray,
        by_turns: np.ndarray | None,
        by_torque: np.ndarray | None,
        by_speed: np.ndarray | None,
    ) -> np.ndarray:
        """A gradient by outputs as one by control points."""
        g, g_v, g_a = one.adjoint(by_places, by_turns, by_torque)
        if by_speed is not None:
            g_v = g_v + by_speed
        return self.problem.back(g, g_v, g_a)

    def _normal_product(
        self,
        scenario: Scenario,
        one: Run,
        found: _Residuals,
        weights: list[np.ndarray],
        change: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> np.ndarray:
        places, turns, torque = one.forward(*change)
        by_places = scenario.share * found.place_weights[..., None] * places
        by_turns = None
        if found.rates is not None:
            moved = np.einsum("tkij,tkj->tki", found.rates, turns)
            weighted = scenario.share * found.turn_weights[..., None] * moved
            by_turns = np.einsum("tkji,tkj->tki", found.rates, weighted)
        by_torque = by_speed = None
        if weights:
            limit = self.problem.torque
            assert limit is not None
            fast = weights[1] * (torque + limit.slope * change[1])
            by_torque, by_speed = weights[0] * torque + fast, fast * limit.slope
        return self._back(one, by_places, by_turns, by_torque, by_speed)

    def _limit_curvature(self, x: np.ndarray, gradient: np.ndarray) -> csr_array | None:
        """Adds the barriers of the profiles' limits to a gradient; their second derivative."""
        limits = self.problem.limits
        if self.barrier is None or limits is None:
            return None
        first, second = self.barrier.derivatives(self._rows(x), self.problem.row_measure)
        gradient += limits.matrix.T @ first
        return csr_array(limits.matrix.T @ limits.matrix.multiply(second[:, None]))

    def _preconditioner(self, curvature: csr_array | None) -> np.ndarray:
        """The band of what is near the matrix: each motor by itself, its lever taken as constant."""
        near = self.problem.near_matrix if curvature is None else self.problem.near_matrix + curvature
        band = np.zeros((near.shape[0], _BAND))
        for offset in range(_BAND):
            diagonal = near.diagonal(-offset)
            band[offset:, _BAND - 1 - offset] = diagonal
        return band
