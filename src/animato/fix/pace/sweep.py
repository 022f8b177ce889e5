"""The quickest tempo in two sweeps.

Limits are rows g s'' + a s'^2 <= h at the nodes of a path, linear in b = s'^2, whose slope over s is 2 s''. Backward:
the largest b at each node from which the rest can still be done; forward: from each b the largest next one. This is the
reachability analysis of Pham and Pham (A New Approach to Time-Optimal Path Parameterization Based on Reachability
Analysis, 2018), with rows at both ends of a segment and a bound on s'' itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel

_NEWTON_STEPS = 60


class NodeRows(NamedTuple):
    """Rows g s'' + a s'^2 <= h with h > 0, by node.

    Attributes:
        first_row: Rows of node i are first_row[i] to first_row[i + 1], [node + 1].
        rows: g, a, h, [row, 3].
    """

    first_row: np.ndarray
    rows: np.ndarray


@kernel
def sweep(
    widths: np.ndarray, first_row: np.ndarray, rows: np.ndarray, highest: np.ndarray, change: float, b: np.ndarray
) -> None:
    """Writes the largest b that rows and `highest` let one follow; both ends are free.

    Args:
        widths: From each node to the next [s], [node - 1].
        first_row: As in `NodeRows`.
        rows: As in `NodeRows`.
        highest: Largest b at each node, [node].
        change: Largest |s''| [1/s].
        b: Written, [node].
    """
    last = len(highest) - 1
    b[last] = highest[last]
    for i in range(last - 1, -1, -1):
        # least - most is convex in x and not positive at rest: Newton's method from the right ends at its zero
        x, top = highest[i], b[i + 1]
        for _ in range(_NEWTON_STEPS):
            least, most, by_least, by_most, x = _next(widths[i], first_row, rows, i, x, top, change)
            if least <= most or not by_least > by_most:
                break
            x = max(x - (least - most) / (by_least - by_most), 0.0) * (1.0 - 1e-12)
        b[i] = x
    for i in range(last):
        least, most, _, _, _ = _next(widths[i], first_row, rows, i, b[i], b[i + 1], change)
        # rounding may leave a hair between them
        b[i + 1] = max(min(b[i + 1], max(most, least)), 0.0)


@kernel
def _next(
    width: float, first_row: np.ndarray, rows: np.ndarray, i: int, x: float, top: float, change: float
) -> tuple[float, float, float, float, float]:
    """Smallest and largest next b at b_i = x, their change with x, and x itself, less where a row bounds it alone."""
    twice = 2.0 * width
    for j in range(first_row[i], first_row[i + 1]):
        if rows[j, 0] == 0.0 and rows[j, 1] > 0.0:
            x = min(x, rows[j, 2] / rows[j, 1])
    least, most, by_least, by_most = 0.0, top, 0.0, 0.0
    if x + twice * change < most:
        most, by_most = x + twice * change, 1.0
    if x - twice * change > least:
        least, by_least = x - twice * change, 1.0
    for node in range(i, i + 2):
        for j in range(first_row[node], first_row[node + 1]):
            beta = rows[j, 0] / twice
            alpha = -beta
            if node == i:
                alpha += rows[j, 1]
            else:
                beta += rows[j, 1]
            if beta == 0.0:
                continue
            y = (rows[j, 2] - alpha * x) / beta
            if beta > 0.0:
                if y < most:
                    most, by_most = y, -alpha / beta
            elif y > least:
                least, by_least = y, -alpha / beta
    return least, most, by_least, by_most, x


@kernel
def eased_steps(widths: np.ndarray, change: float, b: np.ndarray) -> None:
    """Lowers b in place until |s''| is at most `change` [1/s] everywhere."""
    for i in range(len(b) - 2, -1, -1):
        b[i] = min(b[i], b[i + 1] + 2.0 * widths[i] * change)
    for i in range(len(b) - 1):
        b[i + 1] = min(b[i + 1], b[i] + 2.0 * widths[i] * change)
