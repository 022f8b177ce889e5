"""Lines of an SVG drawing as strokes: paths, polylines, circles and other shapes, with all transforms applied.

SVG counts 96 units to the inch unless the drawing says how wide it is, and y goes down; a stroke is in metres with y
up. An SVG knows no times; `trace.stroke_timing.timed` gives some.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, OptionError, unknown_name
from animato.formats.files import read_text_whole
from animato.formats.strokes.json_strokes import UNNAMED
from animato.formats.strokes.pen_stroke import in_sequence
from animato.formats.strokes.svg import Drawing, DrawnShape, read_drawing
from animato.motion import Stroke

METRES_PER_PX = 0.0254 / 96.0


def load_stroke_svg(
    path: str | Path,
    *,
    metres_per_unit: float | None = None,
    path_ids: Sequence[str] = (),
    join: bool = True,
) -> dict[str, Stroke]:
    """Reads the lines of a drawing.

    Args:
        path: The file.
        metres_per_unit: Size of one px of the drawing [m]; 0.0254 / 96 where not given.
        path_ids: Ids of the shapes to take, in this order; all of them, as drawn, where not given.
        join: One stroke of all lines in this order, the pen lifted between them (`PenStroke`); else one stroke a
            shape, named by its id.

    Raises:
        FileFormatError: It is not an SVG drawing, has no lines, or one of them is broken, with the place.
        UnknownNameError: No shape has such an id.
    """
    return strokes_from_svg(read_text_whole(path), path, metres_per_unit=metres_per_unit, path_ids=path_ids, join=join)


def strokes_from_svg(
    text: str,
    path: str | Path,
    *,
    metres_per_unit: float | None = None,
    path_ids: Sequence[str] = (),
    join: bool = True,
) -> dict[str, Stroke]:
    """The same of the content of a file; `path` only names it."""
    size = METRES_PER_PX if metres_per_unit is None else metres_per_unit
    if not (np.isfinite(size) and size > 0.0):
        raise OptionError(f"metres_per_unit is a number above 0, given {metres_per_unit}.")
    drawing = read_drawing(text, path)
    found: dict[str, DrawnShape] = {}
    for shape in drawing.shapes:
        found[shape.name if shape.name and shape.name not in found else f"shape_{len(found) + 1}"] = shape
    if not found:
        message = "there are no lines in it. Text must be turned into paths in the drawing program first."
        raise FileFormatError(path, message)
    for name in path_ids:
        if name not in found:
            raise unknown_name("shape", name, found, Path(path).name)
    # a file in which nothing at all is painted says nothing about paint
    seen = {name: shape for name, shape in found.items() if shape.painted} or found
    chosen = {name: found[name] for name in path_ids} if path_ids else seen
    notes = _notes(drawing, 0 if path_ids else len(found) - len(seen))
    lines = {name: shape.lines for name, shape in chosen.items()}
    return _strokes(lines, np.array([size, -size]), Path(path).name, notes, join=join)


def _notes(drawing: Drawing, unseen: int) -> list[str]:
    """What of the drawing is not followed, in sentences."""
    notes = []
    if drawing.ignored.get("text"):
        notes.append(
            f"{_counted(drawing.ignored['text'], 'text')} not drawn: turn it into paths in the drawing program first."
        )
    pictures = sum(count for tag, count in drawing.ignored.items() if tag != "text")
    if pictures:
        notes.append(f"{_counted(pictures, 'picture')} in the drawing not drawn: they have no lines.")
    if unseen:
        notes.append(
            f"{_counted(unseen, 'shape')} not drawn: neither filled nor with a line that has a colour, as frames of "
            "icons are. They are drawn only if they are named."
        )
    if drawing.clipped:
        notes.append("Clip paths are not followed: what they cut off is drawn, too.")
    return notes


def _counted(count: int, what: str) -> str:
    return f"1 {what} is" if count == 1 else f"{count} {what}s are"


def _strokes(
    shapes: Mapping[str, Sequence[np.ndarray]],
    scale: np.ndarray,
    source: str,
    notes: Sequence[str],
    *,
    join: bool,
) -> dict[str, Stroke]:
    lines = {name: [Stroke(points * scale, source=source) for points in parts] for name, parts in shapes.items()}
    if not join:
        return {name: in_sequence(parts, notes) for name, parts in lines.items()}
    name = UNNAMED if len(lines) > 1 else next(iter(lines))
    return {name: in_sequence([line for parts in lines.values() for line in parts], notes)}
