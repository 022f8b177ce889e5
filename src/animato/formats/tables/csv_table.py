"""Tables of numbers as people export them from spreadsheets: names and units on top, numbers below.

Columns are separated by commas, semicolons or tabs. Lines that begin with # before the header are
comments; "# fps: 30" style comments are kept. Where columns are not separated by commas, a comma
may stand for the decimal point.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError
from animato.formats.files import Dimension, shortened

_SEPARATORS = ",;\t"
_LONGEST_NAME = 500
_MOST_CELLS = 100_000_000  # 800 MB
_BLOCK_ROWS = 4096
_BRACKETED = re.compile(r"(.*?)\s*\[([^\[\]]*)\]\s*", re.DOTALL)
_IN_PARENTHESES = re.compile(r"(.*?)\s*\(([^()]*)\)\s*", re.DOTALL)

# (numerator, denominator): 35 cm is 35 * 1 / 100, which rounds to 0.35; 35 * 0.01 does not.
_UNITS: dict[Dimension, dict[str, tuple[float, float]]] = {
    Dimension.NUMBER: {},
    Dimension.TIME: {"s": (1.0, 1.0), "ms": (1.0, 1000.0)},
    Dimension.ANGLE: {"rad": (1.0, 1.0), "deg": (math.pi, 180.0)},
    Dimension.LENGTH: {"m": (1.0, 1.0), "cm": (1.0, 100.0), "mm": (1.0, 1000.0)},
}

_UNIT_SPELLINGS = {
    "°": "deg",
    "degree": "deg",
    "degrees": "deg",
    "radian": "rad",
    "radians": "rad",
    "meter": "m",
    "meters": "m",
    "metre": "m",
    "metres": "m",
    "sec": "s",
    "second": "s",
    "seconds": "s",
}


@dataclass(frozen=True)
class Column:
    """A column: its name, and the unit in brackets behind it, empty where none was written."""

    name: str
    unit: str


@dataclass(frozen=True, eq=False)
class CsvTable:
    """A table as it was read.

    Attributes:
        path: The file, for errors.
        comments: What stood before the header as "# key: value", keys in lower case.
        columns: The header.
        header_line: 1-based line of the header.
        values: As written, NaN where a cell was empty, shape [row, column].
        lines: 1-based line of each row, shape [row].
    """

    path: str | Path
    comments: dict[str, str]
    columns: tuple[Column, ...]
    header_line: int
    values: np.ndarray
    lines: np.ndarray

    def find(self, *names: str) -> int | None:
        """Index of the first column with one of these names, in any case, or None."""
        for index, column in enumerate(self.columns):
            if column.name.lower() in names:
                return index
        return None

    def in_si(self, index: int, *allowed: Dimension) -> np.ndarray:
        """A column converted to SI; a column without a unit is taken as SI.

        Raises:
            FileFormatError: Its unit is unknown, or measures something that is not allowed there.
        """
        column = self.columns[index]
        spelled = _UNIT_SPELLINGS.get(column.unit.lower(), column.unit)
        if spelled == "" or (spelled == "1" and Dimension.NUMBER in allowed):
            return self.values[:, index]
        for dimension in allowed:
            if spelled in _UNITS[dimension]:
                numerator, denominator = _UNITS[dimension][spelled]
                return self.values[:, index] * numerator / denominator
        units = [unit for dimension in allowed for unit in _UNITS[dimension]]
        choice = f"allowed: {', '.join(units)}" if units else "it has no unit"
        message = f"column '{shortened(column.name)}' has the unit '{shortened(column.unit)}'; {choice}."
        raise FileFormatError(self.path, message, self.header_line)

    def check_complete(self, index: int) -> None:
        """Refuses a column with empty cells, NaN or infinity, naming the cell."""
        bad = ~np.isfinite(self.values[:, index])
        if np.any(bad):
            row = int(np.argmax(bad))
            value = self.values[row, index]
            found = "is empty or not a number" if math.isnan(value) else f"holds {value}"
            message = f"column '{shortened(self.columns[index].name)}' {found}; a finite number must stand there."
            raise FileFormatError(self.path, message, int(self.lines[row]))


def read_table(text: str, path: str | Path, *, header: bool = True) -> CsvTable:
    """Reads the text of a file.

    Args:
        text: All of it, without byte order mark.
        path: Names the file in errors.
        header: Whether the first line names the columns; without it they are called "column 1" and so on.

    Raises:
        FileFormatError: With the line and the cell that cannot be read.
    """
    if "\n" not in text:
        text = text.replace("\r", "\n")  # lines as on an old Macintosh
    comments, skipped, body = _comments(text)
    if not body.strip():
        raise FileFormatError(path, "the file has no header; the first line names the columns.")
    header_text = body.split("\n", 1)[0]
    separator = max(_SEPARATORS, key=header_text.count)
    if not header:  # bare numbers: a comma beside other separators is a decimal one
        separator = next((mark for mark in ";\t" if mark in header_text), ",")
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=separator)
    columns: tuple[Column, ...] = ()
    header_line = skipped + 1
    gathered = _Rows(path)
    last_line = skipped
    try:
        for cells in reader:
            line, last_line = last_line + 1, skipped + reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                header_line, columns = line, _header(cells, path, line) if header else _numbered(cells)
                if header:
                    continue
            gathered.add(_numbers(cells, columns, separator, path, line, header=header), line)
    except csv.Error as error:
        raise FileFormatError(path, f"this is not a table: {error}.", last_line + 1) from None
    values, lines = gathered.arrays()
    if not len(values):
        raise FileFormatError(path, "there are names of columns, but no numbers below them.", header_line)
    return CsvTable(path, comments, columns, header_line, values, lines)


class _Rows:
    """Rows while they are read: numbers of Python's take four times the memory of an array's."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.count = 0
        self._rows: list[list[float]] = []
        self._lines: list[int] = []
        self._blocks: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, row: list[float], line: int) -> None:
        """Takes a row.

        Raises:
            FileFormatError: There are more cells than are read.
        """
        self._rows.append(row)
        self._lines.append(line)
        self.count += len(row)
        if self.count > _MOST_CELLS:
            raise FileFormatError(self.path, f"it has more than {_MOST_CELLS} cells; write it as .npz.", line)
        if len(self._rows) == _BLOCK_ROWS:
            self._blocks.append((np.array(self._rows), np.array(self._lines)))
            self._rows, self._lines = [], []

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """All numbers, shape [row, column], and the line of each row."""
        if self._rows:
            self._blocks.append((np.array(self._rows), np.array(self._lines)))
        if not self._blocks:
            return np.empty((0, 0)), np.empty(0, dtype=np.int64)
        values, lines = zip(*self._blocks, strict=True)
        return np.concatenate(values), np.concatenate(lines)


