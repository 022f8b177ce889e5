"""Lines of an SVG drawing as strokes: paths, polylines, circles and other shapes, with all transforms applied.

SVG counts 96 units to the inch unless the drawing says how wide it is, and y goes down; a stroke is in metres with y
up. An SVG knows no times; `trace.stroke_timing.timed` gives some.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

import numpy as np

from animato.errors import FileFormatError, OptionError, missing_dependency, unknown_name
from animato.formats.files import XmlElement, parse_xml, read_text_whole, shortened
from animato.formats.strokes.json_strokes import UNNAMED
from animato.motion import Stroke

METRES_PER_PX = 0.0254 / 96.0
_PIECES_PER_CURVE = 64
_LARGEST = 1e7  # a drawing beyond 10 million px is damaged


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
        join: One stroke through all lines, straight from the end of one to the start of the next; else one stroke a
            shape, named by its id.

    Raises:
        FileFormatError: It is not an SVG drawing, or has no lines.
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
    root = parse_xml(text.encode("utf-8"), path)
    if root.tag.rpartition(":")[2] != "svg":
        raise FileFormatError(path, f"the outer element is <{shortened(root.tag)}>, not <svg>.", root.line)
    lines = _lines(text, path, root)
    if path_ids:
        for name in path_ids:
            if name not in lines:
                raise unknown_name("shape", name, lines, Path(path).name)
        lines = {name: lines[name] for name in path_ids}
    scale = np.array([size, -size])
    if join:
        lines = {UNNAMED if len(lines) > 1 else next(iter(lines)): np.vstack(list(lines.values()))}
    source = Path(path).name
    return {name: Stroke(points * scale, source=source) for name, points in lines.items()}


def _lines(text: str, path: str | Path, root: XmlElement) -> dict[str, np.ndarray]:
    """Points [px] of every shape that is drawn, by id."""
    try:
        import svgelements
    except ImportError:
        raise missing_dependency("svgelements", "svg", "Reading SVG") from None
    where = {element.attributes.get("id", ""): element.line for element in root.walk()}
    found: dict[str, np.ndarray] = {}
    try:
        with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
            for shape in svgelements.SVG.parse(io.StringIO(text), reify=True).elements():
                if not isinstance(shape, svgelements.Shape) or _hidden(shape):
                    continue
                points = _flattened(svgelements.Path(shape))
                if len(points) > 1:
                    stated = shape.id if isinstance(shape.id, str) and shape.id not in found else None
                    found[stated or f"shape_{len(found) + 1}"] = points
    except ParseError as error:
        raise FileFormatError(path, f"this is not XML: {error.msg}.", error.position[0]) from None
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        # the parser has no errors of its own; what it stumbles over is the drawing
        raise FileFormatError(path, f"the drawing cannot be read: {shortened(str(error))}.", root.line) from None
    for name, points in found.items():
        if not np.all(np.isfinite(points)) or np.abs(points).max() > _LARGEST:
            raise FileFormatError(
                path, f"'{shortened(name)}' leaves all bounds; the drawing is damaged.", where.get(name)
            )
    if not found:
        message = "there are no lines in it. Text must be turned into paths in the drawing program first."
        raise FileFormatError(path, message, root.line)
    return found


def _hidden(shape: Any) -> bool:
    values = getattr(shape, "values", {})
    return values.get("display") == "none" or values.get("visibility") == "hidden"


def _flattened(line: Any) -> np.ndarray:
    """A path as points [px], its parts joined straight; curves become many short pieces."""
    blocks = []
    for segment in line:
        kind = type(segment).__name__
        if segment.end is None:
            continue
        if kind in ("CubicBezier", "QuadraticBezier", "Arc") and segment.start is not None:
            blocks.append(np.asarray(segment.npoint(np.linspace(0.0, 1.0, _PIECES_PER_CURVE + 1)), dtype=float))
        else:
            blocks.append(np.array([[segment.end.x, segment.end.y]]))
    if not blocks:
        return np.empty((0, 2))
    points = np.vstack(blocks)
    moved = np.concatenate([[True], np.any(np.diff(points, axis=0) != 0.0, axis=1)])
    return points[moved]
