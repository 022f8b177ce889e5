"""Sequential inverse kinematics: each step after the other, within what velocities allow."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.design.optimization.evaluation import DesignPoint, References, evaluated
from animato.design.optimization.frame_ik import FrameSolution, closed, rest_point, step_teller
from animato.design.problem import Problem
from animato.mechanics.loops.constraints import constraint_jacobians, factor_constraints, sensitivities
from animato.outcome import Progress

_ROUNDS = 3
_SHARE = 0.999
"""Of the limits that a step may use."""


def sequential_inverse_kinematics(
    problem: Problem, design: ArrayLike | None = None, *, progress: Progress | None = None
) -> FrameSolution:
    """Follows targets as an IK that knows only the step before: fast, and late where velocities are limited.

    At each step the controls that fit the targets of this step best are found by Gauss-Newton within a box: the
    position limits, and what the velocity limits let controls reach from the step before. This is how
    Schumacher, Knoop, Bächer: A Versatile Inverse Kinematics Formulation for Retargeting Motions onto Robots with
    Kinematic Loops (2021) is applied frame by frame, and the baseline of Maloisel et al. (2023), Fig. 6.

    Args:
        problem: Gives targets, limits and weights.
        design: Shape [design]; the character's own where not given.
        progress: Told of every step.
    """
    mechanism, limits = problem.mechanism, problem.limits
    p = np.asarray(mechanism.design if design is None else design, dtype=np.float64)
    steps = problem.step_count
    controls, states = np.empty((steps, len(mechanism.controls))), np.empty((steps, len(mechanism.state)))
    objective = np.empty(steps)
    here = rest_point(mechanism, p)
    bounded = np.isfinite(limits.controls).all(axis=0)
    middle = np.where(bounded, limits.controls, 0.0).mean(axis=0)
    low, high = middle + _SHARE * (limits.controls - middle)
    tell = step_teller("inverse kinematics", steps, progress)
    for k in range(steps):
        lower, upper = low, high
        if k not in problem.starts:
            reach = _SHARE * limits.velocities * problem.spans[k - 1]
            lower, upper = np.maximum(low, controls[k - 1] - reach), np.minimum(high, controls[k - 1] + reach)
        one = problem.at_steps(np.array([k]))
        here, objective[k] = _best(one, here, lower, upper, rounds=30 if k in problem.starts else _ROUNDS)
        controls[k], states[k] = here.controls[0], here.states[0]
        tell(k + 1)
    return FrameSolution(controls, states, objective)


def _best(
    problem: Problem, here: DesignPoint, lower: np.ndarray, upper: np.ndarray, *, rounds: int
) -> tuple[DesignPoint, float]:
    """The best point of one step within a box, and its objective."""
    from scipy.optimize import lsq_linear

    wanted = np.where(np.isfinite(problem.references), problem.references, here.controls)
    references = References(here.design, wanted)
    known = evaluated(problem, here, references, velocities_count=False)
    for _ in range(rounds):
        u = here.controls[0]
        A, b = _linearized(problem, here, references)
        A[:, problem.held] = 0.0
        room = np.maximum(upper - u, 0.0) + 1e-12, np.minimum(lower - u, 0.0) - 1e-12
        step = lsq_linear(A, -b, (room[1], room[0]), method="bvls").x
        step[problem.held] = 0.0
        better = None
        for length in (1.0, 0.5, 0.25, 0.1):
            trial, fine = closed(problem.mechanism, DesignPoint(here.design, (u + length * step)[None], here.states))
            if not fine[0]:
                continue
            found = evaluated(problem, trial, references, velocities_count=False)
            if found.objective.total < known.objective.total:
                better = found
                break
        if better is None:
            break
        fell = known.objective.total - better.objective.total
        here, known = better.point, better
        if fell < 1e-4 * known.objective.total:
            break
    return here, known.objective.total


def _linearized(problem: Problem, here: DesignPoint, references: References) -> tuple[np.ndarray, np.ndarray]:
    """Matrix and right side of the least squares in the change of the controls, rows weighted."""
    mechanism, tracking = problem.mechanism, problem.tracking
    count = len(mechanism.controls)
    found = constraint_jacobians(mechanism, here.states, here.controls, here.design)
    slopes = -sensitivities(found, factor_constraints(mechanism, found.state))[0, :, :count]
    jacobian = np.zeros((tracking.row_count, len(mechanism.state)))
    jacobian[tracking.rows, tracking.cols] = tracking.jacobian(here.states)[0]
    root = np.sqrt(tracking.weights[0])
    A = [root[:, None] * (jacobian @ slopes)]
    b = [root * tracking.residuals(here.states)[0]]
    for rows in problem.terms:
        soft = rows.evaluated(here.states, here.controls, here.design)
        root = np.sqrt(rows.weights)
        whole = rows.state.dense(soft.state[0]) @ slopes + rows.control.dense(soft.control[0])
        A.append(root[:, None] * whole)
        b.append(root * soft.values[0])
    root = np.sqrt(problem.reference_weights)
    A.append(np.diag(root))
    b.append(root * (here.controls[0] - references.controls[0]))
    return np.vstack(A), np.concatenate(b)
