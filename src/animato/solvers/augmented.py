"""An augmented Lagrangian: rows become penalties whose targets shift until the rows hold.

    minimize f(x)    with  lower <= g(x) <= upper,  and what an interior point holds besides: bounds of x

Of a row of stiffness w and shift s, what sticks out is r = t - clip(t, lower, upper) with t = g(x) + s. It costs
w r^2 / 2, so each round is smooth, its pieces are quadratic, and a row at one end of a long problem never cuts the step
of the rest, as the slacks of an interior point do. After a round s = r: w s is the multiplier. Equalities are rows of
which both limits are equal. A row with a price is elastic: beyond r = price / w more of it costs in proportion, and its
multiplier never exceeds the price.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Protocol

import numpy as np

from animato.algebra.symmetric import SymmetricMatrix
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.solvers.interior_model import InteriorConstants, InteriorOptions, Point, PressedSystem, RowModel
from animato.solvers.interior_point import InteriorPoint
from animato.solvers.interior_rows import RowWeights

_BOUND_BY_BOUND = InteriorConstants(bound_by_bound=True)


class StiffModel(RowModel[Point], Protocol[Point]):
    """A problem whose rows know more.

    Attributes:
        row_stiffness: w, [m].
        row_band: Within which a limit is felt before it is reached, [m].
        row_tolerance: By how much a limit may be missed in an answer, [m].
    """

    @property
    def row_stiffness(self) -> np.ndarray: ...  # noqa: D102
    @property
    def row_band(self) -> np.ndarray: ...  # noqa: D102
    @property
    def row_tolerance(self) -> np.ndarray: ...  # noqa: D102

    def newton_system(self, point: Point, weights: RowWeights) -> PressedSystem:
        """The Newton system at a point."""
        ...


@dataclass(frozen=True, eq=False)
class AugmentedPoint(Generic[Point]):
    """A point with what sticks out.

    Attributes:
        point: Of the problem itself.
        cost: With penalties.
        out: r of each row, [m].
        rows: None that the interior point would see.
    """

    point: Point
    cost: float
    out: np.ndarray
    rows: np.ndarray


@dataclass(frozen=True, eq=False)
class _System:
    """The Newton system of a round."""

    inner: PressedSystem

    @property
    def gradient(self) -> np.ndarray:
        return self.inner.gradient + self.inner.pressed

    @property
    def pressed(self) -> np.ndarray:
        return np.zeros(len(self.inner.gradient))

    @property
    def matrix(self) -> SymmetricMatrix:
        return self.inner.matrix

    def change(self, dx: np.ndarray) -> np.ndarray:
        return np.zeros(0)


def most_shift(model: StiffModel[Point]) -> np.ndarray:
    """What may stick out of each row at the price of it, [m]; beyond, more costs in proportion."""
    endless = np.full(len(model.row_lower), np.inf)
    return endless if model.row_price is None else model.row_price / model.row_stiffness


class AugmentedModel(Generic[Point]):
    """A problem with rows as one without, for one round."""

    def __init__(self, model: StiffModel[Point], shift: np.ndarray) -> None:
        self.model, self.shift = model, shift
        self.lower, self.upper, self.free = model.lower, model.upper, model.free
        self.row_lower = self.row_upper = np.zeros(0)
        self.row_price: np.ndarray | None = None
        self._equal = model.row_lower == model.row_upper
        self._most = most_shift(model)

    def at(self, x: np.ndarray) -> AugmentedPoint[Point]:
        """The point of unknowns [N]."""
        point = self.model.at(x)
        shifted = point.rows + self.shift
        out = shifted - np.clip(shifted, self.model.row_lower, self.model.row_upper)
        size = np.abs(out)
        inside = np.minimum(size, self._most)
        paid = inside * (size - 0.5 * inside)  # w r^2 / 2, and beyond the price in proportion
        cost = point.cost + float(self.model.row_stiffness @ paid)
        return AugmentedPoint(point, cost, out, np.zeros(0))

    def newton_system(self, point: AugmentedPoint[Point], weights: RowWeights) -> _System:
        """The Newton system at a point.

        A row that is still inside pulls nowhere. But near its limit it has some stiffness, so that steps do not run
        into what they would feel only afterwards.
        """
        force = self.model.row_stiffness * np.clip(point.out, -self._most, self._most)
        shifted = point.point.rows + self.shift
        room = np.minimum(shifted - self.model.row_lower, self.model.row_upper - shifted)
        felt = np.clip(1.0 - room / self.model.row_band, 0.0, 1.0) ** 2
        stiffness = self.model.row_stiffness * np.where(self._equal, 1.0, felt)
        size = np.abs(point.out)
        stiffness = np.where(size > self._most, np.abs(force) / np.maximum(size, 1e-300), stiffness)
        return _System(self.model.newton_system(point.point, RowWeights(stiffness, force, force, 0.0)))


@dataclass(frozen=True, kw_only=True)
class AugmentedOptions:
    """When to stop.

    Attributes:
        mu: Barrier parameter of the bounds of x, the same in all rounds.
        rounds: At most.
        steps: In a round, at most.
        tolerance: Gain of a step, relative to the objective, that ends a round.
        settled: Change of the objective from round to round, relative, at which it is done where all rows hold.
        stage: What is being worked on, for progress.
    """

    mu: float = 1e-4
    rounds: int = 10
    steps: int = 10
    tolerance: float = 1e-3
    settled: float = 1e-3
    stage: str = "augmented Lagrangian"


@dataclass(frozen=True, eq=False)
class AugmentedSolution(Generic[Point]):
    """Where it ended.

    Attributes:
        x: [N].
        point: What the model knows of it.
        shift: s of each row, to go on from, [m].
        miss: By how much each row misses its limits, [m].
        outcome: How it ended.
    """

    x: np.ndarray
    point: Point
    shift: np.ndarray
    miss: np.ndarray
    outcome: Outcome


Refresh = Callable[[np.ndarray, Point, np.ndarray], tuple[StiffModel[Point], np.ndarray, bool]]


def solve_augmented(
    model: StiffModel[Point],
    x: np.ndarray,
    options: AugmentedOptions,
    *,
    shift: np.ndarray | None = None,
    proximal: np.ndarray | None = None,
    refresh: Refresh[Point] | None = None,
    progress: Progress | None = None,
) -> AugmentedSolution[Point]:
    """Minimizes from unknowns [N] that are within their bounds.

    Args:
        model: The problem.
        x: Start.
        options: When to stop.
        shift: Of the rows, from an earlier solve, [m].
        proximal: See `InteriorOptions`.
        refresh: Called after a round with where it ended and the shift; the problem of the next round, of the same
            unknowns, its shift, and whether it differs so much that another round is due. For what is cheaper to hold
            still during a round.
        progress: Told of every round.
    """
    shift = np.zeros(len(model.row_lower)) if shift is None else shift
    steps, before, proximity = 0, np.inf, 1.0
    outcome = Outcome(Status.OUT_OF_ITERATIONS, f"{options.rounds} rounds were not enough")
    for number in range(1, options.rounds + 1):
        how = InteriorOptions(stage=options.stage, proximal=proximal, constants=_BOUND_BY_BOUND)
        solver: InteriorPoint[AugmentedPoint[Point]] = InteriorPoint(AugmentedModel(model, shift), how)
        solver.proximity = proximity
        found = solver.centre(x, options.mu, iterations=options.steps, tolerance=options.tolerance)
        steps += found.outcome.iterations
        x, point, proximity = found.x, found.point.point, solver.proximity
        if progress is not None:
            progress(Iteration(stage=options.stage, number=number, total=options.rounds, objective=point.cost))
        most = most_shift(model)
        shift = np.clip(found.point.out, -most, most)
        miss = point.rows - np.clip(point.rows, model.row_lower, model.row_upper)
        holds = np.all((np.abs(miss) <= model.row_tolerance) | (np.abs(found.point.out) >= most))
        settled = abs(before - point.cost) <= options.settled * abs(point.cost)
        before = point.cost
        stale = False
        if refresh is not None and number < options.rounds:
            following, following_shift, stale = refresh(x, point, shift)
        if holds and settled and not stale:
            outcome = Outcome(Status.SOLVED, "nothing more is to be gained")
            break
        if refresh is not None and number < options.rounds:
            model, shift = following, following_shift
    return AugmentedSolution(x, point, shift, miss, replace(outcome, iterations=steps))
