"""A drawing as `trace` knows it: a sketch of one or several points, lifted between lines, with accents."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from animato.motion import Stroke
from animato.studio.drawing.lines.drawn import Drawn
from animato.studio.drawing.lines.drawn_stroke import DrawnStroke
from animato.trace.sketch import Sketch, build_sketch, joined_lines, mean_normal, usual_lift, without_noise

_ACCENT_S = 0.12  # to either side of a quick moment
_MOST_KNOWN = 8
_KNOWN: dict[bytes, tuple[Sketch, list[tuple[float, DrawnStroke]]]] = {}  # a slider changes wishes, not lines


def sketch_of(drawn: Drawn) -> Sketch:
    """The sketch of a drawing.

    Lines of one point follow one another, the pen lifted between them. Several points draw at the same time, or one
    after the other, each all of its lines; the ways between their lines are then performed as if they were drawn,
    because `trace` lifts one point alone.

    Args:
        drawn: The drawing.

    Raises:
        MotionError: There is no path in it.
    """
    key = _key(drawn)
    found = _KNOWN.get(key)
    if found is None:
        found = _built(drawn)
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = found
    return _accented(*found, drawn)


def _key(drawn: Drawn) -> bytes:
    """Of all that decides where lines are and when; lines that came from another process are known by it again."""
    digest = hashlib.blake2b(repr((drawn.wishes.together, drawn.wishes.lift_m)).encode(), digest_size=16)
    for stroke in drawn.strokes:
        digest.update(repr((stroke.point, stroke.board, len(stroke.times))).encode())
        for part in (stroke.places, stroke.times, stroke.pressures):
            digest.update(part.tobytes())
    return digest.digest()


def _built(drawn: Drawn) -> tuple[Sketch, list[tuple[float, DrawnStroke]]]:
    """The sketch without accents, and when each line begins [s]."""
    strokes: dict[str, Stroke] = {}
    begins: list[tuple[float, DrawnStroke]] = []
    in_air: np.ndarray | None = None
    cursor = 0.0
    alone = len(drawn.points) == 1
    for point in drawn.points:
        mine = [stroke for stroke in drawn.strokes if stroke.point == point]
        whole, air, starts = _joined(mine, drawn.wishes.lift_m)
        times = np.asarray(whole.times) + cursor
        strokes[point] = Stroke(whole.points, times, whole.pressure, whole.source)
        begins += [(cursor + start, stroke) for start, stroke in zip(starts, mine, strict=True)]
        in_air = air if alone and len(mine) > 1 else None
        if not drawn.wishes.together:
            cursor = float(times[-1])
    return build_sketch(strokes, in_air=in_air), begins


def _joined(lines: Sequence[DrawnStroke], lift: float | None) -> tuple[Stroke, np.ndarray, list[float]]:
    """All lines of a point as one, the samples at which it is in the air, and when each line begins [s]."""
    if len(lines) == 1:
        return lines[0].world, np.zeros(len(lines[0].times), dtype=bool), [0.0]
    quiet = [without_noise(line.world, None) for line in lines]
    points = np.vstack([line.points for line in quiet])
    flat = all(line.board == lines[0].board for line in lines)
    normal = lines[0].board.off if flat else mean_normal(points)
    path = joined_lines(quiet, normal, usual_lift(points) if lift is None else lift)
    times = np.asarray(path.stroke.times)
    ways = float(times[-1]) - sum(float(line.times[-1] - line.times[0]) for line in quiet if line.times is not None)
    down = np.flatnonzero(np.diff(np.concatenate([[0], (~path.in_air).astype(np.int8)])) == 1)
    if len(down) == len(lines):
        return path.stroke, path.in_air, [float(times[first]) for first in down]
    # a way without samples, between lines that meet: all ways are taken as equally long
    drawn = np.cumsum([0.0, *(line.duration for line in lines[:-1])])
    return path.stroke, path.in_air, [float(x) for x in drawn + ways * np.linspace(0.0, 1.0, len(lines))]


def _accented(sketch: Sketch, begins: Sequence[tuple[float, DrawnStroke]], drawn: Drawn) -> Sketch:
    """With the timing counting more where the hand was quick, or where it pressed."""
    wishes = drawn.wishes
    if wishes.accents == "none" or wishes.accent_weight == 1.0:
        return sketch
    weights, more = np.array(sketch.accents), wishes.accent_weight
    for begin, stroke in begins:
        own = sketch.times - begin
        if wishes.accents == "quick":
            for moment in stroke.quick:
                weights[np.abs(own - moment) <= _ACCENT_S] = more
        else:
            inside = (own >= 0.0) & (own <= stroke.duration)
            pressed = 1.0 + (more - 1.0) * np.interp(own[inside], stroke.times, stroke.pressures)
            weights[inside] = np.maximum(weights[inside], pressed)
    return replace(sketch, accents=np.where(sketch.in_air, 0.0, weights))
