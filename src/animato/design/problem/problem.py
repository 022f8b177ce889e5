"""A design problem: a character, what it should do, and what counts how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.design.terms import (
    ClearanceRows,
    DesignLimits,
    DesignWeights,
    DroppedRows,
    Pair,
    SingularFloor,
    SoftRows,
    Tracking,
    TrackingTarget,
    colliding_pairs,
    limits_of,
    packed_tracking,
)
from animato.errors import MotionError, OptionError
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import Mechanism

Optimize = Literal["design+control", "control", "design"]
OPTIMIZE = ("design+control", "control", "design")

_CLEARANCE_MARGIN = 1.25
"""Rows begin to act a little before the clearance is used up, so that it is kept though they are soft."""


@dataclass(frozen=True, eq=False)
class TargetMotion:
    """One motion that a design should do.

    Attributes:
        targets: At least one, all with the same number of steps.
        rate_hz: Steps a second.
        controls: What actuators do now, which they should keep to as far as the weight says, shape
            [step, control]; None finds out by inverse kinematics on the initial design.
        name: What people call it.
    """

    targets: tuple[TrackingTarget, ...]
    rate_hz: float = 60.0
    controls: np.ndarray | None = None
    name: str = "motion"

    def __post_init__(self) -> None:
        object.__setattr__(self, "targets", tuple(self.targets))
        if not self.targets:
            raise MotionError(f"The motion '{self.name}' has no targets; give at least one.")
        if not (np.isfinite(self.rate_hz) and self.rate_hz > 0.0):
            raise OptionError(f"The rate of the motion '{self.name}' must be above 0 Hz, not {self.rate_hz}.")
        names = [target.name for target in self.targets]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise MotionError(f"Targets must differ in name; '{twice[0]}' stands twice in '{self.name}'. Name them.")
        steps = {target.step_count for target in self.targets}
        if len(steps) > 1:
            told = ", ".join(f"'{target.name}' {target.step_count}" for target in self.targets)
            raise MotionError(f"All targets of the motion '{self.name}' must have as many steps, not {told}.")

    @property
    def step_count(self) -> int:
        """Number of time steps."""
        return self.targets[0].step_count


@dataclass(frozen=True, eq=False)
class DesignProblem:
    """Everything `solve_design` needs; built by `build_design_problem`.

    Attributes:
        character: With its initial design.
        mechanism: Its rows.
        motions: What it should do; their steps stand one after the other.
        tracking: Their targets, packed.
        limits: Of controls, velocities and design.
        weights: Of everything but the targets.
        optimize: What may change.
        references: Controls that are kept to, shape [step, control]; NaN where they are not given.
        reference_weights: Of the controls, shape [control].
        starts: First step of every motion.
        spans: Time from each step to the next [s], shape [step - 1].
        singular_floor: Smallest singular value that is allowed; 0 for none.
        clearance: Distance that bodies keep [m]; 0 for none.
        clearance_pairs: Which; None for all that may collide.
        soft_rows: Rows that are asked to be zero by their squares.
    """

    character: Character
    mechanism: Mechanism
    motions: tuple[TargetMotion, ...]
    tracking: Tracking
    limits: DesignLimits
    weights: DesignWeights
    optimize: Optimize
    references: np.ndarray
    reference_weights: np.ndarray
    starts: tuple[int, ...]
    spans: np.ndarray
    singular_floor: float = 0.0
    clearance: float = 0.0
    clearance_pairs: tuple[Pair, ...] | None = None
    soft_rows: tuple[SoftRows, ...] = ()

    @property
    def step_count(self) -> int:
        """Time steps of all motions together."""
        return len(self.references)

    @cached_property
    def linked(self) -> np.ndarray:
        """Whether steps k and k + 1 belong to one motion, shape [step - 1]."""
        found = np.ones(self.step_count - 1, dtype=bool)
        found[[start - 1 for start in self.starts[1:]]] = False
        return found

    @property
    def design_free(self) -> bool:
        """Whether design parameters may change."""
        return "design" in self.optimize and len(self.mechanism.design_names) > 0

    @property
    def controls_free(self) -> bool:
        """Whether controls may change."""
        return "control" in self.optimize

    @property
    def variable_count(self) -> int:
        """Optimization variables as Maloisel et al. (2023), Table 7, count them, with a design at every step."""
        s, u, p = (len(part) for part in (self.mechanism.state, self.mechanism.controls, self.mechanism.design))
        steps = self.step_count
        return steps * (s + u + p) + int(self.linked.sum()) * u

    @property
    def constraint_count(self) -> int:
        """Constraints as the same table counts them."""
        m = self.mechanism
        s, u, p = (len(part) for part in (m.state, m.controls, m.design))
        units = len(m.design_quaternions) + self.step_count * len(m.control_quaternions)
        return self.step_count * s + int(self.linked.sum()) * u + (self.step_count - 1) * p + units

    def at_steps(self, chosen: np.ndarray) -> DesignProblem:
        """The problem of single steps with a fixed design: inverse kinematics, in which no step knows another.

        Args:
            chosen: Indices of steps, shape [chosen].
        """
        return replace(
            self,
            tracking=self.tracking.at_steps(chosen),
            references=self.references[chosen],
            optimize="control",
            starts=tuple(range(len(chosen))),
            spans=np.ones(max(len(chosen) - 1, 0)),
        )


def build_design_problem(
    character: Character | Mechanism,
    motions: TargetMotion | Sequence[TargetMotion] | Sequence[TrackingTarget],
    *,
    rate_hz: float = 60.0,
    controls: ArrayLike | None = None,
    optimize: Optimize = "design+control",
    weights: DesignWeights | None = None,
    control_weights: ArrayLike | None = None,
    limit_margin: float = 0.1,
    singular_floor: float = 0.0,
    clearance: float = 0.0,
    clearance_pairs: Sequence[Pair] | None = None,
    soft_rows: Sequence[SoftRows] = (),
) -> DesignProblem:
    """Puts a problem together and checks it.

    Args:
        character: Complete and assembled; its configurable joints are the design.
        motions: One or several motions for one design; or the targets of a single motion.
        rate_hz: Steps a second of targets given without a motion.
        controls: What actuators do now in that motion [rad, m or quaternion parts], shape [step, control].
        optimize: What may change: "design+control", "control" (inverse kinematics of whole clips) or "design".
        weights: Of everything but the targets.
        control_weights: Factors on the weight of single controls, shape [control].
        limit_margin: Share of a range, on each side, in which the barrier of a limit acts.
        singular_floor: Smallest singular value that is allowed along the motion, without units; 0 for none.
        clearance: Distance [m] that bodies keep from one another, 0 for none.
        clearance_pairs: Which bodies; `colliding_pairs` where not given, which can be hundreds and slow.
        soft_rows: More rows that are asked to be zero.

    Raises:
        MechanismError: Under-actuated, not to be assembled, or limits that exclude the rest pose.
        UnknownNameError: A target for a body that does not exist.
    """
    if optimize not in OPTIMIZE:
        raise OptionError(f"A design optimizes one of {', '.join(OPTIMIZE)}, not {optimize!r}.")
    if not 0.0 < limit_margin < 0.5:
        raise OptionError(f"The margin of limits must be between 0 and 0.5 of the range, not {limit_margin}.")
    mechanism = character if isinstance(character, Mechanism) else build_mechanism(character)
    chosen = weights or DesignWeights()
    all_motions = _as_motions(motions, rate_hz, controls)
    if "design" in optimize and not mechanism.design_names:
        raise OptionError(
            f"'{mechanism.name}' has no configurable joints, so there is no design to optimize. "
            "Give joints the role 'configurable', or optimize 'control'."
        )
    factors = np.ones(len(mechanism.controls))
    if control_weights is not None:
        factors = np.asarray(control_weights, dtype=np.float64)
        if factors.shape != mechanism.controls.shape or not np.all(factors > 0.0):
            raise OptionError(f"There must be {len(mechanism.controls)} control weights above 0, not {factors}.")
    rows: list[SoftRows] = [DroppedRows.of(mechanism, chosen)] if len(mechanism.dropped) else []
    if singular_floor > 0.0:
        rows.append(SingularFloor(mechanism, singular_floor, chosen.floor))
    pairs = tuple(clearance_pairs or ())
    if clearance > 0.0:
        pairs = pairs or colliding_pairs(mechanism)
        rows.append(ClearanceRows(mechanism, pairs, _CLEARANCE_MARGIN * clearance, chosen.clearance))
    return DesignProblem(
        character=mechanism.character if isinstance(character, Mechanism) else character,
        mechanism=mechanism,
        motions=all_motions,
        tracking=packed_tracking(mechanism, [motion.targets for motion in all_motions]),
        limits=limits_of(mechanism, margin=limit_margin),
        weights=chosen,
        optimize=optimize,
        references=np.vstack([_references(mechanism, motion) for motion in all_motions]),
        reference_weights=chosen.control * factors,
        starts=tuple(int(n) for n in np.cumsum([0, *(motion.step_count for motion in all_motions[:-1])])),
        spans=np.concatenate([np.full(motion.step_count, 1.0 / motion.rate_hz) for motion in all_motions])[:-1],
        singular_floor=singular_floor,
        clearance=clearance,
        clearance_pairs=pairs or None,
        soft_rows=(*rows, *soft_rows),
    )


def _as_motions(
    given: TargetMotion | Sequence[TargetMotion] | Sequence[TrackingTarget], rate_hz: float, controls: ArrayLike | None
) -> tuple[TargetMotion, ...]:
    if isinstance(given, TargetMotion):
        return (given,)
    motions = [item for item in given if isinstance(item, TargetMotion)]
    targets = [item for item in given if isinstance(item, TrackingTarget)]
    if (motions and targets) or not (motions or targets):
        raise MotionError("A design needs either motions or the targets of one motion, at least one of them.")
    profile = None if controls is None else np.asarray(controls, dtype=np.float64)
    return tuple(motions) or (TargetMotion(tuple(targets), rate_hz, profile),)


def _references(mechanism: Mechanism, motion: TargetMotion) -> np.ndarray:
    shape = (motion.step_count, len(mechanism.control_names))
    if motion.controls is None:
        return np.full(shape, np.nan)
    given = np.asarray(motion.controls, dtype=np.float64)
    if given.shape != shape or not np.all(np.isfinite(given)):
        raise MotionError(
            f"The controls of the motion '{motion.name}' must be finite numbers of the shape [step, control] = "
            f"{list(shape)}, not {list(given.shape)}."
        )
    return given
