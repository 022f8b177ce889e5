"""Mehrotra's predictor and corrector for banded programs whose rows may be elastic.

Row i of A x - e + s = upper has slack s, excess e (0 in a hard row) and multiplier z; elastic rows have z below their
price p. With w = p - z the optimum has s z = 0 and e w = 0, which a step approaches by s z = e w = mu. All but x is
eliminated row by row: with d = 1 / (s / z + e / w),

    (H + A^T d A) dx = -(H x + g + A^T z) - A^T d t,      dz = d (A dx + t),
    t = (A x - e + s - upper) + r_s / z - r_e / w,

where r_s and r_e are what is missing of the two products. The matrix is as banded as H, so that one step costs as
much as the curve is long.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.algebra.banded import BandedFactor, band_product, factored_in_place
from animato.kernels.one_thread import one_blas_thread
from animato.outcome import Outcome, Status
from animato.solvers.band_qp.barrier_kernels import (
    products_after,
    put_corrector,
    put_moves,
    put_predictor,
    put_start,
    take_step,
)
from animato.solvers.band_qp.program import BandProgram
from animato.solvers.band_qp.row_kernels import (
    add_narrow_squares,
    add_narrow_transposed,
    add_wide_squares,
    add_wide_transposed,
    narrow_products,
    wide_products,
)

_TO_BOUNDARY = 0.995
_AMPLE = 10.0  # times what the dearest violation costs alone: the first mu; too small a one stalls at the rows
_DAMPINGS = (0.0, 1e-12, 1e-9, 1e-6)  # of the diagonal, where rounding has made the matrix indefinite
_SHORTEST = 1e-8
_LEAST_SHARE = 0.1  # of the gap that is asked for: products need not be smaller, and rounding grows as they vanish
_CRAMPED = 0.1  # length of a step below which it is not worth going


@dataclass(frozen=True, kw_only=True)
class BandQpOptions:
    """When to stop.

    Attributes:
        tolerance: Gap between objective and its dual, relative to the objective or to `least_cost`.
        feasible: By how much rows may be beyond what their slacks say.
        least_cost: Objective below which the gap counts absolutely.
        iterations: At most.
    """

    tolerance: float = 1e-8
    feasible: float = 1e-9
    least_cost: float = 1e-6
    iterations: int = 60


@dataclass(frozen=True, eq=False)
class BandQpSolution:
    """An answer with its proof.

    Attributes:
        x: Unknowns, [N].
        multipliers: Of the rows, narrow ones first, [row].
        excess: By how much elastic rows are beyond their limits, [row].
        cost: The objective, what elastic rows cost included.
        gap: Between it and its dual: no answer is better by more.
        outcome: How it ended.
    """

    x: np.ndarray
    multipliers: np.ndarray
    excess: np.ndarray
    cost: float
    gap: float
    outcome: Outcome


@one_blas_thread
def solve_band_qp(program: BandProgram, start: np.ndarray, options: BandQpOptions | None = None) -> BandQpSolution:
    """Minimizes.

    Args:
        program: Its hessian must be positive definite over what is not held.
        start: Unknowns, [N]; what is held stays there.
        options: When to stop.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # multipliers of rows that nothing meets grow without end
        return _InteriorPoint(program, start, options or BandQpOptions()).solve()


