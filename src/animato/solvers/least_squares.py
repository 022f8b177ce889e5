"""Damped least squares: Levenberg and Marquardt's method with Nielsen's rule, within bounds.

Minimizes a cost F(x) over lower <= x <= upper. A step minimizes the model

    F'(x) . d + d . (H + lambda mean(diag H) I) d / 2

where H is Gauss and Newton's approximation, or, where that foretells the gain badly, has the curvature of the residuals
too. The model of a problem says what F, F' and H are and how H is stored: dense, banded, or as products alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from animato.algebra.symmetric import SymmetricMatrix
from animato.kernels.one_thread import one_blas_thread
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.solvers.box_step import box_step

_MOST_DAMPING = 1e6
_LEAST_DAMPING = 1e-9
_GOOD = 1e-3  # of what a step was expected to gain: less, and it is not taken
_FORETOLD = (0.25, 2.0)  # gains within these shares of what was expected: the model is near the truth
_FREE = 0.1  # damping below which a small gain means that there is no more; above, that steps are short
_DONE = 0.1  # of the tolerance: what not even the model expects to gain


class Evaluated(Protocol):
    """A point of a problem and whatever else the problem's model remembers of it."""

    @property
    def cost(self) -> float:
        """F; not finite where there is none, as where a simulation came to nothing."""
        ...


Point = TypeVar("Point", bound=Evaluated)


class LeastSquaresModel(Protocol[Point]):
    """A problem: a cost that falls, and its normal equations.

    Attributes:
        lower, upper: Bounds of the unknowns, [N]; infinite where there is none.
        has_curvature: Whether `assemble` can be exact.
    """

    @property
    def lower(self) -> np.ndarray: ...  # noqa: D102
    @property
    def upper(self) -> np.ndarray: ...  # noqa: D102
    @property
    def has_curvature(self) -> bool: ...  # noqa: D102

    def evaluate(self, x: np.ndarray) -> Point:
        """The point of unknowns [N]."""
        ...

    def assemble(self, point: Point, *, exact: bool) -> tuple[np.ndarray, SymmetricMatrix]:
        """F' [N], and F'' or Gauss and Newton's part of it."""
        ...


@dataclass(frozen=True, kw_only=True)
class LeastSquaresOptions:
    """When to stop, and how far to go.

    Attributes:
        iterations: At most; trials that are not taken count.
        tolerance: Gain of a step, relative to the cost, at which to stop.
        least_cost: A cost at which nothing is left to be gained.
        longest_step: Of any unknown; a longer step is shortened as a whole.
        first_damping: Relative to the mean of the diagonal.
        stage: What is being worked on, for progress.
    """

    iterations: int = 100
    tolerance: float = 1e-10
    least_cost: float = 1e-30
    longest_step: float = np.inf
    first_damping: float = 1e-7
    stage: str = "least squares"


@dataclass(frozen=True, eq=False)
class LeastSquaresSolution(Generic[Point]):
    """Where it ended.

    Attributes:
        x: Within the bounds, [N].
        point: What the model knows of it.
        costs: Of each iterate, falling.
        outcome: How it ended.
    """

    x: np.ndarray
    point: Point
    costs: tuple[float, ...]
    outcome: Outcome


class _Damping:
    """Levenberg's damping, relative to the mean of the diagonal, by Nielsen's rule."""

    def __init__(self, first: float) -> None:
        self.value, self._growth = first, 4.0

    def taken(self, share: float) -> None:
        """After a step that gained a share of what was expected."""
        trust = 1.0 - (2.0 * share - 1.0) ** 3
        self.value, self._growth = max(_LEAST_DAMPING, self.value * max(0.1, trust)), 4.0

    def refused(self, least: float) -> None:
        """After a trial that was not good."""
        self.value, self._growth = max(self._growth * self.value, least), 2.0 * self._growth

    def indefinite(self) -> None:
        """After a matrix that was not positive definite."""
        self.value = max(5.0 * self.value, 1e-6)


@one_blas_thread
def solve_least_squares(
    model: LeastSquaresModel[Point],
    x: np.ndarray,
    options: LeastSquaresOptions | None = None,
    *,
    progress: Progress | None = None,
) -> LeastSquaresSolution[Point]:
    """Minimizes from given unknowns.

    Args:
        model: The problem.
        x: Start, [N]; brought into the bounds.
        options: When to stop.
        progress: Told of every step that is taken.
    """
    options, begin = options or LeastSquaresOptions(), time.perf_counter()
    lower, upper = model.lower, model.upper
    x = np.minimum(np.maximum(x, lower), upper)
    now, damping = model.evaluate(x), _Damping(options.first_damping)
    if not np.isfinite(now.cost):
        return LeastSquaresSolution(x, now, (now.cost,), Outcome(Status.STALLED, "the start has no finite cost"))
    gradient, matrix = model.assemble(now, exact=False)
    costs, fresh, exact = [now.cost], False, False
    outcome = Outcome(Status.OUT_OF_ITERATIONS, f"{options.iterations} iterations were not enough", options.iterations)
    for number in range(1, options.iterations + 1):
        if damping.value > _MOST_DAMPING:
            outcome = Outcome(Status.STALLED, "no step makes it better", number)
            break
        if fresh:
            gradient, matrix = model.assemble(now, exact=exact)
        step = box_step(matrix, damping.value * float(np.mean(matrix.diagonal)), gradient, x, lower, upper)
        if step is None:
            damping.indefinite()
            fresh = False
            continue
        step *= min(1.0, options.longest_step / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        expected = -float(step @ gradient) - 0.5 * matrix.form(step)
        trial = np.minimum(np.maximum(x + step, lower), upper)
        then = model.evaluate(trial)
        gain, worth = now.cost - then.cost, options.tolerance * now.cost
        # where a finite gain is far from what was foretold the curvature of the residuals is missing
        foretold = _FORETOLD[0] * expected < gain < _FORETOLD[1] * expected
        wrong = model.has_curvature and bool(np.isfinite(gain)) and not foretold
        if gain > _GOOD * expected > 0.0:
            small = then.cost <= options.least_cost or (gain <= worth and damping.value < _FREE)
            x, now, fresh, exact = trial, then, True, exact or wrong
            costs.append(now.cost)
            damping.taken(gain / expected)
            if progress is not None:
                progress(_iteration(options, number, now.cost, begin))
        else:
            small = 0.0 <= expected <= _DONE * worth
            fresh = wrong and not exact
            exact = exact or fresh
            damping.refused(1e-3 if fresh else 1e-7)
        if small:
            outcome = Outcome(Status.SOLVED, "nothing more is to be gained", number)
            break
    return LeastSquaresSolution(x, now, tuple(costs), outcome)


def _iteration(options: LeastSquaresOptions, number: int, cost: float, begin: float) -> Iteration:
    seconds = time.perf_counter() - begin
    return Iteration(stage=options.stage, number=number, total=options.iterations, objective=cost, seconds=seconds)
