"""What a stroke of a file becomes before it is put into the world: lines that are believed, with times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.formats.strokes import PenStroke
from animato.motion import Stroke
from animato.trace.sketch.outliers import LeftOut, without_leaps
from animato.trace.sketch.stroke_timing import USUAL_SPEED, timed

_DOT_S = 0.15  # how long a pen rests on a dot


@dataclass(frozen=True, eq=False)
class DrawnLines:
    """The lines of one point, in their order.

    Attributes:
        lines: Flat or in space, with times.
        left_out: Samples that leap out of them, as they are in the file.
        late: Samples of the file whose times did not rise.
    """

    lines: tuple[Stroke, ...]
    left_out: tuple[LeftOut, ...] = ()
    late: int = 0

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
    """
    lines = stroke.lines if isinstance(stroke, PenStroke) else (stroke,)
    late = stroke.late if isinstance(stroke, PenStroke) else 0
    left_out: list[LeftOut] = []
    believed = []
    for line in lines:
        kept, odd = (line, ()) if keep_outliers else without_leaps(name, line)
        left_out += odd
        believed.append(kept)
    return DrawnLines(_with_times(believed, law, drawn_in_s), tuple(left_out), late)


def _with_times(lines: Sequence[Stroke], law: str, drawn_in_s: float | None) -> tuple[Stroke, ...]:
    if len(lines) > 1:
        lines = [_dot(line) if line.length == 0.0 else line for line in lines]
    spans = [None if line.times is None else float(line.times[-1] - line.times[0]) for line in lines]
    total = sum(line.length / USUAL_SPEED if span is None else span for line, span in zip(lines, spans, strict=True))
    factor = 1.0 if drawn_in_s is None or total <= 0.0 else drawn_in_s / total
    made = []
    for line, span in zip(lines, spans, strict=True):
        if line.times is None:
            made.append(timed(line, law=law, duration_s=factor * line.length / USUAL_SPEED))
        elif factor == 1.0 or not span:
            made.append(line)
        else:
            made.append(Stroke(line.points, (line.times - line.times[0]) * factor, line.pressure, line.source))
    return tuple(made)


def _dot(line: Stroke) -> Stroke:
    """A touch of the pen: it rests there for a moment."""
    return Stroke(np.repeat(line.points[:1], 2, axis=0), np.array([0.0, _DOT_S]), source=line.source)
