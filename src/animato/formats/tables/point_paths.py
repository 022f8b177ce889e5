"""Paths of named points, with turns: what a design is asked to do, from CSV and JSON files.

A table has a column `time` and, for each point, `<name>.x`, `<name>.y`, `<name>.z` [m, cm or mm], or its turn
`<name>.qw`, `<name>.qx`, `<name>.qy`, `<name>.qz`, or both. A cell is empty where nothing is asked of a point. A column
`<name>.weight` says how much the point counts over time; where it is empty, the point does not count.

JSON says the same; `weight` is one number, or one a row:

    {"animato": "targets", "rate_hz": 60, "unit": "m",
     "targets": {"pen": {"positions": [[0, 0, 0.1], [0, 0, 0.2]], "weight": 2},
                 "head": {"orientations_wxyz": [[1, 0, 0, 0], [0.9, 0, 0, 0.1]]}}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import FileFormatError, OptionError
from animato.formats.files import LARGEST, Dimension, load_json, shortened
from animato.formats.tables.clip_csv import times_of_table
from animato.formats.tables.csv_table import CsvTable

_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}
_LONGEST_NAME = 500
_PLACE, _TURN = ("x", "y", "z"), ("qw", "qx", "qy", "qz")
_WEIGHT = "weight"


@dataclass(frozen=True, eq=False)
class PointPaths:
    """Where points should be and how they should be turned. NaN where nothing is asked.

    Attributes:
        times: Rising [s], shape [frame].
        positions: By name [m], shape [frame, 3].
        turns_wxyz: By name, shape [frame, 4].
        weights: By name; 1 where not given.
        time_weights: Beside them over time, by name, shape [frame]; 1 where not given.
    """

    times: np.ndarray
    positions: Mapping[str, np.ndarray]
    turns_wxyz: Mapping[str, np.ndarray] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    time_weights: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All points, in the order of the file."""
        return tuple(dict.fromkeys((*self.positions, *self.turns_wxyz)))


def paths_from_table(table: CsvTable, rate_hz: float | None = None) -> PointPaths:
    """Reads a table.

    Args:
        table: As it was read.
        rate_hz: Rows a second, for a table without times.
    """
    times, used = times_of_table(table, rate_hz)
    columns: dict[str, dict[str, int]] = {}
    for index, column in enumerate(table.columns):
        if index in used:
            continue
        name, dot, part = column.name.rpartition(".")
        if not dot or part not in (*_PLACE, *_TURN, _WEIGHT):
            allowed = "<name>.x, .y, .z (metres), .qw, .qx, .qy, .qz, .weight"
            message = f"column '{shortened(column.name)}' is none of {allowed}."
            raise FileFormatError(table.path, message, table.header_line)
        columns.setdefault(name, {})[part] = index
    positions: dict[str, np.ndarray] = {}
    turns: dict[str, np.ndarray] = {}
    weights: dict[str, np.ndarray] = {}
    for name, parts in columns.items():
        for group, kind, found in ((_PLACE, Dimension.LENGTH, positions), (_TURN, Dimension.NUMBER, turns)):
            given = [part for part in group if part in parts]
            if given and len(given) < len(group):
                missing = ", ".join(f"{name}.{part}" for part in group if part not in parts)
                raise FileFormatError(table.path, f"columns are missing: {shortened(missing)}.", table.header_line)
            if given:
                found[name] = np.column_stack([table.in_si(parts[part], kind) for part in group])
                _check_size(found[name], f"a column of '{name}'", table.path, table.header_line)
        if _WEIGHT in parts:
            if not {"x", "qw"} & set(parts):
                message = f"'{shortened(name)}' has a weight and neither place nor turn."
                raise FileFormatError(table.path, message, table.header_line)
            weights[name] = _over_time(table.in_si(parts[_WEIGHT], Dimension.NUMBER), name, table.path)
    return PointPaths(times, positions, turns, time_weights=weights)


