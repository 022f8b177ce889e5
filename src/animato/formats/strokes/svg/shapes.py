"""The basic shapes of SVG as lines of points in their own coordinates, before any transform."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from animato.formats.strokes.svg.curves import ellipse_part
from animato.formats.strokes.svg.numbers import Viewport, parse_length, parse_numbers
from animato.formats.strokes.svg.path_data import parse_path

SHAPES = ("path", "line", "polyline", "polygon", "rect", "circle", "ellipse")
_QUARTER = 0.5 * math.pi


def shape_lines(kind: str, said: Mapping[str, str], port: Viewport, most: int) -> list[np.ndarray]:
    """Lines of a shape, one for each time the pen is put down, each [point, 2] in user units; none if it has no size.

    Args:
        kind: One of `SHAPES`.
        said: Its attributes.
        port: What percentages are of.
        most: Points that may come of it.

    Raises:
        ValueError: An attribute cannot be read, with what was met.
    """
    if kind == "path":
        return parse_path(said.get("d", ""), most)
    if kind in ("polyline", "polygon"):
        return _corners(said.get("points", ""), closed=kind == "polygon")
    if kind == "line":
        (x1, y1), (x2, y2) = _place(said, "x1", "y1", port), _place(said, "x2", "y2", port)
        return [np.array([[x1, y1], [x2, y2]])]
    if kind == "rect":
        return _rect(said, port)
    return _ellipse(kind, said, port)


def _corners(text: str, *, closed: bool) -> list[np.ndarray]:
    if text.strip() in ("", "none"):
        return []
    numbers = parse_numbers(text)
    if len(numbers) % 2:
        raise ValueError(f"'points' are {len(numbers)} numbers, not pairs")
    points = np.array(numbers).reshape(-1, 2)
    return [np.vstack([points, points[:1]]) if closed and len(points) > 1 else points]


def _rect(said: Mapping[str, str], port: Viewport) -> list[np.ndarray]:
    x, y = _place(said, "x", "y", port)
    width, height = _place(said, "width", "height", port)
    if width <= 0.0 or height <= 0.0:
        return []
    given = [_radius(said, name, whole) for name, whole in (("rx", port.width), ("ry", port.height))]
    rx, ry = (given[0] if given[0] is not None else given[1]), (given[1] if given[1] is not None else given[0])
    rx, ry = min(rx or 0.0, 0.5 * width), min(ry or 0.0, 0.5 * height)
    if rx == 0.0 or ry == 0.0:
        right, low = x + width, y + height
        return [np.array([[x, y], [right, y], [right, low], [x, low], [x, y]])]
    # from the top clockwise, as a browser draws it: each side ends where the quarter of an ellipse begins
    inner = ((x + width - rx, y + ry), (x + width - rx, y + height - ry), (x + rx, y + height - ry), (x + rx, y + ry))
    radii = np.array([rx, ry])
    parts = [ellipse_part(np.array(centre), radii, (k - 1) * _QUARTER, _QUARTER) for k, centre in enumerate(inner)]
    return [np.vstack([[[x + rx, y]], *parts])]


def _ellipse(kind: str, said: Mapping[str, str], port: Viewport) -> list[np.ndarray]:
    centre = np.array(_place(said, "cx", "cy", port))
    if kind == "circle":
        radius = _radius(said, "r", port.diagonal) or 0.0
        radii = np.array([radius, radius])
    else:
        rx, ry = _radius(said, "rx", port.width), _radius(said, "ry", port.height)
        radii = np.array([(ry if rx is None else rx) or 0.0, (rx if ry is None else ry) or 0.0])
    if radii.min() <= 0.0:
        return []
    points = ellipse_part(centre, radii, 0.0, 4.0 * _QUARTER)
    points[-1] = points[0]
    return [points]


def _place(said: Mapping[str, str], x: str, y: str, port: Viewport) -> tuple[float, float]:
    return parse_length(said.get(x, "0"), port.width), parse_length(said.get(y, "0"), port.height)


def _radius(said: Mapping[str, str], name: str, whole: float) -> float | None:
    """None where it goes by the other one."""
    text = said.get(name, "auto").strip()
    value = None if text == "auto" else parse_length(text, whole)
    return None if value is None or value < 0.0 else value
