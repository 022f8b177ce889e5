"""Shape gives way: the whole clip, stretch by stretch.

Whatever is changed fades within a few frames, as a spline does: so only stretches around what is broken are solved,
each with as much around it as its change reaches, and the rest stays as it is to the last bit. A long stretch is solved
in pieces that overlap; a clip of hours takes the memory of one piece.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.fix.shape.linear_limits import LinearLimits
from animato.fix.shape.mechanics import Motion
from animato.fix.shape.request import Request
from animato.fix.shape.sequence import SequenceOptions, Shaped
from animato.fix.shape.window import BORDER, Span, Window
from animato.outcome import Outcome, Progress, Stage, Status

_MARGIN_S = 0.45  # around what is broken, at first
_LONGEST = 1500  # control points of one piece
_OVERLAP_S = 4.0  # of pieces
_PIECE = 4000  # control points that are looked at together
_STILL = 1e-6  # [rad or m]: what changes less has faded
_BETWEEN = np.arange(4) / 4.0  # of a step, where loads are looked at


@dataclass(frozen=True, eq=False)
class ShapedClip:
    """What came out.

    Attributes:
        control_points: Of the whole clip, [frame, column].
        spans: Stretches that were solved.
        excess: The largest share beyond a limit that is left.
        gap: The largest of the programs, relative.
        programs: Solved.
        outcome: How it ended.
    """

    control_points: np.ndarray
    spans: tuple[Span, ...]
    excess: float
    gap: float
    programs: int
    outcome: Outcome


@dataclass(frozen=True, eq=False)
class Broken:
    """What a reference exceeds.

    Attributes:
        controls: Control points that a limit which is exceeded looks at, [frame].
        names: Of columns and of rows of moments that exceed one.
    """

    controls: np.ndarray
    names: frozenset[str]


def shaped_clip(
    request: Request, broken: Broken, options: SequenceOptions, progress: Progress | None = None
) -> ShapedClip:
    """Changes a clip as little as can be seen until every limit holds."""
    controls = request.reference.copy()
    # where every column is protected nothing can be changed, and what is broken stays so
    spans = _spans(request, broken.controls) if controls.shape[1] else []
    stage = Stage("shape", progress, len(spans))
    done: list[tuple[Span, Shaped]] = []
    while spans:
        span = spans.pop(0)
        if span.end - span.begin > _LONGEST:
            results = _pieces(request, controls, span, options)
        else:
            span, results = _grown(request, controls, span, options)
        if spans and spans[0].begin <= span.end + BORDER:  # has grown into the next one: both together
            both = Span(span.begin, max(span.end, spans.pop(0).end))
            controls[both.begin : both.end] = request.reference[both.begin : both.end]
            spans.insert(0, both)
            continue
        done.extend((span, one) for one in results)
        stage.step(sum(one.cost for _, one in done))
    return _summed(controls, done)


def broken_in(request: Request) -> Broken:
    """Looks at every limit of the reference, at frames and between them."""
    space, count = request.space, request.space.count
    broken, names = np.zeros(count, dtype=bool), set[str]()
    for begin in range(0, count, _PIECE):
        first, last = max(0, begin - BORDER), min(count, begin + _PIECE + BORDER)
        part, controls = space.part(first, last), request.reference[first:last]
        limits = LinearLimits.of(part, request.moving)
        for kind, excess in limits.excess(controls).items():
            over = excess > 0.0
            _mark(broken, first + limits.stencils[kind].first[over.any(axis=1)])
            names.update(request.moving.names[column] for column in np.flatnonzero(over.any(axis=0)))
        times = part.frame_times
        fine = np.append((times[:-1, None] + np.diff(times)[:, None] * _BETWEEN).ravel(), times[-1])
        mechanics = request.mechanics_at(fine)
        if not mechanics.row_names:
            continue
        stencils = [part.at(fine, order) for order in range(3)]
        loads = mechanics.loads(Motion(slice(0, len(fine)), *(one.of(controls) for one in stencils)))
        over = loads > 1.0
        _mark(broken, first + stencils[0].first[over.any(axis=1)])
        names.update(mechanics.row_names[row] for row in np.flatnonzero(over.any(axis=0)))
    return Broken(broken, frozenset(names))


def _mark(broken: np.ndarray, first: np.ndarray) -> None:
    for k in range(4):
        broken[first + k] = True


def _spans(request: Request, broken: np.ndarray) -> list[Span]:
    """Stretches around what is broken, in order and apart."""
    count = len(broken)
    margin = _frames(request, _MARGIN_S)
    spans: list[Span] = []
    for index in np.flatnonzero(broken).tolist():
        begin, end = max(0, index - margin), min(count, index + margin + 1)
        if spans and begin <= spans[-1].end + BORDER:
            spans[-1] = Span(spans[-1].begin, max(end, spans[-1].end))
        else:
            spans.append(Span(begin, end))
    return spans


def _frames(request: Request, seconds: float) -> int:
    clip = request.clip
    return max(12, round(seconds * (clip.frame_count - 1) / max(clip.duration, 1e-9)))


def _grown(request: Request, controls: np.ndarray, span: Span, options: SequenceOptions) -> tuple[Span, list[Shaped]]:
    """Solves a stretch, with more around it until what changes has faded at its borders."""
    count = len(controls)
    while True:
        window = Window(request, controls, span.begin, span.end)
        shaped = window.solve(options)
        inner = shaped.control_points[span.begin - window.first : span.end - window.first]
        change = np.abs(inner - request.reference[span.begin : span.end]).max(axis=1, initial=0.0)
        grow_left = span.begin > 0 and (change[:BORDER].max() > _STILL or not shaped.outcome.usable)
        grow_right = span.end < count and (change[-BORDER:].max() > _STILL or not shaped.outcome.usable)
        if not (grow_left or grow_right) or span.end - span.begin > _LONGEST:
            controls[span.begin : span.end] = inner
            return span, [shaped]
        more = max(_frames(request, _MARGIN_S), (span.end - span.begin) // 2)
        span = Span(
            max(0, span.begin - more) if grow_left else span.begin,
            min(count, span.end + more) if grow_right else span.end,
        )


def _pieces(request: Request, controls: np.ndarray, span: Span, options: SequenceOptions) -> list[Shaped]:
    """Solves a long stretch piece by piece; each begins within the one before, where that one has settled."""
    overlap = min(_frames(request, _OVERLAP_S), _LONGEST // 3)
    begin, results = span.begin, []
    while True:
        end = min(span.end, begin + _LONGEST)
        last = end == span.end
        window = Window(request, controls, begin, end, open_end=not last)
        shaped = window.solve(options)
        controls[begin:end] = shaped.control_points[begin - window.first : end - window.first]
        results.append(shaped)
        if last:
            return results
        begin = end - overlap


def _summed(controls: np.ndarray, done: list[tuple[Span, Shaped]]) -> ShapedClip:
    excess = max((one.excess for _, one in done), default=0.0)
    programs = sum(one.programs for _, one in done)
    gap = max((one.gap for _, one in done), default=0.0)
    bad = [one for _, one in done if not one.outcome.usable]
    outcome = Outcome(Status.SOLVED, "every limit holds", programs)
    if bad:
        worst = max(bad, key=lambda one: one.excess)
        outcome = Outcome(Status.INFEASIBLE, worst.outcome.reason, programs)
    spans = tuple(dict.fromkeys(span for span, _ in done))
    return ShapedClip(controls, spans, excess, gap, programs, outcome)
