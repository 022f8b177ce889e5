"""Where a design problem begins: the initial design with controls that follow the targets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.design.optimization.evaluation import DesignPoint
from animato.design.optimization.frame_ik import loop_inverse_kinematics, spans_of
from animato.design.optimization.sequential_ik import sequential_inverse_kinematics
from animato.design.options import Initial
from animato.design.problem import Problem
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.constraints import joint_coordinates
from animato.outcome import Progress

_SHARE = 0.9
"""Of the velocity limit that a slowed-down control uses, so that the barrier is low."""


def initial_point(problem: Problem, progress: Progress | None = None) -> DesignPoint:
    """The initial design with its given controls, or with those that inverse kinematics finds.

    Velocities beyond their limits are slowed down where the loops still close then.

    Args:
        problem: Its option `initial` says how; where it does not, steps follow one another if the design stays as
            it is, because that is what one would do without planning the whole clip.
        progress: Told of the steps of inverse kinematics.

    Raises:
        MechanismError: The given controls cannot be followed.
    """
    mechanism, design = problem.mechanism, problem.mechanism.design
    given = np.all(np.isfinite(problem.references), axis=1)
    if given.all() and len(problem.starts) == 1:
        return DesignPoint(design, problem.references, loop_kinematics(mechanism, problem.references).states)
    way: Initial = problem.options.initial or ("sequential" if problem.optimize == "control" else "frames")
    point = _followed(problem, way, progress) if not given.all() else None
    controls = problem.references.copy() if point is None else point.controls.copy()
    states = np.empty((len(given), len(mechanism.state))) if point is None else point.states.copy()
    for first, end in spans_of(problem):
        if given[first]:
            controls[first:end] = problem.references[first:end]
            states[first:end] = loop_kinematics(mechanism, controls[first:end]).states
    return DesignPoint(design, controls, states)


def _followed(problem: Problem, way: Initial, progress: Progress | None) -> DesignPoint:
    """The initial design with the controls that inverse kinematics finds."""
    mechanism, design = problem.mechanism, problem.mechanism.design
    follow = sequential_inverse_kinematics if way == "sequential" else loop_inverse_kinematics
    found = follow(problem, progress=progress)
    start = settled(problem, DesignPoint(design, found.controls, found.states))
    limited = rate_limited(start.controls, problem)
    if way == "sequential" or limited is start.controls:
        return start
    motion = loop_kinematics(mechanism, limited, start=found.states, require_reached=False)
    return settled(problem, DesignPoint(design, limited, motion.states)) if motion.reached.all() else start


def settled(problem: Problem, point: DesignPoint) -> DesignPoint:
    """A point whose controls, where they are too many and not held, are set to where their joints are."""
    mechanism = problem.mechanism
    if not mechanism.counts.redundant_active or not problem.controls_free:
        return point
    read = joint_coordinates(mechanism, point.states).columns(mechanism.control_names)
    turns = np.round((point.controls - read) / (2.0 * np.pi)) * 2.0 * np.pi
    return replace(point, controls=np.where(problem.held, point.controls, read + turns))


def rate_limited(controls: np.ndarray, problem: Problem) -> np.ndarray:
    """Controls that keep their velocity limits; those given where they do already.

    Once forward and once backward in time each step goes as far as the limit lets it; the mean of both
    keeps the limit too and lags to neither side.

    Args:
        controls: Shape [step, control].
        problem: Gives times and limits.
    """
    most = np.where(problem.linked[:, None], _SHARE * problem.limits.velocities * problem.spans[:, None], np.inf)
    if np.all(np.abs(np.diff(controls, axis=0)) <= most):
        return controls
    ahead, back = controls.copy(), controls.copy()
    for k in range(1, len(controls)):
        ahead[k] = np.clip(ahead[k], ahead[k - 1] - most[k - 1], ahead[k - 1] + most[k - 1])
    for k in range(len(controls) - 2, -1, -1):
        back[k] = np.clip(back[k], back[k + 1] - most[k], back[k + 1] + most[k])
    return 0.5 * (ahead + back)
