"""The cubic splines through the frames of a clip, and what bounds them between frames.

A clip is the cubic spline through its n frames with the not-a-knot condition, which has n control points. Whoever
moves these control points moves the frames, and what is written is the optimized curve itself, not samples of it.

On each piece the curve and its derivatives are polynomials in Bernstein form, which stay in the hull of their
coefficients. With h the length of a piece from a to b these are

    position      f(a),  f(a) + h/3 f'(a),  f(b) - h/3 f'(b),  f(b)
    velocity      f'(a), f'(a) + h/2 f''(a), f'(b)
    acceleration  f''(a), f''(b)
    jerk          f'''

Accelerations and jerks are thus held exactly, velocities and positions with a little room to spare.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.spatial.basis import DEGREE, ORDER, basis_rows

ORDERS = {"position": 0, "velocity": 1, "acceleration": 2, "jerk": 3}
"""Kinds of limits that are linear in control points, and the derivative that each is about."""


@dataclass(frozen=True, eq=False)
class Stencils:
    """Numbers of a curve as sums over four control points.

    Attributes:
        first: The first of the four, [row].
        values: What each of the four counts, [row, 4].
        times: Where on the curve it is [s], [row].
    """

    first: np.ndarray
    values: np.ndarray
    times: np.ndarray

    def __len__(self) -> int:
        return len(self.first)

    def of(self, control_points: np.ndarray) -> np.ndarray:
        """The numbers, [row, column], of control points [n, column]."""
        found = self.values[:, :1] * control_points[self.first]
        for k in range(1, ORDER):
            found += self.values[:, k : k + 1] * control_points[self.first + k]
        return np.asarray(found)

    def chosen(self, rows: np.ndarray) -> Stencils:
        """Some of them."""
        return Stencils(self.first[rows], self.values[rows], self.times[rows])


@dataclass(frozen=True, eq=False)
class SplineSpace:
    """All splines with the same knots, or a stretch of them.

    Attributes:
        knots: [n + 4]; the curve is looked at from the fourth to the last but three.
        frame_times: Of the frames in there [s], [frame].
    """

    knots: np.ndarray
    frame_times: np.ndarray

    @property
    def count(self) -> int:
        """Control points, n."""
        return len(self.knots) - ORDER

    def part(self, begin: int, end: int) -> SplineSpace:
        """What control points begin to end alone decide."""
        knots = self.knots[begin : end + ORDER]
        low, high = np.searchsorted(self.frame_times, (knots[DEGREE], knots[-ORDER]), side="left")
        last = high + 1 if high < len(self.frame_times) and self.frame_times[high] == knots[-ORDER] else high
        return SplineSpace(knots, self.frame_times[low:last])

    def at(self, times: np.ndarray, derivative: int = 0) -> Stencils:
        """The curve, or a derivative, at some times [s]."""
        first, values = basis_rows(self.knots, times, derivative=derivative)
        return Stencils(first, values, np.asarray(times))

    @cached_property
    def bounds(self) -> dict[str, Stencils]:
        """By kind: Bernstein coefficients of all pieces; one that two pieces share stands once."""
        ends = np.unique(self.knots[DEGREE : len(self.knots) - DEGREE])
        begin, width = ends[:-1], np.diff(ends)
        left = [self._piece(begin, begin, derivative) for derivative in range(ORDER)]
        right = [self._piece(begin, ends[1:], derivative) for derivative in range(DEGREE)]
        h = width[:, None]
        position = [left[0], left[0] + h / 3.0 * left[1], right[0] - h / 3.0 * right[1]]
        velocity = [left[1], left[1] + h / 2.0 * left[2]]
        first = np.searchsorted(self.knots, begin, side="right") - 1 - DEGREE
        tables = {
            "position": (position, right[0], (0.0, 1.0 / 3.0, 2.0 / 3.0)),
            "velocity": (velocity, right[1], (0.0, 0.5)),
            "acceleration": ([left[2]], right[2], (0.0,)),
        }
        found = {kind: _joined(first, begin, width, *table) for kind, table in tables.items()}
        found["jerk"] = Stencils(first, left[3], begin + 0.5 * width)
        return found

    def _piece(self, begin: np.ndarray, where: np.ndarray, derivative: int) -> np.ndarray:
        """Of each piece its own four basis functions at one place of it, [piece, 4]."""
        inside = derivative == DEGREE or where is begin
        _, values = basis_rows(self.knots, where, derivative=derivative, from_left=not inside)
        return values


def _joined(
    first: np.ndarray,
    begin: np.ndarray,
    width: np.ndarray,
    rows: list[np.ndarray],
    last: np.ndarray,
    shares: tuple[float, ...],
) -> Stencils:
    """Rows of all pieces, in the order of time, and the end of the last piece."""
    count = len(rows)
    values = np.stack(rows, axis=1).reshape(-1, ORDER)
    times = (begin[:, None] + width[:, None] * np.array(shares)).ravel()
    return Stencils(
        np.append(np.repeat(first, count), first[-1]),
        np.vstack([values, last[-1:]]),
        np.append(times, begin[-1] + width[-1]),
    )
