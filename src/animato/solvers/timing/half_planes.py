"""Which of many rows alpha x + beta y <= h count: cutting a convex polygon down, edge by edge."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel

MAX_EDGES = 512
"""Room for a polygon: more sides than a hundred joints give. One that needs more loses a corner, which makes it
smaller."""

EDGE_COLUMNS = 4
"""alpha, beta and h of an edge, and which row it is from."""


@kernel
def start_box(high_x: float, high_y: float, corners: np.ndarray, edges: np.ndarray) -> int:
    """The polygon 0 <= x <= high_x, 0 <= y <= high_y, counterclockwise; sources -1 are axes, -2 the far sides."""
    corners[0, 0], corners[0, 1] = 0.0, 0.0
    corners[1, 0], corners[1, 1] = high_x, 0.0
    corners[2, 0], corners[2, 1] = high_x, high_y
    corners[3, 0], corners[3, 1] = 0.0, high_y
    edges[0, 0], edges[0, 1], edges[0, 2], edges[0, 3] = 0.0, -1.0, 0.0, -1.0
    edges[1, 0], edges[1, 1], edges[1, 2], edges[1, 3] = 1.0, 0.0, high_x, -2.0
    edges[2, 0], edges[2, 1], edges[2, 2], edges[2, 3] = 0.0, 1.0, high_y, -2.0
    edges[3, 0], edges[3, 1], edges[3, 2], edges[3, 3] = -1.0, 0.0, 0.0, -1.0
    return 4


@kernel
def cut(corners: np.ndarray, edges: np.ndarray, count: int, alpha: float, beta: float, h: float, source: float) -> int:
    """Cuts a polygon with a row; edge k goes from corner k to corner k + 1.

    Returns:
        The new number of corners; 0 where nothing is left.
    """
    last_in, first_in = -1, -1
    before = alpha * corners[count - 1, 0] + beta * corners[count - 1, 1] - h
    outside = before > 0.0
    any_out = outside
    for k in range(count):
        now = alpha * corners[k, 0] + beta * corners[k, 1] - h
        if now > 0.0:
            any_out = True
            if not outside:
                last_in = (k - 1) % count
        elif outside:
            first_in = k
        outside = now > 0.0
    if not any_out:
        return count
    if first_in < 0:
        return 0
    kept = (last_in - first_in) % count + 1
    leaving, entering = (last_in + 1) % count, (first_in - 1) % count
    out_x, out_y = _crossing(corners, last_in, leaving, alpha, beta, h)
    in_x, in_y = _crossing(corners, first_in, entering, alpha, beta, h)
    # turned round so that the corners that stay stand first; then the two new ones follow
    turned = np.empty((kept + 2, 6))
    for n in range(kept + 1):
        k = (first_in + n) % count if n < kept else entering
        at = n if n < kept else kept + 1
        turned[at, 0], turned[at, 1] = corners[k, 0], corners[k, 1]
        for m in range(4):
            turned[at, 2 + m] = edges[k, m]
    turned[kept, 0], turned[kept, 1] = out_x, out_y
    turned[kept, 2], turned[kept, 3], turned[kept, 4], turned[kept, 5] = alpha, beta, h, source
    turned[kept + 1, 0], turned[kept + 1, 1] = in_x, in_y
    for n in range(kept + 2):
        corners[n, 0], corners[n, 1] = turned[n, 0], turned[n, 1]
        for m in range(4):
            edges[n, m] = turned[n, 2 + m]
    if kept + 2 >= MAX_EDGES:
        return _without_a_corner(corners, edges, kept + 2)
    return kept + 2


@kernel
def _crossing(
    corners: np.ndarray, inside: int, outside: int, alpha: float, beta: float, h: float
) -> tuple[float, float]:
    """Where the side from a corner that stays to one that goes meets the row."""
    low = alpha * corners[inside, 0] + beta * corners[inside, 1] - h
    high = alpha * corners[outside, 0] + beta * corners[outside, 1] - h
    share = -low / (high - low)
    x = corners[inside, 0] + share * (corners[outside, 0] - corners[inside, 0])
    y = corners[inside, 1] + share * (corners[outside, 1] - corners[inside, 1])
    return x, y


@kernel
def _without_a_corner(corners: np.ndarray, edges: np.ndarray, count: int) -> int:
    """Takes away the corner that costs the least area; what is left lies inside."""
    worst, least = 0, np.inf
    for k in range(count):
        a, c = (k - 1) % count, (k + 1) % count
        area = abs(
            (corners[k, 0] - corners[a, 0]) * (corners[c, 1] - corners[a, 1])
            - (corners[k, 1] - corners[a, 1]) * (corners[c, 0] - corners[a, 0])
        )
        # the rest point (0, 0) must stay
        if area < least and (corners[k, 0] > 0.0 or corners[k, 1] > 0.0):
            worst, least = k, area
    a, c = (worst - 1) % count, (worst + 1) % count
    alpha, beta = corners[c, 1] - corners[a, 1], corners[a, 0] - corners[c, 0]
    edges[a, 0], edges[a, 1], edges[a, 2] = alpha, beta, alpha * corners[a, 0] + beta * corners[a, 1]
    edges[a, 3] = edges[worst, 3]
    for k in range(worst, count - 1):
        corners[k, 0], corners[k, 1] = corners[k + 1, 0], corners[k + 1, 1]
        for m in range(4):
            edges[k, m] = edges[k + 1, m]
    return count - 1
