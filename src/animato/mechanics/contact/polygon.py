"""Convex polygons on the floor: hulls of points, and how far other points are outside of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.mechanics.contact.polygon_kernel import FLAT, outside_and_reach_kernel


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
        while len(kept) > 1 and _cross(kept[-1] - kept[-2], point - kept[-2]) <= FLAT:
            kept.pop()
        kept.append(point)
    return kept


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def outside_distance(points: np.ndarray, corners: np.ndarray, used: np.ndarray) -> np.ndarray:
    """How far points are outside the convex hulls of corners [m], negative inside.

    Args:
        points: One a moment [m], [time, 2].
        corners: [m], [time, corner, 2].
        used: Which corners count, [time, corner].

    Returns:
        Shape [time]; NaN where no corner counts or the point is NaN.
    """
    return outside_and_reach(points, corners, used)[0]


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
    points, corners = (np.ascontiguousarray(one, dtype=np.float64) for one in (points, corners))
    outside, reach = np.empty(len(points)), np.empty(len(points))
    outside_and_reach_kernel(points, corners, np.ascontiguousarray(used, dtype=bool), outside, reach)
    return outside, reach
