"""Limits on whole segments as rows in (b_i, b_{i+1}, k_i), those that can count only.

On a segment, x in [0, 1] goes from one end to the other. There b is quadratic, with Bernstein coefficients b_i,
m = (b_i + b_{i+1}) / 2 + k_i and b_{i+1}, and s'' is linear, from (m - b_i) / ds to (b_{i+1} - m) / ds. Every limit
is a polynomial in x whose coefficients are linear in these. In Bernstein's form a polynomial stays below the largest of
its coefficients, so one row a coefficient holds the limit on the whole segment.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing import MAX_EDGES, cut, start_box
from animato.trace.timing.axis_limits import MOST_LINES, AxisLimits
from animato.trace.timing.path_dynamics import PathDynamics

LOCK, VELOCITY, ACCELERATION, TORQUE, CURVE = range(5)
"""What a row is from."""

PLACES = 4
"""Places a segment at which the dynamics are evaluated: 0, 1/3, 1/2, 2/3, and the next segment's 0."""

ERROR_FACTOR = 4.0
"""The error at the middle, times this, bounds that of a cubic through 0, 1/3, 2/3 and 1: 1.8 if its fourth
derivative were constant."""

BEND_FACTOR = 0.75
"""Bends may be this much larger than what follows the change of the limits along a segment."""

MOST_TIGHTENED = 1e-3
"""Share of a limit that may be given up to hold it by its two end coefficients alone; else all of them are kept."""

SMALLEST = 1e-9
"""Share of a limit that must be left at rest."""

COLUMNS = 5
"""Of a row in the making: alpha, beta, kappa, h, source. Rows of one limit follow one another, from end to end."""

_CHOOSE = np.array(
    [
        [1.0, 0, 0, 0, 0, 0, 0],
        [1.0, 1, 0, 0, 0, 0, 0],
        [1.0, 2, 1, 0, 0, 0, 0],
        [1.0, 3, 3, 1, 0, 0, 0],
        [1.0, 4, 6, 4, 1, 0, 0],
        [1.0, 5, 10, 10, 5, 1, 0],
        [1.0, 6, 15, 20, 15, 6, 1],
    ]
)


@inlined_kernel
def _put_row(
    f: np.ndarray, f_degree: int, g: np.ndarray, k: int, width: float, h: float, source: int, out: np.ndarray
) -> None:
    """Writes coefficient k of f s'' + g b <= h; g has degree f_degree - 1, so both products have the same."""
    degree = f_degree + 1
    at_start = at_middle = at_end = 0.0
    if k <= f_degree:  # s'' at the start of the segment
        push = _CHOOSE[f_degree, k] / _CHOOSE[degree, k] * f[k] / width
        at_start -= push
        at_middle += push
    if k >= 1:  # and at its end
        push = _CHOOSE[f_degree, k - 1] / _CHOOSE[degree, k] * f[k - 1] / width
        at_middle -= push
        at_end += push
    if k <= f_degree - 1:
        at_start += _CHOOSE[f_degree - 1, k] / _CHOOSE[degree, k] * g[k]
    if 1 <= k <= f_degree:
        at_middle += 2.0 * _CHOOSE[f_degree - 1, k - 1] / _CHOOSE[degree, k] * g[k - 1]
    if k >= 2:
        at_end += _CHOOSE[f_degree - 1, k - 2] / _CHOOSE[degree, k] * g[k - 2]
    out[0], out[1], out[2], out[3] = at_start + 0.5 * at_middle, at_end + 0.5 * at_middle, at_middle, h
    out[4] = source


@inlined_kernel
def _put_cubic(values: np.ndarray, first: int, d: int, out: np.ndarray) -> None:
    """Writes the Bernstein coefficients of the cubic through the values at 0, 1/3, 2/3 and 1."""
    f0, f1, f2, f3 = values[first, d], values[first + 1, d], values[first + 3, d], values[first + 4, d]
    out[0], out[3] = f0, f3
    out[1] = (-5.0 * f0 + 18.0 * f1 - 9.0 * f2 + 2.0 * f3) / 6.0
    out[2] = (2.0 * f0 - 9.0 * f1 + 18.0 * f2 - 5.0 * f3) / 6.0


@inlined_kernel
def _raise_degree(f: np.ndarray, degree: int) -> None:
    """Rewrites a polynomial in place as one of the next degree."""
    f[degree + 1] = f[degree]
    for k in range(degree, 0, -1):
        share = k / (degree + 1.0)
        f[k] = (1.0 - share) * f[k] + share * f[k - 1]


