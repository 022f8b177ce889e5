"""The tables of a LeRobot dataset as Arrow tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from animato.stage.exporting.lerobot.statistics import Statistics

if TYPE_CHECKING:
    import pyarrow as pa

WHOLE = ("frame_index", "episode_index", "index", "task_index")
"""Columns of whole numbers; all others are float32."""


def data_table(columns: Mapping[str, np.ndarray]) -> pa.Table:
    """Frames: lists of a fixed length where a row has several values, single numbers where it has one.

    A robot of one motor has single numbers, too: LeRobot takes the shape [1] for those and refuses lists.
    """
    import pyarrow as pa

    arrays = {}
    for name, column in columns.items():
        kind = pa.int64() if name in WHOLE else pa.float32()
        flat = pa.array(np.ascontiguousarray(column).reshape(-1), type=kind)
        single = column.ndim == 1 or column.shape[1] == 1
        arrays[name] = flat if single else pa.FixedSizeListArray.from_arrays(flat, column.shape[1])
    return pa.table(arrays)


def tasks_table(tasks: Sequence[str]) -> pa.Table:
    """Tasks with their numbers. LeRobot reads it with pandas and expects the words as the index."""
    import pyarrow as pa

    table = pa.table({"task_index": pa.array(range(len(tasks)), pa.int64()), "task": pa.array(tasks, pa.string())})
    columns = [
        {"name": "task_index", "field_name": "task_index", "pandas_type": "int64", "numpy_type": "int64"},
        {"name": "task", "field_name": "task", "pandas_type": "unicode", "numpy_type": "object"},
    ]
    pandas = {
        "index_columns": ["task"],
        "column_indexes": [],
        "columns": [{**one, "metadata": None} for one in columns],
        "creator": {"library": "pyarrow", "version": pa.__version__},
        "pandas_version": "2.2.0",
    }
    return table.replace_schema_metadata({b"pandas": json.dumps(pandas).encode()})


def episodes_table(rows: Sequence[Mapping[str, Any]], statistics: Sequence[Statistics]) -> pa.Table:
    """One row an episode, its statistics in columns such as stats/action/mean."""
    import pyarrow as pa

    columns: dict[str, pa.Array] = {}
    for name in rows[0]:
        kind = pa.list_(pa.string()) if name == "tasks" else pa.int64()
        columns[name] = pa.array([row[name] for row in rows], kind)
    for feature, measures in statistics[0].items():
        for measure in measures:
            kind = pa.list_(pa.int64() if measure == "count" else pa.float64())
            columns[f"stats/{feature}/{measure}"] = pa.array([one[feature][measure] for one in statistics], kind)
    return pa.table(columns)
