"""Clips as CSV: what an animator exports from a spreadsheet, and what one opens in it.

The header names each column and its unit:

    # animato clip
    # source: "heron, first take"
    time [s],neck [rad],lift [m],base.x [m],base.y [m],base.z [m],base.qw,base.qx,base.qy,base.qz

- `time` [s or ms]; or `frame`, together with a comment "# fps: 30" or the argument `rate_hz`: the
  first frame is then at 0 s. With `rate_hz`, a file without both has one frame a row.
- `base.x` to `base.z` [m, cm or mm] and `base.qw` to `base.qz` are where the root body is; so are `root_x`,
  `root_pos_x`, `base_x` or `x` with `root_qw`, `root_quat_w`, `root_rot_w`, `base_qw` or `qw`, where all seven are.
- Every other column is a coordinate [rad or deg; m, cm or mm]. Without a unit it is taken in rad or m.

Numbers are written with all digits, so a clip comes back bit for bit. The unit of a coordinate is
written where the character is given, and left off where nobody knows it.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.files import Dimension, read_text_whole, shortened, units_of, write_whole
from animato.formats.tables.csv_table import Column, CsvTable, read_table, source_comment, source_of, written_table
from animato.motion import Clip
from animato.spatial import quaternions

_BASE_PLACE = ("base.x", "base.y", "base.z")
_BASE_TURN = ("base.qw", "base.qx", "base.qy", "base.qz")
_OTHERS_BASE = (
    *(("root_", "root_q"), ("root_pos_", "root_quat_"), ("root_pos_", "root_rot_")),
    *(("base_", "base_q"), ("", "q")),
)
"""How others begin the names of the base's columns: those of its place, and those of its quaternion."""
_TIME = ("time", "t")
_FRAME = ("frame", "frame#")
_RESERVED = (*_TIME, *_FRAME, *_BASE_PLACE, *_BASE_TURN)
_ESCAPE = "coordinate:"  # before a coordinate whose own name is one of the reserved ones
_RATE_KEYS = ("fps", "rate", "rate_hz", "frame rate", "frames per second")
_ROUNDED = 0.02  # quaternions rounded in a spreadsheet are put right up to this much


def load_clip_csv(path: str | Path, *, rate_hz: float | None = None) -> Clip:
    """Reads a clip.

    Args:
        path: The file.
        rate_hz: Frames a second, for a file with frame numbers or without any times.

    Raises:
        FileFormatError: With the line and the cell that cannot be read.
    """
    return clip_from_table(read_table(read_text_whole(path), path), rate_hz=rate_hz)


def save_clip_csv(path: str | Path, clip: Clip, character: Character | None = None) -> Path:
    """Writes a clip; nothing is lost.

    Args:
        path: Where to.
        clip: What to write.
        character: Whose motion it is; tells which coordinates are in rad and which in m.
    """
    return write_whole(path, clip_csv_text(clip, character))


def clip_csv_text(clip: Clip, character: Character | None = None) -> str:
    """The content of the file.

    Raises:
        MotionError: A coordinate has a name that a table cannot hold.
    """
    columns = [Column("time", "s")]
    for name, unit in zip(clip.names, units_of(clip.names, character), strict=True):
        check_name(name)
        taken = name.lower() in _RESERVED or name.startswith(_ESCAPE)
        columns.append(Column(_ESCAPE + name if taken else name, unit))
    blocks = [clip.times[:, None], clip.positions]
    if clip.base_positions is not None and clip.base_quaternions_wxyz is not None:
        columns += [Column(name, "m") for name in _BASE_PLACE] + [Column(name, "") for name in _BASE_TURN]
        blocks += [clip.base_positions, clip.base_quaternions_wxyz]
    return written_table(["animato clip", source_comment(clip.source)], columns, np.hstack(blocks))


def check_name(name: str) -> None:
    """Refuses a name that would not come back from a header."""
    if not name or name != name.strip() or not name.isprintable():
        raise MotionError(
            f"The name {name!r} is empty, begins or ends with a space, or holds a character that is not "
            f"printable; a CSV cannot hold it. Save as .npz."
        )


def clip_from_table(table: CsvTable, *, rate_hz: float | None = None) -> Clip:
    """The clip that a table holds."""
    with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
        return _clip(table, rate_hz)


def _clip(table: CsvTable, rate_hz: float | None) -> Clip:
    times, used = times_of_table(table, rate_hz)
    place = _base_columns(table, _BASE_PLACE)
    turn = _base_columns(table, _BASE_TURN)
    if not place and not turn:
        place, turn = _base_of_others(table)
    used |= set(place) | set(turn)
    names, positions = [], []
    for index, column in enumerate(table.columns):
        if index in used:
            continue
        table.check_complete(index)
        names.append(column.name.removeprefix(_ESCAPE))
        positions.append(table.in_si(index, Dimension.ANGLE, Dimension.LENGTH, Dimension.NUMBER))
    values = np.column_stack(positions) if positions else np.zeros((len(times), 0))
    try:
        return Clip(
            times,
            tuple(names),
            values,
            np.column_stack([table.in_si(index, Dimension.LENGTH) for index in place]) if place else None,
            _unit_turns(table, turn) if turn else None,
            _source(table, values),
        )
    except MotionError as error:
        raise FileFormatError(table.path, str(error)) from None


