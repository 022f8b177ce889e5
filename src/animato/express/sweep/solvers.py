"""The methods as a sweep takes them: rows of postures and targets in, answers out; other machines can have them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from animato.errors import unknown_name
from animato.express.facing import FacingBatch, FacingErrors, FacingProblem, build_facing_problem, solve_facings
from animato.express.options import METHODS, Method
from animato.express.published import DEFAULT_DLS, DlsTuning, solve_facings_dls
from animato.express.published.erik import build_erik, solve_erik_batch
from animato.express.sweep.part import Solver
from animato.mechanics.tree import Chain


def sweep_solver(chain: Chain, method: Method, dls: DlsTuning = DEFAULT_DLS) -> Solver:
    """The solver of a chain for `run_sweep`.

    Args:
        chain: The joints and the end-point.
        method: "animato", "dls" or "erik".
        dls: Options of the baseline, such as how many iterations it has.

    Raises:
        UnknownNameError: There is no such method.
    """
    if method not in METHODS:
        raise unknown_name("method", method, METHODS, "sweep_solver")
    if method == "erik":
        return partial(solve_erik_batch, build_erik(chain))
    middle = np.clip(np.zeros(len(chain.names)), chain.arrays.lower, chain.arrays.upper)
    solve = partial(solve_facings_dls, tuning=dls) if method == "dls" else solve_facings
    return partial(_solve_rows, build_facing_problem(chain, middle), solve, method == "animato")


def _solve_rows(
    problem: FacingProblem,
    solve: Callable[[FacingProblem, np.ndarray], FacingBatch],
    corners: bool,
    postures: np.ndarray,
    targets_wxyz: np.ndarray,
) -> FacingBatch:
    """Answers for rows, [m, n] and [m, 4]; rows with the same posture follow one another in a sweep."""
    first = np.flatnonzero(np.any(np.diff(postures, axis=0) != 0.0, axis=1)) + 1
    parts = [
        solve(problem.holding(rows[0], corners=corners), targets)
        for rows, targets in zip(np.split(postures, first), np.split(targets_wxyz, first), strict=True)
    ]
    errors = [[one.errors.combined, one.errors.orientation, one.errors.posture, one.errors.shape] for one in parts]
    return FacingBatch(
        np.concatenate([one.positions for one in parts]),
        FacingErrors(*np.concatenate(errors, axis=1)),
        np.concatenate([one.iterations for one in parts]),
    )
