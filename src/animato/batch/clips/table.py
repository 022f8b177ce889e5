"""The table of a batch: parquet files, the same to the byte however often the batch was stopped on its way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from io import BytesIO
from itertools import islice
from typing import Any

from animato.batch.engine import Storage
from animato.errors import missing_dependency

TABLE, TIMES = "table.parquet", "times.parquet"
"""What came out, and how long it took, which is another each time."""

_BLOCK = 4096  # rows that are in memory at a time


def write_tables(
    out: Storage, rows: Iterable[Mapping[str, Any]], measures: Iterable[str], about: Mapping[str, Any]
) -> None:
    """Writes both tables, each whole or not at all; one row for each clip and robot.

    Args:
        out: Where to.
        rows: As `perform` made them, in the order of the table; they are taken by the block.
        measures: Names of all measures that any row has.
        about: What made the table, kept in the file's metadata.

    Raises:
        MissingDependencyError: pyarrow is not installed.
    """
    arrow, parquet = _arrow()
    names = tuple(sorted(measures))
    schema = _schema(arrow, names).with_metadata({b"animato_batch": json.dumps(about, sort_keys=True).encode()})
    times = arrow.schema([("key", arrow.string()), ("seconds", arrow.float64())])
    into, into_times = BytesIO(), BytesIO()
    with parquet.ParquetWriter(into, schema) as table, parquet.ParquetWriter(into_times, times) as took:
        for block in _blocks(rows):
            flat = [_flat(row, names) for row in block]
            table.write_table(arrow.Table.from_pylist(flat, schema=schema), row_group_size=_BLOCK)
            took.write_table(
                arrow.Table.from_pylist([{"key": one["key"], "seconds": one.get("seconds")} for one in block], times)
            )
    out.write(TABLE, into.getvalue())
    out.write(TIMES, into_times.getvalue())


def read_table(out: str | Storage) -> Any:
    """The table of a batch as a pyarrow.Table.

    Args:
        out: The folder of results, or its address.
    """
    storage = out if isinstance(out, Storage) else Storage(str(out))
    _, parquet = _arrow()
    return parquet.read_table(BytesIO(storage.read(TABLE)))


def _arrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise missing_dependency("pyarrow", "batch", "The table of a batch") from None


def _schema(arrow: Any, measures: tuple[str, ...]) -> Any:
    text, number = arrow.string(), arrow.float64()
    kinds = {
        "clip": text,
        "robot": text,
        "verb": text,
        "status": text,
        "verdict": text,
        "error": text,
        "limits": arrow.list_(text),
        "worst": number,
        "worst_kind": text,
        "worst_joint": text,
        "worst_at_s": number,
        "frames": arrow.int64(),
        "duration_s": number,
        **dict.fromkeys(measures, number),
        "strip": text,
        "result": text,
        "key": text,
        "clip_sha256": text,
        "robot_sha256": text,
        "version": text,
    }
    return arrow.schema(list(kinds.items()))


def _flat(row: Mapping[str, Any], measures: tuple[str, ...]) -> dict[str, Any]:
    own = row.get("measures") or {}
    return {**{name: value for name, value in row.items() if name != "measures"}, **{n: own.get(n) for n in measures}}


def _blocks(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    ahead = iter(rows)
    while block := list(islice(ahead, _BLOCK)):
        yield block
