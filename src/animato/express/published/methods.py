"""The published methods behind the same door as ours, for tables in which they stand side by side."""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import OptionError
from animato.express.facing import (
    REACHED,
    ErrorWeights,
    Facing,
    FacingBatch,
    FacingError,
    FacingProblem,
    Reach,
    batch_of,
    checked_previous,
    checked_target,
    checked_targets,
    held,
    iterated_status,
    solve_facing,
)
from animato.express.options import METHODS, Method, Minimized, Options
from animato.express.published.dls import DlsTuning, dls_all
from animato.express.published.erik import ErikModel, ErikStatus, erik_model, hyper_parameters_of, solve_erik
from animato.mechanics.tree import Chain

DEFAULT_DLS = DlsTuning()
DEFAULT_OPTIONS = Options()


def solve_facing_by(
    method: Method,
    problem: FacingProblem,
    target_wxyz: ArrayLike,
    previous: np.ndarray | None = None,
    *,
    reach: Reach = "global",
    dls: DlsTuning = DEFAULT_DLS,
    options: Options = DEFAULT_OPTIONS,
) -> Facing:
    """`solve_facing` by a method of choice.

    Args:
        method: "animato", "dls" (the two-priority damped least squares of the paper) or "erik" (the paper's own).
        problem: From `build_facing_problem`.
        target_wxyz: Orientation asked of the end-point, in the world, [4].
        previous: Positions before this [rad or m], [n].
        reach: Of animato's method, as for `solve_facing`.
        dls: Options of the baseline.
        options: Those of ERIK count; weights and the error that is minimized are the problem's.

    Raises:
        OptionError: There is no such method.
        MotionError: An array has the wrong length.
    """
    if method == "animato":
        return solve_facing(problem, target_wxyz, previous, reach=reach)
    if method not in METHODS:
        raise OptionError(f"The method must be one of {', '.join(METHODS)}, not {method!r}.")
    begin = perf_counter()
    target = checked_target(target_wxyz)
    before = None if previous is None else checked_previous(problem, previous)
    if method == "erik":
        return _by_erik(problem, target, before, options, begin)
    found = solve_facings_dls(problem, target[None], dls)
    every = found.errors
    combined, orientation, posture, shape = (
        float(one[0]) for one in (every.combined, every.orientation, every.posture, every.shape)
    )
    error = FacingError(combined, orientation, posture, shape)
    if np.isnan(error.orientation):
        return held(problem, before, begin)
    steps = int(found.iterations[0])
    status = iterated_status(error.orientation, steps)
    seconds = perf_counter() - begin
    return Facing(found.positions[0], error, error.orientation < REACHED, True, status, seconds, steps)


def solve_facings_dls(problem: FacingProblem, targets_wxyz: ArrayLike, tuning: DlsTuning = DEFAULT_DLS) -> FacingBatch:
    """The baseline for many targets [m, 4], each on its own, in one compiled call."""
    targets = checked_targets(targets_wxyz)
    angles, found = np.empty((len(targets), len(problem.psi))), np.empty((len(targets), 5))
    dls_all(problem.arrays, *problem.scoring, problem.turns.facing[None], tuning, targets, angles, found)
    return batch_of(problem, angles, found)


def _by_erik(
    problem: FacingProblem, target: np.ndarray, before: np.ndarray | None, options: Options, begin: float
) -> Facing:
    model = _erik_model(problem.chain, problem.weights, problem.minimized, options)
    answer = solve_erik(model, problem.posture, target, before)
    off = answer.errors.orientation
    sound = answer.status is not ErikStatus.INVALID_INPUT
    seconds = perf_counter() - begin
    return Facing(
        answer.positions, answer.errors, off < REACHED, sound, answer.status.value, seconds, answer.iterations
    )


@lru_cache(maxsize=8)
def _erik_model(chain: Chain, weights: ErrorWeights, minimized: Minimized, options: Options) -> ErikModel:
    return erik_model(chain, hyper_parameters_of(options, weights, minimized))
