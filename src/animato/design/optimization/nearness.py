"""Whether what was asked for is done: how near every target is met, against how near is near enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from animato.character import Character
from animato.design.optimization.errors_over_time import TrackingErrors
from animato.design.problem import Problem
from animato.mechanics.loops.constraints import Mechanism
from animato.spatial import quaternions

_PATH_SHARE = 0.05
_SIZE_SHARES = (0.001, 0.01)
"""Default tolerance of a place: a share of what its path spans, within these shares of the character."""

_FAR = 3.0
"""Tolerances beyond which a target is not only missed but far off."""

_HINT = 0.01
"""Share of the largest weight of its kind below which a target is a hint that nobody waits for."""


class Met(StrEnum):
    """How a motion is done."""

    MET = "met"
    MISSED = "missed"
    LOST = "lost"


@dataclass(frozen=True)
class TargetNearness:
    """How near one target is met, in places or in turns.

    Attributes:
        name: Of the target.
        kind: "position" or "orientation".
        tolerance: How near is near enough [m or rad].
        worst: Largest error [m or rad].
        step: Where it is, counted over all motions.
        beyond: Share of the steps that count at which the error is beyond the tolerance.
        far: The same for three tolerances.
    """

    name: str
    kind: str
    tolerance: float
    worst: float
    step: int
    beyond: float
    far: float

    @property
    def met(self) -> bool:
        """Whether it is near enough at all steps."""
        return self.worst <= self.tolerance


@dataclass(frozen=True)
class TargetsMet:
    """How near all targets are met.

    Attributes:
        targets: Places and turns of every target that counts.
    """

    targets: tuple[TargetNearness, ...]

    @property
    def verdict(self) -> Met:
        """Met at all steps, missed, or lost: some target is off by three tolerances at more than half of its steps."""
        if all(one.met for one in self.targets):
            return Met.MET
        return Met.LOST if any(one.far > 0.5 for one in self.targets) else Met.MISSED

    @property
    def missed(self) -> tuple[TargetNearness, ...]:
        """Targets that are not met, the worst first, measured by their tolerances."""
        beyond = [one for one in self.targets if not one.met]
        return tuple(sorted(beyond, key=lambda one: -one.worst / one.tolerance))


def targets_met(problem: Problem, errors: TrackingErrors) -> TargetsMet:
    """Judges errors by the tolerances of a problem.

    Args:
        problem: With its options `tolerance_m` and `tolerance_deg`.
        errors: Of all its targets over time.
    """
    size = character_size(problem.character, problem.mechanism)
    turn = np.radians(problem.options.tolerance_deg)
    found: list[TargetNearness] = []
    counting = _counting(problem, errors)
    for n, name in enumerate(errors.names):
        near = problem.options.tolerance_m or _default_tolerance(problem, name, size)
        for kind, table, tolerance in (
            ("position", errors.positions, near),
            ("orientation", errors.orientations, turn),
        ):
            column = np.where(counting[kind][:, n], table[:, n], np.nan)
            if np.isfinite(column).any():
                step = int(np.nanargmax(column))
                shares = column[np.isfinite(column)] / tolerance
                found.append(
                    TargetNearness(
                        name,
                        kind,
                        float(tolerance),
                        float(column[step]),
                        step,
                        float(np.mean(shares > 1.0)),
                        float(np.mean(shares > _FAR)),
                    )
                )
    return TargetsMet(tuple(found))


def _counting(problem: Problem, errors: TrackingErrors) -> dict[str, np.ndarray]:
    """Where each target counts enough to be waited for, by kind, shape [step, target]."""
    weights = {kind: np.zeros(errors.positions.shape) for kind in ("position", "orientation")}
    for motion, first in zip(problem.motions, problem.starts, strict=True):
        here = slice(first, first + motion.step_count)
        for target in motion.targets:
            n = errors.names.index(target.name)
            if target.positions is not None:
                weights["position"][here, n] = np.max(target.position_weights, axis=1)
            if target.orientations_wxyz is not None:
                weights["orientation"][here, n] = target.orientation_weight
    return {kind: table > _HINT * np.max(table, initial=0.0) for kind, table in weights.items()}


def _default_tolerance(problem: Problem, name: str, size: float) -> float:
    """How near a path must be met where nobody says [m]."""
    paths = [one.positions for motion in problem.motions for one in motion.targets if one.name == name]
    spans = [float(np.linalg.norm(np.ptp(path, axis=0))) for path in paths if path is not None]
    low, high = (share * size for share in _SIZE_SHARES)
    return float(np.clip(_PATH_SHARE * max(spans, default=0.0), low, high))


def character_size(character: Character, mechanism: Mechanism) -> float:
    """Diagonal of the box around all joints, end-points and markers in the rest pose [m]; 1 where they are one point.

    Args:
        character: Whose landmarks.
        mechanism: Of the character.
    """
    poses = mechanism.state.reshape(-1, 7)

    def placed(body: str, point: tuple[float, ...]) -> np.ndarray:
        pose = poses[mechanism.body_index(body)]
        return np.asarray(pose[:3] + quaternions.rotate(pose[3:], np.array(point)))

    places = [(joint.child, joint.frame_child.position) for joint in mechanism.joints]
    places += [(one.body, one.frame.position) for one in character.end_points]
    places += [(one.body, one.position) for one in character.markers]
    size = float(np.linalg.norm(np.ptp([placed(*one) for one in places], axis=0))) if places else 0.0
    return size if size > 1e-9 else 1.0
