"""Solves a design problem from start to end, and judges what was found."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from animato.design.optimization.evaluation import DesignPoint, References, evaluated
from animato.design.optimization.initial import initial_point, settled
from animato.design.optimization.solution import Performance, Solution
from animato.design.optimization.sqp import Sqp
from animato.design.problem import Problem
from animato.design.terms import DroppedRows, MustHold
from animato.errors import OptionError
from animato.kernels.one_thread import one_blas_thread
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.constraints import constraint_values, joint_coordinates
from animato.outcome import Outcome, Progress, Status

_SHAPE_WEIGHTS = (1e2, 1e4)
"""Factors on the weight of redundant rows, tried one after the other while such rows do not hold."""

HELD_TOLERANCE = 1e-4
"""How far the joint of a held motor may be from its control, where motors are too many [rad or m]."""

DROPPED_TOLERANCE = 1e-6
"""Redundant row of a joint [m or 1] above which a design does not go together."""


@one_blas_thread
def solve(problem: Problem, *, start: DesignPoint | None = None, progress: Progress | None = None) -> Solution:
    """Optimizes design and controls so that a character follows its targets as closely as it can.

    After Maloisel, Schumacher, Knoop, Grandia, Bächer: Optimal Design of Robotic Character Kinematics (2023),
    Secs. 5 to 7. Sequential quadratic programming; see docs/design.md for what is done where the paper is open.

    Args:
        problem: From `build`.
        start: Where to begin, such as `optimized.point` of an earlier solution; inverse kinematics where not given.
        progress: Told of every step: first of inverse kinematics, then a `DesignIteration` each.

    Raises:
        MechanismError: The given controls cannot be followed by the initial design.
    """
    if not isinstance(problem, Problem):
        raise OptionError(
            f"`problem` must be a design.Problem; build it first: design.build(...). Given {problem!r:.60}."
        )
    began = time.perf_counter()
    first = initial_point(problem, progress)
    references = References(first.design, first.controls, problem.weights.velocity)
    before = performance(problem, first, references)
    result = Sqp(problem, start or first, references, progress=progress).run()
    for harder in _SHAPE_WEIGHTS:
        if problem.options.iterations == 0 or not violated_rows(problem, result.last.point):
            break
        held = _with_shape_weight(problem, harder * problem.weights.shape)
        result = Sqp(held, result.last.point, references, progress=progress, done=result.history).run()
    # But for the design, whose reference moves along as published, both ends are measured alike.
    last = replace(references, design=result.references.design)
    after = performance(problem, settled(problem, result.last.point), last)
    violated = violated_rows(problem, after.point)
    outcome = _judged(after, result.outcome, violated)
    return Solution(problem, before, after, outcome, result.history, violated, time.perf_counter() - began)


def _with_shape_weight(problem: Problem, weight: float) -> Problem:
    """The problem with redundant rows of joints held harder."""
    dropped = DroppedRows.of(problem.mechanism, replace(problem.weights, shape=weight))
    return replace(problem, terms=tuple(dropped if isinstance(one, DroppedRows) else one for one in problem.terms))


def performance(problem: Problem, point: DesignPoint, references: References) -> Performance:
    """What a design does, evaluated."""
    motion = loop_kinematics(problem.mechanism, point.controls, point.design, start=point.states, require_reached=False)
    if motion.reached.all():
        point = DesignPoint(point.design, point.controls, motion.states)
    return Performance(problem, point, evaluated(problem, point, references).objective, motion)


def violated_rows(problem: Problem, point: DesignPoint) -> tuple[tuple[str, float], ...]:
    """Redundant rows of joints that do not hold at some step, and by how much; the largest first."""
    mechanism = problem.mechanism
    rows = mechanism.row_indices("redundant")
    if not len(rows):
        return ()
    values = constraint_values(mechanism, point.states, point.controls, point.design, rows="redundant")
    worst = np.max(np.abs(values), axis=0)
    order = np.argsort(-worst)
    return tuple((mechanism.row_names[rows[n]], float(worst[n])) for n in order if worst[n] > DROPPED_TOLERANCE)


def _judged(after: Performance, outcome: Outcome, violated: tuple[tuple[str, float], ...]) -> Outcome:
    """The only judge: why what was found cannot be used, else how the solver ended.

    Where all holds, a solver that ended early leaves an answer that is acceptable: only the last bit of the objective
    may be missing.
    """
    why = _broken(after, violated)
    if why is not None:
        return replace(outcome, status=Status.INFEASIBLE, reason=why)
    return outcome if outcome.solved else replace(outcome, status=Status.ACCEPTABLE)


def _loose_motor(after: Performance) -> str | None:
    """A motor that is held while its joint is elsewhere, which surplus motors allow, in a sentence."""
    problem, point = after.problem, after.point
    if not problem.held.any() or not problem.mechanism.counts.redundant_active:
        return None
    names = problem.mechanism.control_names
    off = point.controls - joint_coordinates(problem.mechanism, point.states).columns(names)
    off = np.abs(off - 2.0 * np.pi * np.round(off / (2.0 * np.pi)))[:, problem.held].max(axis=0)
    worst = int(np.argmax(off))
    if off[worst] <= HELD_TOLERANCE:
        return None
    name = [name for name, held in zip(names, problem.held, strict=True) if held][worst]
    return (
        f"The motor '{name}' is held, but other motors keep its joint {off[worst]:.2g} rad or m away from where it is "
        "told to be. Hold fewer motors, or state controls that agree."
    )


def _broken(after: Performance, violated: tuple[tuple[str, float], ...]) -> str | None:
    """What must hold and does not, in a sentence."""
    problem, point = after.problem, after.point
    if violated:
        told = ", ".join(f"{name} ({value:.2g})" for name, value in violated[:4])
        return f"The design is rejected: {len(violated)} redundant rows of its joints do not hold: {told}."
    if not after.motion.reached.all():
        step = int(np.argmin(after.motion.reached))
        return f"The loops of the design do not close at step {step} of {problem.step_count}."
    if after.motion.flipped_joints:
        flipped = ", ".join(after.motion.flipped_joints)
        return f"Joints are flipped by half a turn against how they were built: {flipped}."
    loose = _loose_motor(after)
    if loose is not None:
        return loose
    if after.exceeded_limits:
        told = ", ".join(f"{one.name} ({one.kind}, {100.0 * one.share:.1f} %)" for one in after.exceeded_limits[:4])
        return f"Limits are not kept: {told}."
    sentences = (
        term.broken(point.states, point.controls, point.design) for term in problem.terms if isinstance(term, MustHold)
    )
    return next((sentence for sentence in sentences if sentence), None)
