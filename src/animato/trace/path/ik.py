"""Inverse kinematics for the start of a path: many postures approach their targets at once, within joint limits."""

from __future__ import annotations

import numpy as np

from animato.algebra.banded import factor_band, solve_band
from animato.kernels.compiled import kernel
from animato.mechanics.tree import PackedTree, PointChains, point_jacobians_kernel

_STILL = 1e-5  # [rad or m], a step at which an approach ends
_SLOW = 0.999  # share of the cost that is left after a free step at which an approach ends
_GIVE_UP = 1e8  # damping, relative to the largest stiffness, beyond which nothing moves


@kernel
def _row_cost(
    f: np.ndarray,
    x: np.ndarray,
    weight: np.ndarray,
    q: np.ndarray,
    rest: np.ndarray,
    pull: float,
    c: int,
    row: int,
) -> float:
    """Of one posture: sum w |f - x|^2 / 2 + pull |q - rest|^2 / 2."""
    total = 0.0
    for a in range(len(weight)):
        total += 0.5 * weight[a] * (f[row, a] - x[c, row, a]) ** 2
    for i in range(q.shape[1]):
        total += 0.5 * pull * (q[row, i] - rest[row, i]) ** 2
    return total


@kernel
def _put_trial(
    f: np.ndarray,
    J: np.ndarray,
    x: np.ndarray,
    weight: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    rest: np.ndarray,
    pull: float,
    damping: float,
    c: int,
    row: int,
    q: np.ndarray,
    trial: np.ndarray,
    A: np.ndarray,
    d: np.ndarray,
) -> bool:
    """Writes the next trial of one posture: a damped least-squares step; False where there is none to take.

    Arguments are those of `approach_kernel`; A [n, n] and d [n, 1] are memory, and `damping` is a share of the largest
    stiffness.
    """
    n = q.shape[1]
    A[:] = 0.0
    for i in range(n):
        d[i, 0] = -pull * (q[row, i] - rest[row, i])
    for a in range(len(weight)):
        off = f[row, a] - x[c, row, a]
        for i in range(n):
            value = weight[a] * J[row, a * n + i]
            if value != 0.0:
                d[i, 0] -= value * off
                for j in range(i + 1):
                    A[i, n - 1 - i + j] += value * J[row, a * n + j]
    largest = 0.0
    for i in range(n):
        largest = max(largest, A[i, n - 1])
    for i in range(n):
        A[i, n - 1] += pull + damping * largest
        if (q[row, i] <= lower[i] and d[i, 0] < 0.0) or (q[row, i] >= upper[i] and d[i, 0] > 0.0):
            d[i, 0] = 0.0
            for j in range(i):
                A[i, n - 1 - i + j] = 0.0
            for j in range(i + 1, n):
                A[j, n - 1 - j + i] = 0.0
    if not factor_band(A):
        return False
    solve_band(A, d)
    longest = 0.0
    for i in range(n):
        trial[row, i] = min(max(q[row, i] + d[i, 0], lower[i]), upper[i])
        longest = max(longest, abs(trial[row, i] - q[row, i]))
    return longest >= _STILL


@kernel
def approach_kernel(
    tree: PackedTree,
    chains: PointChains,
    x: np.ndarray,
    weight: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    start: np.ndarray,
    rest: np.ndarray,
    pull: float,
    iterations: np.ndarray,
    out: np.ndarray,
    cost: np.ndarray,
) -> None:
    """Several postures walk along their targets at once, each approach from where the last one ended.

    Levenberg's damped least squares; a joint that presses on its limit stays there for the step, and steps are cut
    off at the limits.

    Args:
        tree: The character.
        chains: The targets.
        x: Where they should be, one after the other, [c, k, 3 t].
        weight: Of each coordinate of them, [3 t].
        lower: Lower limits, [n].
        upper: Upper limits, [n].
        start: Where each walk starts, [k, n].
        rest: What it is mildly pulled to, [k, n].
        pull: How strongly.
        iterations: At most this many for the first of the targets, [0], and for those after it, [1].
        out: The postures, [c, k, n].
        cost: Weighted squares of what is left, pull included, halved, [c, k].
    """
    (k, n), rows = rest.shape, x.shape[2]
    q, trial, damping = np.empty((k, n)), np.empty((k, n)), np.empty(k)
    f, J, f_try, J_try = np.empty((k, rows)), np.empty((k, rows * n)), np.empty((k, rows)), np.empty((k, rows * n))
    done, A, d = np.zeros(k, np.bool_), np.zeros((n, n)), np.empty((n, 1))
    for row in range(k):
        for i in range(n):
            trial[row, i] = min(max(start[row, i], lower[i]), upper[i])
    for c in range(len(x)):
        for row in range(k):
            cost[c, row], damping[row], done[row] = np.inf, 1e-3, False
        for _ in range(iterations[min(c, 1)] + 1):
            point_jacobians_kernel(tree, chains, trial, f_try, J_try)
            left = 0
            for row in range(k):
                value = _row_cost(f_try, x, weight, trial, rest, pull, c, row)
                if value < cost[c, row]:
                    # far from anything reachable the last millimetres take many steps and are of no use
                    done[row] = done[row] or (value > _SLOW * cost[c, row] and damping[row] < 1e-2)
                    damping[row] = max(1e-9, damping[row] / 8.0)
                    cost[c, row] = value
                    for i in range(n):
                        q[row, i] = trial[row, i]
                    for a in range(rows):
                        f[row, a] = f_try[row, a]
                    for a in range(rows * n):
                        J[row, a] = J_try[row, a]
                else:
                    damping[row] *= 5.0
                    done[row] = done[row] or damping[row] > _GIVE_UP
                if not done[row]:
                    done[row] = not _put_trial(
                        f, J, x, weight, lower, upper, rest, pull, damping[row], c, row, q, trial, A, d
                    )
                    left += 1
            if left == 0:
                break
        for row in range(k):
            for i in range(n):
                out[c, row, i], trial[row, i] = q[row, i], q[row, i]
