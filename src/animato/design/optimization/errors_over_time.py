"""How far the points of interest are from their targets, for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.design.problem import TargetMotion
from animato.mechanics.loops.constraints import Mechanism
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class TrackingErrors:
    """Errors of all targets over time: what has a weight at all counts alike, axes and moments of weight 0 do not.

    Attributes:
        names: Of the targets.
        positions: Distance of each point from where it should be [m], shape [step, target]; NaN where a
            target asks for no position.
        orientations: Angle of each body from how it should be turned [rad], shape [step, target]; NaN where
            a target asks for no orientation.
    """

    names: tuple[str, ...]
    positions: np.ndarray
    orientations: np.ndarray

    @property
    def position_max_cm(self) -> float:
        """Largest distance [cm]; 0 where no positions are asked for."""
        return 100.0 * _over(np.max, self.positions)

    @property
    def position_mean_cm(self) -> float:
        """Mean distance over steps and targets [cm]."""
        return 100.0 * _over(np.mean, self.positions)

    @property
    def orientation_max_deg(self) -> float:
        """Largest angle [deg]; 0 where no orientations are asked for."""
        return float(np.degrees(_over(np.max, self.orientations)))

    @property
    def orientation_mean_deg(self) -> float:
        """Mean angle over steps and targets [deg]."""
        return float(np.degrees(_over(np.mean, self.orientations)))


def _over(what: object, table: np.ndarray) -> float:
    known = table[np.isfinite(table)]
    return float(what(known)) if len(known) else 0.0  # type: ignore[operator]


def point_paths(
    mechanism: Mechanism, motions: Sequence[TargetMotion], states: np.ndarray
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Where the points of all targets are, whether their position counts or not.

    Args:
        mechanism: Whose bodies.
        motions: Their steps stand one after the other.
        states: Shape [step, state].

    Returns:
        Names of the targets, positions [m], shape [step, target, 3], and orientations wxyz, [step, target, 4].
    """
    targets = {target.name: target for motion in motions for target in motion.targets}
    positions, turns = np.empty((len(states), len(targets), 3)), np.empty((len(states), len(targets), 4))
    for n, target in enumerate(targets.values()):
        start = 7 * mechanism.body_index(target.body)
        turns[:, n] = quaternions.normalized(states[:, start + 3 : start + 7])
        positions[:, n] = states[:, start : start + 3] + quaternions.rotate(turns[:, n], target.point)
    return tuple(targets), positions, turns


def tracking_errors(mechanism: Mechanism, motions: Sequence[TargetMotion], states: np.ndarray) -> TrackingErrors:
    """Measures states against the targets of all motions.

    Args:
        mechanism: Whose bodies.
        motions: Their steps stand one after the other.
        states: Shape [step, state].
    """
    names, points, turns = point_paths(mechanism, motions, states)
    positions = np.full((len(states), len(names)), np.nan)
    orientations = np.full((len(states), len(names)), np.nan)
    first = 0
    for motion in motions:
        here = slice(first, first + motion.step_count)
        first += motion.step_count
        for target in motion.targets:
            n = names.index(target.name)
            if target.positions is not None:
                asked = target.position_weights > 0.0
                distances = np.linalg.norm(np.where(asked, points[here, n] - target.positions, 0.0), axis=1)
                positions[here, n] = np.where(asked.any(axis=1), distances, np.nan)
            if target.orientations_wxyz is not None:
                angles = quaternions.angle_between(turns[here, n], target.orientations_wxyz)
                orientations[here, n] = np.where(np.asarray(target.orientation_weight) > 0.0, angles, np.nan)
    return TrackingErrors(names, positions, orientations)