def _comments(text: str) -> tuple[dict[str, str], int, str]:
    """The leading comments as keys and values, how many lines they are, and the rest of the text."""
    comments: dict[str, str] = {}
    lines = 0
    while True:
        line, newline, rest = text.partition("\n")
        content = line.strip().lstrip('"')
        if not content.startswith("#") and (content or not newline):
            return comments, lines, text
        # Spreadsheets fill a line up with separators, and put it in quotes where it contains some.
        content = content.lstrip("# ").rstrip(",;\t ")
        key, colon, value = content.partition(":" if ":" in content else "=")
        if key:
            comments[key.strip().lower()] = value.strip() if colon else ""
        text = rest
        lines += 1


def _header(cells: Sequence[str], path: str | Path, line: int) -> tuple[Column, ...]:
    while cells and not cells[-1].strip():
        cells = cells[:-1]
    columns = tuple(_column(cell) for cell in cells)
    if all(_is_number(cell) for cell in cells):
        message = (
            "the first line holds numbers; it must name the columns, such as: time [s],neck [deg]. The motion of a "
            "floating robot without names can be read where it is said for which character its clip is wanted."
        )
        raise FileFormatError(path, message, line)
    seen: set[str] = set()
    for number, column in enumerate(columns, 1):
        if not column.name:
            raise FileFormatError(path, f"column {number} has no name.", line)
        if len(column.name) > _LONGEST_NAME:
            raise FileFormatError(path, f"column {number} has a name of {len(column.name)} characters.", line)
        if column.name in seen:
            raise FileFormatError(path, f"the name '{shortened(column.name)}' stands over two columns.", line)
        seen.add(column.name)
    return columns


