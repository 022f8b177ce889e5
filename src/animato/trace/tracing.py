"""From strokes to a motion that the robot can perform.

After Luo and Hauser: Interactive Generation of Dynamically Feasible Robot Trajectories from Sketches Using Temporal
Mimicking (2012). First where the joints go, then when, where the second stage keeps the path of the first; or both
together, beginning there.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from animato.errors import MotionError
from animato.outcome import Iteration, Outcome, Progress
from animato.trace.coupled import COARSE, build_coupled_problem, solve_coupled, solve_refined
from animato.trace.options import Options
from animato.trace.path import JointPath, PathFit, fit_at, rounded, solve_path
from animato.trace.pen_marks import with_air_as_performed
from animato.trace.problem import Problem
from animato.trace.published import iterate_paths
from animato.trace.solution import Solution
from animato.trace.timing import TimeScaling, settled_clip
from animato.trace.verdict import verdict
from animato.trace.warp import solve_timing

_AIR_ROUNDS = 2
_HELD_BACK = 1.05  # times the duration without limits of jerk, from which on the path gives way to them


class _Motion(NamedTuple):
    """A path and its timing, and how the optimization of both together ended, where there was one."""

    fit: PathFit
    scaling: TimeScaling
    together: Outcome | None = None

    @property
    def objective(self) -> float:
        return self.fit.path_cost + self.scaling.objective


def solve(problem: Problem, *, start: Solution | JointPath | None = None, progress: Progress | None = None) -> Solution:
    """Lets a robot perform what was drawn: as near to the drawing, in place and in time, as its limits allow.

    Args:
        problem: From `build`.
        start: Where to begin. The decoupled method goes on from its path; the others need the decoupled solution, or
            path, with the same knots, and find it themselves where nothing is given.
        progress: Told of every step.

    Raises:
        MotionError: There is no motion at all: a joint cannot hold the robot still somewhere on the path, nothing
            limits the speed, or a wanted duration is too short. Or the start does not have the knots of the problem.
    """
    begin, history, tell = time.perf_counter(), *_recorder(progress)
    path = start.path if isinstance(start, Solution) else start
    if problem.options.method == "decoupled":
        motion = _one_after_the_other(problem, path, tell)
    else:
        if path is not None and not np.array_equal(path.knots, problem.path.knots):
            raise MotionError("The `start` must have the knots of the problem; leave it out, or build both alike.")
        # a problem that may refine itself would change its knots
        held = replace(problem.path, automatic=False)
        fit = solve_path(held, progress=tell) if path is None else fit_at(held, path.control_points)
        known = isinstance(start, Solution) and _timed_alike(start.problem.options, problem.options)
        motion = _together(problem, fit, start.scaling if known and isinstance(start, Solution) else None, tell)
    return _settled(*_with_free_air(problem, motion, tell), begin, history, tell)


def retimed(solution: Solution, options: Options, *, progress: Progress | None = None) -> Solution:
    """The same path with another timing.

    Args:
        solution: Whose path is kept.
        options: What is wanted of the timing and the frames; those of the path have no effect.
        progress: Told of every step.
    """
    begin, history, tell = time.perf_counter(), *_recorder(progress)
    problem = replace(solution.problem, options=options)
    motion = _Motion(solution.path_fit, _timed(problem, solution.path, tell))
    return _settled(*_with_free_air(problem, motion, tell), begin, history, tell)


def _one_after_the_other(problem: Problem, path: JointPath | None, tell: Progress) -> _Motion:
    """The path, then its timing; a rounder path where limits of jerk make the motion longer, and that helps."""
    fit, options = solve_path(problem.path, start=path, progress=tell), problem.options
    motion = _Motion(fit, _timed(problem, fit.path, tell))
    if not options.jerk or not problem.path.automatic:
        return motion
    free = _timed(replace(problem, options=replace(options, jerk=False, certificate=False)), fit.path, tell)
    if motion.scaling.duration < _HELD_BACK * free.duration:
        return motion
    rounder = solve_path(rounded(fit.problem), start=fit.path, progress=tell)
    again = _Motion(rounder, _timed(problem, rounder.path, tell))
    return again if again.scaling.objective < motion.scaling.objective else motion


def _with_free_air(problem: Problem, motion: _Motion, tell: Progress) -> tuple[Problem, _Motion]:
    """The timing once more, with a clock in which ways through the air take as long as the robot does."""
    for _ in range(_AIR_ROUNDS if problem.sketch.air else 0):
        problem = with_air_as_performed(problem, motion.scaling)
        motion = motion._replace(scaling=_timed(problem, motion.fit.path, tell))
    return problem, motion


def _recorder(progress: Progress | None) -> tuple[list[Iteration], Progress]:
    """A history, and what writes it and passes it on."""
    history: list[Iteration] = []

    def tell(step: Iteration) -> None:
        history.append(step)
        if progress is not None:
            progress(step)

    return history, tell


def _timed(problem: Problem, path: JointPath, tell: Progress) -> TimeScaling:
    return solve_timing(problem.character, path, problem.drawn, problem.options, progress=tell)


def _together(problem: Problem, fit: PathFit, scaling: TimeScaling | None, tell: Progress) -> _Motion:
    """Path and timing from one optimization, with the best timing between grid points; the first where that is better.

    The optimizer holds limits at grid points alone, so that the path it finds is timed once more. A wanted duration
    that is too short for the first path need not be so for a path that gives way.
    """
    first: _Motion | None = None
    refused: MotionError | None = None
    try:
        scaling = _timed(problem, fit.path, tell) if scaling is None else scaling
        first = _Motion(fit, scaling)
    except MotionError as error:
        if problem.options.duration_s is None:
            raise
        refused = error
        free = replace(problem, options=replace(problem.options, duration_s=None))
        scaling = _timed(free, fit.path, tell)
    points, outcome = _optimized(problem, fit.path, scaling, tell)
    other = fit_at(fit.problem, np.clip(points, problem.path.lower, problem.path.upper))
    try:
        found = _Motion(other, _timed(problem, other.path, tell), outcome)
    except MotionError as error:
        if first is None:
            raise (refused or error) from error
        return first._replace(together=replace(outcome, reason=f"{outcome.reason}; that path cannot be timed: {error}"))
    if first is None or found.objective <= first.objective:
        return found
    reason = f"{outcome.reason}; between grid points the decoupled path is better, and is kept"
    return first._replace(together=replace(outcome, reason=reason))


def _optimized(problem: Problem, path: JointPath, scaling: TimeScaling, tell: Progress) -> tuple[np.ndarray, Outcome]:
    """Control points [c, n] of the path that is best with its timing, and how that ended."""
    options = problem.options
    given = problem.character, problem.path, path, scaling, problem.drawn
    whole = build_coupled_problem(*given, options)
    if options.method == "iterative":
        points, _, outcome = iterate_paths(whole, progress=tell)
    elif options.segments > COARSE:
        coarse = build_coupled_problem(*given, replace(options, segments=COARSE))
        points, _, outcome = solve_refined(coarse, whole, progress=tell)
    else:
        points, _, outcome = solve_coupled(whole, progress=tell)
    return points, outcome


def _timed_alike(one: Options, other: Options) -> bool:
    """Whether both want the same of the timing."""
    same = {name: getattr(one, name) for name in ("method", "tolerance", "iterations", "starts", "random_seed")}
    return replace(other, **same) == one


def _settled(problem: Problem, motion: _Motion, begin: float, history: list[Iteration], tell: Progress) -> Solution:
    fit, scaling, together = motion
    words = f"{problem.name}, traced by {problem.character.name}"
    settled = settled_clip(problem.character, fit.path, scaling, problem.options, source=words, progress=tell)
    outcome = verdict(fit, scaling, settled, together)
    seconds = time.perf_counter() - begin
    return Solution(problem, outcome, fit, scaling, settled, tuple(history), seconds)