@inlined_kernel
def _middle_error(values: np.ndarray, first: int, d: int) -> float:
    """How far that cubic misses the value at 1/2."""
    guess = 9.0 * (values[first + 1, d] + values[first + 3, d]) - values[first, d] - values[first + 4, d]
    return abs(guess / 16.0 - values[first + 2, d])


@kernel
def _motion_rows(
    path: PathDynamics, first: int, width: float, limits: AxisLimits, f: np.ndarray, g: np.ndarray, rows: np.ndarray
) -> int:
    """Rows of velocity, q'^2 b <= v^2 of degree 6, and acceleration, |q' s'' + q'' b| <= a of degree 3."""
    dq, ddq = path.dq, path.ddq
    n, count = dq.shape[1], 0
    for j in range(n):
        c0, c1, c2 = dq[first, j], dq[first, j] + 0.5 * width * ddq[first, j], dq[first + PLACES, j]
        if c0 == 0.0 and c1 == 0.0 and c2 == 0.0:
            continue
        if np.isfinite(limits.velocity[j]):
            inverse = 1.0 / (limits.velocity[j] * limits.velocity[j])
            for k in range(6):
                f[k] = 0.0
            g[0], g[1], g[2] = c0 * c0 * inverse, c0 * c1 * inverse, (c0 * c2 + 2.0 * c1 * c1) / 3.0 * inverse
            g[3], g[4] = c1 * c2 * inverse, c2 * c2 * inverse
            for k in range(7):
                _put_row(f, 5, g, k, width, 1.0, n * VELOCITY + j, rows[count])
                count += 1
        if np.isfinite(limits.acceleration[j]):
            for sign in (1.0, -1.0):
                scale = sign / limits.acceleration[j]
                f[0], f[1], f[2] = c0 * scale, c1 * scale, c2 * scale
                g[0], g[1] = ddq[first, j] * scale, ddq[first + PLACES, j] * scale
                for k in range(4):
                    _put_row(f, 2, g, k, width, 1.0, n * ACCELERATION + j, rows[count])
                    count += 1
    return count


@kernel
def _torque_rows(
    path: PathDynamics,
    first: int,
    width: float,
    limits: AxisLimits,
    at_rest: bool,
    reference: float,
    f: np.ndarray,
    g: np.ndarray,
    rows: np.ndarray,
    count: int,
) -> int:
    """Rows of sign (a s'' + d b + c) + drag s' <= bound, of degree 5, with s' <= (r + b) / (2 sqrt r)."""
    dq, ddq = path.dq, path.ddq
    n = dq.shape[1]
    held = np.empty(6)
    f0, g0 = np.empty(6), np.empty(6)
    for j in range(n):
        if not np.isfinite(limits.torque[j]):
            continue
        _put_cubic(path.a, first, j, f0)
        _raise_degree(f0, 3)
        _put_cubic(path.d, first, j, g0)
        _put_cubic(path.c, first, j, held)
        _raise_degree(held, 3)
        _raise_degree(held, 4)
        c0, c1, c2 = dq[first, j], dq[first, j] + 0.5 * width * ddq[first, j], dq[first + PLACES, j]
        for sign in (1.0, -1.0):
            drive = max(sign * c0, sign * c1, sign * c2)
            friction = limits.friction[j] if drive > 0.0 or at_rest else -limits.friction[j]
            for line in range(-1, MOST_LINES):
                bound, fall = limits.torque[j], 0.0
                if line >= 0:
                    if drive <= 0.0 or not np.isfinite(limits.lines[j, line, 0]):
                        continue
                    bound, fall = limits.lines[j, line, 0], limits.lines[j, line, 1]
                drag = (limits.damping[j] + fall) * max(drive, 0.0)
                scale = 1.0 / limits.torque[j]
                root = np.sqrt(reference)
                if drag > 0.0:  # any tangent is right; one that leaves half of the room at rest is of use
                    still = bound - friction - max(sign * held[0], sign * held[5])
                    root = min(root, max(still, 1e-6 * bound) / drag)
                for k in range(5):
                    f[k] = sign * scale * f0[k]
                for k in range(4):
                    g[k] = sign * scale * g0[k] + (0.5 * drag * scale / root if drag > 0.0 else 0.0)
                left = (bound - friction) * scale - (0.5 * drag * scale * root if drag > 0.0 else 0.0)
                for k in range(6):
                    source = n * (TORQUE if line < 0 else CURVE) + j
                    _put_row(f, 4, g, k, width, left - sign * scale * held[k], source, rows[count])
                    count += 1
    return count


