"""ERIK, faithfully: the method 'erik'.

Tiago Ribeiro and Ana Paiva: Expressive Inverse Kinematics Solving in Real-time for Virtual and Robotic
Interactive Characters, 2019. The appendix prints it as Algorithms 2 to 22; each function here names the
algorithm it is, and where it reads it otherwise than printed. docs/express-erik.md has the whole list.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError
from animato.express.facing import BendMeasure, FacingError, bend_measure
from animato.express.published.erik.hyper_parameters import ErikHyperParameters, checked_hyper_parameters
from animato.express.published.erik.joint_model import JointModel, build_joint_model, turning_joints
from animato.express.published.erik.loop import INVALID, solve_many
from animato.mechanics.tree import Chain

STEPS = ("start", "phases", "bwcd", "ccd", "ccd from empty")


class ErikStatus(Enum):
    """How a solve ended, each with a sentence."""

    WITHIN_THRESHOLD = "The combined error is within threshold_epsilon."
    BEST_FOUND = "No candidate came within threshold_epsilon; this is the best of them."
    INVALID_INPUT = "The posture or the target is not a number or has no length; this is the previous solution."


@dataclass(frozen=True, eq=False)
class ErikModel:
    """A chain made ready.

    Attributes:
        chain: The joints and the end-point.
        hyper_parameters: As checked.
        joints: The joint model of the turning joints with its latitude tables.
        measure: Weights of the posture error, of the turning joints.
        turning: Which joints of the chain these are, [m].
    """

    chain: Chain
    hyper_parameters: ErikHyperParameters
    joints: JointModel
    measure: BendMeasure
    turning: np.ndarray


@dataclass(frozen=True, eq=False)
class ErikSolution:
    """One answer.

    Attributes:
        positions: Of the chain's joints [rad or m], within limits, [n].
        errors: Of the answer; not numbers where the input was invalid.
        iterations: Rounds of forward and backward phase.
        step: What found the answer, one of STEPS.
        status: How the solve ended.
    """

    positions: np.ndarray
    errors: FacingError
    iterations: int
    step: str
    status: ErikStatus


@dataclass(frozen=True, eq=False)
class ErikBatch:
    """Many answers; positions [rad] of shape [m, n], all others [m].

    Attributes:
        positions: Within limits.
        combined: Equation 19.
        orientation: Equation 20.
        posture: Equation 21, not weighted.
        shape: Signed shape error, not weighted.
        iterations: Rounds of forward and backward phase.
        step: Index into STEPS, -1 where the input was invalid.
        within_threshold: Whether the error that is minimized is within threshold_epsilon.
    """

    positions: np.ndarray
    combined: np.ndarray
    orientation: np.ndarray
    posture: np.ndarray
    shape: np.ndarray
    iterations: np.ndarray
    step: np.ndarray
    within_threshold: np.ndarray


def build_erik(chain: Chain, **hyper_parameters: float | bool) -> ErikModel:
    """Makes a chain ready for `solve_erik`: joint model and latitude tables.

    Args:
        chain: Joints with limits of any width; those that slide keep the posture's value.
        **hyper_parameters: Those of `ErikHyperParameters`; symmetric_endpoint is the end-point's own unless given.

    Raises:
        CharacterError: No joint turns.
        UnknownNameError: A hyper-parameter that does not exist.
        OptionError: One that is out of its range.
    """
    return erik_model(chain, checked_hyper_parameters(chain, hyper_parameters))


def erik_model(chain: Chain, hyper: ErikHyperParameters) -> ErikModel:
    """The same from checked hyper-parameters."""
    turning = turning_joints(chain)
    measure = BendMeasure(*(np.ascontiguousarray(one[turning]) for one in bend_measure(chain, hyper.error_aggravation)))
    return ErikModel(chain, hyper, build_joint_model(chain, hyper.lalut_step), measure, turning)


def solve_erik(
    model: ErikModel, posture: ArrayLike, target_wxyz: ArrayLike, previous: ArrayLike | None = None
) -> ErikSolution:
    """Finds joint positions that hold a posture while the end-point has a target orientation.

    The same arguments always give the same answer. Values that are not numbers do not raise: the previous
    solution comes back, and the status says so.

    Args:
        model: From `build_erik`.
        posture: Positions of the chain's joints [rad], [n]; may lie outside limits.
        target_wxyz: Orientation asked of the end-point, in the world, [4].
        previous: Solution to start from [rad], [n]; zero where not given.

    Raises:
        MotionError: An array has the wrong length.
    """
    postures = np.asarray(posture, dtype=np.float64)[None]
    targets = np.asarray(target_wxyz, dtype=np.float64)[None]
    starts = None if previous is None else np.asarray(previous, dtype=np.float64)[None]
    batch = solve_erik_batch(model, postures, targets, starts)
    errors = FacingError(
        float(batch.combined[0]), float(batch.orientation[0]), float(batch.posture[0]), float(batch.shape[0])
    )
    status = ErikStatus.WITHIN_THRESHOLD if batch.within_threshold[0] else ErikStatus.BEST_FOUND
    if batch.step[0] == INVALID:
        status = ErikStatus.INVALID_INPUT
    step = STEPS[max(0, int(batch.step[0]))]
    return ErikSolution(batch.positions[0], errors, int(batch.iterations[0]), step, status)


def solve_erik_batch(
    model: ErikModel, postures: ArrayLike, targets_wxyz: ArrayLike, previous: ArrayLike | None = None
) -> ErikBatch:
    """`solve_erik` for many independent rows in one compiled call.

    Args:
        model: From `build_erik`.
        postures: Positions of the chain's joints [rad], [m, n].
        targets_wxyz: Orientations asked of the end-point, in the world, [m, 4].
        previous: Solutions to start from [rad], [m, n], or [1, n] for all; zero where not given.

    Raises:
        MotionError: The arrays do not fit one another.
    """
    count = len(model.chain.names)
    rows = np.ascontiguousarray(postures, dtype=np.float64)
    targets = np.ascontiguousarray(targets_wxyz, dtype=np.float64)
    starts = np.zeros((1, count)) if previous is None else np.ascontiguousarray(previous, dtype=np.float64)
    if rows.shape != (len(targets), count) or targets.shape != (len(targets), 4):
        raise MotionError(
            f"A chain of {count} joints needs postures [m, {count}] and targets [m, 4]; given {rows.shape} and "
            f"{targets.shape}."
        )
    if starts.shape not in ((len(rows), count), (1, count)):
        raise MotionError(f"Previous solutions must be [{len(rows)}, {count}] or [1, {count}]; given {starts.shape}.")
    positions, report = _solved(model, rows, targets, starts)
    hyper = model.hyper_parameters
    return ErikBatch(
        positions,
        hyper.orientation_error_weight * report[:, 1] + hyper.posture_error_weight * report[:, 2],
        report[:, 1],
        report[:, 2],
        report[:, 3],
        report[:, 4].astype(np.int64),
        report[:, 5].astype(np.int64),
        report[:, 0] <= hyper.threshold_epsilon,
    )


def _solved(
    model: ErikModel, postures: np.ndarray, targets: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions of all joints [m, n] and the report of `solve_many`; what slides is where the posture has it."""
    arrays, turning = model.chain.arrays, model.turning
    if len(turning) == postures.shape[1]:
        positions, report = np.empty_like(postures), np.empty((len(postures), 6))
        solve_many(model.joints, model.hyper_parameters, model.measure, postures, targets, starts, positions, report)
        return positions, report
    wanted = np.ascontiguousarray(postures[:, turning])
    wanted[~np.isfinite(postures).all(axis=1)] = np.nan  # a posture with one bad number is none
    answers, report = np.empty_like(wanted), np.empty((len(wanted), 6))
    begin = np.ascontiguousarray(starts[:, turning])
    solve_many(model.joints, model.hyper_parameters, model.measure, wanted, targets, begin, answers, report)
    stay = np.where((report[:, 5] == INVALID)[:, None], np.nan_to_num(starts), np.nan_to_num(postures))
    positions = np.clip(stay, arrays.lower, arrays.upper)
    positions[:, turning] = answers
    return positions, report