def times_of_table(table: CsvTable, rate_hz: float | None) -> tuple[np.ndarray, set[int]]:
    """Times [s] of the rows, and the columns that said so."""
    if rate_hz is not None and not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"rate_hz must be greater than 0, given {rate_hz}.")
    time, frame = table.find(*_TIME), table.find(*_FRAME)
    used = {index for index in (time, frame) if index is not None}
    if time is not None:
        if rate_hz is not None:
            raise OptionError(f"{table.path} has a column of times; leave rate_hz away.")
        table.check_complete(time)
        times = table.in_si(time, Dimension.TIME)
        _check_rising(table, time, times)
        return times, used
    rate = rate_hz if rate_hz is not None else _stated_rate(table)
    if rate is None:
        raise FileFormatError(
            table.path,
            "there is no column 'time', so the frame rate is not known. Name a column 'time [s]', "
            "or write '# fps: 30' on top, or give rate_hz.",
            table.header_line,
        )
    if frame is None:
        return np.arange(len(table.values)) / rate, used
    table.check_complete(frame)
    numbers = table.in_si(frame, Dimension.NUMBER)
    _check_rising(table, frame, numbers)
    return (numbers - numbers[0]) / rate, used


def _stated_rate(table: CsvTable) -> float | None:
    for key in _RATE_KEYS:
        stated = table.comments.get(key)
        if stated is None:
            continue
        number = re.match(r"\d{1,9}(\.\d{1,15})?", stated)
        if number is None or float(number[0]) <= 0.0:
            message = f"the comment '{key}' must be a number greater than 0, not '{shortened(stated)}'."
            raise FileFormatError(table.path, message)
        return float(number[0])
    return None


def _check_rising(table: CsvTable, index: int, values: np.ndarray) -> None:
    falls = ~(values[1:] > values[:-1])
    if np.any(falls):
        row = int(np.argmax(falls)) + 1
        message = (
            f"column '{table.columns[index].name}' must rise from row to row; "
            f"{table.values[row, index]:.9g} does not come after {table.values[row - 1, index]:.9g}."
        )
        raise FileFormatError(table.path, message, int(table.lines[row]))


def _base_columns(table: CsvTable, names: tuple[str, ...]) -> list[int]:
    """Indices of the columns of the base: all of them or none."""
    found = [table.find(name) for name in names]
    missing = [name for name, index in zip(names, found, strict=True) if index is None]
    indices = [index for index in found if index is not None]
    if indices and missing:
        message = f"the base needs the columns {', '.join(names)}; missing: {', '.join(missing)}."
        raise FileFormatError(table.path, message, table.header_line)
    for index in indices:
        table.check_complete(index)
    return indices


def _base_of_others(table: CsvTable) -> tuple[list[int], list[int]]:
    """The same where the base is called as other programs do; none unless all seven columns are there."""
    for place, turn in _OTHERS_BASE:
        found = [table.find(name) for name in (*(place + axis for axis in "xyz"), *(turn + axis for axis in "wxyz"))]
        indices = [index for index in found if index is not None]
        if len(indices) == len(found):
            for index in indices:
                table.check_complete(index)
            return indices[:3], indices[3:]
    return [], []


def _unit_turns(table: CsvTable, indices: list[int]) -> np.ndarray:
    """Quaternions of the base; those that were rounded to a few digits are made of unit length again."""
    turns = np.column_stack([table.in_si(index, Dimension.NUMBER) for index in indices])
    with np.errstate(over="ignore"):
        off = np.abs(np.linalg.norm(turns, axis=1) - 1.0)
    if off.max() > _ROUNDED:
        row = int(np.argmax(off))
        message = f"base.qw to base.qz must be a unit quaternion (w, x, y, z); its length is off by {off[row]:.3g}."
        raise FileFormatError(table.path, message, int(table.lines[row]))
    return np.where(off[:, None] > 1e-6, quaternions.normalized(turns), turns)


def _source(table: CsvTable, values: np.ndarray) -> str:
    source = source_of(table)
    unitless = all(column.unit == "" for column in table.columns)
    if "source" not in table.comments and unitless and values.size and np.abs(values).max() > 4.0 * np.pi:
        source += (
            f" (no units in its header, so angles were read in rad; the largest number is "
            f"{np.abs(values).max():.4g}: if they are degrees, write '[deg]' behind the names)"
        )
    return source
