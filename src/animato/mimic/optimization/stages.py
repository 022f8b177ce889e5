"""The stages of a search: landmarks and contacts first, then forces that carry ever more surely."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.mimic.anatomy import stand_points
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.model import ClipModel, ClipPoint
from animato.mimic.optimization.refreshing import Rounds
from animato.mimic.optimization.terms import USUAL_HEIGHT, Weights
from animato.mimic.problem import Problem
from animato.outcome import Outcome, Progress
from animato.solvers import AugmentedOptions, solve_augmented

_PROXIMAL = 0.1  # of squared changes of control points in a step


@dataclass(frozen=True)
class Stage:
    """One stage.

    Attributes:
        name: For people.
        dynamics: Whether forces carry the robot.
        wrench: Stiffness of the wrench that nothing gives, as a share of the last one.
        mu: Barrier of the forces, in weights.
        rounds, steps: At most.
        tolerance: Gain of a step, relative, that ends a round.
    """

    name: str
    dynamics: bool
    wrench: float
    mu: float
    rounds: int
    steps: int
    tolerance: float


WEIGHTS = Weights()
KINEMATIC = Stage("landmarks", False, 1.0, 1e-4, 2, 12, 5e-3)
LOADING = (
    Stage("weight on the soles", True, 1e-3, 1e-2, 1, 10, 3e-3),
    Stage("weight on the soles", True, 1e-2, 3e-3, 1, 10, 3e-3),
    Stage("weight on the soles", True, 1e-1, 1e-3, 1, 10, 3e-3),
)
WHOLE = Stage("balance and torque", True, 1.0, 1e-4, 14, 8, 1e-3)


@dataclass(frozen=True, eq=False)
class Found:
    """Where a stage ended.

    Attributes:
        controls: Control points.
        forces: Along the edges of friction cones in weights, [t * corner * edge]; empty without dynamics.
        scale: Of the person.
        model: Of the last round.
        point: Where that ended.
        shift: Of its rows, see `animato.solvers.augmented`, [row].
        miss: By how much rows miss their limits, [row].
        outcome: How.
    """

    controls: ControlPoints
    forces: np.ndarray
    scale: float
    model: ClipModel
    point: ClipPoint
    shift: np.ndarray
    miss: np.ndarray
    outcome: Outcome


def run_stage(
    problem: Problem,
    stage: Stage,
    controls: ControlPoints,
    scale: float,
    *,
    before: Found | None = None,
    held: int = 0,
    progress: Progress | None = None,
) -> Found:
    """Runs a stage from control points, and from what a stage before has found out about forces and rows.

    Args:
        problem: What is asked.
        stage: How.
        controls: Start.
        scale: Of the person, as known so far.
        before: The stage before.
        held: Control points at the beginning that do not move.
        progress: Told of every round.
    """
    usual = WEIGHTS.for_size(stand_points(problem.anatomy)["pelvis"][2] / USUAL_HEIGHT)
    weights = replace(
        usual,
        sole_margin_m=1e-3 * problem.options.sole_margin_mm,
        wrench=stage.wrench * usual.wrench,
        torque=max(stage.wrench, 1e-3) * usual.torque,
    )
    rounds = Rounds(problem, controls, stage.dynamics, weights, scale, held, stage.wrench == 1.0)
    model = rounds.model
    x = np.zeros(model.size + model.force_size)
    shift = None
    if before is not None:
        shift = model.shift_like(before.model, before.shift)
    if model.force_size:
        known = before is not None and len(before.forces) == model.force_size
        x[model.size :] = before.forces if known and before is not None else even_forces(model)
    proximal = np.concatenate([np.full(model.size, _PROXIMAL), np.zeros(model.force_size)])
    options = AugmentedOptions(
        mu=stage.mu,
        rounds=stage.rounds,
        steps=stage.steps,
        tolerance=stage.tolerance,
        settled=min(AugmentedOptions.settled, stage.tolerance),
        stage=stage.name,
    )
    found = solve_augmented(
        model, x, options, shift=shift, proximal=proximal, refresh=rounds.refresh, progress=progress
    )
    return Found(
        found.point.motion.controls,
        found.x[model.size :],
        rounds.scale,
        rounds.model,
        found.point,
        found.shift,
        found.miss,
        found.outcome,
    )


def even_forces(model: ClipModel) -> np.ndarray:
    """The weight shared evenly by all that may push."""
    number = np.maximum(model.active.sum(axis=1, keepdims=True), 1)
    return np.where(model.active, 1.0 / number, 0.0).ravel()
