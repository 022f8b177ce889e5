"""Where to begin a search for path and timing: the problem has many minima, and which one is found depends on that.

A corner can be rounded to either side, earlier or later, by one joint or another; each choice is a valley of its own.
Strong barriers at first push the path away from its limits and over low ridges. Paths whose corners are rounded, or
that are moved at random, by smooth and by rough changes, begin beyond higher ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.trace.coupled.problem import CoupledProblem

FIRST_GAPS = (0.3, 3.0, 30.0, 300.0)
"""What barriers cost at first, in objectives, on the ways from the decoupled answer: from cool to hot."""

_GAPS = (0.2, 100.0)  # of the ways from changed paths
_CHANGES = (0.5, 10.0)  # root mean square of a change, in those of what rounding takes off the corners
_ROUNDINGS = (0, 1, 3, 10)  # times that a change, or a path, is averaged with its neighbours
_CORNER_ROUNDING = 3  # of the path, to see what its corners are
_STILL = 0.1  # of the change of the joint that has the most, for joints that take no part in corners
_SLOWER = 0.7  # of b, so that a changed path has room within its limits


@dataclass(frozen=True, eq=False)
class CoupledStart:
    """Where to begin, and with which barriers.

    Attributes:
        points: Control points, [c, n].
        b: In the problem's unit of time, [N + 1].
        gap: What all barriers together cost at first, in objectives.
    """

    points: np.ndarray
    b: np.ndarray
    gap: float

    @property
    def x(self) -> np.ndarray:
        """All unknowns: control points, then b."""
        return np.concatenate([self.points.ravel(), self.b])


def first_starts(problem: CoupledProblem) -> list[CoupledStart]:
    """The decoupled answer, with barriers from cool to hot."""
    return [CoupledStart(problem.start_points, problem.start_b, gap) for gap in FIRST_GAPS]


def changed_starts(
    problem: CoupledProblem, best: CoupledStart, count: int, rng: np.random.Generator
) -> list[CoupledStart]:
    """Paths beside the best one so far, beside the decoupled one, and beside that with rounded corners, in turn.

    Args:
        problem: The problem.
        best: What was found so far.
        count: How many.
        rng: Decides about sizes, smoothness and barriers of the changes.
    """
    own = CoupledStart(problem.start_points, problem.start_b, 0.0)
    starts = []
    for k in range(count):
        base = own if k % 4 == 3 else best
        if k % 4 == 2:
            base = CoupledStart(rounded(own.points, int(rng.choice(_ROUNDINGS[1:]))), own.b, 0.0)
        points = np.clip(base.points + _change(problem, rng), problem.path.lower, problem.path.upper)
        starts.append(CoupledStart(points, _SLOWER * base.b, float(np.exp(rng.uniform(*np.log(_GAPS))))))
    return starts


def rounded(points: np.ndarray, times: int) -> np.ndarray:
    """Points [c, n], each averaged with its neighbours so many times; the first and last stay."""
    points = np.array(points)
    for _ in range(times):
        points[1:-1] = 0.5 * points[1:-1] + 0.25 * (points[:-2] + points[2:])
    return points


def _change(problem: CoupledProblem, rng: np.random.Generator) -> np.ndarray:
    """A random change of the control points, as large as a few corners, [c, n].

    It is even along the path, whatever the distance of knots: on dense ones, any change from one to the next would be
    a sharp bend.
    """
    points, knots = problem.start_points, problem.path.knots
    corners = np.sqrt(np.mean((points - rounded(points, _CORNER_ROUNDING)) ** 2, axis=0))
    even = rounded(rng.normal(size=points.shape), int(rng.choice(_ROUNDINGS)))
    middles = (knots[1:-3] + knots[2:-2] + knots[3:-1]) / 3.0
    noise = np.stack([np.interp(middles, np.linspace(0.0, 1.0, len(even)), one) for one in even.T], axis=1)
    size = float(np.exp(rng.uniform(*np.log(_CHANGES)))) / np.sqrt(np.mean(noise**2))
    return np.asarray(size * np.maximum(corners, _STILL * corners.max()) * noise)
