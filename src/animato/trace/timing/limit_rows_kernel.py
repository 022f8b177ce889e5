"""The limits of all segments, those rows that can count only."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing import MAX_EDGES, cut, start_box
from animato.trace.timing.axis_limits import MOST_LINES, AxisLimits
from animato.trace.timing.path_dynamics import PathDynamics
from animato.trace.timing.segment_rows import COLUMNS, PLACES, TORQUE, last_of, made_rows, middle_error

ERROR_FACTOR = 4.0
"""The error at the middle, times this, bounds that of a cubic through 0, 1/3, 2/3 and 1: 1.8 if its fourth
derivative were constant."""

BEND_FACTOR = 0.75
"""Bends may be this much larger than what follows the change of the limits along a segment."""

MOST_TIGHTENED = 1e-3
"""Share of a limit that may be given up to hold it by its two end coefficients alone; else all of them are kept."""

SMALLEST = 1e-9
"""Share of a limit that must be left at rest."""


@inlined_kernel
def _cut_by_ends(
    made: np.ndarray,
    count: int,
    n: int,
    high_0: float,
    high_1: float,
    bend: float,
    corners: np.ndarray,
    edges: np.ndarray,
) -> int:
    """Cuts the box of (b_i, b_{i+1}) by the end coefficients of every limit, for bends up to a size.

    Returns:
        How many corners are left; 0 where a limit leaves nothing at rest.
    """
    corner_count = start_box(high_0, high_1, corners, edges)
    r = 0
    while r < count:
        last = last_of(made, r, count, n)
        for end in (r, last):
            if made[end, 3] <= SMALLEST:
                return 0
            room = made[end, 3] + abs(made[end, 2]) * bend
            corner_count = cut(corners, edges, corner_count, made[end, 0], made[end, 1], room, 0.0)
        r = last + 1
    return corner_count


@inlined_kernel
def _quickest(corners: np.ndarray, count: int, width: float) -> tuple[float, float]:
    """The largest b and |s''| of a segment without a bend."""
    fastest, hardest = 0.0, 0.0
    for k in range(count):
        fastest = max(fastest, corners[k, 0], corners[k, 1])
        hardest = max(hardest, abs(corners[k, 1] - corners[k, 0]) * 0.5 / width)
    return fastest, hardest


@inlined_kernel
def _largest_bend(
    path: PathDynamics,
    first: int,
    width: float,
    fastest: float,
    hardest: float,
    limits: AxisLimits,
    with_torque: bool,
) -> float:
    """How far b may bend: enough for s'' to follow limits that change along the segment."""
    dq, ddq, a, d, c = path.dq, path.ddq, path.a, path.d, path.c
    change, last = 0.0, first + PLACES
    for j in range(dq.shape[1]):
        turn, bend = abs(dq[last, j] - dq[first, j]), abs(ddq[last, j] - ddq[first, j])
        change = max(change, (turn * hardest + bend * fastest) / limits.acceleration[j])
        squares = abs(dq[last, j] * dq[last, j] - dq[first, j] * dq[first, j])
        change = max(change, squares * fastest / (limits.velocity[j] * limits.velocity[j]))
        if with_torque:
            step = abs(a[last, j] - a[first, j]) * hardest + abs(d[last, j] - d[first, j]) * fastest
            step += abs(c[last, j] - c[first, j])
            for bounds in (path.most, path.least):
                if np.isfinite(bounds[first, j]):
                    step += abs(bounds[last, j] - bounds[first, j])
            change = max(change, step / limits.torque[j])
    return min(max(BEND_FACTOR * change, 1e-3), 1.0) * hardest * width


@inlined_kernel
def _excess(made: np.ndarray, first: int, last: int, corners: np.ndarray, count: int, bend: float) -> float:
    """How far the inner coefficients of a limit can rise above the straight line between its end coefficients."""
    most = 0.0
    for r in range(first + 1, last):
        share = (r - first) / (last - first)
        alpha = made[r, 0] - (1.0 - share) * made[first, 0] - share * made[last, 0]
        beta = made[r, 1] - (1.0 - share) * made[first, 1] - share * made[last, 1]
        kappa = made[r, 2] - (1.0 - share) * made[first, 2] - share * made[last, 2]
        h = made[r, 3] - (1.0 - share) * made[first, 3] - share * made[last, 3]
        for k in range(count):
            most = max(most, alpha * corners[k, 0] + beta * corners[k, 1] - h + abs(kappa) * bend)
    return most


@inlined_kernel
def _cuts(row: np.ndarray, h: float, corners: np.ndarray, count: int, bend: float) -> bool:
    """Whether a row can count: a side of what is left has equality, so that counts too."""
    most = -np.inf
    for k in range(count):
        most = max(most, row[0] * corners[k, 0] + row[1] * corners[k, 1])
    return most + abs(row[2]) * bend > (1.0 - 1e-9) * h


@inlined_kernel
def _leave_room(
    path: PathDynamics,
    first: int,
    fastest: float,
    hardest: float,
    limits: AxisLimits,
    margin: float,
    made: np.ndarray,
    count: int,
) -> bool:
    """Takes off torque rows what the cubics may miss of the torques, and a margin; False where nothing is left."""
    n = path.dq.shape[1]
    for r in range(count):
        if made[r, 4] >= n * TORQUE:
            j = int(made[r, 4]) % n
            miss = middle_error(path.a, first, j) * hardest + middle_error(path.d, first, j) * fastest
            miss += middle_error(path.c, first, j)
            if np.isfinite(path.most[first, j]):
                miss += middle_error(path.most, first, j)
            if np.isfinite(path.least[first, j]):
                miss += middle_error(path.least, first, j)
            made[r, 3] -= ERROR_FACTOR * miss / limits.torque[j] + margin
            if made[r, 3] <= SMALLEST:
                return False
    return True


@inlined_kernel
def _put_counting(
    made: np.ndarray,
    count: int,
    n: int,
    corners: np.ndarray,
    corner_count: int,
    bend: float,
    rows: np.ndarray,
    sources: np.ndarray,
    written: int,
) -> int:
    """Writes those rows that cut what the end coefficients allow, and returns how many are written then.

    Where the inner coefficients of a limit rise little above the straight line between its ends, the ends are
    tightened by that and stand for all.
    """
    r = 0
    while r < count:
        last = last_of(made, r, count, n)
        excess = _excess(made, r, last, corners, corner_count, bend)
        few = excess <= MOST_TIGHTENED * min(made[r, 3], made[last, 3])
        for row in range(r, last + 1):
            if few and r < row < last:
                continue
            h = made[row, 3] - (excess if few else 0.0)
            if _cuts(made[row], h, corners, corner_count, bend):
                for m in range(3):
                    rows[written, m] = made[row, m]
                rows[written, 3] = h
                sources[written] = int(made[row, 4])
                written += 1
        r = last + 1
    return written


@inlined_kernel
def _put_box(
    edges: np.ndarray,
    corner_count: int,
    bend: float,
    fastest: float,
    rows: np.ndarray,
    sources: np.ndarray,
    written: int,
) -> int:
    """Writes the rows of the box and of the bend, and returns how many are written then."""
    for k in range(corner_count):
        if edges[k, 3] == -2.0:
            rows[written, 0], rows[written, 1] = edges[k, 0] / edges[k, 2], edges[k, 1] / edges[k, 2]
            rows[written, 2], rows[written, 3] = 0.0, 1.0
            sources[written] = -2
            written += 1
    for side in range(2):
        rows[written, 0] = rows[written, 1] = 0.0
        rows[written, 2], rows[written, 3] = (1.0 - 2.0 * side) / bend, 1.0
        sources[written] = -3
        written += 1
    # the middle coefficient of b must not be negative; scaled to the size of the others
    rows[written, 0] = rows[written, 1] = -0.5 / fastest
    rows[written, 2], rows[written, 3] = -1.0 / fastest, 0.0
    sources[written] = -3
    return written + 1


@kernel
def limit_rows_kernel(
    widths: np.ndarray,
    path: PathDynamics,
    limits: AxisLimits,
    with_torque: bool,
    lock: np.ndarray,
    rests: np.ndarray,
    box: np.ndarray,
    reference: np.ndarray,
    margins: np.ndarray,
    coarse: np.ndarray,
    rows: np.ndarray,
    sources: np.ndarray,
    first_row: np.ndarray,
    highest: np.ndarray,
    most_bent: np.ndarray,
) -> int:
    """Writes the rows that can count.

    Args:
        widths: ds, [N].
        path: Its dynamics at PLACES places a segment and the end, [PLACES * N + 1, n].
        limits: Of the n degrees of freedom.
        with_torque: Whether torque limits hold.
        lock: Largest b at each grid point, infinite where free, [N + 1].
        rests: Grid points at which the robot rests, [N + 1].
        box: Bound on b so large that it never counts, [N + 1].
        reference: b about which s' is bounded by a straight line, [N].
        margins: Share of the torque limits that is left free on top of the estimated error, [N].
        coarse: Whether a segment is too long: what the cubics miss there leaves no room, written, [N]. Of no use then
            are the rows.
        rows: alpha, beta, kappa, h, written, [room, 4].
        sources: n * kind + degree of freedom; below 0 for the box and the bend, written, [room].
        first_row: Written, [N + 1].
        highest: Largest b that any row allows, written, [N + 1].
        most_bent: Largest |k|, written, [N].

    Returns:
        -1; -2 where the room is too small; or -3 where a segment is too long.
    """
    n = path.dq.shape[1]
    corners, edges = np.empty((MAX_EDGES + 2, 2)), np.empty((MAX_EDGES + 2, 4))
    made = np.empty((n * (7 + 8 + 12 * (1 + MOST_LINES)) + 3, COLUMNS))
    f, g = np.empty(6), np.empty(6)
    written, too_long = 0, False
    for i in range(len(highest)):
        highest[i] = np.inf
    for i in range(len(widths)):
        width, first, at_rest = widths[i], PLACES * i, rests[i] or rests[i + 1]
        count = made_rows(
            path, first, width, limits, with_torque, at_rest, reference[i], lock[i], lock[i + 1], f, g, made
        )
        # without bends first: how large b and s'' can be, for what the cubics miss and for the bends
        corner_count = _cut_by_ends(made, count, n, box[i], box[i + 1], 0.0, corners, edges)
        coarse[i] = corner_count == 0
        if not coarse[i]:
            fastest, hardest = _quickest(corners, corner_count, width)
            bend = _largest_bend(path, first, width, fastest, hardest, limits, with_torque)
            fastest, hardest = fastest + bend, hardest + bend / width
            coarse[i] = not _leave_room(path, first, fastest, hardest, limits, margins[i], made, count)
        if coarse[i]:
            too_long = True
            continue
        # with bends: what the end coefficients allow at most, and then the rows that cut that
        corner_count = _cut_by_ends(made, count, n, box[i], box[i + 1], bend, corners, edges)
        if written + count + 6 > len(rows):
            return -2
        first_row[i], most_bent[i] = written, bend
        written = _put_counting(made, count, n, corners, corner_count, bend, rows, sources, written)
        written = _put_box(edges, corner_count, bend, fastest, rows, sources, written)
        high_0, high_1 = 0.0, 0.0
        for k in range(corner_count):
            high_0, high_1 = max(high_0, corners[k, 0]), max(high_1, corners[k, 1])
        highest[i], highest[i + 1] = min(highest[i], high_0), min(highest[i + 1], high_1)
    first_row[len(widths)] = written
    return -3 if too_long else -1
