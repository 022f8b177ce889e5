"""Path and timing optimized together, or in turn: equations 9 and 10 of Luo and Hauser (2012).

The decoupled answer fits the path first and times it afterwards. A path that gives way a little where the robot would
have to slow down is better in all: here both are found at once, starting from the decoupled answer.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.outcome import Outcome, Progress
from animato.trace.coupled_interior_point import solve_together
from animato.trace.coupled_point import CoupledModel
from animato.trace.coupled_problem import CoupledProblem, build_coupled_problem
from animato.trace.drawn_timing import DrawnTiming
from animato.trace.iterative import iterate_paths
from animato.trace.joint_path import JointPath
from animato.trace.path_descent import evaluated
from animato.trace.path_fit import solve_path
from animato.trace.path_problem import PathProblem
from animato.trace.temporal_stage import solve_time_scaling
from animato.trace.time_scaling import TimeScaling
from animato.trace.timing_problem import TimingOptions

METHODS = ("decoupled", "coupled", "iterative")
TOLERANCE = 1e-6
_FIRST_GAPS = (0.3, 30.0)  # what barriers cost at first, in objectives: a cool and a hot way to different minima


@dataclass(frozen=True, eq=False)
class CoupledMotion:
    """A path and its timing.

    Attributes:
        method: "decoupled", "coupled" or "iterative".
        path: Within the joint limits everywhere.
        scaling: The best timing of that path; all limits hold between grid points too.
        deviation: f_g, the weighted mean squared distance from the sketch [m^2].
        path_cost: f_g + alpha f_c + pull f_r.
        objective: path_cost + beta f_t + gamma t_f of what is above.
        grid_objective: The same as the optimizer saw it, with limits at grid points alone; NaN if decoupled.
        outcome: How the optimizer ended.
        seconds: It took, warm start excluded.
    """

    method: str
    path: JointPath
    scaling: TimeScaling
    deviation: float
    path_cost: float
    objective: float
    grid_objective: float
    outcome: Outcome
    seconds: float

    @property
    def timing_error(self) -> float:
        """f_t [s^2]."""
        return self.scaling.timing_error

    @property
    def duration(self) -> float:
        """t_f [s]."""
        return self.scaling.duration


def optimize_coupled(
    character: Character,
    path_problem: PathProblem,
    drawn: DrawnTiming,
    options: TimingOptions | None = None,
    *,
    method: str = "coupled",
    start: CoupledMotion | JointPath | None = None,
    tolerance: float = TOLERANCE,
    iterations: int = 200,
) -> CoupledMotion:
    """Minimizes f_g + alpha f_c + beta f_t + gamma t_f over path and timing within all limits.

    Torques that depend on the speed itself, by damping or a torque-speed curve, are left out while the path is sought;
    the timing of the answer holds them.

    Args:
        character: Whose limits hold.
        path_problem: The geometric part, from `build_path_problem`; its control points stay as many as they are.
        drawn: The timing to mimic.
        options: Weights and wishes of the timing.
        method: "coupled": both at once. "iterative": the path alone, with the best timing of each path tried.
            "decoupled": first the path, then the timing.
        start: Where to begin; by the decoupled method where not given.
        tolerance: Of the objective, relative.
        iterations: At most; steps of the coupled method, paths of the iterative one.

    Raises:
        OptionError: An unknown method, or a wanted duration.
        MotionError: The start does not have the knots of the problem, or its path cannot be performed at all.
    """
    if method not in METHODS:
        raise OptionError(f"The method is one of {', '.join(METHODS)}; given {method!r}.")
    options = options or TimingOptions()
    first = start if isinstance(start, CoupledMotion) else _decoupled(character, path_problem, drawn, options, start)
    if method == "decoupled":
        return first
    if not np.array_equal(first.path.knots, path_problem.knots):
        raise MotionError("The start must have the knots of the problem; leave it out, or build both alike.")
    problem = build_coupled_problem(character, path_problem, first.path, first.scaling, drawn, options)
    begin = time.perf_counter()
    solve = solve_coupled if method == "coupled" else iterate_paths
    points, cost, outcome = solve(problem, tolerance=tolerance, iterations=iterations)
    seconds = time.perf_counter() - begin
    return _motion(method, problem, points, cost, outcome, seconds, first)


def solve_coupled(
    problem: CoupledProblem,
    *,
    tolerance: float = TOLERANCE,
    iterations: int = 200,
    first_gaps: tuple[float, ...] = _FIRST_GAPS,
    progress: Progress | None = None,
) -> tuple[np.ndarray, float, Outcome]:
    """Control points [c, n], objective, and how it ended, of the best of a few ways into the problem.

    Args:
        problem: The problem.
        tolerance: Of the objective, relative.
        iterations: At most, each way.
        first_gaps: What the barriers cost at first, in objectives; one way each.
        progress: Told of every step of each way.
    """
    x = np.concatenate([problem.start_points.ravel(), problem.start_b])

    def found_from(gap: float) -> tuple[np.ndarray, float, Outcome]:
        model = CoupledModel(problem)  # has memory of its own, so that ways can be gone at the same time
        point, outcome = solve_together(
            model, x, tolerance=tolerance, iterations=iterations, first_gap=gap, progress=progress
        )
        return model.split(point.x)[0], point.cost, outcome

    with ThreadPoolExecutor(len(first_gaps)) as threads:
        found = list(threads.map(found_from, first_gaps))
    return max(found, key=lambda one: (one[2].solved, -one[1]))


def _decoupled(
    character: Character,
    path_problem: PathProblem,
    drawn: DrawnTiming,
    options: TimingOptions,
    path: JointPath | None,
) -> CoupledMotion:
    begin = time.perf_counter()
    # a problem that may refine itself would change its knots
    path = path or solve_path(replace(path_problem, automatic=False)).path
    scaling = solve_time_scaling(character, path, drawn, options)
    seconds = time.perf_counter() - begin
    iterate = evaluated(path_problem, path.control_points, path_problem.kinematics.start)
    total = iterate.cost + scaling.objective
    return CoupledMotion(
        "decoupled", path, scaling, iterate.deviation, iterate.cost, total, np.nan, scaling.outcome, seconds
    )


def _motion(
    method: str,
    problem: CoupledProblem,
    points: np.ndarray,
    cost: float,
    outcome: Outcome,
    seconds: float,
    first: CoupledMotion,
) -> CoupledMotion:
    """The path of control points with its best timing between grid points too; the start where that is better."""
    path = problem.joint_path(np.clip(points, problem.path.lower, problem.path.upper))
    iterate = evaluated(problem.path, path.control_points, problem.rest)
    scaling = solve_time_scaling(problem.character, path, problem.drawn, problem.options)
    total = iterate.cost + scaling.objective
    if total > first.objective:
        words = f"{outcome.reason}; between grid points the decoupled path is better, and is kept"
        kept = Outcome(outcome.status, words, outcome.iterations)
        return replace(first, method=method, grid_objective=cost, outcome=kept, seconds=seconds)
    return CoupledMotion(method, path, scaling, iterate.deviation, iterate.cost, total, cost, outcome, seconds)
