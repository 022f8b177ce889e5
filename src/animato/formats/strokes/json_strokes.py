"""Strokes as JSON: one or several, with times and pressure.

The whole form names the point of the robot that each stroke is for:

    {"animato": "strokes", "description": "...", "unit": "m", "time_unit": "s",
     "strokes": {"pen": {"points": [[0, 0], [0.1, 0.02]], "times": [0, 0.008], "pressure": [0.5, 0.6]}}}

Times and pressure may be left out. A stroke may say where the pen was lifted ("pen_down": [true, false, ...]), and
several strokes in a list are drawn after one another. What drawing programs write is read as well: a single stroke
without the outer part, or a list of samples such as {"x": 1, "y": 2, "t": 0.1, "pressure": 0.5}.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.files import load_json, shortened
from animato.formats.strokes.pen_stroke import PenStroke
from animato.formats.strokes.recorded import recorded_stroke
from animato.motion import Stroke

UNNAMED = "stroke"
"""Name of a stroke whose file does not name it."""

_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}
_SECONDS = {"s": 1.0, "ms": 0.001}
_SAMPLE_KEYS = {"times": ("t", "time"), "pressure": ("pressure", "p"), "pen_down": ("pen_down", "down", "pen")}


def load_stroke_json(path: str | Path, *, metres_per_unit: float | None = None) -> dict[str, Stroke]:
    """Reads all strokes of a file, by name.

    Args:
        path: The file.
        metres_per_unit: Size of its unit of length [m], in place of what the file says.

    Raises:
        FileFormatError: It is not JSON, with the line, or not strokes, with the place in it.
    """
    return strokes_from_data(load_json(path, "a stroke"), path, metres_per_unit=metres_per_unit)


def strokes_from_data(data: Any, path: str | Path, *, metres_per_unit: float | None = None) -> dict[str, Stroke]:
    """The same of what JSON has become; `path` only names it."""
    if metres_per_unit is not None and not (np.isfinite(metres_per_unit) and metres_per_unit > 0.0):
        raise OptionError(f"metres_per_unit is a number above 0, given {metres_per_unit}.")
    outer = data if isinstance(data, dict) else {}
    length = metres_per_unit or _unit(outer, "unit", _METRES, path)
    duration = _unit(outer, "time_unit", _SECONDS, path)
    strokes = outer.get("strokes", {UNNAMED: data})
    if isinstance(strokes, list):
        strokes = {UNNAMED if len(strokes) == 1 else f"{UNNAMED}_{i}": one for i, one in enumerate(strokes, 1)}
    if not isinstance(strokes, dict) or not strokes:
        raise FileFormatError(path, '\'strokes\' must name at least one stroke: {"pen": {"points": ...}}.')
    source = outer.get("description")
    words = source if isinstance(source, str) and source else Path(path).name
    return {
        name: _stroke(one, f"strokes.{shortened(name)}" if "strokes" in outer else "", path, length, duration, words)
        for name, one in strokes.items()
    }


def strokes_json_text(
    strokes: Mapping[str, Stroke],
    description: str = "",
    *,
    digits: int | None = None,
    beside: Mapping[str, Any] | None = None,
) -> str:
    """The content of a file that holds the strokes.

    Args:
        strokes: By name of the point that each is for.
        description: For people.
        digits: Decimals of metres and seconds; None writes every bit.
        beside: Fields of programs beside the strokes, which readers of strokes pass by.
    """

    def numbers(array: np.ndarray) -> Any:
        return (array if digits is None else np.round(array, digits)).tolist()

    blocks = []
    for name, stroke in strokes.items():
        parts = {key: numbers(array) for key, array in _arrays(stroke).items()}
        inner = ",\n   ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in parts.items())
        blocks.append(f"  {json.dumps(name)}: {{\n   {inner}}}")
    others = "".join(f",\n {json.dumps(key)}: {json.dumps(value)}" for key, value in (beside or {}).items())
    head = f'{{"animato": "strokes",\n "description": {json.dumps(description)},\n "unit": "m", "time_unit": "s",\n'
    return head + ' "strokes": {\n' + ",\n".join(blocks) + f"}}{others}}}\n"


def _arrays(stroke: Stroke) -> dict[str, np.ndarray]:
    """What is written of a stroke; where the pen is lifted, with one more sample in the air."""
    known = {"points": stroke.points, "times": stroke.times, "pressure": stroke.pressure}
    arrays = {key: array for key, array in known.items() if array is not None}
    lifts = stroke.lifts if isinstance(stroke, PenStroke) else ()
    if not lifts:
        return arrays
    at = np.array(lifts)
    between = {key: np.insert(array, at, 0.5 * (array[at - 1] + array[at]), axis=0) for key, array in arrays.items()}
    return {**between, "pen_down": np.insert(np.ones(len(stroke.points), dtype=int), at, 0)}


def _unit(outer: Mapping[str, Any], key: str, allowed: Mapping[str, float], path: str | Path) -> float:
    given = outer.get(key, next(iter(allowed)))
    if not isinstance(given, str) or given not in allowed:
        raise FileFormatError(path, f"'{key}' must be one of {', '.join(allowed)}, not {shortened(str(given))!r}.")
    return allowed[given]


def _stroke(data: Any, where: str, path: str | Path, length: float, duration: float, source: str) -> Stroke:
    at = f"{where}: " if where else ""
    if isinstance(data, list):
        data = _from_samples(data, at, path)
    if not isinstance(data, dict) or "points" not in data:
        raise FileFormatError(path, f"{at}a stroke needs 'points', a list of [x, y] or [x, y, z].")
    keys = ("points", "times", "pressure", "pen_down")
    arrays = {key: _numbers(data[key], f"{at}'{key}'", path) for key in keys if key in data}
    points = arrays["points"]
    if points.ndim != 2 or points.shape[0] == 0 or points.shape[1] not in (2, 3):
        raise FileFormatError(path, f"{at}'points' must be a list of [x, y] or [x, y, z]; at least one must be there.")
    if any(len(one) != len(points) for one in arrays.values()):
        counts = ", ".join(f"{len(one)} {key}" for key, one in arrays.items())
        raise FileFormatError(path, f"{at}all lists of a stroke are equally long, not {counts}.")
    try:
        times = arrays.get("times")
        when = None if times is None else times * duration
        return recorded_stroke(points * length, when, arrays.get("pressure"), arrays.get("pen_down"), source)
    except MotionError as error:
        raise FileFormatError(path, f"{at}{error}") from None


def _from_samples(samples: list[Any], at: str, path: str | Path) -> dict[str, Any]:
    """A stroke of a list of samples: objects with x and y, or just the points."""
    if not samples:
        raise FileFormatError(path, f"{at}the stroke is empty; it needs points.")
    if not all(isinstance(sample, dict) for sample in samples):
        return {"points": samples}
    axes = [axis for axis in "xyz" if axis in samples[0]]
    found: dict[str, Any] = {}
    for key, spellings in {"points": (), **_SAMPLE_KEYS}.items():
        spelled = next((one for one in spellings if one in samples[0]), None)
        if key != "points" and spelled is None:
            continue
        try:
            found[key] = [[one[axis] for axis in axes] if spelled is None else one[spelled] for one in samples]
        except KeyError as error:
            number = next(i for i, one in enumerate(samples) if error.args[0] not in one)
            raise FileFormatError(path, f"{at}sample {number} has no {error}.") from None
    return found


def _numbers(values: Any, what: str, path: str | Path) -> np.ndarray:
    if not isinstance(values, list):
        raise FileFormatError(path, f"{what} must be a list of numbers.")
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise FileFormatError(path, f"{what} must be numbers in rows of equal length.") from None