def _numbered(cells: Sequence[str]) -> tuple[Column, ...]:
    """Names for columns that have none; separators at the end of a line make no column."""
    while cells and not cells[-1].strip():
        cells = cells[:-1]
    return tuple(Column(f"column {number}", "") for number in range(1, len(cells) + 1))


def _column(cell: str) -> Column:
    """Name and unit of "neck [deg]"; in round brackets only what is known counts as a unit."""
    bracketed = _BRACKETED.fullmatch(cell.strip())
    if bracketed:
        return Column(bracketed[1], bracketed[2].strip())
    round_ = _IN_PARENTHESES.fullmatch(cell.strip())
    if round_:
        spelled = _UNIT_SPELLINGS.get(round_[2].lower(), round_[2])
        if any(spelled in known for known in _UNITS.values()):
            return Column(round_[1], spelled)
    return Column(cell.strip(), "")


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _numbers(
    cells: list[str], columns: Sequence[Column], separator: str, path: str | Path, line: int, *, header: bool
) -> list[float]:
    count = len(columns)
    if len(cells) > count and not any(cell.strip() for cell in cells[count:]):
        cells = cells[:count]
    if len(cells) != count:
        expected = f"the header names {count} columns" if header else f"the first line has {count}"
        message = f"{len(cells)} cells, but {expected}."
        if len(cells) == 2 * count and separator == ",":
            message += " Where numbers have decimal commas, separate columns by semicolons."
        raise FileFormatError(path, message, line)
    try:
        return [float(cell) for cell in cells]  # the usual case, quick
    except ValueError:
        return [_number(cell, column, separator, path, line) for cell, column in zip(cells, columns, strict=True)]


def _number(cell: str, column: Column, separator: str, path: str | Path, line: int) -> float:
    if not cell.strip():
        return math.nan
    plain = cell.replace(",", ".") if separator != "," and "." not in cell else cell
    try:
        return float(plain)
    except ValueError:
        message = f"column '{shortened(column.name)}' holds '{shortened(cell)}', which is not a number."
        raise FileFormatError(path, message, line) from None


def written_table(comments: Iterable[str], columns: Sequence[Column], values: np.ndarray) -> str:
    """The text of a table. Numbers are written so that they are read back bit for bit; NaN is an empty cell.

    Args:
        comments: Lines to stand on top.
        columns: The header.
        values: Shape [row, column].
    """
    out = io.StringIO(newline="")
    for comment in comments:
        out.write(f"# {comment}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_header_cell(column) for column in columns])
    complete = not np.isnan(values).any()
    for row in values.tolist():
        # NaN is the only number that differs from itself
        cells = map(repr, row) if complete else ("" if value != value else repr(value) for value in row)  # noqa: PLR0124
        out.write(",".join(cells) + "\n")
    return out.getvalue()


def _header_cell(column: Column) -> str:
    if column.unit:
        return f"{column.name} [{column.unit}]"
    # A name that itself ends in brackets gets empty ones, so that they are not taken for a unit.
    return f"{column.name} []" if column.name.endswith(("]", ")")) else column.name


def source_comment(source: str) -> str:
    """The comment that says where a motion came from, on one line whatever the source contains."""
    return f"source: {json.dumps(source, ensure_ascii=False)}"


def source_of(table: CsvTable) -> str:
    """What the comment of the file says about its source; without one the name of the file."""
    stated = table.comments.get("source")
    if stated is None:
        return Path(table.path).name
    try:
        value = json.loads(stated)
    except (ValueError, RecursionError):
        return stated
    return value if isinstance(value, str) else stated
