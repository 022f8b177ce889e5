"""The latitude look-up table (LALUT) of ERIK's joint model, section 3.4.1.

A latitude is (1 + u . Parent) / 2 of a unit direction u, with the hemisphere as its sign (eq. 16). The
sign is kept apart from the number here: at the south pole, where the number is zero, it would be lost.
"""

from __future__ import annotations

import math

import numpy as np

_SIDE = 1e-9  # sine of the angle from a pole below which a row is at it


def latitude_tables(
    axis: np.ndarray, segment: np.ndarray, lower: np.ndarray, upper: np.ndarray, step: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of (latitude, angle) for all joints, sorted by latitude, one set for each hemisphere.

    Besides the regular steps, which are counted from the north pole, a table holds the ends of the limits
    and both poles, so that clamped queries are exact.

    Args:
        axis: Unit rotation axis in the joint's frame, whose z is Parent, [n, 3].
        segment: Unit direction of the segment at angle zero, [n, 3].
        lower: Lowest angle, -inf where free [rad], [n].
        upper: Highest angle, inf where free [rad], [n].
        step: Angle between rows [rad].

    Returns:
        Latitudes [2, n, rows] and angles [2, n, rows] of the negative and the positive hemisphere, and how
        many rows are used, [2, n]; 0 where no angle within limits lies in that hemisphere.
    """
    tables = [_tables_of_joint(*joint, step) for joint in zip(axis, segment, lower, upper, strict=True)]
    size = max(len(rows[0]) for pair in tables for rows in pair)
    latitudes, angles = np.zeros((2, len(tables), size)), np.zeros((2, len(tables), size))
    row_count = np.zeros((2, len(tables)), dtype=np.int64)
    for k, pair in enumerate(tables):
        for hemisphere, (latitude, angle) in enumerate(pair):
            rows = len(latitude)
            latitudes[hemisphere, k, :rows], angles[hemisphere, k, :rows] = latitude, angle
            row_count[hemisphere, k] = rows
    return latitudes, angles, row_count


def _tables_of_joint(
    axis: np.ndarray, segment: np.ndarray, lower: float, upper: float, step: float
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The negative and the positive table of one joint."""
    along = axis * (axis @ segment)
    level, cosine, sine = along[2], (segment - along)[2], np.cross(axis, segment)[2]
    north = math.atan2(sine, cosine)  # u . Parent = level + cosine cos a + sine sin a is highest here
    first, last = table_range(lower, upper)
    regular = north + step * np.arange(math.ceil((first - north) / step), math.floor((last - north) / step) + 1)
    poles = north + math.pi * np.arange(-4, 5)
    angle = np.unique(np.clip([*regular, *poles[(poles > first) & (poles < last)], first, last], first, last))
    latitude = (level + cosine * np.cos(angle) + sine * np.sin(angle) + 1.0) / 2.0
    side = np.sin(angle - north)  # has the sign of u . POA
    out = []
    for sign in (-1.0, 1.0):
        rows = sign * side >= -_SIDE  # poles belong to both hemispheres
        if not np.any(sign * side > _SIDE):
            rows = np.zeros(len(angle), dtype=bool)
        order = np.argsort(latitude[rows], kind="stable")
        out.append((latitude[rows][order], angle[rows][order]))
    return out


def table_range(lower: float, upper: float) -> tuple[float, float]:
    """The part of a joint's limits, at most one turn long, that its table covers [rad]."""
    if upper - lower < 2.0 * math.pi:
        return lower, upper
    if lower <= -math.pi and upper >= math.pi:
        return -math.pi, math.pi
    return (lower, lower + 2.0 * math.pi) if lower > -math.pi else (upper - 2.0 * math.pi, upper)
