"""What an interior point asks of a problem, when it stops, and the numbers that steer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from animato.algebra.symmetric import SymmetricMatrix
from animato.solvers.interior_rows import RowWeights


class InteriorEvaluated(Protocol):
    """A point of a problem and whatever else the problem's model remembers of it."""

    @property
    def cost(self) -> float:
        """The objective f."""
        ...

    @property
    def rows(self) -> np.ndarray:
        """Values g of the rows, [m]."""
        ...


Point = TypeVar("Point", bound=InteriorEvaluated)
_Given_co = TypeVar("_Given_co", bound=InteriorEvaluated, covariant=True)


class PressedSystem(Protocol):
    """A problem at one point, to second order, as `RowWeights` ask for it."""

    @property
    def gradient(self) -> np.ndarray:
        """f', [N]."""
        ...

    @property
    def pressed(self) -> np.ndarray:
        """J^T force, [N]."""
        ...

    @property
    def matrix(self) -> SymmetricMatrix:
        """The sum f'' + J^T stiffness J + sum multiplier g''."""
        ...


class NewtonSystem(PressedSystem, Protocol):
    """The same, and how rows change."""

    def change(self, dx: np.ndarray) -> np.ndarray:
        """J dx, [m]."""
        ...


class RowModel(Protocol[_Given_co]):
    """A problem with bounds and rows.

    Attributes:
        lower, upper: Bounds of the unknowns, [N]; infinite where there is none.
        free: Unknowns that may move, [N].
        row_lower, row_upper: Limits of the rows, [m]; infinite where there is none, equal for an equality.
        row_price: What crossing a limit costs for each unit, [m], infinite where it is hard; None where all are. A
            start that is far outside of hard limits may stall; a price leads in from anywhere.
    """

    @property
    def lower(self) -> np.ndarray: ...  # noqa: D102
    @property
    def upper(self) -> np.ndarray: ...  # noqa: D102
    @property
    def free(self) -> np.ndarray: ...  # noqa: D102
    @property
    def row_lower(self) -> np.ndarray: ...  # noqa: D102
    @property
    def row_upper(self) -> np.ndarray: ...  # noqa: D102
    @property
    def row_price(self) -> np.ndarray | None: ...  # noqa: D102

    def at(self, x: np.ndarray) -> _Given_co:
        """The point of unknowns [N]."""
        ...


class InteriorModel(RowModel[Point], Protocol[Point]):
    """What an interior point asks of a problem."""

    def newton_system(self, point: Point, weights: RowWeights) -> NewtonSystem:
        """The Newton system at a point; the next call may overwrite it."""
        ...


@dataclass(frozen=True, kw_only=True)
class InteriorConstants:
    """Numbers that steer the method; those that stand here were found on path and timing problems, whose rows are hard.

    Attributes:
        to_boundary: Share of the way to a limit that a step may go.
        bound_by_bound: A step that would leave a bound is cut for that unknown alone, not as a whole; for long problems
            with many bounds, of which some are always in the way.
        kept: Of a slack: where a limit leaves at least that, it decides the slack itself.
        centred: Times mu: a step that gains less ends the work at this mu.
        centred_share: Of what all barriers cost, mu times their number: a step that gains less ends it, too.
        short: Length of a step that limits have cut short.
        most_short: So many of them in a row are answered with multipliers of a larger barrier, which lead away from
            the limits; 0 where they never are.
        larger: How much larger that barrier is.
        shrink: Of mu, each time.
        late: Of the objective: what barriers cost when the limits that count are known.
        late_shrink: Of mu from then on.
        dual_spread: How far multipliers may be from mu / s, as a factor.
        armijo: Share of the foretold gain that a step must bring.
        shortest: Step below which there is none.
        first_slack: Least slack of the start.
        feasible: By how much a row may miss its limit in an answer.
        nearly_feasible: By how much when mu falls.
        equality_stiffness: K, in objectives.
    """

    to_boundary: float = 0.99
    bound_by_bound: bool = False
    kept: float = 0.02
    centred: float = 30.0
    centred_share: float = 0.0
    short: float = 0.1
    most_short: int = 0
    larger: float = 10.0
    shrink: float = 0.2
    late: float = 1e-2
    late_shrink: float = 0.01
    dual_spread: float = 1e8
    armijo: float = 1e-4
    shortest: float = 1e-9
    first_slack: float = 1e-3
    feasible: float = 1e-7
    nearly_feasible: float = 1e-2
    equality_stiffness: float = 1e6


ELASTIC = InteriorConstants(centred_share=0.1, most_short=2)
"""For problems all of whose rows are elastic or equalities, from starts far outside: half as many steps there."""


@dataclass(frozen=True, kw_only=True, eq=False)
class InteriorOptions:
    """When to stop, and where to begin.

    Attributes:
        tolerance: Of the objective, relative.
        iterations: At most.
        first_gap: What all barriers together cost at first, in objectives.
        least_cost: Objectives smaller than this count as this much; 0 where they are never near 0.
        stage: What is being worked on, for progress.
        proximal: Weight of a squared change of each unknown in a step, as a start, [N]; it falls after whole steps and
            grows after short ones. None where the Newton step itself is to be trusted. For problems with directions
            that nearly nothing depends on.
        constants: Of the method.
    """

    tolerance: float = 1e-8
    iterations: int = 200
    first_gap: float = 1.0
    least_cost: float = 1e-3
    stage: str = "interior point"
    proximal: np.ndarray | None = None
    constants: InteriorConstants = InteriorConstants()
