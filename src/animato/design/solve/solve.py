"""Solves a design problem from start to end."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Literal

import numpy as np

from animato.design.problem import DesignProblem, rate_limited
from animato.design.solve.evaluation import DesignPoint, References, evaluated
from animato.design.solve.frame_ik import loop_inverse_kinematics, spans_of
from animato.design.solve.program import Hessian
from animato.design.solve.sequential_ik import sequential_inverse_kinematics
from animato.design.solve.solution import DesignSolution, Performance
from animato.design.solve.sqp import Callback, Sqp, SqpResult
from animato.design.terms import DroppedRows
from animato.errors import MechanismError, OptionError
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.constraints import constraint_values, joint_coordinates
from animato.outcome import Outcome, Status
from animato.solvers.stage_qp import METHODS, Method

Initial = Literal["frames", "sequential"]

_SHAPE_WEIGHTS = (1e2, 1e4)
"""Factors on the weight of redundant rows, tried one after the other while such rows do not hold."""

DROPPED_TOLERANCE = 1e-6
"""Redundant row of a joint [m or 1] above which a design does not go together."""


def solve_design(
    problem: DesignProblem,
    *,
    method: Method = "arrow",
    hessian: Hessian = "gauss-newton",
    tolerance: float = 4e-3,
    max_iterations: int = 100,
    start: DesignPoint | None = None,
    initial: Initial | None = None,
    callback: Callback | None = None,
) -> DesignSolution:
    """Optimizes design and controls so that a character follows its targets as closely as it can.

    After Maloisel, Schumacher, Knoop, Grandia, Bächer: Optimal Design of Robotic Character Kinematics (2023),
    Secs. 5 to 7. Sequential quadratic programming; see docs/design.md for what is done where the paper is open.

    Args:
        problem: From `build_design_problem`.
        method: How search directions are found: "arrow", "riccati" or "ldlt". The result is the same.
        hessian: "gauss-newton", or "exact" with second derivatives of targets and constraints.
        tolerance: Share of the objective by which it must fall in an iteration to go on.
        max_iterations: At most.
        start: Where to begin, as from an earlier solution; inverse kinematics where not given.
        initial: How the initial design follows targets: "frames" solves each step for itself, "sequential" after
            the step before and within what velocities allow. Where not given "sequential" if the design stays as it
            is, because that is what one would do without planning the whole clip, else "frames".
        callback: Told of every iteration.

    Raises:
        MechanismError: The given controls cannot be followed by the initial design.
    """
    if method not in METHODS:
        raise OptionError(f"Search directions are found by one of {', '.join(METHODS)}, not {method!r}.")
    if hessian not in ("gauss-newton", "exact"):
        raise OptionError(f"Second derivatives are 'gauss-newton' or 'exact', not {hessian!r}.")
    if not (0.0 < tolerance < 1.0 and max_iterations >= 0):
        raise OptionError(
            f"The tolerance must be between 0 and 1 and iterations at least 0, not {tolerance}, {max_iterations}."
        )
    if initial not in (None, "frames", "sequential"):
        raise OptionError(f"The initial motion is found by 'frames' or 'sequential', not {initial!r}.")
    began = time.perf_counter()
    first = initial_point(problem, initial)
    references = References(first.design, first.controls, problem.weights.velocity)
    before = performance(problem, first, references)

    def run(asked: DesignProblem, begin: DesignPoint) -> SqpResult:
        return Sqp(
            asked, begin, references,
            method=method, hessian=hessian, tolerance=tolerance, max_iterations=max_iterations, callback=callback,
        ).run()  # fmt: skip

    result = run(problem, start or first)
    history = result.history
    for harder in _SHAPE_WEIGHTS:
        if max_iterations == 0 or not violated_rows(problem, result.last.point):
            break
        result = run(_with_shape_weight(problem, harder * problem.weights.shape), result.last.point)
        history += tuple(replace(one, number=len(history) + one.number) for one in result.history)
    after = performance(problem, settled(problem, result.last.point), result.references)
    violated = violated_rows(problem, after.point)
    outcome = _judged(problem, after, result.outcome, violated)
    return DesignSolution(problem, before, after, outcome, history, violated, time.perf_counter() - began)


def _with_shape_weight(problem: DesignProblem, weight: float) -> DesignProblem:
    """The problem with redundant rows of joints held harder."""
    dropped = DroppedRows.of(problem.mechanism, replace(problem.weights, shape=weight))
    rows = tuple(dropped if isinstance(one, DroppedRows) else one for one in problem.soft_rows)
    return replace(problem, soft_rows=rows)


def initial_point(problem: DesignProblem, initial: Initial | None = None) -> DesignPoint:
    """The initial design with its given controls, or with those that inverse kinematics finds; see `solve_design`.

    Velocities beyond their limits are slowed down where the loops still close then.
    """
    mechanism, design = problem.mechanism, problem.mechanism.design
    given = np.all(np.isfinite(problem.references), axis=1)
    if given.all() and len(problem.starts) == 1:
        return DesignPoint(design, problem.references, loop_kinematics(mechanism, problem.references).states)
    way: Initial = initial or ("sequential" if problem.optimize == "control" else "frames")
    point = _followed(problem, way) if not given.all() else None
    controls = problem.references.copy() if point is None else point.controls.copy()
    states = np.empty((len(given), len(mechanism.state))) if point is None else point.states.copy()
    for first, end in spans_of(problem):
        if given[first]:
            controls[first:end] = problem.references[first:end]
            states[first:end] = loop_kinematics(mechanism, controls[first:end]).states
    return DesignPoint(design, controls, states)


def _followed(problem: DesignProblem, initial: Initial) -> DesignPoint:
    """The initial design with the controls that inverse kinematics finds."""
    mechanism, design = problem.mechanism, problem.mechanism.design
    found = sequential_inverse_kinematics(problem) if initial == "sequential" else loop_inverse_kinematics(problem)
    start = settled(problem, DesignPoint(design, found.controls, found.states))
    limited = rate_limited(start.controls, problem)
    if initial == "sequential" or limited is start.controls:
        return start
    motion = loop_kinematics(mechanism, limited, start=found.states, require_reached=False)
    return settled(problem, DesignPoint(design, limited, motion.states)) if motion.reached.all() else start


def performance(problem: DesignProblem, point: DesignPoint, references: References) -> Performance:
    """What a design does, evaluated."""
    motion = loop_kinematics(problem.mechanism, point.controls, point.design, start=point.states, require_reached=False)
    if motion.reached.all():
        point = DesignPoint(point.design, point.controls, motion.states)
    return Performance(problem, point, evaluated(problem, point, references).objective, motion)


def violated_rows(problem: DesignProblem, point: DesignPoint) -> tuple[tuple[str, float], ...]:
    """Redundant rows of joints that do not hold at some step, and by how much; the largest first."""
    mechanism = problem.mechanism
    rows = mechanism.row_indices("redundant")
    if not len(rows):
        return ()
    values = constraint_values(mechanism, point.states, point.controls, point.design, rows="redundant")
    worst = np.max(np.abs(values), axis=0)
    order = np.argsort(-worst)
    return tuple((mechanism.row_names[rows[n]], float(worst[n])) for n in order if worst[n] > DROPPED_TOLERANCE)


def settled(problem: DesignProblem, point: DesignPoint) -> DesignPoint:
    """A point whose controls, where they are too many, are set to where their joints are."""
    mechanism = problem.mechanism
    if not mechanism.counts.redundant_active or not problem.controls_free:
        return point
    read = joint_coordinates(mechanism, point.states).columns(mechanism.control_names)
    turns = np.round((point.controls - read) / (2.0 * np.pi)) * 2.0 * np.pi
    return replace(point, controls=read + turns)


def _judged(
    problem: DesignProblem, after: Performance, outcome: Outcome, violated: tuple[tuple[str, float], ...]
) -> Outcome:
    """The outcome of the solver, or why what it found cannot be used."""
    if violated:
        told = ", ".join(f"{name} ({value:.2g})" for name, value in violated[:4])
        reason = f"The design is rejected: {len(violated)} redundant rows of its joints do not hold: {told}."
        return Outcome(Status.INFEASIBLE, reason, outcome.iterations)
    if not after.motion.reached.all():
        step = int(np.argmin(after.motion.reached))
        reason = f"The loops of the design do not close at step {step} of {problem.step_count}."
        return Outcome(Status.INFEASIBLE, reason, outcome.iterations)
    if after.motion.flipped_joints:
        reason = (
            f"Joints are flipped by half a turn against how they were built: {', '.join(after.motion.flipped_joints)}."
        )
        return Outcome(Status.INFEASIBLE, reason, outcome.iterations)
    if after.exceeded_limits:
        told = ", ".join(f"{one.name} ({one.kind}, {100.0 * one.share:.1f} %)" for one in after.exceeded_limits[:4])
        return Outcome(Status.INFEASIBLE, f"Limits are not kept: {told}.", outcome.iterations)
    if problem.singular_floor > 0.0 and np.min(after.singular_values) < problem.singular_floor:
        reason = (
            f"The smallest singular value falls to {np.min(after.singular_values):.3g}, below the floor of "
            f"{problem.singular_floor:.3g}."
        )
        return Outcome(Status.INFEASIBLE, reason, outcome.iterations)
    if problem.clearance > 0.0 and after.clearances.smallest < problem.clearance:
        (first, second), step = after.clearances.worst or (("", ""), 0)
        nearest, asked = 1000.0 * after.clearances.smallest, 1000.0 * problem.clearance
        reason = (
            f"'{first}' and '{second}' come as near as {nearest:.1f} mm at step {step}; {asked:.1f} mm were asked for."
        )
        return Outcome(Status.INFEASIBLE, reason, outcome.iterations)
    return outcome


def required(solution: DesignSolution) -> DesignSolution:
    """The solution if its design can be used, otherwise an error that says why not."""
    if solution.outcome.status is Status.INFEASIBLE:
        raise MechanismError(
            f"No usable design was found for '{solution.problem.character.name}'. {solution.outcome.reason}"
        )
    return solution