class _InteriorPoint:
    """One solve: where it is, and a step."""

    def __init__(self, program: BandProgram, start: np.ndarray, options: BandQpOptions) -> None:
        self.program, self.options = program, options
        self.upper, self.price = program.upper, program.price
        self.elastic = np.isfinite(self.price)
        rows = program.row_count
        self.count = max(1, rows + int(self.elastic.sum()))
        self.least_mu = 0.0
        self.soft = np.where(program.held, 0.0, 1.0 / program.hessian[:, -1])
        self.x = np.array(start, dtype=np.float64)
        self.s, self.z, self.e, self.w = (np.empty(rows) for _ in range(4))
        self.weight, self.t, self.dz, self.ds, self.de = (np.zeros(rows) for _ in range(5))
        self.extra = np.empty((2, rows))
        self.band = np.empty_like(program.hessian)
        room = self.upper - program.products(self.x)
        put_start(room, self.price, self._first_mu(room), self.z, self.s, self.e, self.w)

    def _first_mu(self, room: np.ndarray) -> float:
        """Ample for the row that alone would cost most: crossed^2 / (a H^-1 a), with the diagonal of H."""
        program, split = self.program, len(self.program.narrow)
        narrow, wide, columns = program.narrow, program.wide, program.columns
        soft = self.soft
        give = np.empty(len(room))
        narrow_products(narrow.first, narrow.column, narrow.coefficients**2, soft, columns, give[:split])
        wide_products(wide.first, wide.coefficients**2, soft, give[split:])
        crossed = np.where(give > 0.0, np.minimum(room, 0.0), 0.0)
        dear = float(np.max(crossed**2 / np.where(give > 0.0, give, 1.0), initial=0.0))
        pull = self._pull(np.zeros(len(room)))
        return max(_AMPLE * dear, _AMPLE * float(np.max(pull**2 * soft, initial=0.0)), 1e-12)

    def solve(self) -> BandQpSolution:
        """Steps until the gap is closed."""
        options = self.options
        status, reason, done = Status.OUT_OF_ITERATIONS, f"{options.iterations} iterations were not enough", 0
        pull, off = self._pull(self.z), self._missing()
        for done in range(options.iterations + 1):
            cost, gap = self._cost(), self._gap(pull)
            size = max(abs(cost), options.least_cost)
            self.least_mu = _LEAST_SHARE * options.tolerance * size / self.count
            far = float(np.abs(off).max(initial=0.0))
            if gap <= options.tolerance * size and far <= options.feasible:
                status, reason = Status.SOLVED, "the gap is closed"
                break
            if done == options.iterations or not np.isfinite(gap) or not self._step(pull, off):
                if gap <= 1e3 * options.tolerance * size and far <= 1e2 * options.feasible:
                    status, reason = Status.SOLVED, "the gap is closed as far as the numbers go"
                elif done < options.iterations:
                    status, reason = Status.STALLED, "no step leads on"
                break
            pull, off = self._pull(self.z), self._missing()
        return BandQpSolution(self.x, self.z, self.e, self._cost(), self._gap(pull), Outcome(status, reason, done))

    def _pull(self, y: np.ndarray) -> np.ndarray:
        """H x + g + A^T y, 0 where unknowns are held, [N]."""
        out = np.empty(len(self.x))
        band_product(self.program.hessian, self.x, out)
        out += self.program.gradient
        self._add_transposed(y, out)
        out[self.program.held] = 0.0
        return out

    def _add_transposed(self, y: np.ndarray, out: np.ndarray) -> None:
        narrow, wide, split = self.program.narrow, self.program.wide, len(self.program.narrow)
        add_narrow_transposed(narrow.first, narrow.column, narrow.coefficients, y[:split], self.program.columns, out)
        add_wide_transposed(wide.first, wide.coefficients, y[split:], out)

    def _missing(self) -> np.ndarray:
        return np.asarray(self.program.products(self.x) - self.e + self.s - self.upper)

    def _cost(self) -> float:
        bent = np.empty(len(self.x))
        band_product(self.program.hessian, self.x, bent)
        dear = float(self.price[self.elastic] @ self.e[self.elastic])
        return float(self.x @ (0.5 * bent + self.program.gradient)) + dear

    def _gap(self, pull: np.ndarray) -> float:
        """Products of what must vanish, and what an unbalanced pull may hide: where x = 0, what it could still gain."""
        products = float(self.s @ self.z) + float(self.e[self.elastic] @ self.w[self.elastic])
        return products + float(np.abs(pull) @ np.abs(self.x)) + 0.5 * float(pull**2 @ self.soft)

    def _step(self, pull: np.ndarray, off: np.ndarray) -> bool:
        """Predicts, corrects and goes; False where no step is left."""
        state = self.s, self.z, self.e, self.w
        moves = self.dz, self.ds, self.de
        put_predictor(*state, off, self.weight, self.t)
        factor = self._factored()
        if factor is None:
            return False
        mu = max(products_after(*state, *moves, 0.0, 0.0) / self.count, 1e-300)
        self.extra[0], self.extra[1] = -self.s, -self.e
        _, primal, dual = self._direction(factor, pull)
        share = products_after(*state, *moves, primal, dual) / self.count / mu
        target = max(mu * min(1.0, max(share, 0.0)) ** 3, min(mu, self.least_mu))
        put_corrector(*state, off, *moves, target, self.t, self.extra)
        dx, primal, dual = self._direction(factor, pull)
        if min(primal, dual) < _CRAMPED:  # the guessed products were wrong: only back to the middle
            self.dz[:], self.ds[:], self.de[:] = 0.0, 0.0, 0.0
            put_corrector(*state, off, *moves, mu, self.t, self.extra)
            dx, primal, dual = self._direction(factor, pull)
        if not max(primal, dual) > _SHORTEST or not np.all(np.isfinite(dx)):
            return False
        self.x = self.x + primal * dx
        take_step(*state, *moves, primal, dual)
        return True

    def _factored(self) -> BandedFactor | None:
        program, split = self.program, len(self.program.narrow)
        narrow, wide, columns = program.narrow, program.wide, program.columns
        for damping in _DAMPINGS:
            self.band[:] = program.hessian
            add_narrow_squares(
                narrow.first, narrow.column, narrow.coefficients, self.weight[:split], columns, self.band
            )
            add_wide_squares(wide.first, wide.coefficients, self.weight[split:], self.band)
            self.band[:, -1] *= 1.0 + damping
            factor = factored_in_place(self.band, program.held)
            if factor is not None:
                return factor
        return None

    def _direction(self, factor: BandedFactor, pull: np.ndarray) -> tuple[np.ndarray, float, float]:
        """Changes of the unknowns, [N]; those of the rows are written. And how far these let both kinds go."""
        right = np.zeros(len(self.x))
        self._add_transposed(self.weight * self.t, right)
        right += pull
        right[self.program.held] = 0.0
        dx = factor.solve(-right)
        change = self.program.products(dx)
        state, moves = (self.s, self.z, self.e, self.w), (self.dz, self.ds, self.de)
        used = put_moves(*state, self.weight, self.t, change, *moves, self.extra)
        primal, dual = (min(1.0, _TO_BOUNDARY / one) if one > 0.0 else 1.0 for one in used)
        return dx, primal, dual
