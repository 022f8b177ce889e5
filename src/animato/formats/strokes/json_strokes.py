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
from animato.motion import Stroke

UNNAMED = "stroke"
"""Name of a stroke whose file does not name it."""

_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}
_SECONDS = {"s": 1.0, "ms": 0.001}
_SAMPLE_KEYS = {"times": ("t", "time"), "pressure": ("pressure", "p"), "pen_down": ("pen_down", "down")}
_MOST_LATE = 0.1  # share of samples whose times do not rise: with more of them it is not a recording


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


def strokes_json_text(strokes: Mapping[str, Stroke], description: str = "", *, digits: int | None = None) -> str:
    """The content of a file that holds the strokes.

    Args:
        strokes: By name of the point that each is for.
        description: For people.
        digits: Decimals of metres and seconds; None writes every bit.
    """

    def numbers(array: np.ndarray) -> Any:
        return (array if digits is None else np.round(array, digits)).tolist()

    blocks = []
    for name, stroke in strokes.items():
        parts = {"points": numbers(stroke.points)}
        if stroke.times is not None:
            parts["times"] = numbers(stroke.times)
        if stroke.pressure is not None:
            parts["pressure"] = numbers(stroke.pressure)
        inner = ",\n   ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in parts.items())
        blocks.append(f"  {json.dumps(name)}: {{\n   {inner}}}")
    head = f'{{"animato": "strokes",\n "description": {json.dumps(description)},\n "unit": "m", "time_unit": "s",\n'
    return head + ' "strokes": {\n' + ",\n".join(blocks) + "}}\n"


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
        return _stroke_of(arrays, length, duration, source)
    except MotionError as error:
        raise FileFormatError(path, f"{at}{error}") from None


def _stroke_of(arrays: Mapping[str, np.ndarray], length: float, duration: float, source: str) -> Stroke:
    """A stroke of checked lists; samples with the pen up, or a time that is not after all before it, are not in it."""
    points, times, pressure = arrays["points"], arrays.get("times"), arrays.get("pressure")
    keep = np.ones(len(points), dtype=bool)
    if times is not None and times.ndim == 1 and len(times) > 1 and np.all(np.isfinite(times)):
        keep[1:] = times[1:] > np.maximum.accumulate(times)[:-1]
    late = int(np.sum(~keep))
    if late > _MOST_LATE * len(keep):
        keep[:], late = True, 0  # refused with the place of the first one
    down = arrays.get("pen_down")
    breaks = np.zeros(len(points), dtype=bool)
    if down is not None and down.ndim == 1:
        breaks[1:] = np.diff((down > 0.0).astype(np.int8)) > 0
        keep &= down > 0.0
    if not keep.any():
        raise MotionError("The pen is up all the time; nothing is drawn.")
    # a line may begin with a sample that is not kept
    lines = np.cumsum(breaks)[keep]
    lifts = tuple(int(index) for index in np.flatnonzero(np.diff(lines)) + 1)
    chosen = points[keep] * length
    when = None if times is None else times[keep] * duration
    pressed = None if pressure is None else pressure[keep]
    if not lifts and not late:
        return Stroke(chosen, when, pressed, source)
    return PenStroke(chosen, when, pressed, source, lifts, late)


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
