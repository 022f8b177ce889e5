"""Solves a design: wholly, or a few steps on while somebody drags. Runs in a process of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from animato.character import Character
from animato.design import (
    DesignPoint,
    Options,
    Performance,
    Problem,
    Refined,
    Solution,
    TargetMotion,
    TrackingTarget,
    build,
    freed,
    refine,
    solve,
)
from animato.design.optimization import point_paths, tracking_errors
from animato.design.problem import point_on_body
from animato.formats import load_character
from animato.gallery.design import shipped_targets
from animato.mechanics.loops.constraints import Mechanism, joint_coordinates
from animato.outcome import Progress
from animato.studio.designing.changes import changes_of
from animato.studio.designing.found import Found, Off, Side

_ROUGH_STEPS = 40
_ROUGH_ITERATIONS = 3
_ROUGH_BEFORE = 2
_MEMORY: dict[str, Any] = {}  # order of elimination by what may change, and of what mechanism they are


@dataclass(frozen=True, eq=False)
class Request:
    """A design to be solved.

    Attributes:
        number: Later ones are larger.
        character: As it is.
        freed: What may change beside what is configurable, see `design.freed`.
        motion: Targets, bent and weighted.
        options: What counts how much.
        keep_motors: Whether motors do exactly what they did.
    """

    number: int
    character: Character
    freed: tuple[str, ...]
    motion: TargetMotion
    options: Options
    keep_motors: bool = False


@lru_cache(maxsize=4)
def freed_character(character: Character, words: tuple[str, ...]) -> Character:
    """The character with what may change."""
    return freed(character, words)


def find(request: Request, progress: Progress | None = None) -> Found:
    """The best design, judged.

    Args:
        request: What is asked for.
        progress: Told of every step.

    Raises:
        AnimatoError: The mechanism cannot be assembled or cannot follow; in a sentence.
    """
    began = time.perf_counter()
    problem = _problem(request, request.motion)
    solution = solve(problem, progress=progress)
    before = solution.initial
    if problem.controls_free and problem.design_free and request.motion.controls is not None:
        # what the mechanism gains is measured against the best that motors can do with the old one
        alone = replace(problem, options=replace(problem.options, optimize="control"))
        before = solve(alone, progress=progress).optimized
    return Found(
        number=request.number,
        rough=False,
        usable=solution.outcome.usable,
        words=solution.outcome.reason,
        verdict=str(solution.targets.verdict),
        times=np.arange(problem.step_count) / request.motion.rate_hz,
        steps=np.arange(problem.step_count),
        before=_performed(request, before),
        after=_performed(request, solution.optimized),
        changes=_changes(problem, before.point, solution.optimized.point),
        character=solution.optimized.character,
        clip=solution.clip,
        seconds=time.perf_counter() - began,
    )


def designed(request: Request, progress: Progress | None = None) -> Solution:
    """What `design` finds, with all that it knows.

    Args:
        request: What is asked for.
        progress: Told of every step.

    Raises:
        AnimatoError: The mechanism cannot be assembled or cannot follow; in a sentence.
    """
    return solve(_problem(request, request.motion), progress=progress)


@dataclass(frozen=True, eq=False)
class Start:
    """Where a rough solve begins.

    Attributes:
        steps: Of the target, shape [step].
        before: The mechanism as it is, at these steps.
        after: What was found last.
    """

    steps: np.ndarray
    before: DesignPoint
    after: DesignPoint


def start_of(last: Found, step_count: int) -> Start:
    """A start from what was found last, thinned out so that it is quick.

    Args:
        last: Found roughly or not.
        step_count: Of the target.
    """
    steps = last.steps
    if len(steps) > _ROUGH_STEPS:
        steps = np.unique(np.linspace(0, step_count - 1, _ROUGH_STEPS).round().astype(int))
    rows = np.searchsorted(last.steps, steps)
    return Start(steps, _at(last.before.point, rows), _at(last.after.point, rows))


def find_roughly(request: Request, start: Start) -> Found:
    """A few steps on from what was found last, for targets that have moved a little since.

    Args:
        request: The same as last time but for the targets.
        start: From `start_of`.
    """
    began = time.perf_counter()
    steps, before = start.steps, start.before
    problem = _problem(request, thinned(request.motion, steps), iterations=_ROUGH_ITERATIONS)
    refined = _refined(problem, start.after)
    if problem.controls_free and problem.design_free:
        # the old mechanism follows too, with its motors: what is gained is what the mechanism gains
        alone = replace(problem, options=replace(problem.options, optimize="control", iterations=_ROUGH_BEFORE))
        before = _refined(alone, before).point
    return Found(
        number=request.number,
        rough=True,
        usable=refined.closed,
        words="" if refined.closed else "The mechanism does not go together like this.",
        verdict="",
        times=steps / request.motion.rate_hz,
        steps=steps,
        before=_side(request, problem, before),
        after=_side(request, problem, refined.point),
        changes=_changes(problem, before, refined.point),
        character=None,
        clip=None,
        seconds=time.perf_counter() - began,
    )


def warm_up() -> None:
    """Loads all that a design needs, while somebody still chooses what to follow."""
    made = shipped_targets()["four_bar"]
    character = load_character(made.character)
    request = Request(0, character, (), made.motion(character), made.options, keep_motors=True)
    find_roughly(request, start_of(find(request), request.motion.step_count))


def _refined(problem: Problem, start: DesignPoint) -> Refined:
    """A few steps on; the order of elimination is remembered from call to call, for the last mechanism only."""
    kinds = tuple(
        (one.name, one.positions is None, one.orientations_wxyz is None) for one in problem.motions[0].targets
    )
    key = (problem.character, kinds, problem.step_count)
    if _MEMORY.get("of") != key:
        _MEMORY.clear()
        _MEMORY["of"] = key
    refined = refine(problem, start, memory=_MEMORY.get(problem.optimize))
    _MEMORY[problem.optimize] = refined.memory
    return refined


def thinned(motion: TargetMotion, steps: np.ndarray) -> TargetMotion:
    """The motion at some of its steps.

    Args:
        motion: Any.
        steps: Rising, about even, the first and the last one among them.
    """
    if len(steps) == motion.step_count:
        return motion
    targets = tuple(
        replace(
            one,
            positions=None if one.positions is None else one.positions[steps],
            orientations_wxyz=None if one.orientations_wxyz is None else one.orientations_wxyz[steps],
            position_weights=one.position_weights[steps],
            orientation_weight=np.asarray(one.orientation_weight)[steps],
        )
        for one in motion.targets
    )
    controls = None if motion.controls is None else motion.controls[steps]
    rate = motion.rate_hz * (len(steps) - 1) / max(motion.step_count - 1, 1)
    return replace(motion, targets=targets, controls=controls, rate_hz=rate)


def _problem(request: Request, motion: TargetMotion, iterations: int | None = None) -> Problem:
    free = freed_character(request.character, request.freed)
    targets = tuple(_on(free, one) for one in motion.targets)
    asked = replace(request.options, iterations=request.options.iterations if iterations is None else iterations)
    known = replace(motion, targets=targets)
    problem = build(free, known, replace(asked, optimize="control"))
    if problem.mechanism.design_names:
        problem = replace(problem, options=replace(asked, optimize="design" if request.keep_motors else "both"))
    return problem


def _on(character: Character, target: TrackingTarget) -> TrackingTarget:
    """A target where its point is on the freed character: a body whose length may change carries its far end apart."""
    names = [*(one.name for one in character.end_points), *(one.name for one in character.markers)]
    if target.name not in names:
        return target
    body, frame = point_on_body(character, target.name)
    return replace(target, body=body, point=np.array(frame.position))


def _at(point: DesignPoint, rows: np.ndarray) -> DesignPoint:
    return DesignPoint(point.design, point.controls[rows], point.states[rows])


def _performed(request: Request, performance: Performance) -> Side:
    return _side(request, performance.problem, performance.point)


def _side(request: Request, problem: Problem, point: DesignPoint) -> Side:
    mechanism = problem.mechanism
    errors = tracking_errors(mechanism, problem.motions, point.states)
    _, paths, _ = point_paths(mechanism, problem.motions, point.states)
    each = tuple(
        Off.of(replace(errors, positions=errors.positions[:, n], orientations=errors.orientations[:, n]))
        for n in range(len(errors.names))
    )
    poses = point.states.reshape(len(point.states), -1, 7)
    bodies = [mechanism.body_index(body.name) for body in request.character.bodies]
    coordinates = _coordinates(mechanism, request.character, point)
    return Side(point, Off.of(errors), each, paths.transpose(1, 0, 2), poses[:, bodies], coordinates)


def _coordinates(mechanism: Mechanism, character: Character, point: DesignPoint) -> np.ndarray:
    names = character.coordinate_names
    found = joint_coordinates(mechanism, point.states).columns(names).copy()
    for column, name in enumerate(mechanism.control_names):
        if name in names:
            found[:, names.index(name)] = point.controls[:, column]
    return np.asarray(found)


def _changes(problem: Problem, before: DesignPoint, after: DesignPoint) -> tuple[Any, ...]:
    return changes_of(problem.character, problem.mechanism.design_names, before.design, after.design)
