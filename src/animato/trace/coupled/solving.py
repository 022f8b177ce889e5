"""Path and timing optimized together: equation 9 of Luo and Hauser (2012).

The decoupled answer fits the path first and times it afterwards. A path that gives way a little where the robot would
have to slow down is better in all: here both are found at once, starting from the decoupled answer.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from animato.outcome import Outcome, Progress, Stage
from animato.trace.coupled.interior_point import solve_together
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem

_FIRST_GAPS = (0.3, 30.0)  # what barriers cost at first, in objectives: a cool and a hot way to different minima


def solve_coupled(
    problem: CoupledProblem, *, tolerance: float | None = None, progress: Progress | None = None
) -> tuple[np.ndarray, float, Outcome]:
    """Control points [c, n], objective, and how it ended, of the best of a few ways into the problem.

    Torques that depend on the speed itself, by damping or a torque-speed curve, are left out while the path is sought;
    the timing of the answer holds them.

    Args:
        problem: The problem.
        tolerance: Of the objective, relative; that of the problem's options where not given.
        progress: Told of every iterate of every way.
    """
    options = problem.options
    x = np.concatenate([problem.start_points.ravel(), problem.start_b])
    told = Stage("path and timing together", progress, len(_FIRST_GAPS) * options.iterations)

    def found_from(gap: float) -> tuple[np.ndarray, float, Outcome]:
        model = CoupledModel(problem)  # has memory of its own, so that ways can be gone at the same time
        point, outcome = solve_together(
            model,
            x,
            tolerance=tolerance or options.tolerance,
            iterations=options.iterations,
            first_gap=gap,
            progress=lambda one: told.step(one.objective),
        )
        return model.split(point.x)[0], point.cost, outcome

    with ThreadPoolExecutor(len(_FIRST_GAPS)) as threads:
        found = list(threads.map(found_from, _FIRST_GAPS))
    return max(found, key=lambda one: (one[2].solved, -one[1]))
