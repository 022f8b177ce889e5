"""One step towards several goals, each with what those before it leave over.

    level k:  minimize |e_k - J_k d|^2   among the d that change nothing of what the levels before it have got
    at last:  minimize sum_i w_i (p_i - q_i - d_i)^2   among those that change none of them

inside lo <= d <= hi and low <= G d <= high. Each level moves along the null space of the levels before it, as far as
the first bound; what has met a bound stands there for the rest of the level, and the next move is sought without it.
So no level ever gives anything away for a later one, and no bound is passed. A row that the levels before it leave
nothing of is left alone; what they leave little of is damped.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing import solve_symmetric
from animato.kernels.compiled import kernel

_DAMPING = 1e-2  # per squared radian left to turn: far away moves are short, near by they are Newton's
_LEAST_DAMPING = 1e-9
_LONGEST = 0.5  # [rad] of what is left to turn that one step is asked for: farther away the slopes are others
_NOTHING = 1e-7  # share of a row that must be left by those before it to count
_STILL = 1e-13  # of a move below which a level has got where it can
_AT_BOUND = 1e-12


@kernel
def _add_to_basis(row: np.ndarray, frozen: np.ndarray, basis: np.ndarray, count: int) -> int:
    """Adds what a row has that a basis lacks, over what is not frozen; gives how many rows the basis then has."""
    n = len(row)
    if count >= len(basis):
        return count
    before = 0.0
    for i in range(n):
        value = 0.0 if frozen[i] else row[i]
        basis[count, i] = value
        before += value * value
    for _ in range(2):  # twice is enough
        _take_out(basis, count, basis[count])
    size = 0.0
    for i in range(n):
        size += basis[count, i] ** 2
    if size <= _NOTHING * _NOTHING * before or size < 1e-24:
        return count
    scale = 1.0 / np.sqrt(size)
    for i in range(n):
        basis[count, i] *= scale
    return count + 1


@kernel
def _take_out(basis: np.ndarray, count: int, row: np.ndarray) -> None:
    """Takes out of a row what the first rows of a basis have of it."""
    for b in range(count):
        share = 0.0
        for i in range(len(row)):
            share += basis[b, i] * row[i]
        for i in range(len(row)):
            row[i] -= share * basis[b, i]


@kernel
def _write_basis(
    slopes: np.ndarray,
    levels: int,
    active: np.ndarray,
    frozen: np.ndarray,
    rows: np.ndarray,
    stopped: np.ndarray,
    basis: np.ndarray,
) -> int:
    """Writes what must not change: the levels before, and rows that have met a bound."""
    count = 0
    for k in range(levels):
        if active[k]:
            for a in range(3):
                count = _add_to_basis(slopes[k, a], frozen, basis, count)
    for m in range(len(rows)):
        if stopped[m]:
            count = _add_to_basis(rows[m], frozen, basis, count)
    return count


@kernel
def _write_wish(
    slopes: np.ndarray,
    left: np.ndarray,
    level: int,
    pull: np.ndarray,
    frozen: np.ndarray,
    basis: np.ndarray,
    count: int,
    projected: np.ndarray,
    wish: np.ndarray,
) -> None:
    """Writes the move that a level asks for, in the scaled coordinates [n]; the last level asks for the posture."""
    n = len(wish)
    if level == len(slopes):
        for i in range(n):
            wish[i] = 0.0 if frozen[i] else pull[i]
        _take_out(basis, count, wish)
        for i in range(n):
            if frozen[i]:
                wish[i] = 0.0
        return
    for a in range(3):
        for i in range(n):
            projected[a, i] = 0.0 if frozen[i] else slopes[level, a, i]
        _take_out(basis, count, projected[a])
    e0, e1, e2 = left[level, 0], left[level, 1], left[level, 2]
    size = e0 * e0 + e1 * e1 + e2 * e2
    scale = min(1.0, _LONGEST / np.sqrt(max(size, 1e-300)))
    damping = _LEAST_DAMPING + _DAMPING * min(size, _LONGEST * _LONGEST)
    a00, a01, a02, a11, a12, a22 = damping, 0.0, 0.0, damping, 0.0, damping
    for i in range(n):
        x, y, z = projected[0, i], projected[1, i], projected[2, i]
        a00, a01, a02 = a00 + x * x, a01 + x * y, a02 + x * z
        a11, a12, a22 = a11 + y * y, a12 + y * z, a22 + z * z
    push = solve_symmetric((a00, a01, a02, a11, a12, a22), (scale * e0, scale * e1, scale * e2))
    for i in range(n):
        wish[i] = projected[0, i] * push[0] + projected[1, i] * push[1] + projected[2, i] * push[2]
        if frozen[i]:
            wish[i] = 0.0


@kernel
def _share_of(
    wish: np.ndarray,
    scales: np.ndarray,
    d: np.ndarray,
    lo: np.ndarray,
    hi: np.ndarray,
    rows: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    values: np.ndarray,
    frozen: np.ndarray,
    stopped: np.ndarray,
) -> tuple[float, int]:
    """Share of a move up to the first bound, and who meets it: a coordinate, then a row, -1 where none does."""
    n, share, who = len(wish), 1.0, -1
    for i in range(n):
        step = wish[i] / scales[i]
        if frozen[i] or step == 0.0:
            continue
        room = hi[i] - d[i] if step > 0.0 else lo[i] - d[i]
        if abs(step) * share > abs(room) + _AT_BOUND or room * step < 0.0:
            share, who = max(0.0, room / step), i
    for m in range(len(rows)):
        step = 0.0
        for i in range(n):
            step += rows[m, i] * wish[i]
        if stopped[m] or abs(step) < 1e-12:
            continue
        room = high[m] - values[m] if step > 0.0 else low[m] - values[m]
        if abs(step) * share > abs(room) + _AT_BOUND or room * step < 0.0:
            share, who = max(0.0, room / step), n + m
    return share, who


@kernel
def write_move(
    slopes: np.ndarray,
    left: np.ndarray,
    active: np.ndarray,
    weights: np.ndarray,
    pull: np.ndarray,
    ease: float,
    lo: np.ndarray,
    hi: np.ndarray,
    rows: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    d: np.ndarray,
) -> None:
    """Writes the move of all coordinates.

    Args:
        slopes: How each coordinate turns each end-point, the most important first, [K, 3, n]; scaled in place.
        left: What each lacks [rad], [K, 3]; what is lacking after the move is written.
        active: Whether each has a goal, [K].
        weights: Of each coordinate's way from the posture, above 0, [n].
        pull: What is lacking to the posture [rad or m], [n].
        ease: Share of the way to the posture that is made: what is kept is kept along curves, and whole ways along
            straight lines go to and fro on them.
        lo: Lowest move, [n].
        hi: Highest move, [n].
        rows: Further quantities that have bounds, over coordinates, [m, n]; scaled in place.
        low: Lowest change of each, [m].
        high: Highest, [m].
        d: The move [rad or m], [n].
    """
    levels, n = len(slopes), len(d)
    scales, wish = np.sqrt(weights), np.empty(n)
    frozen, stopped = np.zeros(n, np.bool_), np.zeros(len(rows), np.bool_)
    basis, projected = np.empty((min(n, 3 * levels + len(rows)) + 1, n)), np.empty((3, n))
    values, want, goal = np.zeros(len(rows)), np.empty(n), np.empty(n)
    for i in range(n):
        d[i] = min(max(0.0, lo[i]), hi[i])
        for m in range(len(rows)):
            values[m] += rows[m, i] * d[i]
            rows[m, i] /= scales[i]
        for k in range(levels):
            for a in range(3):
                left[k, a] -= slopes[k, a, i] * d[i]
                slopes[k, a, i] /= scales[i]
    for level in range(levels + 1):
        if level < levels and not active[level]:
            continue
        frozen[:], stopped[:] = False, False
        for i in range(n):
            goal[i] = d[i] + ease * (pull[i] - d[i])
        for _ in range(n + len(rows) + 1):
            count = _write_basis(slopes, level, active, frozen, rows, stopped, basis)
            if level == levels:
                for i in range(n):
                    want[i] = scales[i] * (goal[i] - d[i])
            _write_wish(slopes, left, level, want, frozen, basis, count, projected, wish)
            if np.abs(wish).max() < _STILL:
                break
            share, who = _share_of(wish, scales, d, lo, hi, rows, low, high, values, frozen, stopped)
            for i in range(n):
                step = share * wish[i]
                d[i] = min(max(d[i] + step / scales[i], lo[i]), hi[i])
                for k in range(levels):
                    for a in range(3):
                        left[k, a] -= slopes[k, a, i] * step
                for m in range(len(rows)):
                    values[m] += rows[m, i] * step
            if who < 0:
                break
            if who < n:
                frozen[who] = True
            else:
                stopped[who - n] = True
