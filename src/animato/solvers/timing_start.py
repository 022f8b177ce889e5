"""A feasible profile in two sweeps: as near to a wanted one as the rows let it follow."""

from __future__ import annotations

import numpy as np

from animato.spatial.compiled import kernel


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
    count = len(moves) - 1
    able = np.zeros(count + 1)
    for i in range(count - 1, -1, -1):
        # the largest x of {alpha x + beta y <= h, 0 <= y <= able}: over y, each row bounds x or y
        low, high = 0.0, (highest[i] if moves[i] else 0.0)
        top = able[i + 1]
        for _ in range(60):
            x = 0.5 * (low + high) if high - low > 1e-9 * high else low
            if _ends(first_row, rows, i, high, top)[2]:
                low = high
                break
            if x == low:
                break
            if _ends(first_row, rows, i, x, top)[2]:
                low = x
            else:
                high = x
        able[i] = low
    b[0] = 0.0
    for i in range(count):
        if not moves[i + 1]:
            b[i + 1] = 0.0
            continue
        least, most, possible = _ends(first_row, rows, i, b[i], able[i + 1])
        if not possible and least > most + 1e-6 * (least + most):
            return False
        b[i + 1] = min(max(wanted[i + 1], least), most)
    return True


@kernel
def _ends(first_row: np.ndarray, rows: np.ndarray, i: int, x: float, top: float) -> tuple[float, float, bool]:
    """Smallest and largest y <= top of a segment at b_i = x, and whether there is any."""
    least, most = 0.0, top
    possible = True
    for j in range(first_row[i], first_row[i + 1]):
        room = rows[j, 3] - rows[j, 0] * x
        beta = rows[j, 1]
        if beta > 0.0:
            most = min(most, room / beta)
        elif beta < 0.0:
            least = max(least, room / beta)
        elif room < 0.0:
            possible = False
    return least, most, possible and least <= most
