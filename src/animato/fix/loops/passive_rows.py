"""Ranges, speeds and accelerations of passive joints as rows that stay at or below 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character, JointType, Limits

POSITION, VELOCITY, ACCELERATION = range(3)


@dataclass(frozen=True, eq=False)
class PassiveRows:
    """Rows slope x + level <= 1 of numbers x of passive joints, in the same shares as `check` tells.

    Attributes:
        names: Of the joints' coordinates, [row].
        column: Of the joint, [row].
        order: POSITION, VELOCITY or ACCELERATION, [row].
        slope, level: [row].
    """

    names: tuple[str, ...]
    column: np.ndarray
    order: np.ndarray
    slope: np.ndarray
    level: np.ndarray

    @staticmethod
    def of(character: Character, passive: tuple[str, ...]) -> PassiveRows:
        """Of the passive coordinates of a linkage, by name."""
        limits = {
            name: one
            for joint in character.joints
            if joint.type is not JointType.SPHERICAL
            for name, one in zip(joint.coordinate_names, joint.limits, strict=True)
        }
        rows = [
            (name, column, *row) for column, name in enumerate(passive) if name in limits for row in _rows(limits[name])
        ]
        return PassiveRows(
            tuple(row[0] for row in rows),
            np.array([row[1] for row in rows], dtype=np.int64),
            np.array([row[2] for row in rows], dtype=np.int64),
            np.array([row[3] for row in rows], dtype=np.float64),
            np.array([row[4] for row in rows], dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.names)

    def shares(self, motion: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        """Values of the rows, [moment, row], of positions, velocities and accelerations, [moment, joint] each."""
        numbers = np.stack(motion)[self.order, :, self.column].T
        return np.asarray(self.slope * numbers + self.level)


def _rows(limits: Limits) -> list[tuple[int, float, float]]:
    """(order, slope, level) of each row."""
    low, high = limits.range
    found: list[tuple[int, float, float]] = []
    if np.isfinite(low) and np.isfinite(high):
        half, middle = max(0.5 * (high - low), 1e-9), 0.5 * (high + low)
        found += [(POSITION, sign / half, -sign * middle / half) for sign in (1.0, -1.0)]
    elif np.isfinite(high):
        found.append((POSITION, 1.0, 1.0 - high))
    elif np.isfinite(low):
        found.append((POSITION, -1.0, 1.0 + low))
    for order, bound in ((VELOCITY, limits.velocity), (ACCELERATION, limits.acceleration)):
        if bound is not None and bound > 0.0:
            found += [(order, sign / bound, 0.0) for sign in (1.0, -1.0)]
    return found