def load_paths_json(path: str | Path, rate_hz: float | None = None) -> PointPaths:
    """Reads a JSON file.

    Args:
        path: The file.
        rate_hz: Frames a second, for a file that does not say.

    Raises:
        FileFormatError: It is not JSON, with the line, or holds no targets, with the place in it.
    """
    data = load_json(path, "targets")
    targets = data.get("targets") if isinstance(data, dict) else None
    if not isinstance(targets, dict) or not targets:
        raise FileFormatError(path, 'targets are {"rate_hz": 60, "targets": {"<name>": {"positions": [[x, y, z]]}}}.')
    unit = data.get("unit", "m")
    if not isinstance(unit, str) or unit not in _METRES:
        raise FileFormatError(path, f"the unit {shortened(str(unit))!r} is not one of {', '.join(_METRES)}.")
    positions: dict[str, np.ndarray] = {}
    turns: dict[str, np.ndarray] = {}
    weights: dict[str, float] = {}
    over_time: dict[str, np.ndarray] = {}
    for name, target in targets.items():
        if len(name) > _LONGEST_NAME:
            raise FileFormatError(path, f"a target has a name of {len(name)} characters: '{shortened(name)}'.")
        if not isinstance(target, dict) or not {"positions", "orientations_wxyz"} & set(target):
            raise FileFormatError(path, f"'{shortened(name)}' has neither positions nor orientations_wxyz.")
        if "positions" in target:
            positions[name] = _METRES[unit] * _rows(target["positions"], 3, f"positions of '{name}'", path)
        if "orientations_wxyz" in target:
            turns[name] = _rows(target["orientations_wxyz"], 4, f"orientations_wxyz of '{name}'", path)
        if isinstance(target.get("weight"), list):
            rows = _rows([[value] for value in target["weight"]], 1, f"weight of '{name}'", path)
            over_time[name] = _over_time(rows[:, 0], name, path)
        elif "weight" in target:
            weights[name] = float(_rows([[target["weight"]]], 1, f"weight of '{name}'", path)[0, 0])
    counts = {len(rows) for rows in (*positions.values(), *turns.values(), *over_time.values())}
    if len(counts) > 1:
        raise FileFormatError(path, f"all targets need as many rows, not {sorted(counts)}.")
    return PointPaths(_times(data, counts.pop(), rate_hz, path), positions, turns, weights, over_time)


def _over_time(values: np.ndarray, name: str, path: str | Path) -> np.ndarray:
    """Weights at all rows: what is empty does not count."""
    found = np.where(np.isnan(values), 0.0, values)
    if np.min(found) < 0.0:
        raise FileFormatError(path, f"the weight of '{shortened(name)}' must be at least 0, not {np.min(found):g}.")
    if np.max(found) > LARGEST:
        raise FileFormatError(path, f"the weight of '{shortened(name)}' is too large.")
    return found


def _times(data: dict[str, Any], count: int, rate_hz: float | None, path: str | Path) -> np.ndarray:
    if "times" in data:
        given = data["times"] if isinstance(data["times"], list) else [data["times"]]
        times = _rows([[value] for value in given], 1, "times", path)[:, 0]
        if len(times) != count or not np.all(np.diff(times) > 0.0):
            raise FileFormatError(path, f"there must be {count} times that rise, one a row.")
        return times
    rate = data.get("rate_hz", rate_hz)
    if rate is None:
        raise FileFormatError(path, "it says neither 'rate_hz' nor 'times'; add one, or give a rate.")
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 1e-6 <= rate <= 1e9:
        raise OptionError(f"A rate is a number of hertz above 0, not {shortened(repr(rate))}.")
    return np.asarray(np.arange(count) / rate)


def _rows(given: Any, width: int, what: str, path: str | Path) -> np.ndarray:
    """Rows of numbers; null is a gap."""
    try:
        rows = np.array([[np.nan] * width if row is None else row for row in given], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        rows = np.empty(0)
    if rows.ndim != 2 or rows.shape[1] != width or not len(rows):
        raise FileFormatError(path, f"{shortened(what)} must be rows of {width} numbers each, at least one.")
    _check_size(rows, what, path, None)
    return rows


def _check_size(rows: np.ndarray, what: str, path: str | Path, line: int | None) -> None:
    """Refuses infinity and what is nearly so: only what is left empty is a gap."""
    if np.any(np.abs(rows) > LARGEST):
        raise FileFormatError(path, f"{shortened(what)} holds a number that is too large; leave a gap empty.", line)
