"""From a stroke file to a sketch in a robot's world: read, timed, placed, and given to the robot's points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.formats.strokes import StrokeFileReading, in_sequence, read_strokes
from animato.loading import as_character
from animato.motion import Posture, Stroke
from animato.trace.options import StrokeReading
from animato.trace.sketch.accents import parse_accent, with_accents
from animato.trace.sketch.body_points import checked_point, is_body_point, known_points, with_body_points
from animato.trace.sketch.captured_strokes import fitted_to_posture
from animato.trace.sketch.drawn_lines import DrawnLines, drawn_lines, slowed
from animato.trace.sketch.pen_lifts import joined_lines, mean_normal, usual_lift
from animato.trace.sketch.plane import Plane, parse_plane, placed
from animato.trace.sketch.reach_fitting import fitted_plane
from animato.trace.sketch.sketch import Sketch, build_sketch, without_noise

FITTED = "fitted"
"""The word before a plane that says: find the place, and the size, yourself."""

_LARGEST = 20.0
"""A drawing larger than this [m] is hardly one in metres."""

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
    character = with_body_points(character, strokes)
    _refuse_dots(strokes, path)
    law, keep = how.get("law", "curvature"), how.get("keep_outliers", False)
    drawn = {
        name: drawn_lines(name, stroke, law, how.get("drawn_in_s"), keep_outliers=keep)
        for name, stroke in strokes.items()
    }
    flat = [name for name, one in drawn.items() if one.points.shape[1] == 2]
    if flat and len(flat) < len(drawn):
        raise MotionError(f"'{path}' holds flat strokes and strokes in space; a sketch is one or the other.")
    if not flat and ("plane" in how or "size_m" in how):
        raise OptionError(f"The strokes of '{path}' are in space already; leave `plane` and `size_m` out.")
    normal = None
    if flat:
        drawn, normal = _on_board(drawn, character, how, posture)
    elif bones is not None and posture is not None:
        whole = {name: one.lines[0] for name, one in drawn.items()}
        fitted = fitted_to_posture(whole, character, posture, anchor=anchor, size=how.get("scale", 1.0))
        drawn = {name: DrawnLines((stroke,)) for name, stroke in fitted.items()}
    sketch = _sketched(drawn, normal, how, path)
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
    """Strokes by the robot's points that follow them. Several for one point are drawn after one another."""
    known = known_points(character)
    if point is not None:
        point = point if point in known else checked_point(point)
        if point in strokes:
            return {point: strokes[point]}
        return {point: _one_after_another(strokes, path)}
    if all(name in known or is_body_point(name) for name in strokes):
        return dict(strokes)
    alone = len(character.end_points) == 1 and not any(name in known for name in strokes)
    if alone and (len(strokes) == 1 or not _at_the_same_time(strokes)):
        return {character.end_points[0].name: _one_after_another(strokes, path)}
    shown = ", ".join(dict.fromkeys(known[:12]))
    raise MotionError(f"Which point of '{character.name}' shall follow '{path}'? Name its `point`, such as: {shown}.")


def _at_the_same_time(strokes: Mapping[str, Stroke]) -> bool:
    """Whether strokes are those of a capture. Flat ones are a drawing: one whose lines have clocks of their own."""
    lines = list(strokes.values())
    spans = [(float(line.times[0]), float(line.times[-1])) for line in lines if line.times is not None]
    overlap = any(after[0] < before[1] for before, after in itertools.pairwise(spans))
    return overlap and lines[0].points.shape[1] == 3


def _one_after_another(strokes: Mapping[str, Stroke], path: str | Path) -> Stroke:
    """All strokes as lines of one point, in the order of the file; those of a capture move at the same time."""
    lines = list(strokes.values())
    if _at_the_same_time(strokes):
        raise MotionError(
            f"'{path}' holds {len(strokes)} strokes that move at the same time ({', '.join(list(strokes)[:8])}), for "
            "one point. Leave `point` out to follow all of them, or say which one with `bones`."
        )
    if len({line.points.shape[1] for line in lines}) > 1:
        raise MotionError(f"'{path}' holds flat strokes and strokes in space; a sketch is one or the other.")
    return in_sequence(lines)


