"""What a sweep keeps of its samples: moments and histograms that merge, so that chunks may run anywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

# Edges of the histograms; what lies outside counts in the first or the last bin.
ERROR_EDGES = np.linspace(0.0, 1.2, 601)
TIME_EDGES = np.logspace(-4.0, 4.0, 161)  # ms
ITERATION_EDGES = np.arange(-0.5, 513.0)
EDGES: Mapping[str, np.ndarray] = {
    "combined": ERROR_EDGES,
    "orientation": ERROR_EDGES,
    "posture": ERROR_EDGES,
    "shape": ERROR_EDGES,
    "iterations": ITERATION_EDGES,
    "time_ms": TIME_EDGES,
}


@dataclass(frozen=True, eq=False)
class Spread:
    """Moments and histogram of one quantity.

    Attributes:
        count: Samples.
        mean: Their mean, 0 where there are none.
        square_sum: Sum of squared distances from the mean.
        least: Smallest, inf where there are none.
        most: Largest, -inf where there are none.
        histogram: Samples in each bin of the quantity's edges.
    """

    count: int
    mean: float
    square_sum: float
    least: float
    most: float
    histogram: np.ndarray

    @property
    def deviation(self) -> float:
        """Standard deviation of the samples."""
        return math.sqrt(self.square_sum / self.count) if self.count else 0.0


@dataclass(frozen=True, eq=False)
class SweepStatistics:
    """Spreads by name, the names of EDGES. Errors are not weighted; time is of one sample [ms]."""

    spreads: Mapping[str, Spread]

    @property
    def count(self) -> int:
        """Samples."""
        return self.spreads["combined"].count

    def __getitem__(self, name: str) -> Spread:
        return self.spreads[name]

    def share_within(self, name: str, most: float) -> float:
        """The share of samples whose quantity is below a number, which should be an edge of its histogram."""
        one = self.spreads[name]
        bins = int(np.searchsorted(EDGES[name], most * (1.0 + 1e-9)))  # an edge may be off by rounding
        return float(one.histogram[: max(0, bins - 1)].sum()) / one.count if one.count else 0.0


def spread_of(values: np.ndarray, edges: np.ndarray) -> Spread:
    """The spread of finite values, shape [m]."""
    if len(values) == 0:
        return Spread(0, 0.0, 0.0, math.inf, -math.inf, np.zeros(len(edges) - 1, dtype=np.int64))
    mean = float(np.mean(values))
    bins = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    histogram = np.bincount(bins, minlength=len(edges) - 1)
    square_sum = float(np.sum((values - mean) ** 2))
    return Spread(len(values), mean, square_sum, float(np.min(values)), float(np.max(values)), histogram)


def merged_spread(a: Spread, b: Spread) -> Spread:
    """The spread of both together (Chan, Golub and LeVeque: Updating Formulae and a Pairwise Algorithm, 1979)."""
    count = a.count + b.count
    if count == 0:
        return a
    step = b.mean - a.mean
    return Spread(
        count,
        a.mean + step * b.count / count,
        a.square_sum + b.square_sum + step**2 * a.count * b.count / count,
        min(a.least, b.least),
        max(a.most, b.most),
        a.histogram + b.histogram,
    )


def statistics_of(values: Mapping[str, np.ndarray]) -> SweepStatistics:
    """Statistics of samples given by name, each [m]."""
    return SweepStatistics({name: spread_of(values[name], edges) for name, edges in EDGES.items()})


def merged(a: SweepStatistics, b: SweepStatistics) -> SweepStatistics:
    """Statistics of both together."""
    return SweepStatistics({name: merged_spread(a[name], b[name]) for name in EDGES})


def empty_statistics() -> SweepStatistics:
    """Statistics of no samples."""
    return statistics_of({name: np.empty(0) for name in EDGES})


def plain_statistics(statistics: SweepStatistics) -> dict[str, object]:
    """As JSON can hold it; `read_statistics` gives back the very same numbers. Histograms as (bin, count) pairs."""
    return {
        name: {
            "count": one.count,
            "mean": one.mean,
            "square_sum": one.square_sum,
            "least": one.least if one.count else None,
            "most": one.most if one.count else None,
            "histogram": [[int(bin_), int(one.histogram[bin_])] for bin_ in np.flatnonzero(one.histogram)],
        }
        for name, one in statistics.spreads.items()
    }


def read_statistics(plain: Mapping[str, object]) -> SweepStatistics:
    """The statistics that `plain_statistics` wrote.

    Raises:
        KeyError, TypeError, ValueError or IndexError: It wrote something else.
    """
    spreads = {}
    for name, edges in EDGES.items():
        one = plain[name]
        if not isinstance(one, dict):
            raise TypeError(f"'{name}' is no table")
        histogram = np.zeros(len(edges) - 1, dtype=np.int64)
        for bin_, count in one["histogram"]:
            histogram[int(bin_)] = int(count)
        spreads[name] = Spread(
            int(one["count"]),
            float(one["mean"]),
            float(one["square_sum"]),
            math.inf if one["least"] is None else float(one["least"]),
            -math.inf if one["most"] is None else float(one["most"]),
            histogram,
        )
    return SweepStatistics(spreads)
