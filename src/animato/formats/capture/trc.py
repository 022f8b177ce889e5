"""TRC, the marker trajectories of capture systems, into a MarkerMotion.

Five header lines and one line a frame, separated by tabs. The unit is stated; which axis is up is
not, and is guessed unless given. A marker that was not seen has blank cells and becomes NaN.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError
from animato.formats.capture.conventions import check_up_axis, guessed_up_axis, sampled_frames, vectors_z_up
from animato.formats.files import read_text_whole, shortened
from animato.motion import MarkerMotion

_METRES = {
    "mm": 0.001,
    "millimeters": 0.001,
    "millimetres": 0.001,
    "cm": 0.01,
    "centimeters": 0.01,
    "centimetres": 0.01,
    "m": 1.0,
    "meters": 1.0,
    "metres": 1.0,
    "in": 0.0254,
    "inches": 0.0254,
}
_LARGEST_NUMBER = 1e9


def load_trc(path: str | Path, *, up_axis: str = "auto") -> MarkerMotion:
    """Reads a TRC file.

    Args:
        path: The file.
        up_axis: "y", "z", or "auto" to guess it from how far the markers reach.

    Raises:
        FileFormatError: With the line of the trouble.
    """
    return trc_from_text(read_text_whole(path), path, up_axis=up_axis)


def trc_from_text(text: str, path: str | Path, *, up_axis: str = "auto") -> MarkerMotion:
    """The same of the content of a file; `path` only names it."""
    check_up_axis(up_axis)
    lines = text.splitlines()
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise FileFormatError(path, "a TRC file begins with 'PathFileType' and has 5 header lines.", 1)
    keys, values = lines[1].split("\t"), lines[2].split("\t")
    header = {key.strip().lower(): value.strip() for key, value in zip(keys, values, strict=False)}
    unit = header.get("units", "")
    if unit.lower() not in _METRES:
        raise FileFormatError(path, f"Units must be mm, cm, m or in, not '{shortened(unit)}'.", 3)
    names = _marker_names(lines[3], header.get("nummarkers", ""), path)
    numbers, times, positions, first_line = _rows(lines, len(names), path)
    if len(times) == 0:
        raise FileFormatError(path, "there are no frames below the header; was the file cut off?", len(lines))
    _check_frame_count(header.get("numframes", ""), len(times), path)
    note = ""
    positions *= _METRES[unit.lower()]
    if up_axis == "auto":
        up_axis = guessed_up_axis(positions[sampled_frames(len(times))])
        note = f" ({up_axis} taken as up)"
    try:
        moments = _exact_times(numbers, times, header.get("datarate", ""))
        return MarkerMotion(moments, names, vectors_z_up(positions, up_axis), Path(path).name + note)
    except MotionError as error:
        raise FileFormatError(path, str(error), first_line) from None


def _marker_names(line: str, stated: str, path: str | Path) -> tuple[str, ...]:
    names = tuple(cell.strip() for cell in line.split("\t")[2:] if cell.strip())
    if stated != str(len(names)):
        raise FileFormatError(path, f"NumMarkers says '{shortened(stated)}', but {len(names)} markers are named.", 4)
    if len(set(names)) != len(names):
        raise FileFormatError(path, "the names of the markers must differ.", 4)
    return names


def _check_frame_count(stated: str, found: int, path: str | Path) -> None:
    if stated != str(found):
        message = f"NumFrames says '{shortened(stated)}', but there are {found}. Correct it, or copy the file again."
        raise FileFormatError(path, message, 3)


def _rows(lines: list[str], markers: int, path: str | Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Frame numbers, times [s] and positions in the file's unit [frame, marker, 3], and the line of the first row."""
    width = 2 + 3 * markers
    rows: list[list[float]] = []
    first = 0
    for number, line in enumerate(lines[5:], 6):
        cells = line.split("\t")
        if not any(cell.strip() for cell in cells):
            continue
        first = first or number
        if len(cells) > width and any(cell.strip() for cell in cells[width:]):
            raise FileFormatError(path, f"{len(cells)} cells, but {markers} markers have {width}.", number)
        row = [_cell(cell, path, number) for cell in cells[:width]]
        rows.append(row + [math.nan] * (width - len(row)))  # exporters leave blank cells at the end away
        if not (math.isfinite(row[0]) and len(row) > 1 and math.isfinite(row[1])):
            raise FileFormatError(path, "a frame begins with its number and its time.", number)
    values = np.array(rows).reshape(len(rows), width)
    positions = values[:, 2:].reshape(len(rows), markers, 3)
    positions[np.isnan(positions).any(axis=-1)] = np.nan
    return values[:, 0], values[:, 1], positions, first


def _cell(cell: str, path: str | Path, line: int) -> float:
    if not cell.strip():
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        raise FileFormatError(path, f"'{shortened(cell)}' is not a number.", line) from None
    if abs(value) > _LARGEST_NUMBER:
        raise FileFormatError(path, f"{value:g} is too large; the file is damaged.", line)
    return value


def _exact_times(frames: np.ndarray, times: np.ndarray, stated_rate: str) -> np.ndarray:
    """Times from the frame rate where the written ones are those, rounded to a few digits.

    Times rounded to a millisecond would shake every velocity.
    """
    if not re.fullmatch(r"\d{1,9}(\.\d{1,15})?", stated_rate, re.ASCII) or float(stated_rate) == 0.0:
        return times
    exact = times[0] + (frames - frames[0]) / float(stated_rate)
    return exact if np.abs(exact - times).max() <= 1e-3 else times