def _refuse_dots(strokes: Mapping[str, Stroke], path: str | Path) -> None:
    """Told here, before a search for a place where the robot could draw it. Some of several points may stand still."""
    if any(len(stroke.points) < 2 for stroke in strokes.values()):
        raise MotionError(f"The stroke of '{path}' is a single point. Draw a line, not a dot.")
    if all(float(np.ptp(stroke.points, axis=0).max()) == 0.0 for stroke in strokes.values()):
        raise MotionError(f"All points of the stroke of '{path}' are the same place; there is no path to follow.")


def _on_board(
    drawn: Mapping[str, DrawnLines], character: Character, how: StrokeReading, posture: Posture | None
) -> tuple[dict[str, DrawnLines], np.ndarray]:
    """Flat lines and what was left out of them in the world, and the way off the board."""
    whole = {name: Stroke(one.points) for name, one in drawn.items()}
    board = _board(whole, character, how.get("plane"), how.get("size_m"), posture)
    board = board.fixed(np.vstack([one.points for one in drawn.values()]))
    # a law's speed is that of a hand at the board, whatever the size of the file; a duration that was said stays
    slower = {name: board.scale if one.made_up and "drawn_in_s" not in how else 1.0 for name, one in drawn.items()}
    found = {
        name: DrawnLines(
            tuple(slowed(placed(line, board), slower[name]) for line in one.lines),
            tuple(
                replace(odd, place=tuple(board.to_world(np.array([odd.place]))[0].tolist()), off=board.scale * odd.off)
                for odd in one.left_out
            ),
            one.late,
            one.made_up,
            one.notes,
        )
        for name, one in drawn.items()
    }
    return found, board.normal


def _sketched(
    drawn: Mapping[str, DrawnLines], normal: np.ndarray | None, how: StrokeReading, path: str | Path
) -> Sketch:
    """Lines in the world as a sketch, with ways through the air between those of a single point."""
    left_out = [odd for one in drawn.values() for odd in one.left_out]
    late = sum(one.late for one in drawn.values())
    notes = list(dict.fromkeys(note for one in drawn.values() for note in one.notes))
    if late:
        many = "1 sample is" if late == 1 else f"{late} samples are"
        notes.append(f"{many} left out because times must rise.")
    size = max(float(np.ptp(one.points, axis=0).max()) for one in drawn.values())
    if size > _LARGEST and "metres_per_unit" not in how:
        notes.insert(
            0, f"The drawing is {size:.3g} m large: is its unit a millimetre? Then say `metres_per_unit` 0.001."
        )
    smooth_hz, lift = how.get("smooth_hz"), how.get("lift_m")
    if smooth_hz is None and all(one.made_up for one in drawn.values()):
        smooth_hz = 0.0  # what no hand drew does not shake: its corners are meant
    if lift is not None and not (math.isfinite(lift) and lift >= 0.0):
        raise OptionError(f"`lift_m` is a height of 0 m or more, given {lift}.")
    if all(len(one.lines) == 1 for one in drawn.values()):
        strokes = {name: one.lines[0] for name, one in drawn.items()}
        return build_sketch(strokes, smooth_hz=smooth_hz, left_out=left_out, notes=notes)
    if len(drawn) > 1:
        raise MotionError(f"'{path}' lifts the pen between lines; that goes for one point alone, not {len(drawn)}.")
    name, one = next(iter(drawn.items()))
    if normal is None:
        normal = mean_normal(one.points)
        if normal is None:
            notes.append("The lines lie in no plane: between them the point travels straight.")
    quiet = [without_noise(line, smooth_hz) for line in one.lines]
    whole = joined_lines(quiet, normal, usual_lift(one.points) if lift is None else lift)
    return build_sketch({name: whole.stroke}, in_air=whole.in_air, left_out=left_out, notes=notes)


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
