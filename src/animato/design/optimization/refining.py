"""A few steps on from a design that is nearly right: for targets that are being dragged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from animato.design.optimization.errors_over_time import TrackingErrors, tracking_errors
from animato.design.optimization.evaluation import DesignPoint, References
from animato.design.optimization.sqp import Sqp
from animato.design.problem import Problem
from animato.kernels.one_thread import one_blas_thread

_CLOSED = 1e-4
"""Largest constraint row [m or 1] of a design that may be looked at."""


@dataclass(frozen=True, eq=False)
class Refined:
    """Where a few steps led; nothing of it is judged, see `solve`.

    Attributes:
        point: Design, controls and states.
        errors: Of all targets over time.
        closed: Whether all loops are closed well enough to be looked at.
        memory: Order of elimination, for the next call with the same character and kinds of targets.
    """

    point: DesignPoint
    errors: TrackingErrors
    closed: bool
    memory: Any


@one_blas_thread
def refine(problem: Problem, start: DesignPoint, *, memory: Any = None) -> Refined:
    """Goes on from a design whose targets have been moved a little since, without inverse kinematics and judgement.

    Args:
        problem: With few `iterations`; controls that it leaves open are pulled to those of the start.
        start: Such as `optimized.point` of a solution, or the point of what was refined before.
        memory: From the call before; the order of elimination takes most of the time of so few steps.
    """
    controls = np.where(np.isfinite(problem.references), problem.references, start.controls)
    near = replace(problem, references=controls)  # controls that are known need no ironing
    search = Sqp(near, start, References(start.design, controls, problem.weights.velocity))
    search.analysis = memory
    last = search.run().last
    closed = float(np.max(np.abs(last.jacobians.values), initial=0.0)) <= _CLOSED
    errors = tracking_errors(problem.mechanism, problem.motions, last.point.states)
    return Refined(last.point, errors, closed, search.analysis)
