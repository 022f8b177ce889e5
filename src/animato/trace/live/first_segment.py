"""The first segment of a plan that takes over while the robot moves: its acceleration goes on.

On a segment of width w, s'' is linear in s, from (m - b_0) / w to (b_1 - m) / w with m = (b_0 + b_1) / 2 + k. With b_0
and s'' at its start given, m is, and the bend k follows from b_1, which alone is left to choose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

_LOWER = (1.0, 0.6, 0.2)  # shares of the way from the least b that is allowed to the one that is wanted
_INSIDE = 1e-3  # share of what is allowed that stays free, so that the next segment can go on from there


class FirstSegment(NamedTuple):
    """How a plan begins.

    Attributes:
        b: Squared path speed at the end of the segment [1/s^2].
        bend: k of the segment [1/s^2].
        seconds: How long it takes [s].
    """

    b: float
    bend: float
    seconds: float


def first_segments(
    rows: np.ndarray, width: float, b: float, push: float, wanted: float, able: float
) -> Iterator[FirstSegment]:
    """Segments that go on with a given acceleration and keep all limits, the one nearest to what is wanted first.

    Args:
        rows: alpha, beta, kappa, h of alpha b_0 + beta b_1 + kappa k <= h, [row, 4].
        width: ds.
        b: Squared path speed at the start, above 0 [1/s^2].
        push: s'' there [1/s^2].
        wanted: b at its end, as it would be if s'' were free at the start [1/s^2].
        able: Largest b at its end from which the rest of the path can be done [1/s^2].
    """
    middle = b + width * push
    if middle <= 0.0:
        return
    # k = middle - (b + b_1) / 2, so that a row is slope b_1 <= room
    slope = rows[:, 1] - 0.5 * rows[:, 2]
    room = rows[:, 3] - rows[:, 0] * b - rows[:, 2] * (middle - 0.5 * b)
    if np.any(room[slope == 0.0] < 0.0):
        return
    up, down = slope > 0.0, slope < 0.0
    highest = min(float(np.min(room[up] / slope[up], initial=np.inf)), able * (1.0 - _INSIDE))
    least = max(float(np.max(room[down] / slope[down], initial=0.0)), 1e-6 * b)
    if not least < highest:
        return
    aim = min(max(wanted, least), highest)
    for share in _LOWER:
        end = least + share * (aim - least)
        yield FirstSegment(end, middle - 0.5 * (b + end), _seconds(width, b, end, middle))


def _seconds(width: float, b: float, end: float, middle: float) -> float:
    """Time of a segment whose b has the Bernstein coefficients b, middle and end."""
    total = np.sqrt(b) + np.sqrt(end)
    y = -2.0 * (middle - 0.5 * (b + end)) / total**2
    root = np.sqrt(abs(y))
    if root < 1e-3:
        ratio = 1.0 + y * (1.0 / 3.0 + y / 5.0)
    elif y > 0.0:
        ratio = np.arctanh(min(root, 1.0 - 1e-15)) / root
    else:
        ratio = np.arctan(root) / root
    return float(2.0 * width / total * ratio)
