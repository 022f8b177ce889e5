"""From a stroke file to a sketch in a robot's world: read, timed, placed, and given to the robot's points."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.formats.strokes import StrokeFileReading, read_strokes
from animato.loading import as_character
from animato.motion import Posture, Stroke
from animato.trace.options import StrokeReading
from animato.trace.sketch.accents import parse_accent, with_accents
from animato.trace.sketch.captured_strokes import fitted_to_posture
from animato.trace.sketch.plane import Plane, parse_plane, placed
from animato.trace.sketch.reach_fitting import fitted_plane
from animato.trace.sketch.sketch import Sketch, build_sketch
from animato.trace.sketch.stroke_timing import timed

FITTED = "fitted"
"""The word before a plane that says: find the place, and the size, yourself."""

_BOARDS = ("-yz", "xz", "-yx")
"""Planes that are tried where none is named: a board before the robot, one beside it, a table."""


def load_strokes(
    path: str | Path,
    character: Character | str | Path,
    *,
    start: str | None = None,
    rate_hz: float | None = None,
    **how: Unpack[StrokeReading],
) -> Sketch:
    """Reads strokes and puts them where the robot can follow.

    Args:
        path: A stroke file, or the name of one that comes with animato.
        character: The robot; or its name or file.
        start: A posture of the robot: places near it are preferred, and captures are fitted to it.
        rate_hz: Samples a second of a capture or table that does not say.
        **how: How to read the stroke, and where to put it; see `StrokeReading`. A flat stroke is put on a board within
            reach where no `plane` is given, and times of a drawing that has none go by the law "curvature".

    Raises:
        AnimatoError: With what to do about it.
    """
    character = as_character(character)
    posture = None if start is None else Posture.named(character, start)
    bones, anchor = how.get("bones"), how.get("anchor")
    if anchor is not None and (bones is None or anchor not in bones or posture is None):
        raise OptionError(f"The `anchor` '{anchor}' must be one of the points that follow a bone, with a `start`.")
    strokes = _by_point(_read(path, rate_hz, how), character, how.get("point"), path)
    _refuse_dots(strokes, path)
    law, drawn_in_s = how.get("law", "curvature"), how.get("drawn_in_s")
    strokes = {name: _with_times(stroke, law, drawn_in_s) for name, stroke in strokes.items()}
    flat = [name for name, stroke in strokes.items() if stroke.points.shape[1] == 2]
    if flat and len(flat) < len(strokes):
        raise MotionError(f"'{path}' holds flat strokes and strokes in space; a sketch is one or the other.")
    if not flat and ("plane" in how or "size_m" in how):
        raise OptionError(f"The strokes of '{path}' are in space already; leave `plane` and `size_m` out.")
    if flat:
        board = _board(strokes, character, how.get("plane"), how.get("size_m"), posture)
        strokes = {name: placed(stroke, board) for name, stroke in strokes.items()}
    elif bones is not None and posture is not None:
        strokes = fitted_to_posture(strokes, character, posture, anchor=anchor, size=how.get("scale", 1.0))
    sketch = build_sketch(strokes, smooth_hz=how.get("smooth_hz"))
    return with_accents(sketch, [parse_accent(text) for text in how.get("accents", ())])


def _read(path: str | Path, rate_hz: float | None, how: StrokeReading) -> dict[str, Stroke]:
    """The strokes of the file as they are; its reader is told what was said, and refuses what it does not know."""
    said: StrokeFileReading = {}
    if rate_hz is not None:
        said["rate_hz"] = rate_hz
    if "first_frame" in how:
        said["first_frame"] = how["first_frame"]
    if "metres_per_unit" in how:
        said["metres_per_unit"] = how["metres_per_unit"]
    if "bones" in how:
        said["bones"] = how["bones"]
        if "anchor" in how:
            # its way over the floor is taken out of all strokes, for a robot that stands where a person steps about
            said["relative_to"] = how["bones"][how["anchor"]]
    return read_strokes(path, **said)


def _by_point(
    strokes: Mapping[str, Stroke], character: Character, point: str | None, path: str | Path
) -> dict[str, Stroke]:
    """Strokes by the robot's points that follow them."""
    known = [*(one.name for one in character.end_points), *(one.name for one in character.markers)]
    known += [body.name for body in character.bodies]
    if point is not None:
        if len(strokes) > 1 and point not in strokes:
            raise MotionError(
                f"'{path}' holds {len(strokes)} strokes ({', '.join(list(strokes)[:8])}), but one point was named. "
                "Leave `point` out to follow all of them."
            )
        return {point: strokes[point] if point in strokes else next(iter(strokes.values()))}
    if all(name in known for name in strokes):
        return dict(strokes)
    if len(strokes) == 1 and len(character.end_points) == 1:
        return {character.end_points[0].name: next(iter(strokes.values()))}
    shown = ", ".join(dict.fromkeys(known[:12]))
    raise MotionError(f"Which point of '{character.name}' shall follow '{path}'? Name its `point`, such as: {shown}.")


def _refuse_dots(strokes: Mapping[str, Stroke], path: str | Path) -> None:
    """Told here, before a search for a place where the robot could draw it. Some of several points may stand still."""
    if any(len(stroke.points) < 2 for stroke in strokes.values()):
        raise MotionError(f"The stroke of '{path}' is a single point. Draw a line, not a dot.")
    if all(float(np.ptp(stroke.points, axis=0).max()) == 0.0 for stroke in strokes.values()):
        raise MotionError(f"All points of the stroke of '{path}' are the same place; there is no path to follow.")


def _with_times(stroke: Stroke, law: str, drawn_in_s: float | None) -> Stroke:
    if stroke.times is not None and drawn_in_s is None:
        return stroke
    if stroke.times is None:
        return timed(stroke, law=law, duration_s=drawn_in_s)
    span = float(stroke.times[-1] - stroke.times[0])
    if len(stroke.times) < 2:
        return stroke
    times = (stroke.times - stroke.times[0]) * (float(drawn_in_s or span) / span)
    return Stroke(stroke.points, times, stroke.pressure, stroke.source)


def _board(
    strokes: Mapping[str, Stroke], character: Character, text: str | None, size: float | None, start: Posture | None
) -> Plane:
    words = (text or FITTED).split(maxsplit=1)
    if words[:1] != [FITTED]:
        if size is not None:
            raise OptionError("`size_m` goes with a `plane` that is fitted; state a scale, or begin with 'fitted'.")
        return parse_plane(text or "")
    if len(strokes) > 1:
        raise OptionError("Several flat strokes cannot be fitted at once; say where: `plane='xz at 0.5,0,0.6'`.")
    point, stroke = next(iter(strokes.items()))
    if len(words) > 1:
        return fitted_plane(character, point, stroke, parse_plane(words[1]), size=size, start=start)
    best: Plane | None = None
    for axes in _BOARDS:
        try:
            found = fitted_plane(character, point, stroke, parse_plane(axes), size=size, start=start)
        except MotionError:
            continue
        # a little more size is no reason for a stranger board
        if best is None or found.scale > 1.3 * best.scale:
            best = found
        if best.scale >= (1.0 if size is None else 0.999 * best.scale):
            break
    if best is None:
        raise MotionError(f"'{point}' of '{character.name}' can draw on no board; say where with `plane`.")
    return best
