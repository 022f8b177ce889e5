"""The methods as a sweep takes them: rows of postures and targets in, answers out; other machines can have them."""

from __future__ import annotations

from functools import partial

import numpy as np

from animato.errors import unknown_name
from animato.express.facing import FacingBatch, FacingErrors, FacingProblem, build_facing_problem, solve_facings
from animato.express.published import METHODS, Method, solve_facings_dls
from animato.express.published.erik import build_erik, solve_erik_batch
from animato.express.sweep.run import Solver
from animato.mechanics.tree import Chain


def sweep_solver(chain: Chain, method: Method) -> Solver:
    """The solver of a chain for `run_sweep`.

    Args:
        chain: The joints and the end-point.
        method: "animato", "dls" or "erik".

    Raises:
        UnknownNameError: There is no such method.
    """
    if method not in METHODS:
        raise unknown_name("method", method, METHODS, "sweep_solver")
    if method == "erik":
        return partial(solve_erik_batch, build_erik(chain))
    middle = np.clip(np.zeros(len(chain.names)), chain.arrays.lower, chain.arrays.upper)
    return partial(_solve_rows, build_facing_problem(chain, middle), method)


def _solve_rows(problem: FacingProblem, method: Method, postures: np.ndarray, targets_wxyz: np.ndarray) -> FacingBatch:
    """Answers for rows, [m, n] and [m, 4]; rows with the same posture follow one another in a sweep."""
    first = np.flatnonzero(np.any(np.diff(postures, axis=0) != 0.0, axis=1)) + 1
    solve = solve_facings_dls if method == "dls" else solve_facings
    parts = [
        solve(problem.holding(rows[0]), targets)
        for rows, targets in zip(np.split(postures, first), np.split(targets_wxyz, first), strict=True)
    ]
    errors = [[one.errors.combined, one.errors.orientation, one.errors.posture, one.errors.shape] for one in parts]
    return FacingBatch(
        np.concatenate([one.positions for one in parts]),
        FacingErrors(*np.concatenate(errors, axis=1)),
        np.concatenate([one.iterations for one in parts]),
    )
