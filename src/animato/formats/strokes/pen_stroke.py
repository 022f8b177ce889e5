"""A stroke of several lines: the pen is lifted between them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError
from animato.motion import Stroke

_TOUCHING = 1e-6  # of the size of the drawing: a line that begins so near to where another ended goes on with it


@dataclass(frozen=True, eq=False, repr=False)
class PenStroke(Stroke):
    """Lines that are drawn after one another. Between them the pen is in the air, and nothing is said about how.

    Attributes:
        lifts: Index of the first sample of every line but the first, rising.
    """

    lifts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        bounds = np.array([0, *self.lifts, len(self.points)])
        if np.any(np.diff(bounds) <= 0):
            raise MotionError(f"The lifts of a stroke are samples inside it that rise, given {list(self.lifts)[:8]}.")

    @property
    def lines(self) -> tuple[Stroke, ...]:
        """Each line by itself."""
        bounds = [0, *self.lifts, len(self.points)]
        return tuple(
            Stroke(
                self.points[first:last],
                None if self.times is None else self.times[first:last],
                None if self.pressure is None else self.pressure[first:last],
                self.source,
            )
            for first, last in itertools.pairwise(bounds)
        )

    @property
    def length(self) -> float:
        """Of all lines together [m]; ways through the air do not count."""
        return sum(line.length for line in self.lines)


def in_sequence(lines: Sequence[Stroke]) -> Stroke:
    """Strokes after one another as one, with the pen lifted where one does not begin where the last one ended.

    Times are kept where all have them and each begins after the last one has ended; else there are none.
    """
    first = lines[0]
    if len(lines) == 1:
        return first
    points = np.vstack([line.points for line in lines])
    near = _TOUCHING * float(np.ptp(points, axis=0).max())
    at = np.cumsum([len(line.points) for line in lines])[:-1]
    gaps = np.linalg.norm(points[at] - points[at - 1], axis=1)
    lifts = tuple(int(index) for index, gap in zip(at, gaps, strict=True) if gap > near)
    every = [line.times for line in lines]
    known = [times for times in every if times is not None]
    times = np.concatenate(known) if len(known) == len(lines) else None
    if times is not None and not np.all(np.diff(times) > 0.0):
        times = None
    pressures = [line.pressure for line in lines if line.pressure is not None]
    pressure = np.concatenate(pressures) if len(pressures) == len(lines) else None
    return PenStroke(points, times, pressure, first.source, lifts)
