"""Strokes and marker trajectories as CSV.

A stroke has the columns `x`, `y`, optionally `z` [m, cm or mm], optionally `time` [s or ms] and
`pressure` (0 to 1). Markers have `time` and `<name>.x`, `<name>.y`, `<name>.z`; a cell is empty where
a marker was not seen.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.files import Dimension, read_text_whole
from animato.formats.tables.clip_csv import check_name, clip_from_table, times_of_table
from animato.formats.tables.csv_table import Column, CsvTable, read_table, source_comment, source_of, written_table
from animato.motion import Clip, MarkerMotion, Stroke

_KIND_COMMENT = {"clip": "animato clip", "stroke": "animato stroke", "markers": "animato markers"}
_STROKE_COLUMNS = {"x", "y", "z", "time", "t", "pressure"}


def load_motion_csv(
    path: str | Path, *, kind: str | None = None, rate_hz: float | None = None
) -> Clip | Stroke | MarkerMotion:
    """Reads a clip, a stroke or markers.

    Args:
        path: The file.
        kind: "clip", "stroke" or "markers". None takes what the comment on top says; without one,
            columns x and y and nothing but what a stroke has are a stroke, all else is a clip.
        rate_hz: Frames a second, for a clip or markers without a column of times.
    """
    return motion_of_table(read_table(read_text_whole(path), path), kind=kind, rate_hz=rate_hz)


def motion_of_table(
    table: CsvTable, *, kind: str | None = None, rate_hz: float | None = None
) -> Clip | Stroke | MarkerMotion:
    """The same of a table that was read already."""
    if kind is not None and kind not in _KIND_COMMENT:
        raise OptionError(f"kind must be one of {', '.join(_KIND_COMMENT)}, given {kind!r}.")
    kind = kind or _kind_of(table)
    with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
        if kind == "stroke":
            return _stroke(table)
        if kind == "markers":
            return _markers(table, rate_hz)
    return clip_from_table(table, rate_hz=rate_hz)


def stroke_csv_text(stroke: Stroke) -> str:
    """The content of a file that holds the stroke, bit for bit."""
    columns = [Column(name, "m") for name in "xyz"[: stroke.points.shape[1]]]
    blocks = [stroke.points]
    if stroke.times is not None:
        columns.append(Column("time", "s"))
        blocks.append(stroke.times[:, None])
    if stroke.pressure is not None:
        columns.append(Column("pressure", ""))
        blocks.append(stroke.pressure[:, None])
    return written_table([_KIND_COMMENT["stroke"], source_comment(stroke.source)], columns, np.hstack(blocks))


def markers_csv_text(markers: MarkerMotion) -> str:
    """The content of a file that holds the markers, bit for bit."""
    columns = [Column("time", "s")]
    for name in markers.names:
        check_name(name)
        columns += [Column(f"{name}.{axis}", "m") for axis in "xyz"]
    values = np.hstack([markers.times[:, None], markers.positions.reshape(len(markers.times), -1)])
    return written_table([_KIND_COMMENT["markers"], source_comment(markers.source)], columns, values)


def _kind_of(table: CsvTable) -> str:
    for kind, comment in _KIND_COMMENT.items():
        if comment in table.comments:
            return kind
    names = {column.name.lower() for column in table.columns}
    return "stroke" if {"x", "y"} <= names <= _STROKE_COLUMNS else "clip"


def _stroke(table: CsvTable) -> Stroke:
    place = [table.find(axis) for axis in "xyz"]
    indices = [index for index in place if index is not None]
    if place[0] is None or place[1] is None:
        raise FileFormatError(table.path, "a stroke needs the columns x and y.", table.header_line)
    time, pressure = table.find("time", "t"), table.find("pressure")
    for index in (*indices, time, pressure):
        if index is not None:
            table.check_complete(index)
    try:
        return Stroke(
            np.column_stack([table.in_si(index, Dimension.LENGTH) for index in indices]),
            None if time is None else times_of_table(table, None)[0],
            None if pressure is None else table.in_si(pressure, Dimension.NUMBER),
            source_of(table),
        )
    except MotionError as error:
        raise FileFormatError(table.path, str(error)) from None


def _markers(table: CsvTable, rate_hz: float | None) -> MarkerMotion:
    times, used = times_of_table(table, rate_hz)
    rest = [index for index in range(len(table.columns)) if index not in used]
    names = [table.columns[index].name for index in rest]
    markers = tuple(name.removesuffix(".x") for name in names[::3])
    wanted = [f"{marker}.{axis}" for marker in markers for axis in "xyz"]
    if names != wanted:
        message = "markers need three columns each, in this order: <name>.x, <name>.y, <name>.z."
        raise FileFormatError(table.path, message, table.header_line)
    values = [table.in_si(index, Dimension.LENGTH) for index in rest]
    positions = np.column_stack(values) if values else np.zeros((len(times), 0))
    try:
        return MarkerMotion(times, markers, positions.reshape(len(times), len(markers), 3), source_of(table))
    except MotionError as error:
        raise FileFormatError(table.path, str(error)) from None
