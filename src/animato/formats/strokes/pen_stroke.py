"""A stroke of several lines: the pen is lifted between them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError
from animato.motion import Stroke

_TOUCHING = 1e-6  # of the size of the drawing: a line that begins so near to where another ended goes on with it

_APART_S = 0.1


@dataclass(frozen=True, eq=False, repr=False)
class PenStroke(Stroke):
    """Lines that are drawn after one another. Between them the pen is in the air, and nothing is said about how.

    Attributes:
        lifts: Index of the first sample of every line but the first, rising.
        late: How many samples of the file are not here because their times did not rise.
        notes: What of the file is not here, or may be meant otherwise, in sentences.
    """

    lifts: tuple[int, ...] = ()
    late: int = 0
    notes: tuple[str, ...] = ()

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


def _after_one_another(every: Sequence[np.ndarray]) -> list[np.ndarray]:
    placed = [every[0]]
    for times in every[1:]:
        end = float(placed[-1][-1])
        placed.append(times if times[0] > end else times - times[0] + end + _APART_S)
    return placed


def lines_of(stroke: Stroke) -> tuple[Stroke, ...]:
    """The lines of a stroke: itself, where the pen is never lifted."""
    return stroke.lines if isinstance(stroke, PenStroke) else (stroke,)


def in_sequence(strokes: Sequence[Stroke], notes: Sequence[str] = ()) -> Stroke:
    """Strokes after one another as one, with the pen lifted where one does not begin where the last one ended.

    Times are kept where all have them. A line that has a clock of its own, so that it would begin before the last one
    has ended, begins a tenth of a second after it.

    Args:
        strokes: At least one; the lines of each stay separate.
        notes: Beside those that they have.
    """
    lines = [line for stroke in strokes for line in lines_of(stroke)]
    known_as = [stroke for stroke in strokes if isinstance(stroke, PenStroke)]
    said = tuple(dict.fromkeys([*notes, *(note for stroke in known_as for note in stroke.notes)]))
    late = sum(stroke.late for stroke in known_as)
    first = lines[0]
    if len(lines) == 1:
        return (
            PenStroke(first.points, first.times, first.pressure, first.source, (), late, said)
            if said or late
            else first
        )
    points = np.vstack([line.points for line in lines])
    near = _TOUCHING * float(np.ptp(points, axis=0).max())
    at = np.cumsum([len(line.points) for line in lines])[:-1]
    gaps = np.linalg.norm(points[at] - points[at - 1], axis=1)
    lifts = tuple(int(index) for index, gap in zip(at, gaps, strict=True) if gap > near)
    known = [line.times for line in lines if line.times is not None]
    times = np.concatenate(_after_one_another(known)) if len(known) == len(lines) else None
    pressures = [line.pressure for line in lines if line.pressure is not None]
    pressure = np.concatenate(pressures) if len(pressures) == len(lines) else None
    return PenStroke(points, times, pressure, first.source, lifts, late, said)
