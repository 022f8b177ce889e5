"""Convex polygons on the floor: hulls of points, and how far other points are outside of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

Borders = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Starts and directions of pairs of corners, and which of them are borders."""

_FLAT = 1e-14
"""Twice the area [m^2] below which three points count as on one line."""


def convex_hull(points: ArrayLike) -> np.ndarray:
    """Corners of the convex hull, counter-clockwise, [corner, 2]; one or two corners where it has no area.

    Andrew's monotone chain: lower and upper border from left to right.

    Args:
        points: [m], [point, 2].
    """
    order = np.unique(np.asarray(points, dtype=np.float64).reshape(-1, 2), axis=0)
    if len(order) < 3:
        return order
    border = _chain(order)[:-1] + _chain(order[::-1])[:-1]
    return np.array(border)


def _chain(order: np.ndarray) -> list[np.ndarray]:
    kept: list[np.ndarray] = []
    for point in order:
        while len(kept) > 1 and _cross(kept[-1] - kept[-2], point - kept[-2]) <= _FLAT:
            kept.pop()
        kept.append(point)
    return kept


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def outside_distance(points: np.ndarray, corners: np.ndarray, used: np.ndarray) -> np.ndarray:
    """How far points are outside the convex hulls of corners [m], negative inside.

    Every pair of corners that has no other corner on its right is a border; there are few corners, so
    trying all pairs of all moments at once is faster than building the hulls one by one.

    Args:
        points: One a moment [m], [time, 2].
        corners: [m], [time, corner, 2].
        used: Which corners count, [time, corner].

    Returns:
        Shape [time]; NaN where no corner counts or the point is NaN.
    """
    return _outside(points, corners, used, _borders(corners, used))


def _outside(points: np.ndarray, corners: np.ndarray, used: np.ndarray, borders: Borders) -> np.ndarray:
    start, along, border = borders
    reach = points[:, None, None] - start
    length = np.sum(along * along, axis=-1)
    part = np.clip(np.sum(reach * along, axis=-1) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    gap = np.linalg.norm(reach - part[..., None] * along, axis=-1)
    nearest = np.where(border, gap, np.inf).min(axis=(1, 2), initial=np.inf)
    single = np.where(used, np.linalg.norm(points[:, None] - corners, axis=-1), np.inf).min(axis=1, initial=np.inf)
    has_border = border.any(axis=(1, 2))
    distance = np.where(has_border, nearest, single)
    inside = has_border & np.all(~border | (_cross(along, reach) > 0.0), axis=(1, 2))
    known = used.any(axis=1) & np.isfinite(points).all(axis=1)
    return np.where(known, np.where(inside, -distance, distance), np.nan)


def used_reach(points: np.ndarray, corners: np.ndarray, used: np.ndarray) -> np.ndarray:
    """How far points are on the way from the middle of a hull to its border: 1 on the border, 0 in the middle.

    The middle is the mean of the corners. Hulls without area have no inside: 1 on them, infinite off them.

    Args:
        points: One a moment [m], [time, 2].
        corners: [m], [time, corner, 2].
        used: Which corners count, [time, corner].

    Returns:
        Shape [time]; NaN where no corner counts or the point is NaN.
    """
    return outside_and_reach(points, corners, used)[1]


def outside_and_reach(points: np.ndarray, corners: np.ndarray, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both `outside_distance` and `used_reach`, in the time of one."""
    borders = start, along, border = _borders(corners, used)
    count = np.maximum(used.sum(axis=1), 1)
    middle = np.where(used[..., None], corners, 0.0).sum(axis=1) / count[:, None]
    room = _cross(along, middle[:, None, None] - start)
    taken = _cross(along, (middle - points)[:, None, None])
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(border & (room > _FLAT), taken / room, -np.inf).max(axis=(1, 2), initial=-np.inf)
    flat = ~np.any(border & (room > _FLAT), axis=(1, 2))
    beyond = _outside(points, corners, used, borders)
    shares = np.where(flat, np.where(beyond > 1e-9, np.inf, 1.0), np.maximum(shares, 0.0))
    return beyond, np.where(np.isfinite(beyond), shares, np.nan)


def _borders(corners: np.ndarray, used: np.ndarray) -> Borders:
    """Start [time, a, 1, 2] and direction [time, a, b, 2] of pairs of corners, and which are borders of the hull."""
    start = corners[:, :, None]
    along = corners[:, None] - start
    # of pair a, b and every corner c: twice the area of a, b, c
    areas = along[..., None, 0] * along[:, :, None, :, 1] - along[..., None, 1] * along[:, :, None, :, 0]
    left = np.all((areas >= -_FLAT) | ~used[:, None, None], axis=3)
    apart = np.any(along != 0.0, axis=-1)
    return start, along, left & apart & used[:, :, None] & used[:, None]
