"""Objective and constraints of a design problem at one set of values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.design.problem import Problem
from animato.design.terms import FLOOR, SoftValues
from animato.mechanics.loops.constraints import ConstraintJacobians, Mechanism, constraint_jacobians


@dataclass(frozen=True, eq=False)
class DesignPoint:
    """Values of all variables; velocities follow from the controls.

    Attributes:
        design: p, shape [design].
        controls: u, shape [step, control].
        states: s, shape [step, state].
    """

    design: np.ndarray
    controls: np.ndarray
    states: np.ndarray


@dataclass(frozen=True, eq=False)
class References:
    """What changes in the objective from iteration to iteration.

    Attributes:
        design: What regularization pulls the design to, shape [design].
        controls: The same for controls, shape [step, control].
        velocity: Weight of squared velocities.
        floor: Where the barriers of limits become parabolas, as a share of the margin.
    """

    design: np.ndarray
    controls: np.ndarray
    velocity: float = 0.0
    floor: float = FLOOR


@dataclass(frozen=True, eq=False)
class Objective:
    """The terms of the objective.

    Attributes:
        tracking: Of the targets, shape [step].
        soft: Of the soft rows, shape [step].
        limits: Of the barriers, shape [step]; a velocity counts at the step it starts from.
        regularization: Pull to references and squared velocities, shape [step].
    """

    tracking: np.ndarray
    soft: np.ndarray
    limits: np.ndarray
    regularization: np.ndarray

    @cached_property
    def by_step(self) -> np.ndarray:
        """Their sum, shape [step]."""
        return self.tracking + self.soft + self.limits + self.regularization

    @cached_property
    def total(self) -> float:
        """Sum over terms and steps."""
        return float(self.by_step.sum())


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A point with its objective and the constraint rows.

    Attributes:
        point: Where.
        velocities: Shape [step - 1, control]; 0 between motions.
        residuals: Of the targets, shape [step, row].
        soft: Values and derivatives of each set of soft rows.
        jacobians: C and its derivatives, of the kept rows.
        objective: Its terms.
    """

    point: DesignPoint
    velocities: np.ndarray
    residuals: np.ndarray
    soft: tuple[SoftValues, ...]
    jacobians: ConstraintJacobians
    objective: Objective


def normalized_point(mechanism: Mechanism, point: DesignPoint) -> DesignPoint:
    """The point with all quaternions of unit length."""
    states = point.states.copy()
    turns = states.reshape(len(states), -1, 7)[:, :, 3:]
    turns /= np.sqrt(np.sum(turns * turns, axis=2, keepdims=True))
    design, controls = point.design, point.controls
    if mechanism.design_quaternions:
        design = _with_units(design[None], mechanism.design_quaternions)[0]
    if mechanism.control_quaternions:
        controls = _with_units(controls, mechanism.control_quaternions)
    return DesignPoint(design, controls, states)


def _with_units(values: np.ndarray, firsts: tuple[int, ...]) -> np.ndarray:
    columns = np.array(firsts)[:, None] + np.arange(4)
    found = values.copy()
    parts = found[:, columns]
    found[:, columns] = parts / np.linalg.norm(parts, axis=2, keepdims=True)
    return found


def evaluated(
    problem: Problem, point: DesignPoint, references: References, *, velocities_count: bool = True
) -> Evaluation:
    """Evaluates a problem.

    Args:
        problem: Which.
        point: Where.
        references: Of the regularization.
        velocities_count: Whether velocity limits are a part of the objective.
    """
    weights = problem.weights
    p, u, s = point.design, point.controls, point.states
    residuals = problem.tracking.residuals(s)
    soft = tuple(rows.evaluated(s, u, p) for rows in problem.terms)
    velocities = np.diff(u, axis=0) / problem.spans[:, None]
    velocities[~problem.linked] = 0.0
    steps = problem.step_count
    limits = weights.limits * (
        problem.limits.control_bounds.values(u, references.floor)
        + problem.limits.design_bounds.values(p[None], references.floor)[0]
    )
    if velocities_count:
        limits[:-1] += weights.limits * problem.limits.velocity_bounds.values(velocities, references.floor)
    pull = 0.5 * np.sum(problem.reference_weights * (u - references.controls) ** 2, axis=1)
    if velocities_count:
        pull[:-1] += 0.5 * references.velocity * np.sum(velocities**2, axis=1)
    pull += 0.5 * weights.design * np.sum((p - references.design) ** 2)
    squares = np.zeros(steps)
    for rows, found in zip(problem.terms, soft, strict=True):
        squares += 0.5 * np.sum(rows.weights * found.values**2, axis=1)
    objective = Objective(0.5 * np.sum(problem.tracking.weights * residuals**2, axis=1), squares, limits, pull)
    jacobians = constraint_jacobians(problem.mechanism, s, u, p)
    return Evaluation(point, velocities, residuals, soft, jacobians, objective)
