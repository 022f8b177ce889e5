"""Transforms of SVG as matrices: those of attributes, of style sheets, and of a viewBox.

A matrix is 2 x 3: a point p goes to M[:, :2] p + M[:, 2]. Whatever it does (turning, skewing, mirroring), points of a
line go through it one by one, so that no kind of shape needs a rule of its own.
"""

from __future__ import annotations

import math
import re

import numpy as np

from animato.formats.strokes.svg.numbers import parse_length, parse_numbers

_CALL = re.compile(r"\s*([a-zA-Z]+)\s*\(([^()]*)\)\s*,?\s*")
_ANGLE = re.compile(r"^\s*(.*?)(deg|grad|rad|turn)?\s*$", re.DOTALL)
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 180.0 / math.pi, "turn": 360.0}
_ALIGN = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}

IDENTITY = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def chained(outer: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """The matrix that does `inner` first, then `outer`."""
    return np.column_stack([outer[:, :2] @ inner[:, :2], outer[:, :2] @ inner[:, 2] + outer[:, 2]])


def applied(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points [point, 2] through a matrix."""
    return points @ matrix[:, :2].T + matrix[:, 2]


def moved(x: float, y: float) -> np.ndarray:
    """The matrix of a translation."""
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y]])


def parse_transform(text: str) -> np.ndarray:
    """The matrix of a `transform`: of an attribute, or with the units of a style sheet.

    Raises:
        ValueError: It cannot be read, with what was met.
    """
    matrix, at = IDENTITY, 0
    if text.strip() in ("", "none"):
        return matrix
    while at < len(text):
        match = _CALL.match(text, at)
        if match is None:
            raise ValueError(f"the transform breaks at character {at + 1}: '{text[at : at + 20]}'")
        matrix = chained(matrix, _one(match[1], match[2]))
        at = match.end()
    return matrix


def view_box(box: list[float], width: float, height: float, aspect: str) -> np.ndarray:
    """The matrix from a viewBox into a viewport at the origin.

    Args:
        box: min x, min y, width, height.
        width: Of the viewport.
        height: Of the viewport.
        aspect: `preserveAspectRatio`.

    Raises:
        ValueError: The alignment is not known.
    """
    scale = np.array([width / box[2], height / box[3]])
    words = [word for word in aspect.split() if word != "defer"] or ["xMidYMid"]
    shift = np.zeros(2)
    if words[0] != "none":
        match = re.fullmatch(r"x(Min|Mid|Max)Y(Min|Mid|Max)", words[0])
        if match is None:
            raise ValueError(f"the preserveAspectRatio '{aspect[:40]}' is not known")
        scale[:] = scale.max() if "slice" in words[1:] else scale.min()
        room = np.array([width, height]) - scale * box[2:4]
        shift = room * [_ALIGN[match[1]], _ALIGN[match[2]]]
    return np.column_stack([np.diag(scale), shift - scale * box[:2]])


def _one(name: str, inside: str) -> np.ndarray:
    if name in ("rotate", "skewX", "skewY", "skew"):
        return _turned(name, inside)
    values = _lengths(inside)
    if name == "matrix" and len(values) == 6:
        return np.array(values).reshape(3, 2).T
    if name in ("translate", "translateX", "translateY") and 1 <= len(values) <= 2:
        x, y = values[0], values[1] if len(values) == 2 else 0.0
        return moved(*((0.0, x) if name == "translateY" else (x, y)))
    if name in ("scale", "scaleX", "scaleY") and 1 <= len(values) <= 2:
        x = 1.0 if name == "scaleY" else values[0]
        y = values[-1] if name in ("scale", "scaleY") else 1.0
        return np.array([[x, 0.0, 0.0], [0.0, y, 0.0]])
    raise ValueError(f"the transform '{name}({inside[:40]})' is not known, or has not as many numbers as it needs")


def _turned(name: str, inside: str) -> np.ndarray:
    """Of angles: in degrees, unless a style sheet says otherwise."""
    first, *rest = re.split(r"[\s,]+(?=[-+.\d])", inside.strip(), maxsplit=1)
    match = _ANGLE.match(first)
    numbers = parse_numbers("" if match is None else match[1])
    if match is None or len(numbers) != 1:
        raise ValueError(f"'{name}({inside[:40]})' needs one angle")
    angle = math.radians(numbers[0] * _DEGREES[match[2] or "deg"])
    others = _lengths(rest[0]) if rest and name != "skew" else []
    if name != "rotate":
        second = parse_numbers(rest[0].strip().removesuffix("deg")) if name == "skew" and rest else [0.0]
        x, y = (angle, math.radians(second[0])) if name != "skewY" else (0.0, angle)
        return np.array([[1.0, math.tan(x), 0.0], [math.tan(y), 1.0, 0.0]])
    if len(others) not in (0, 2):
        raise ValueError(f"'rotate({inside[:40]})' needs an angle alone, or with a point")
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0]])
    return chained(chained(moved(*others), turn), moved(-others[0], -others[1])) if others else turn


def _lengths(inside: str) -> list[float]:
    """Numbers, or lengths with units as style sheets have them."""
    if re.search(r"[a-df-zA-DF-Z%]", inside) is None:
        return parse_numbers(inside)
    return [parse_length(one, 0.0) for one in re.split(r"[\s,]+", inside.strip()) if one and "%" not in one]
