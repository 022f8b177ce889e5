"""A primal-dual interior point for problems that need not be convex, from a start that need not be feasible.

    minimize f(x)    with  lower <= x <= upper,  row_lower <= g(x) <= row_upper

Rows get slacks, g + s = row_upper and -g + s = -row_lower. With multipliers z and a barrier parameter mu, a step solves

    (H + J^T (z / s) J + D) dx = -(f' + J^T (mu / s + (z / s) (g + s - row_upper)) + ...)

where H has second derivatives of objective and rows, and D is from the bounds of x; it is damped until it is positive
definite. Steps are accepted by f - mu sum log s + nu |g + s - row_upper|. After a step a slack that is smaller than
what its limit leaves is set to that. Equalities are rows of a great stiffness K whose multiplier moves by K c(x): a
proximal method of multipliers, which leaves the matrix the band that it has. Elastic rows are in `interior_rows`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Generic

import numpy as np

from animato.algebra.symmetric import SymmetricMatrix
from animato.kernels.one_thread import one_blas_thread
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.solvers.interior_model import InteriorModel, InteriorOptions, Point
from animato.solvers.interior_rows import RowWeights, SideChange, Sides, SideState, SideSystem

_LEAST_SLACK = 1e-9  # of a start that is to be within all limits
_FARTHER, _NEARER, _LEAST_PROXIMITY, _MOST_PROXIMITY = 3.0, 3.0, 0.3, 300.0  # of what holds steps back
_HOPELESS = 1e12  # damping at which a matrix holds something that is not a number


@dataclass(frozen=True, eq=False)
class InteriorSolution(Generic[Point]):
    """Where it ended.

    Attributes:
        x: [N].
        point: What the model knows of it.
        weights: Of the rows, with the barrier's force mu / s; their multipliers are those of the answer.
        merit: The objective with barriers.
        outcome: How it ended.
    """

    x: np.ndarray
    point: Point
    weights: RowWeights
    merit: float
    outcome: Outcome


@dataclass(eq=False)
class _Iterate(Generic[Point]):
    """Where the solver is: unknowns and their point, sides, and multipliers of the bounds [N]."""

    x: np.ndarray
    point: Point
    sides: SideState
    low_dual: np.ndarray
    high_dual: np.ndarray


class InteriorPoint(Generic[Point]):
    """Minimizes one problem; keeps the damping from step to step."""

    def __init__(self, model: InteriorModel[Point], options: InteriorOptions | None = None) -> None:
        self.model, self.options = model, options or InteriorOptions()
        self.lower, self.upper = model.lower, model.upper
        self.free = model.free & (self.upper > self.lower)
        self.has_low, self.has_high = self.free & np.isfinite(self.lower), self.free & np.isfinite(self.upper)
        self.sides = Sides(model.row_lower, model.row_upper, model.row_price)
        self.damping, self.proximity = 0.0, 1.0

    @property
    def constraint_count(self) -> int:
        """Number of all that must stay positive."""
        return self.sides.count + len(self.sides.soft) + int(self.has_low.sum() + self.has_high.sum())

    @one_blas_thread
    def solve(self, x: np.ndarray, *, progress: Progress | None = None) -> InteriorSolution[Point]:
        """Minimizes from unknowns [N]; those at a bound, or beyond, are brought a little inside."""
        options, constants, begin = self.options, self.options.constants, time.perf_counter()
        x = self._inside(x)
        point, count = self.model.at(x), max(1, self.constraint_count)
        if not np.isfinite(point.cost):
            return self._stillborn(x, point)
        mu = options.first_gap * self._size(point) / count
        last = options.tolerance * self._size(point) / count
        now = self._begun(x, point, mu, constants.first_slack)
        nu, short = 10.0 * float(now.sides.dual.max(initial=0.0)), 0
        enough = max(constants.centred, constants.centred_share * count)
        status, reason, done = Status.OUT_OF_ITERATIONS, f"{options.iterations} iterations were not enough", 0
        for done in range(1, options.iterations + 1):
            if progress is not None:
                progress(self._iteration(done, now.point.cost, begin))
            step, nu, gain = self._step(now, mu, nu)
            missing = self._missing(now)
            if len(self.sides.soft):  # what crossing costs at first says nothing about the answer
                last = min(last, options.tolerance * self._size(now.point) / count)
            if mu <= last and gain <= options.tolerance * self._size(now.point) and missing < constants.feasible:
                status, reason = Status.SOLVED, "nothing more is to be gained"
                break
            if step < constants.shortest:
                status, reason = Status.STALLED, "no step makes it better"
                if mu <= 10.0 * last and missing < constants.feasible:
                    status, reason = Status.SOLVED, "nothing more is to be gained in these numbers"
                break
            short = short + 1 if step < constants.short else 0
            if short == constants.most_short > 0:
                self._recentre(now, constants.larger * mu)
                short = 0
            if gain < enough * mu and missing < constants.nearly_feasible:
                late = mu * count < constants.late * self._size(now.point)
                mu = max((constants.late_shrink if late else constants.shrink) * mu, 0.5 * last)
        return self._ended(now, mu, Outcome(status, reason, done))

    @one_blas_thread
    def centre(self, x: np.ndarray, mu: float, *, iterations: int, tolerance: float = 1e-8) -> InteriorSolution[Point]:
        """Minimizes the objective with barriers of one mu, from a start within all limits.

        Args:
            x: Start, [N].
            mu: The barrier parameter.
            iterations: At most.
            tolerance: Gain of a step, relative to the objective, at which to stop.
        """
        now = self._begun(x, self.model.at(x), mu, _LEAST_SLACK)
        nu = 10.0 * float(now.sides.dual.max(initial=0.0))
        outcome = Outcome(Status.OUT_OF_ITERATIONS, f"{iterations} iterations were not enough", iterations)
        for done in range(1, iterations + 1):
            step, nu, gain = self._step(now, mu, nu)
            if step < self.options.constants.shortest or gain <= tolerance * self._size(now.point):
                outcome = Outcome(Status.SOLVED, "centred", done)
                break
        return self._ended(now, mu, outcome)

    def _size(self, point: Point) -> float:
        """Of the objective, what crossing elastic limits costs included, for what is relative to it."""
        return max(abs(point.cost) + self.sides.penalty(point.rows), self.options.least_cost)

    def _inside(self, x: np.ndarray) -> np.ndarray:
        room = np.minimum(1e-3, 1e-2 * (self.upper - self.lower))
        out = self.free & ((x <= self.lower) | (x >= self.upper))
        return np.where(out, np.minimum(np.maximum(x, self.lower + room), self.upper - room), x)

    def _begun(self, x: np.ndarray, point: Point, mu: float, least: float) -> _Iterate[Point]:
        low, high = self._gaps(x)
        return _Iterate(x, point, SideState.at(self.sides, point.rows, mu, least), mu / low, mu / high)

    def _recentre(self, now: _Iterate[Point], mu: float) -> None:
        """Gives all but equalities the multipliers of a barrier."""
        now.sides.dual, now.sides.crossing_dual = mu / now.sides.slack, mu / now.sides.crossing
        low, high = self._gaps(now.x)
        now.low_dual, now.high_dual = mu / low, mu / high

    def _ended(self, now: _Iterate[Point], mu: float, outcome: Outcome) -> InteriorSolution[Point]:
        centred = SideSystem(self.sides, now.sides, np.zeros(self.sides.count), mu)
        weights = centred.weights(0.0, np.zeros(len(self.sides.equal)))
        return InteriorSolution(now.x, now.point, weights, self._merit(now.x, now.point, now.sides, mu), outcome)

    def _stillborn(self, x: np.ndarray, point: Point) -> InteriorSolution[Point]:
        nothing = np.zeros(self.sides.row_count)
        weights = RowWeights(nothing, nothing, nothing, 0.0)
        return InteriorSolution(x, point, weights, np.inf, Outcome(Status.STALLED, "the start has no finite cost"))

    def _iteration(self, number: int, cost: float, begin: float) -> Iteration:
        seconds, options = time.perf_counter() - begin, self.options
        return Iteration(stage=options.stage, number=number, total=options.iterations, objective=cost, seconds=seconds)

    def _missing(self, now: _Iterate[Point]) -> float:
        """The largest distance of a hard row from what its slack, or its target, says."""
        hard = now.sides.missing(self.sides, self.sides.rooms(now.point.rows))
        equal = self.sides.misses(now.point.rows)
        return max(float(np.abs(hard).max(initial=0.0)), float(np.abs(equal).max(initial=0.0)))

    def _gaps(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances from the bounds; infinite where there is none."""
        return np.where(self.has_low, x - self.lower, np.inf), np.where(self.has_high, self.upper - x, np.inf)

    def _direction(self, matrix: SymmetricMatrix, walls: np.ndarray, right: np.ndarray) -> np.ndarray | None:
        """A step with as much damping as makes the matrix positive definite; None where no damping does."""
        base, held = matrix.diagonal + walls, ~self.free
        size = np.abs(base)
        typical = np.maximum(size, 1e-3 * float(np.median(size[self.free])))
        damping = self.damping / 8.0 if self.damping > 1e-8 else 0.0
        if self.options.proximal is not None:
            walls = walls + self.proximity * self.options.proximal
        while (factor := matrix.factored(walls + damping * typical, held)) is None:
            damping = max(4.0 * damping, 1e-6)
            if not damping < _HOPELESS:
                return None
        self.damping = damping
        return np.where(held, 0.0, factor.solve(np.where(held, 0.0, right)))

    def _step(self, now: _Iterate[Point], mu: float, nu: float) -> tuple[float, float, float]:
        """Takes one step; returns its length, the weight of infeasibility, and the gain that was foretold."""
        constants, state = self.options.constants, now.sides
        misses = self.sides.misses(now.point.rows)
        missing = state.missing(self.sides, self.sides.rooms(now.point.rows))
        system = SideSystem(self.sides, state, missing, mu)
        stiffness = constants.equality_stiffness * self._size(now.point)
        newton = self.model.newton_system(now.point, system.weights(stiffness, misses))
        low, high = self._gaps(now.x)
        slope = newton.gradient + (mu / high - mu / low)
        dx = self._direction(newton.matrix, now.low_dual / low + now.high_dual / high, -(slope + newton.pressed))
        if dx is None:
            return 0.0, nu, 0.0
        rows = newton.change(dx)
        change = system.change(self.sides.pressed(rows))
        d_low = mu / low - now.low_dual - now.low_dual / low * dx
        d_high = mu / high - now.high_dual + now.high_dual / high * dx
        longest, dual_step = self._lengths(now, change, dx, d_low, d_high)
        infeasible = float(np.abs(missing).sum()) + float(np.abs(misses).sum())
        descent = float(slope @ dx) + system.slope(change)
        if infeasible > 1e-14:
            nu = max(nu, 2.0 * descent / infeasible)
        descent -= nu * infeasible
        before = self._merit(now.x, now.point, state, mu) + nu * infeasible
        step = longest
        while step > constants.shortest:
            x = self._within(now.x, step * dx)
            trial = self.model.at(x)
            moved, off = self._moved(state, step * change.slack, trial, mu)
            merit = self._merit(x, trial, moved, mu) + nu * off
            if merit <= before + constants.armijo * step * descent + 1e-13 * abs(before):
                break
            step *= 0.5
        else:
            self.proximity = min(_NEARER * self.proximity, _MOST_PROXIMITY)
            return 0.0, nu, -descent
        self._adapt_proximity(step)
        moved.dual = self._near(state.dual + dual_step * change.dual, moved.slack, mu)
        moved.crossing_dual = self._near(state.crossing_dual + dual_step * change.crossing_dual, moved.crossing, mu)
        moved.equality_dual = state.equality_dual + step * stiffness * (misses + rows[self.sides.equal])
        low, high = self._gaps(x)
        now.x, now.point, now.sides = x, trial, moved
        now.low_dual = self._near(self._positive(now.low_dual, dual_step * d_low), low, mu)
        now.high_dual = self._near(self._positive(now.high_dual, dual_step * d_high), high, mu)
        return step, nu, -descent

    def _adapt_proximity(self, step: float) -> None:
        """Whole steps may go farther next time, halved ones went too far."""
        if step > 0.7:
            self.proximity = max(self.proximity / _FARTHER, _LEAST_PROXIMITY)
        elif step < 0.3:
            self.proximity = min(_NEARER * self.proximity, _MOST_PROXIMITY)

    def _lengths(
        self, now: _Iterate[Point], change: SideChange, dx: np.ndarray, d_low: np.ndarray, d_high: np.ndarray
    ) -> tuple[float, float]:
        """The longest steps of unknowns and of multipliers, at most 1, that leave positive what must stay so."""
        low, high = self._gaps(now.x)
        below, above, state = self.has_low, self.has_high, now.sides
        longest = min(1.0, self._reach(state.slack, change.slack), self._reach(state.crossing, change.crossing))
        dual = min(1.0, self._reach(state.dual, change.dual), self._reach(state.crossing_dual, change.crossing_dual))
        if self.options.constants.bound_by_bound:
            return longest, dual
        longest = min(longest, self._reach(low[below], dx[below]), self._reach(high[above], -dx[above]))
        low_reach, high_reach = (
            self._reach(now.low_dual[below], d_low[below]),
            self._reach(now.high_dual[above], d_high[above]),
        )
        return longest, min(dual, low_reach, high_reach)

    def _within(self, x: np.ndarray, change: np.ndarray) -> np.ndarray:
        """Unknowns after a change; where bounds count one by one, none leaves or comes too near to its own."""
        moved = x + change
        if not self.options.constants.bound_by_bound:
            return moved
        left = 1.0 - self.options.constants.to_boundary
        for side, bound, here in ((np.maximum, self.lower, self.has_low), (np.minimum, self.upper, self.has_high)):
            moved[here] = side(moved[here], (1.0 - left) * bound[here] + left * x[here])
        return moved

    def _moved(self, state: SideState, change: np.ndarray, trial: Point, mu: float) -> tuple[SideState, float]:
        """The sides of a trial point with the old multipliers, and how much is missing in all."""
        rooms, slack, crossing = self.sides.rooms(trial.rows), state.slack + change, state.crossing
        slack = np.where((rooms > slack) | (rooms > self.options.constants.kept * state.slack), rooms, slack)
        if len(self.sides.soft):
            slack[self.sides.soft], crossing = self.sides.eased(rooms, mu)
        moved = SideState(slack, state.dual, crossing, state.crossing_dual, state.equality_dual)
        off = float(np.abs(moved.missing(self.sides, rooms)).sum())
        return moved, off + float(np.abs(self.sides.misses(trial.rows)).sum())

    def _merit(self, x: np.ndarray, point: Point, state: SideState, mu: float) -> float:
        """The objective with all barriers."""
        low, high = self._gaps(x)
        logs = float(np.log(low[self.has_low]).sum()) + float(np.log(high[self.has_high]).sum())
        return point.cost + state.barrier(self.sides, mu) - mu * logs

    def _reach(self, value: np.ndarray, change: np.ndarray) -> float:
        """The longest step that leaves positive values positive."""
        share = float(np.max(-change / value, initial=0.0))
        return self.options.constants.to_boundary / share if share > 0.0 else 1e9

    def _positive(self, dual: np.ndarray, change: np.ndarray) -> np.ndarray:
        """Multipliers of bounds after a change, which may be too much for some where bounds count one by one."""
        return np.maximum(dual + change, (1.0 - self.options.constants.to_boundary) * dual)

    def _near(self, dual: np.ndarray, value: np.ndarray, mu: float) -> np.ndarray:
        """Multipliers in a wide band about mu / value, so that none is lost."""
        centre, spread = mu / value, self.options.constants.dual_spread
        return np.minimum(np.maximum(dual, centre / spread), centre * spread)
