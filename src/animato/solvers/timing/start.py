"""A feasible profile in two sweeps: as near to a wanted one as the rows let it follow."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def following_profile(
    first_row: np.ndarray, rows: np.ndarray, moves: np.ndarray, highest: np.ndarray, wanted: np.ndarray, b: np.ndarray
) -> bool:
    """Writes b inside all rows, without bends, as large as possible up to the wanted one.

    Backward: the largest b_i from which the rest of the path can still be done, as in reachability analysis of
    time-optimal motion (Pham and Pham: A New Approach to Time-Optimal Path Parameterization Based on Reachability
    Analysis, 2018). Forward: from each b_i the b_{i+1} nearest to what is wanted.

    Args:
        first_row: Rows of segment i are first_row[i] to first_row[i + 1], [N + 1].
        rows: alpha, beta, kappa, h, [row, 4].
        moves: Where b may be more than 0, [N + 1].
        highest: No feasible b is larger, [N + 1].
        wanted: [N + 1].
        b: Written, [N + 1].

    Returns:
        False where rounding left no way; b is then of no use.
    """
    able = np.empty(len(b))
    able_profile(first_row, rows, moves, highest, able)
    return follow_kernel(first_row, rows, moves, able, wanted, b)


@kernel
def able_profile(
    first_row: np.ndarray, rows: np.ndarray, moves: np.ndarray, highest: np.ndarray, able: np.ndarray
) -> None:
    """Writes the largest b_i from which the rest of the path can still be done, [N + 1]."""
    count = len(moves) - 1
    able[count] = 0.0
    for i in range(count - 1, -1, -1):
        # least(x) - most(x) is convex and not positive at rest: Newton's method from the right ends at its zero
        x, top = (highest[i] if moves[i] else 0.0), able[i + 1]
        for j in range(first_row[i], first_row[i + 1]):
            if rows[j, 1] == 0.0 and rows[j, 0] > 0.0:
                x = min(x, rows[j, 3] / rows[j, 0])
        for _ in range(60):
            least, most, by_least, by_most = _ends(first_row, rows, i, x, top)
            if least <= most or not by_least > by_most:
                break
            x = max(x - (least - most) / (by_least - by_most), 0.0) * (1.0 - 1e-12)
        able[i] = x


@kernel
def follow_kernel(
    first_row: np.ndarray, rows: np.ndarray, moves: np.ndarray, able: np.ndarray, wanted: np.ndarray, b: np.ndarray
) -> bool:
    """The second half of `following_profile`: forward, from each b_i the b_{i+1} nearest to what is wanted."""
    b[0] = 0.0
    for i in range(len(moves) - 1):
        if not moves[i + 1]:
            b[i + 1] = 0.0
            continue
        least, most, _, _ = _ends(first_row, rows, i, b[i], able[i + 1])
        if least > most + 1e-6 * (least + most):
            return False
        b[i + 1] = min(max(wanted[i + 1], least), most)
    return True


@kernel
def _ends(first_row: np.ndarray, rows: np.ndarray, i: int, x: float, top: float) -> tuple[float, float, float, float]:
    """Smallest and largest y <= top of a segment at b_i = x, and their change with x."""
    least, most, by_least, by_most = 0.0, top, 0.0, 0.0
    for j in range(first_row[i], first_row[i + 1]):
        beta = rows[j, 1]
        if beta == 0.0:
            continue
        y = (rows[j, 3] - rows[j, 0] * x) / beta
        if beta > 0.0:
            if y < most:
                most, by_most = y, -rows[j, 0] / beta
        elif y > least:
            least, by_least = y, -rows[j, 0] / beta
    return least, most, by_least, by_most
