"""A stroke as a table: columns x, y, perhaps z, a time, a pressure, and whether the pen is down."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.files import Dimension, read_text_whole
from animato.formats.strokes.recorded import recorded_stroke
from animato.formats.tables import read_table, source_of
from animato.motion import Stroke

_SECONDS = ("time", "t", "time_s", "t_s", "timestamp")
_MILLISECONDS = ("time_ms", "t_ms", "timestamp_ms", "ms")
_PRESSURE = ("pressure", "p")
_DOWN = ("pen_down", "pen", "down")
_ALLOWED = {"x", "y", "z", *_SECONDS, *_MILLISECONDS, *_PRESSURE, *_DOWN}
_COMMENT = "animato stroke"
_OTHERS = ("animato clip", "animato markers")


def load_stroke_csv(
    path: str | Path, *, metres_per_unit: float | None = None, rate_hz: float | None = None, sure: bool = False
) -> Stroke | None:
    """Reads a stroke; None where the columns are not those of one.

    Args:
        path: The file.
        metres_per_unit: Size of its unit of length [m], in place of what the file says.
        rate_hz: Samples a second, where it has no column of times.
        sure: It is a stroke, whatever other columns there are.

    Raises:
        FileFormatError: A cell is missing, or no stroke comes of it.
        OptionError: A number is not above 0.
    """
    for name, value in (("metres_per_unit", metres_per_unit), ("rate_hz", rate_hz)):
        if value is not None and not (np.isfinite(value) and value > 0.0):
            raise OptionError(f"`{name}` is a number above 0, given {value}.")
    table = read_table(read_text_whole(path), path)
    names = {column.name.lower() for column in table.columns}
    other = any(comment in table.comments for comment in _OTHERS) or not {"x", "y"} <= names <= _ALLOWED
    if other and not (sure or _COMMENT in table.comments):
        return None
    if not {"x", "y"} <= names:
        raise FileFormatError(path, "a stroke needs the columns x and y.", table.header_line)

    def column(allowed: Dimension, *spellings: str) -> np.ndarray | None:
        index = table.find(*spellings)
        if index is None:
            return None
        table.check_complete(index)
        return table.in_si(index, allowed)

    with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
        points = np.column_stack([axis for name in "xyz" if (axis := column(Dimension.LENGTH, name)) is not None])
        if metres_per_unit is not None:
            indices = [index for name in "xyz" if (index := table.find(name)) is not None]
            points = table.values[:, indices] * metres_per_unit
        times, ticks = column(Dimension.TIME, *_SECONDS), column(Dimension.NUMBER, *_MILLISECONDS)
        if times is None and ticks is not None:
            times = ticks / 1000.0
        if times is None and rate_hz is not None:
            times = np.arange(len(points)) / rate_hz
        pressure, down = column(Dimension.NUMBER, *_PRESSURE), column(Dimension.NUMBER, *_DOWN)
    try:
        return recorded_stroke(points, times, pressure, down, source_of(table))
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None
