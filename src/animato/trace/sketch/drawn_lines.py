"""What a stroke of a file becomes before it is put into the world: lines that are believed, with times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.errors import OptionError
from animato.formats.strokes import PenStroke, lines_of
from animato.motion import Stroke
from animato.trace.sketch.outliers import LeftOut, without_leaps
from animato.trace.sketch.stroke_timing import USUAL_SPEED, timed

_DOT_S = 0.15  # how long a pen rests on a dot
_RATE_HZ = 125.0  # of lines without times
_LEAST_SAMPLES, _MOST_SAMPLES = 250, 100_000  # of each such line, so that a small circle stays one, and of all


@dataclass(frozen=True, eq=False)
class DrawnLines:
    """The lines of one point, in their order.

    Attributes:
        lines: Flat or in space, with times.
        left_out: Samples that leap out of them, as they are in the file.
        late: Samples of the file whose times did not rise.
        made_up: Whether the times are those of a law: the file has none.
        notes: What its reader had to say.
    """

    lines: tuple[Stroke, ...]
    left_out: tuple[LeftOut, ...] = ()
    late: int = 0
    made_up: bool = False
    notes: tuple[str, ...] = ()

    @property
    def points(self) -> np.ndarray:
        """All points [m], [point, 2 or 3]."""
        return np.vstack([line.points for line in self.lines])


def drawn_lines(
    name: str, stroke: Stroke, law: str, drawn_in_s: float | None, *, keep_outliers: bool = False
) -> DrawnLines:
    """The lines of a stroke, without its leaps, with times.

    Args:
        name: Of the point that follows it.
        stroke: As it was read.
        law: Of the times of a path that has none.
        drawn_in_s: How long all lines together took; ways through the air do not count.
        keep_outliers: Believe every sample.

    Raises:
        OptionError: The time is not above 0.
    """
    if drawn_in_s is not None and not (math.isfinite(drawn_in_s) and drawn_in_s > 0.0):
        raise OptionError(f"`drawn_in_s` is a time above 0 s, given {drawn_in_s}.")
    lines = lines_of(stroke)
    late, notes = (stroke.late, stroke.notes) if isinstance(stroke, PenStroke) else (0, ())
    left_out: list[LeftOut] = []
    believed = []
    for line in lines:
        kept, odd = (line, ()) if keep_outliers else without_leaps(name, line)
        left_out += odd
        believed.append(kept)
    made_up = all(line.times is None for line in believed)
    return DrawnLines(_with_times(believed, law, drawn_in_s), tuple(left_out), late, made_up, notes)


def slowed(line: Stroke, factor: float) -> Stroke:
    """A line with times that takes a factor of its time; a dot stays a dot."""
    if factor == 1.0 or line.times is None or line.length == 0.0:
        return line
    return Stroke(line.points, line.times * factor, line.pressure, line.source)


def _with_times(lines: Sequence[Stroke], law: str, drawn_in_s: float | None) -> tuple[Stroke, ...]:
    if len(lines) > 1:
        lines = [_dot(line) if line.length == 0.0 else line for line in lines]
    spans = [None if line.times is None else float(line.times[-1] - line.times[0]) for line in lines]
    total = sum(line.length / USUAL_SPEED if span is None else span for line, span in zip(lines, spans, strict=True))
    factor = 1.0 if drawn_in_s is None or total <= 0.0 else drawn_in_s / total
    made = []
    least = min(_LEAST_SAMPLES, max(8, _MOST_SAMPLES // len(lines)))
    for line, span in zip(lines, spans, strict=True):
        if line.times is None:
            duration = factor * line.length / USUAL_SPEED
            made.append(timed(line, law=law, duration_s=duration, rate_hz=max(_RATE_HZ, least / duration)))
        elif factor == 1.0 or not span:
            made.append(line)
        else:
            made.append(Stroke(line.points, (line.times - line.times[0]) * factor, line.pressure, line.source))
    return tuple(made)


def _dot(line: Stroke) -> Stroke:
    """A touch of the pen: it rests there for a moment."""
    return Stroke(np.repeat(line.points[:1], 2, axis=0), np.array([0.0, _DOT_S]), source=line.source)
