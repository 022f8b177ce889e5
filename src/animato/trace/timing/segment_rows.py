"""Limits on whole segments as rows in (b_i, b_{i+1}, k_i).

On a segment, x in [0, 1] goes from one end to the other. There b is quadratic, with Bernstein coefficients b_i,
m = (b_i + b_{i+1}) / 2 + k_i and b_{i+1}, and s'' is linear, from (m - b_i) / ds to (b_{i+1} - m) / ds. Every limit
is a polynomial in x whose coefficients are linear in these. In Bernstein's form a polynomial stays below the largest of
its coefficients, so one row a coefficient holds the limit on the whole segment.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.trace.timing.axis_limits import MOST_LINES, AxisLimits
from animato.trace.timing.path_dynamics import PathDynamics

LOCK, VELOCITY, ACCELERATION, TORQUE, CURVE = range(5)
"""What a row is from."""

PLACES = 4
"""Places a segment at which the dynamics are evaluated: 0, 1/3, 1/2, 2/3, and the next segment's 0."""

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
def _fastest_of(limits: AxisLimits, j: int, c0: float, c1: float, c2: float) -> float:
    """The limit of velocity in the direction of a segment; the smaller one where that changes."""
    if min(c0, c1, c2) >= 0.0:
        return limits.up[0, j]
    return limits.down[0, j] if max(c0, c1, c2) <= 0.0 else limits.velocity[j]


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
        most = _fastest_of(limits, j, c0, c1, c2)
        if np.isfinite(most):
            inverse = 1.0 / (most * most)
            for k in range(6):
                f[k] = 0.0
            g[0], g[1], g[2] = c0 * c0 * inverse, c0 * c1 * inverse, (c0 * c2 + 2.0 * c1 * c1) / 3.0 * inverse
            g[3], g[4] = c1 * c2 * inverse, c2 * c2 * inverse
            for k in range(7):
                _put_row(f, 5, g, k, width, 1.0, n * VELOCITY + j, rows[count])
                count += 1
        for sign in (1.0, -1.0):
            most = limits.up[1, j] if sign > 0.0 else limits.down[1, j]
            if np.isfinite(most):
                scale = sign / most
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
    held, able = np.empty(6), np.empty(6)
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
            bounds = path.most if sign > 0.0 else path.least
            if np.isfinite(bounds[first, j]):
                _put_cubic(bounds, first, j, able)
                _raise_degree(able, 3)
                _raise_degree(able, 4)
            else:
                able[:] = np.inf
            for line in range(-1, MOST_LINES):
                bound, fall = min(able[0], able[5]), 0.0
                if line < 0 and not np.isfinite(bound):
                    continue
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
                taken = friction + (0.5 * drag * root if drag > 0.0 else 0.0)
                for k in range(6):
                    source = n * (TORQUE if line < 0 else CURVE) + j
                    left = (able[k] if line < 0 else bound) - taken - sign * held[k]
                    _put_row(f, 4, g, k, width, left * scale, source, rows[count])
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
def made_rows(
    path: PathDynamics,
    first: int,
    width: float,
    limits: AxisLimits,
    with_torque: bool,
    at_rest: bool,
    reference: float,
    lock_0: float,
    lock_1: float,
    f: np.ndarray,
    g: np.ndarray,
    rows: np.ndarray,
) -> int:
    """Writes the rows of all limits of one segment, and returns how many there are.

    Args:
        path: Dynamics along the path.
        first: The segment's first place.
        width: ds.
        limits: Of the degrees of freedom.
        with_torque: Whether torque limits hold.
        at_rest: Whether the robot rests at an end of the segment.
        reference: b about which s' is bounded by a straight line.
        lock_0: Largest b at its start, infinite where free.
        lock_1: Largest b at its end.
        f: Memory, [6].
        g: Memory, [6].
        rows: Written, [row, COLUMNS].
    """
    count = _motion_rows(path, first, width, limits, f, g, rows)
    if with_torque:
        count = _torque_rows(path, first, width, limits, at_rest, reference, f, g, rows, count)
    if np.isfinite(lock_0) and np.isfinite(lock_1):
        count = _lock_rows(lock_0, lock_1, path.dq.shape[1] * LOCK, rows, count)
    return count


@inlined_kernel
def last_of(rows: np.ndarray, first: int, count: int, n: int) -> int:
    """The last row of the limit that begins at a row."""
    kind = int(rows[first, 4]) // n
    if kind == LOCK:
        return first
    degree = 6 if kind == VELOCITY else (3 if kind == ACCELERATION else 5)
    return min(first + degree, count - 1)


@inlined_kernel
def middle_error(values: np.ndarray, first: int, d: int) -> float:
    """How far the cubic through 0, 1/3, 2/3 and 1 misses the value at 1/2."""
    guess = 9.0 * (values[first + 1, d] + values[first + 3, d]) - values[first, d] - values[first + 4, d]
    return abs(guess / 16.0 - values[first + 2, d])
