"""What came out of a design problem."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from animato.character import Character, JointRole, JointType
from animato.character.structure import topology_of
from animato.described import HasPage
from animato.design.optimization.errors_over_time import TrackingErrors, tracking_errors
from animato.design.optimization.evaluation import DesignPoint, Objective
from animato.design.optimization.nearness import Met, TargetsMet, targets_met
from animato.design.optimization.sqp import DesignIteration
from animato.design.problem import Problem
from animato.design.terms import Clearances, clearances
from animato.errors import MechanismError
from animato.mechanics.limits import LimitUsage, limit_usage
from animato.mechanics.loops import LoopMotion
from animato.mechanics.loops.constraints import Mechanism, joint_coordinates
from animato.motion import Clip
from animato.outcome import Outcome
from animato.spatial import quaternions


@dataclass(frozen=True)
class LimitShare:
    """How much of a limit is used.

    Attributes:
        name: Of the coordinate.
        kind: "position", "velocity" or "design".
        lower, upper: The limit [rad, m, or per second]; infinite where there is none.
        least, most: What was reached.
        share: 1 at the limit, 0 in the middle of the range; 0 where there is no limit.
    """

    name: str
    kind: str
    lower: float
    upper: float
    least: float
    most: float
    share: float


@dataclass(frozen=True)
class ParameterChange:
    """What the design does to one configurable joint.

    Attributes:
        joint: Its name.
        type: Of the joint.
        before, after: Its coordinates [rad, m or quaternion parts].
        change: How far it was moved: the angle between both for a ball [rad], else the largest change of a
            coordinate [rad or m].
    """

    joint: str
    type: JointType
    before: tuple[float, ...]
    after: tuple[float, ...]
    change: float


@dataclass(frozen=True)
class ControlChange:
    """How far a motor strays from the controls it was given.

    Attributes:
        name: Of the control.
        held: Whether it was asked to keep to them exactly.
        change: The largest [rad, m or 1].
        step: Where that is.
    """

    name: str
    held: bool
    change: float
    step: int


@dataclass(frozen=True, eq=False)
class Performance:
    """A design and what it does with its controls.

    Attributes:
        problem: What was asked for.
        point: Design, controls and states at all steps.
        objective: Terms of the objective, without the pull of regularization between iterates.
        motion: The states with their residuals, branches and singular values.
    """

    problem: Problem
    point: DesignPoint
    objective: Objective
    motion: LoopMotion

    @cached_property
    def character(self) -> Character:
        """The character, its configurable joints set to this design."""
        return configured(self.problem.character, self.problem.mechanism, self.point.design)

    @cached_property
    def errors(self) -> TrackingErrors:
        """Of all targets over time."""
        return tracking_errors(self.problem.mechanism, self.problem.motions, self.point.states)

    @cached_property
    def clips(self) -> tuple[Clip, ...]:
        """One clip a motion: all coordinates of the character, passive ones included."""
        return tuple(self._clip(n) for n in range(len(self.problem.motions)))

    def _clip(self, n: int) -> Clip:
        motion, first = self.problem.motions[n], self.problem.starts[n]
        here = slice(first, first + motion.step_count)
        mechanism, names = self.problem.mechanism, self.problem.character.coordinate_names
        positions = joint_coordinates(mechanism, self.point.states[here]).columns(names).copy()
        for column, name in enumerate(mechanism.control_names):
            if name in names:
                positions[:, names.index(name)] = self.point.controls[here, column]
        times = np.arange(motion.step_count) / motion.rate_hz
        return Clip(times, names, positions, source=motion.name)

    @cached_property
    def singular_values(self) -> np.ndarray:
        """Smallest singular value of the constraint Jacobian without units, shape [step]."""
        return self.motion.smallest_singular_value

    @cached_property
    def clearances(self) -> Clearances:
        """Distances along the motion between bodies that should not touch; needs `coal`."""
        options = self.problem.options
        pairs, far = options.clearance_pairs or None, max(0.02, 1.5 * options.clearance_m)
        return clearances(self.problem.mechanism, self.point.states, pairs=pairs, far=far)

    @cached_property
    def limit_shares(self) -> tuple[LimitShare, ...]:
        """Use of every limit: positions and velocities of actuators, design parameters."""
        limits, m = self.problem.limits, self.problem.mechanism
        velocities = np.diff(self.point.controls, axis=0) / self.problem.spans[:, None]
        velocities = velocities[self.problem.linked]
        found: list[LimitShare] = []
        for names, kind, ranges, values in (
            (m.control_names, "position", limits.controls, self.point.controls),
            (m.control_names, "velocity", np.stack([-limits.velocities, limits.velocities]), velocities),
            (m.design_names, "design", limits.design, self.point.design[None]),
        ):
            if len(values):
                found += [_share(name, kind, ranges[:, n], values[:, n]) for n, name in enumerate(names)]
        return tuple(found)

    @property
    def exceeded_limits(self) -> tuple[LimitShare, ...]:
        """Limits that are not kept."""
        return tuple(one for one in self.limit_shares if one.share > 1.0 + 1e-9)


def _share(name: str, kind: str, limits: np.ndarray, values: np.ndarray) -> LimitShare:
    lower, upper = float(limits[0]), float(limits[1])
    least, most = float(values.min()), float(values.max())
    if np.isfinite(lower) and np.isfinite(upper):
        middle, half = 0.5 * (lower + upper), max(0.5 * (upper - lower), 1e-12)
        share = max(most - middle, middle - least) / half
    else:
        share = 2.0 if least < lower or most > upper else 0.0
    return LimitShare(name, kind, lower, upper, least, most, float(share))


@dataclass(frozen=True, eq=False, repr=False)
class Solution(HasPage):
    """Initial and optimized design side by side.

    Attributes:
        problem: What was asked for.
        initial: The character as given, moved by inverse kinematics or by its given controls.
        optimized: What was found.
        outcome: Whether the design can be used and how the solve ended, in a word and a sentence.
        history: All iterations.
        violated_rows: Redundant rows of joints that the optimized design breaks, with the largest value [m or
            1]; the design cannot be assembled if there are any.
        seconds: Time it took, inverse kinematics included [s].
    """

    REPORT: ClassVar[str] = "design"

    problem: Problem
    initial: Performance
    optimized: Performance
    outcome: Outcome
    history: tuple[DesignIteration, ...]
    violated_rows: tuple[tuple[str, float], ...]
    seconds: float

    def facts(self) -> dict[str, str]:
        """How it ended and what was gained."""
        return {
            "character": self.problem.character.name,
            "outcome": str(self.outcome),
            "targets": str(self.targets.verdict),
            "targets cost less by": f"{self.improvement_percent:.2f} %",
            "objective fell by": f"{self.objective_improvement_percent:.2f} %",
            "seconds": f"{self.seconds:.2f}",
        }

    @property
    def clip(self) -> Clip:
        """What the optimized design does, all its joints; of several motions the first, see `optimized.clips`."""
        return self.optimized.clips[0]

    @cached_property
    def usage(self) -> LimitUsage | None:
        """How much of its limits the optimized character uses with the clip, torques included; None with loops."""
        character = self.optimized.character
        return limit_usage(character, self.clip) if topology_of(character).is_tree else None

    @cached_property
    def targets(self) -> TargetsMet:
        """How near the optimized design meets every target; the outcome says only whether it can be used."""
        return targets_met(self.problem, self.optimized.errors)

    @property
    def met(self) -> bool:
        """Whether the design can be used and meets every target to the tolerances asked for."""
        return self.outcome.usable and self.targets.verdict is Met.MET

    @cached_property
    def control_changes(self) -> tuple[ControlChange, ...]:
        """How far motors stray from the controls that were given, the farthest first; empty where none were."""
        problem = self.problem
        off = np.abs(self.optimized.point.controls - problem.references)
        found = [
            ControlChange(name, bool(problem.held[n]), float(np.nanmax(off[:, n])), int(np.nanargmax(off[:, n])))
            for n, name in enumerate(problem.mechanism.control_names)
            if np.isfinite(off[:, n]).any()
        ]
        return tuple(sorted(found, key=lambda one: -one.change))

    @property
    def improvement_percent(self) -> float:
        """How much less the targets cost than initially [%]; not the published measure."""
        before, after = (float(one.objective.tracking.sum()) for one in (self.initial, self.optimized))
        return 100.0 * (1.0 - after / before) if before > 0.0 else 0.0

    @property
    def objective_improvement_percent(self) -> float:
        """How much the whole objective fell, limits and regularization included [%]: the published measure.

        "The reduction of the overall objective in Eq. 2, relative to its initial value" (Maloisel et al. 2023,
        Table 6). The pull on the design is to where its reference was moved last, as there.
        """
        before, after = self.initial.objective.total, self.optimized.objective.total
        return 100.0 * (1.0 - after / before) if before > 0.0 else 0.0

    @cached_property
    def parameters(self) -> tuple[ParameterChange, ...]:
        """Design parameters before and after, joint by joint."""
        found = []
        for old, new in zip(self.initial.character.joints, self.optimized.character.joints, strict=True):
            if new.role is not JointRole.CONFIGURABLE:
                continue
            before, after = old.configuration, new.configuration
            if new.type is JointType.SPHERICAL:
                change = float(quaternions.angle_between(before, after))
            else:
                change = max(abs(b - a) for a, b in zip(before, after, strict=True))
            found.append(ParameterChange(new.name, new.type, before, after, change))
        return tuple(found)

    @property
    def dropped_residual(self) -> float:
        """Largest redundant row of joints over all steps of the optimized design [m or 1]."""
        return float(np.nanmax(self.optimized.motion.dropped_residual, initial=0.0))


def required(solution: Solution) -> Solution:
    """The solution if its design can be used, otherwise an error that says why not."""
    if not solution.outcome.usable:
        raise MechanismError(
            f"No usable design was found for '{solution.problem.character.name}'. {solution.outcome.reason}"
        )
    return solution


def configured(character: Character, mechanism: Mechanism, design: np.ndarray) -> Character:
    """A character whose configurable joints are set.

    Args:
        character: Whose joints.
        mechanism: Names the parameters.
        design: Shape [design].
    """
    place = {name: n for n, name in enumerate(mechanism.design_names)}
    joints = []
    for joint in character.joints:
        if joint.role is JointRole.CONFIGURABLE and joint.coordinate_names:
            values = tuple(float(design[place[name]]) for name in joint.coordinate_names)
            joints.append(replace(joint, configuration=values))
        else:
            joints.append(joint)
    return replace(character, joints=tuple(joints))
