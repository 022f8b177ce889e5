"""The grid of the temporal stage: every knot of the path and every pause is one of its points."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

FEWEST_BETWEEN_RESTS = 4
"""Segments from one rest to the next; on a single one, with rest at both ends, nothing would move."""


def build_timing_grid(knots: np.ndarray, pauses: np.ndarray, segments: int) -> np.ndarray:
    """Places s, rising from 0 to 1, about evenly.

    Between two knots the path is one cubic polynomial. With a grid point at each knot it is so on every segment, which
    is what lets limits hold between grid points too.

    Args:
        knots: Of the path, in [0, 1], any multiplicity.
        pauses: Further places that must be grid points.
        segments: About how many; at least one between neighbouring knots.
    """
    breaks = np.unique(np.concatenate([[0.0, 1.0], knots, pauses]))
    # a pause a hair away from a knot would make a segment of no use
    breaks = breaks[np.concatenate([[True], np.diff(breaks) > 1e-9])]
    breaks[-1] = 1.0
    # rounding the running total, not each share, keeps the sum right
    ends = np.round(segments * breaks).astype(int)
    counts = np.maximum(np.diff(ends), 1)
    starts = np.repeat(breaks[:-1], counts)
    step = np.repeat(np.diff(breaks) / counts, counts)
    number = np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts)
    grid = np.concatenate([starts + number * step, [1.0]])
    return _apart(grid, np.concatenate([[0.0, 1.0], pauses]))


def _apart(grid: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """The same grid with enough segments between neighbouring rests for a robot to get from one to the other."""
    places = np.unique([int(np.argmin(np.abs(grid - s))) for s in stops])
    short = np.zeros(len(grid) - 1, dtype=bool)
    for first, last in pairwise(places):
        short[first:last] = last - first < FEWEST_BETWEEN_RESTS
    return refined_grid(grid, short, FEWEST_BETWEEN_RESTS)


def refined_grid(grid: np.ndarray, segments: np.ndarray, pieces: int = 4) -> np.ndarray:
    """The same grid with some segments cut into equal pieces.

    Args:
        grid: s, [N + 1].
        segments: Which, [N].
        pieces: Of each.
    """
    inside = grid[:-1][segments][:, None] + np.diff(grid)[segments][:, None] * np.arange(1, pieces) / pieces
    return np.sort(np.concatenate([grid, inside.ravel()]))
