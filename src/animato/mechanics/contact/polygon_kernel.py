"""How far points are outside of convex hulls, moment by moment."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel

FLAT = 1e-14
"""Twice the area [m^2] below which three points count as on one line."""


@kernel
def outside_and_reach_kernel(
    points: np.ndarray, corners: np.ndarray, used: np.ndarray, outside: np.ndarray, reach: np.ndarray
) -> None:
    """Fills in `outside_distance` and `used_reach` of all moments.

    A pair of corners that has no other corner on its right is a border; there are few corners, so all pairs are tried.

    Args:
        points: One a moment [m], [time, 2].
        corners: [m], [time, corner, 2].
        used: Which corners count, [time, corner].
        outside: Distances [m], [time]; written.
        reach: Shares of the way to the border, [time]; written.
    """
    count = corners.shape[1]
    for t in range(len(points)):
        x, y = points[t, 0], points[t, 1]
        middle_x = middle_y = 0.0
        known = 0
        nearest = np.inf  # of the corners themselves
        for c in range(count):
            if used[t, c]:
                known += 1
                middle_x += corners[t, c, 0]
                middle_y += corners[t, c, 1]
                nearest = min(nearest, np.hypot(x - corners[t, c, 0], y - corners[t, c, 1]))
        if known == 0 or not (np.isfinite(x) and np.isfinite(y)):
            outside[t] = reach[t] = np.nan
            continue
        middle_x /= known
        middle_y /= known
        has_border, inside, has_area = False, True, False
        gap, share = np.inf, 0.0
        for a in range(count):
            if not used[t, a]:
                continue
            from_x, from_y = corners[t, a, 0], corners[t, a, 1]
            for b in range(count):
                if not used[t, b]:
                    continue
                along_x, along_y = corners[t, b, 0] - from_x, corners[t, b, 1] - from_y
                border = along_x != 0.0 or along_y != 0.0
                for c in range(count):
                    if border and used[t, c]:
                        area = along_x * (corners[t, c, 1] - from_y) - along_y * (corners[t, c, 0] - from_x)
                        border = area >= -FLAT
                if not border:
                    continue
                has_border = True
                off_x, off_y = x - from_x, y - from_y
                part = (off_x * along_x + off_y * along_y) / (along_x * along_x + along_y * along_y)
                part = min(max(part, 0.0), 1.0)
                gap = min(gap, np.hypot(off_x - part * along_x, off_y - part * along_y))
                inside = inside and along_x * off_y - along_y * off_x > 0.0
                room = along_x * (middle_y - from_y) - along_y * (middle_x - from_x)
                if room > FLAT:
                    has_area = True
                    share = max(share, (along_x * (middle_y - y) - along_y * (middle_x - x)) / room)
        distance = gap if has_border else nearest
        outside[t] = -distance if has_border and inside else distance
        reach[t] = share if has_area else np.inf if outside[t] > 1e-9 else 1.0