@inlined_kernel
def _lock_rows(lock_0: float, lock_1: float, source: int, rows: np.ndarray, count: int) -> int:
    """Rows that hold b below the straight line from lock_0 to lock_1."""
    middle = 0.5 * (lock_0 + lock_1)
    for k in range(3):
        for m in range(3):
            rows[count + k, m] = 0.0
        rows[count + k, 3], rows[count + k, 4] = 1.0, source
    rows[count, 0], rows[count + 1, 1] = 1.0 / lock_0, 1.0 / lock_1
    rows[count + 2, 0] = rows[count + 2, 1] = 0.5 / middle
    rows[count + 2, 2] = 1.0 / middle
    return count + 3


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
            change = max(change, (step + abs(c[last, j] - c[first, j])) / limits.torque[j])
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
def _last_of(made: np.ndarray, first: int, count: int, n: int) -> int:
    """The last row of the limit that begins at a row."""
    kind = int(made[first, 4]) // n
    if kind == LOCK:
        return first
    degree = 6 if kind == VELOCITY else (3 if kind == ACCELERATION else 5)
    return min(first + degree, count - 1)


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
    written = 0
    for i in range(len(highest)):
        highest[i] = np.inf
    too_long = False
    for i in range(len(widths)):
        width, first = widths[i], PLACES * i
        coarse[i] = False
        count = _motion_rows(path, first, width, limits, f, g, made)
        if with_torque:
            at_rest = rests[i] or rests[i + 1]
            count = _torque_rows(path, first, width, limits, at_rest, reference[i], f, g, made, count)
        if np.isfinite(lock[i]) and np.isfinite(lock[i + 1]):
            count = _lock_rows(lock[i], lock[i + 1], n * LOCK, made, count)
        # without bends first: how large b and s'' can be, for what the cubics miss and for the bends
        corner_count = start_box(box[i], box[i + 1], corners, edges)
        r = 0
        while r < count:
            last = _last_of(made, r, count, n)
            for end in (r, last):
                if made[end, 3] <= SMALLEST:
                    coarse[i] = True
                    break
                corner_count = cut(corners, edges, corner_count, made[end, 0], made[end, 1], made[end, 3], 0.0)
            if coarse[i]:
                break
            r = last + 1
        if coarse[i]:
            too_long = True
            continue
        fastest, hardest = 0.0, 0.0
        for k in range(corner_count):
            fastest = max(fastest, corners[k, 0], corners[k, 1])
            hardest = max(hardest, abs(corners[k, 1] - corners[k, 0]) * 0.5 / width)
        bend = _largest_bend(path, first, width, fastest, hardest, limits, with_torque)
        fastest, hardest = fastest + bend, hardest + bend / width
        for r in range(count):
            if made[r, 4] >= n * TORQUE:
                j = int(made[r, 4]) % n
                miss = _middle_error(path.a, first, j) * hardest + _middle_error(path.d, first, j) * fastest
                made[r, 3] -= ERROR_FACTOR * (miss + _middle_error(path.c, first, j)) / limits.torque[j] + margins[i]
                if made[r, 3] <= SMALLEST:
                    coarse[i] = True
                    break
        if coarse[i]:
            too_long = True
            continue
        # with bends: what the end coefficients allow at most, and then the rows that cut that
        corner_count = start_box(box[i], box[i + 1], corners, edges)
        r = 0
        while r < count:
            last = _last_of(made, r, count, n)
            for end in (r, last):
                room = made[end, 3] + abs(made[end, 2]) * bend
                corner_count = cut(corners, edges, corner_count, made[end, 0], made[end, 1], room, 0.0)
            r = last + 1
        if written + count + 6 > len(rows):
            return -2
        first_row[i] = written
        r = 0
        while r < count:
            last = _last_of(made, r, count, n)
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
        high_0, high_1 = 0.0, 0.0
        for k in range(corner_count):
            high_0, high_1 = max(high_0, corners[k, 0]), max(high_1, corners[k, 1])
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
        written += 1
        most_bent[i] = bend
        highest[i], highest[i + 1] = min(highest[i], high_0), min(highest[i + 1], high_1)
    first_row[len(widths)] = written
    return -3 if too_long else -1
