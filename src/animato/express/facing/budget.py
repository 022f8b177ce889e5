"""A search in slices, so that it ends when its time is over.

Kernels cannot look at the clock, so they are given work instead: a first small slice shows how quick the machine is
now, and each further one is half of what would fit into the time that is left.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from animato.express.facing.kernel import (
    STEPS,
    UNLIMITED,
    WORK,
    Effort,
    Request,
    advance,
    inside_limits,
    new_search,
    targets_of,
)
from animato.express.facing.once import HALF_TURN, ITERATIONS, POSITIONS, REST, normalize
from animato.express.facing.problem import FacingProblem
from animato.express.facing.vertex_table import none_of

_FIRST = 64  # units of work of the first slice
_LEAST = 32  # units below which a slice is not worth its call
_TICK = 1e-7  # [s] shortest time that the clock tells
_CALL = 2e-5  # [s] that handing over, the last errors and the answer take


def search_within(
    problem: FacingProblem,
    request: tuple[np.ndarray, np.ndarray, float, int],
    effort: Effort,
    target: np.ndarray,
    deadline: float,
    *,
    corners: bool,
) -> tuple[np.ndarray, bool]:
    """Searches until a moment; gives an answer as `face_all` writes it, and whether the search came to its end.

    Args:
        problem: The problem.
        request: Starts, of which there must be one; near, pull and bounds, as `Request` has them.
        effort: How much to do where time allows.
        target: Orientation that is asked for, wxyz, [1, 4].
        deadline: Moment on the clock of `perf_counter` [s].
        corners: Whether to try corners.
    """
    answer = np.full((1, POSITIONS + len(problem.posture)), np.nan)
    if not normalize(target, 0):
        return answer, False
    vertices = problem.vertices if corners else none_of(problem.vertices)
    symmetric = problem.weights.symmetric
    frame = problem.frame
    turns = targets_of(target, frame[REST : REST + 1], frame[HALF_TURN : HALF_TURN + 1], symmetric)
    search = new_search(effort, len(problem.psi))
    counts = search.counts[effort.faced + effort.missed :]
    whole = Request(turns, *request)
    done, allowance = False, _FIRST
    while not done:
        start = perf_counter()
        before = counts[WORK]
        done = advance(problem.arrays, vertices, whole, effort, allowance, search)
        now = perf_counter()
        units = max(1, counts[WORK] - before)
        fitting = 0.5 * (deadline - now - _CALL) / (max(now - start, _TICK) / units)
        allowance = int(min(fitting, UNLIMITED))
        if allowance < _LEAST:
            break
    best = search.angles[-1]
    inside_limits(problem.arrays, whole.near, best)
    problem.write_errors(target, search.angles[-1:], answer)
    answer[0, ITERATIONS], answer[0, POSITIONS:] = counts[STEPS], problem.posture
    answer[0, POSITIONS + problem.turns.columns] = best[: len(problem.turns.columns)]
    return answer, bool(done)
