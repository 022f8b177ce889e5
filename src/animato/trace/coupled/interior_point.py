"""A primal-dual interior point for the coupled problem: path and timing in one Newton step.

Shares g(x) of all limits get slacks, g + s = 1 (and -g + s = 1 where a share has a sign). With multipliers z and a
barrier parameter mu, a step solves

    (H + J^T (z / s) J + D) dx = -(f' + J^T (mu / s + (z / s) (g + s - 1)) + ...)

where H has the exact second derivatives of objective and limits, and D is from the bounds of x. Steps are accepted by
f - mu sum log s + nu |g + s - 1|. After a step a slack that is smaller than what its limit leaves is set to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from animato.algebra.banded import factor_band, solve_band
from animato.kernels.compiled import released_kernel
from animato.outcome import Outcome, Status
from animato.trace.coupled.point import CoupledModel, CoupledPoint
from animato.trace.coupled.rows import RowForces

_TO_BOUNDARY = 0.99
_START_SHARE = 0.9  # of the limits
_KEPT = 0.02  # of a slack: where a limit leaves at least that, it decides the slack itself
_CENTRED = 30.0  # times mu: a step that gains less ends the work at this mu
_SHRINK = 0.2
_LATE = 1e-2  # of the objective: what barriers cost when the limits that count are known
_LATE_SHRINK = 0.01
_DUAL_SPREAD = 1e8
_NEGLIGIBLE = 1e-9  # of the stiffest row


@dataclass(eq=False)
class _Iterate:
    """Where the solver is: a point, slacks of velocities [N + 1, n] and pushes [N, 2, n + m, 2], and multipliers."""

    point: CoupledPoint
    slack: np.ndarray
    dual: np.ndarray
    low_dual: np.ndarray
    high_dual: np.ndarray


def _rooms(point: CoupledPoint) -> np.ndarray:
    """What each limit leaves, 1 - g, of velocities, then of pushes upward, then downward, flat."""
    return np.concatenate([1.0 - point.speeds.ravel(), 1.0 - point.pushes.ravel(), 1.0 + point.pushes.ravel()])


class CoupledInteriorPoint:
    """Minimizes one coupled problem from a start that need not be feasible."""

    def __init__(self, model: CoupledModel, *, path_moves: bool = True) -> None:
        """Prepares a solve.

        Args:
            model: Of the problem.
            path_moves: Whether control points are unknown; otherwise b alone is.
        """
        problem = model.problem
        arrays = problem.arrays
        self.model = model
        path = problem.path
        b_high = np.full(len(problem.grid), np.inf)
        locked = arrays.lock > 0.0
        b_high[locked] = 1.0 / arrays.lock[locked]
        self.lower = np.concatenate([path.lower.ravel(), np.zeros(len(problem.grid))])
        self.upper = np.concatenate([path.upper.ravel(), b_high])
        self.free = (self.upper > self.lower) & np.concatenate([np.full(model.start, path_moves), arrays.timing.moves])
        self.has_low = self.free & np.isfinite(self.lower)
        self.has_high = self.free & np.isfinite(self.upper)
        self.path_moves = path_moves
        self.damping = 0.0
        self._first_cost: float | None = None

    def inside(self, x: np.ndarray) -> np.ndarray:
        """The nearest x that is a little inside its bounds."""
        room = np.minimum(1e-3, 1e-2 * (self.upper - self.lower))
        room[self.model.start :] *= x[self.model.start :].max()
        moved = np.minimum(np.maximum(x, self.lower + room), self.upper - room)
        return np.where(self.free, moved, x)

    def solve(
        self,
        x: np.ndarray,
        *,
        tolerance: float,
        iterations: int,
        first_gap: float = 1.0,
        progress: Callable[[float], None] | None = None,
    ) -> tuple[CoupledPoint, Outcome]:
        """Minimizes.

        Args:
            x: Start.
            tolerance: Of the objective, relative.
            iterations: At most.
            first_gap: What all barriers together cost at first, in objectives.
            progress: Called with the objective of every iterate.
        """
        point = self.feasible_start(x)
        rooms = _rooms(point)
        constraints = len(rooms) + self.has_low.sum() + self.has_high.sum()
        mu = first_gap * point.cost / constraints
        slack = np.maximum(rooms, 1e-3)
        low, high = self._gaps(point.x)
        now = _Iterate(point, slack, mu / slack, mu / low, mu / high)
        nu = 10.0 * float(now.dual.max())
        last = tolerance * point.cost / constraints
        status, reason, done = Status.OUT_OF_ITERATIONS, f"{iterations} iterations were not enough", iterations
        for iteration in range(iterations):
            if progress is not None:
                progress(now.point.cost)
            step, nu, gain = self._step(now, mu, nu)
            missing = float(np.abs(_rooms(now.point) - now.slack).max())
            if mu <= last and gain <= tolerance * now.point.cost and missing < 1e-7:
                status, reason, done = Status.SOLVED, "nothing more is to be gained", iteration + 1
                break
            if step < 1e-9:
                status, reason, done = Status.STALLED, "no step makes it better", iteration + 1
                if mu <= 10.0 * last and missing < 1e-7:
                    status, reason = Status.SOLVED, "nothing more is to be gained in these numbers"
                break
            if gain < _CENTRED * mu and missing < 1e-2:
                late = mu * constraints < _LATE * now.point.cost
                mu = max((_LATE_SHRINK if late else _SHRINK) * mu, 0.5 * last)
        return now.point, Outcome(status, reason, done)

    def feasible_start(self, x: np.ndarray) -> CoupledPoint:
        """A little inside the bounds, and slowed until all limits leave some room."""
        return self._slowed(self.inside(x))

    def smooth_value(self, x: np.ndarray, *, gap: float, iterations: int) -> tuple[float, np.ndarray, CoupledPoint]:
        """The least objective with barriers that cost about a share `gap` of it, its gradient by all x, and where.

        Where control points do not move, the gradient by them is that of the least value over b.
        """
        point = self._slowed(x)
        rooms = np.maximum(_rooms(point), 1e-9)
        mu = gap * self._typical_cost(point.cost) / len(rooms)
        low, high = self._gaps(point.x)
        now = _Iterate(point, rooms, mu / rooms, mu / low, mu / high)
        nu = 10.0 * float(now.dual.max())
        for _ in range(iterations):
            step, nu, gain = self._step(now, mu, nu)
            if step < 1e-9 or gain <= 1e-8 * now.point.cost:
                break
        low, high = self._gaps(now.point.x)
        forces = self._forces(now, mu / now.slack)
        gradient, pressed, _ = self.model.newton_system(now.point, forces)
        value = self._merit(now.point, now.slack, np.zeros(1), mu, 0.0)
        return value, gradient + pressed + mu / high - mu / low, now.point

    def _typical_cost(self, cost: float) -> float:
        """The first cost that was seen: one barrier for all paths."""
        if self._first_cost is None:
            self._first_cost = cost
        return self._first_cost

    def _slowed(self, x: np.ndarray) -> CoupledPoint:
        """The same path, slowed until all limits leave some room, where that helps: shares are linear in b."""
        point, start = self.model.at(x), self.model.start
        still = np.concatenate([x[:start], np.zeros(len(x) - start)])
        left, used = _rooms(self.model.at(still)), -_rooms(point)
        used += left
        with np.errstate(divide="ignore", invalid="ignore"):
            share = float(np.min(np.where(used > 0.0, _START_SHARE * np.maximum(left, 0.0) / used, np.inf)))
        if not 1e-3 < share < 1.0:
            return point
        return self.model.at(np.concatenate([x[:start], share * x[start:]]))

    def _gaps(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances from the bounds; infinite where there is none."""
        low = np.where(self.has_low, x - self.lower, np.inf)
        high = np.where(self.has_high, self.upper - x, np.inf)
        return low, high

    def _forces(self, now: _Iterate, weight: np.ndarray) -> RowForces:
        """What slacks and multipliers do to shares; `weight` is mu / s + (z / s) (g + s - 1)."""
        a, b = now.point.speeds.size, now.point.speeds.size + now.point.pushes.size
        stiff = now.dual / now.slack
        shape, speed = now.point.pushes.shape, now.point.speeds.shape
        return RowForces(
            (stiff[a:b] + stiff[b:]).reshape(shape),
            (weight[a:b] - weight[b:]).reshape(shape),
            (now.dual[a:b] - now.dual[b:]).reshape(shape),
            stiff[:a].reshape(speed),
            weight[:a].reshape(speed),
            now.dual[:a].reshape(speed),
            _NEGLIGIBLE * float(stiff.max()),
        )

    def _solved(self, H: np.ndarray, diagonal: np.ndarray, right: np.ndarray) -> np.ndarray:
        """A step with as much damping as makes the matrix positive definite."""
        part = slice(0 if self.path_moves else self.model.start, len(H))
        fixed = ~self.free[part]
        base = np.diag(H)[part] + diagonal[part]
        base[fixed] = 1.0
        step = right[part].copy()[:, None]
        typical = np.maximum(np.abs(base), 1e-3 * float(np.median(np.abs(base[~fixed]))))
        damping = self.damping / 8.0 if self.damping > 1e-8 else 0.0
        factor = np.empty((len(base), len(base)))
        while True:
            put_lower(H, part.start, fixed, base + damping * typical, factor)
            if factor_band(factor):
                break
            damping = max(4.0 * damping, 1e-6)
        self.damping = damping
        solve_band(factor, step)
        dx = np.zeros(len(H))
        dx[part] = np.where(fixed, 0.0, step[:, 0])
        return dx

    def _step(self, now: _Iterate, mu: float, nu: float) -> tuple[float, float, float]:
        """Takes one step; returns its length, the weight of infeasibility, and the gain that the model foretold."""
        model, point = self.model, now.point
        missing = now.slack - _rooms(point)  # g + s - 1
        stiff = now.dual / now.slack
        weight = mu / now.slack + stiff * missing
        gradient, pressed, H = model.newton_system(point, self._forces(now, weight), path_moves=self.path_moves)
        low, high = self._gaps(point.x)
        wall = mu / high - mu / low
        slope = gradient + wall
        dx = self._solved(H, now.low_dual / low + now.high_dual / high, -np.where(self.free, slope + pressed, 0.0))
        speeds, pushes = model.change(point, dx)
        ds = -missing - np.concatenate([speeds.ravel(), pushes.ravel(), -pushes.ravel()])
        dz = mu / now.slack - now.dual - stiff * ds
        d_low = mu / low - now.low_dual - now.low_dual / low * dx
        d_high = mu / high - now.high_dual + now.high_dual / high * dx
        longest = min(_reach(now.slack, ds), _reach(low[self.has_low], dx[self.has_low]))
        longest = min(longest, _reach(high[self.has_high], -dx[self.has_high]), 1.0)
        dual_step = min(_reach(now.dual, dz), _reach(now.low_dual[self.has_low], d_low[self.has_low]), 1.0)
        dual_step = min(dual_step, _reach(now.high_dual[self.has_high], d_high[self.has_high]))
        infeasible = float(np.abs(missing).sum())
        descent = float(slope @ dx) - mu * float(np.sum(ds / now.slack))
        if infeasible > 1e-14:
            nu = max(nu, 2.0 * descent / infeasible)
        descent -= nu * infeasible
        before = self._merit(point, now.slack, missing, mu, nu)
        step = longest
        while step > 1e-9:
            trial = model.at(point.x + step * dx)
            slack = now.slack + step * ds
            rooms = _rooms(trial)
            slack = np.where((rooms > slack) | (rooms > _KEPT * now.slack), rooms, slack)
            if self._merit(trial, slack, slack - rooms, mu, nu) <= before + 1e-4 * step * descent + 1e-13 * abs(before):
                break
            step *= 0.5
        else:
            return 0.0, nu, -descent
        now.point, now.slack = trial, slack
        now.dual = _near(now.dual + dual_step * dz, slack, mu)
        low, high = self._gaps(trial.x)
        now.low_dual = _near(now.low_dual + dual_step * d_low, low, mu)
        now.high_dual = _near(now.high_dual + dual_step * d_high, high, mu)
        return step, nu, -descent

    def _merit(self, point: CoupledPoint, slack: np.ndarray, missing: np.ndarray, mu: float, nu: float) -> float:
        low, high = self._gaps(point.x)
        logs = np.log(slack).sum() + np.log(low[self.has_low]).sum() + np.log(high[self.has_high]).sum()
        return point.cost - mu * float(logs) + nu * float(np.abs(missing).sum())


@released_kernel
def put_lower(H: np.ndarray, first: int, fixed: np.ndarray, diagonal: np.ndarray, band: np.ndarray) -> None:
    """Writes a lower triangle from a row on as a full band, with another diagonal, and without what is fixed."""
    size = len(diagonal)
    for r in range(size):
        for c in range(r):
            band[r, size - 1 - r + c] = 0.0 if fixed[r] or fixed[c] else H[first + r, first + c]
        band[r, size - 1] = diagonal[r]


def _reach(value: np.ndarray, change: np.ndarray) -> float:
    """The longest step that leaves positive values positive."""
    if len(value) == 0:
        return 1.0
    share = float(np.max(-change / value))
    return _TO_BOUNDARY / share if share > 0.0 else 1e9


def _near(dual: np.ndarray, value: np.ndarray, mu: float) -> np.ndarray:
    """Multipliers in a wide band about mu / value, so that none is lost."""
    centre = mu / value
    return np.minimum(np.maximum(dual, centre / _DUAL_SPREAD), centre * _DUAL_SPREAD)
