"""Faces targets one after another and holds the posture: the loop, played as fast as it goes, and judged."""

from __future__ import annotations

import math
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import OptionError
from animato.express.facing import degrees_off, solve_facing
from animato.express.gaze import facing_direction, look_at
from animato.express.loop import Command, FileTargets, Loop
from animato.express.mechanism import face_with_mechanism
from animato.express.problem import Problem, Target
from animato.express.solution import Frame, Solution, in_degrees
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage, limit_usage
from animato.motion import Posture
from animato.outcome import Iteration, Outcome, Progress, Status

FACED_RAD = 2e-3
"""Angle within which the last target counts as faced when the joints have come to rest [rad], a tenth of a degree."""

_LEAD = 2  # frames at rest before the first target, and
_REST_S = 0.1  # [s] after the last: only then is the clip's spline, free at its ends, the very motion of the filter
_TOLD_S = 0.1  # of motion between two moments that are told


def solve(problem: Problem, *, start: Posture | ArrayLike | None = None, progress: Progress | None = None) -> Solution:
    """Faces all targets of a problem, each when its time has come, and comes to rest at the last.

    Where a clip runs underneath, it is performed meanwhile to its end; joints that face nothing move as it says. The
    targets are tracked, and the motion is filtered so that it holds every position, velocity, acceleration and jerk
    limit of the joints; torques are not planned, but judged. The same problem always gives the same motion.

    Args:
        problem: From `build`, with targets.
        start: Where the joints are at first, a posture or positions of `problem.names` [rad or m], [n]; in the posture
            that is held where not given.
        progress: Told of moments of the motion.

    Raises:
        OptionError: The problem has no targets.
        MotionError: The start is outside the limits.
    """
    if not isinstance(problem, Problem) or not problem.targets:
        raise OptionError(
            "`problem` must be made by express.build and have `targets` to face; where they come live, an "
            "express.Loop(problem) takes them."
        )
    begin, options = perf_counter(), problem.options
    if progress is not None:
        progress(Iteration(stage="making ready"))
    here = [start.value(name) for name in problem.names] if isinstance(start, Posture) else start
    loop = Loop(problem, start=here, record=True)
    source = FileTargets(problem.targets, options.target_rate_hz or options.rate_hz, options.duration_s)
    return replace(perform(loop, source, progress=progress), seconds=perf_counter() - begin)


def perform(loop: Loop, source: FileTargets, *, progress: Progress | None = None) -> Solution:
    """Plays a recording from rest to rest, and judges it.

    Args:
        loop: Built with `record`, and not begun.
        source: What it faces.
        progress: Told of moments of the motion.
    """
    begin, told = perf_counter(), _Told(loop.rate_hz, source.last_s, progress)
    for _ in range(_LEAD):
        told(loop.step())
    loop.play(told, source=source)
    for _ in range(math.ceil(_REST_S * loop.rate_hz)):
        told(loop.step())
    return judged(loop, perf_counter() - begin, tuple(told.history))


def judged(loop: Loop, seconds: float, history: tuple[Frame, ...] = (), *, whole: bool = True) -> Solution:
    """What a recorded loop did, as a solution.

    Args:
        loop: Built with `record`.
        seconds: That it took [s].
        history: What was told meanwhile.
        whole: Whether it came to its end by itself; one that was ended on its way need not face its last target.
    """
    commands, clip = loop.commands, loop.clip()
    usage = limit_usage(loop.problem.character, clip)
    error = commands[-1].error_rad if commands else 0.0
    names = [one.name for one in loop.problem.end_points if one.name in loop.targets]
    target = loop.targets[names[0]] if names else None  # of whom the error is
    reached = _over_limits(usage, len(commands)) or _faced(loop.problem, target, error, len(commands), whole)
    errors = np.array([0.0, *(command.error_rad for command in commands)])
    changing = np.array([False, *(command.changing for command in commands)])
    return Solution(
        loop.problem,
        reached,
        clip,
        loop.held(),
        loop.faced(),
        usage,
        errors,
        changing,
        loop.report(),
        history,
        seconds,
    )


def _over_limits(usage: LimitUsage, frames: int) -> Outcome | None:
    """The limit that is exceeded most, or None where all hold."""
    worst = max(LIMIT_KINDS, key=usage.peak)
    if usage.peak(worst) <= 1.0 + SHARE_TOLERANCE:
        return None
    time, axis = np.unravel_index(np.nanargmax(usage.shares[worst]), usage.shares[worst].shape)
    reason = (
        f"The {worst} of '{usage.axes[axis].name}' would need {100.0 * usage.peak(worst):.0f} % of its limit at "
        f"{usage.times[time]:.2f} s. A higher `smoothness` asks for less."
    )
    return Outcome(Status.INFEASIBLE, reason, frames)


def _faced(problem: Problem, target: Target | None, error: float, frames: int, whole: bool) -> Outcome:
    """Whether the last target is faced as well as it can be."""
    if target is None:
        return Outcome(Status.ACCEPTABLE, "Every limit holds; there was nothing to face.", frames)
    off, near = in_degrees(error), FACED_RAD
    if problem.options.idle:
        near += problem.options.idle_amplitude_rad  # the layer carries the eye as well
    if error <= near:
        return Outcome(Status.SOLVED, f"Every limit holds; the last target is faced, {off} off.", frames)
    if not whole:
        return Outcome(Status.ACCEPTABLE, f"Every limit holds; it was ended {off} off its last target.", frames)
    least = least_error(problem, target)
    if error <= least + near:
        reason = f"Every limit holds; the last target is out of reach, and the joints come as near as {off}."
        return Outcome(Status.ACCEPTABLE, reason, frames)
    reason = f"The last target is missed by {off}, and could be by {in_degrees(least)}. Start nearer to it."
    return Outcome(Status.STALLED, reason, frames)


def least_error(problem: Problem, target: Target) -> float:
    """The least angle by which a target can be missed, over all ways to face it that are found [rad]."""
    name = target.end_point or problem.end_points[0].name
    if problem.mechanism is not None:
        return face_with_mechanism(problem, {name: target}).errors_rad[name]
    if len(problem.end_points) > 1:
        problem = problem.alone(name)
    tolerance = problem.options.roll_tolerance_rad
    if tolerance is None:
        tolerance = math.pi if target.any_roll else 0.0
    facing, roll = problem.facing(tolerance), target.roll_rad or 0.0
    if target.point is not None:
        return look_at(facing, target.point, roll=roll).miss_rad
    wanted = target.quaternion_wxyz
    if target.direction is not None:
        wanted = tuple(facing_direction(problem.chain.end_point, target.direction, roll=roll))
    return math.radians(degrees_off(solve_facing(facing, wanted or ()).error.orientation))


class _Told:
    """Takes commands, and tells of some; the last target comes at a time [s]."""

    def __init__(self, rate_hz: float, last_s: float, progress: Progress | None) -> None:
        self._rate_hz, self._every = rate_hz, max(1, round(_TOLD_S * rate_hz))
        self._progress = progress or (lambda _: None)
        self._began, self._last = perf_counter(), max(1, math.ceil(last_s * rate_hz))
        self.history: list[Frame] = []

    def __call__(self, command: Command) -> None:
        number = round(command.time_s * self._rate_hz)
        if number % self._every:
            return
        resting = number > self._last
        frame = Frame(
            stage="coming to rest" if resting else "facing",
            number=number - self._last if resting else number,
            total=None if resting else self._last,
            objective=command.error_rad,
            seconds=perf_counter() - self._began,
            time_s=command.time_s,
            changing=command.changing,
        )
        self.history.append(frame)
        self._progress(frame)
