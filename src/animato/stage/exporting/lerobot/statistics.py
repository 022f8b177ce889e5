"""What LeRobot wants to know of every column: its range, mean, spread and quantiles."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

_QUANTILES = {"q01": 0.01, "q10": 0.10, "q50": 0.50, "q90": 0.90, "q99": 0.99}

Statistics = dict[str, dict[str, list[float] | list[int]]]
"""By column, then by name: min, max, mean, std, count and quantiles."""


def statistics_of(columns: Mapping[str, np.ndarray]) -> Statistics:
    """Statistics over rows, exact.

    Args:
        columns: By name, shape [row] or [row, value].
    """
    found: Statistics = {}
    for name, column in columns.items():
        values = np.asarray(column, dtype=np.float64).reshape(len(column), -1)
        found[name] = {
            "min": values.min(axis=0).tolist(),
            "max": values.max(axis=0).tolist(),
            "mean": values.mean(axis=0).tolist(),
            "std": values.std(axis=0).tolist(),
            "count": [len(values)],
            **{key: np.quantile(values, share, axis=0).tolist() for key, share in _QUANTILES.items()},
        }
    return found
