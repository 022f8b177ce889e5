"""Points of a character that may touch the floor: where they are, how they move, which of them touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character, Frame
from animato.mechanics.tree import States, forward_kinematics, frame_jacobians

CONTACT_HEIGHT = 0.015
"""A corner of a sole below this height [m] is near enough to the floor, which is z = 0, to touch it."""

CONTACT_SPEED = 0.6
"""A corner that moves faster than this [m/s] is on its way over the floor, not on it."""


@dataclass(frozen=True, eq=False)
class Corners:
    """Points on bodies over time, in the world.

    Attributes:
        points: (body, point on that body [m]) of each.
        positions: [m], [time, corner, 3].
        velocities: [m/s], [time, corner, 3].
        jacobians: J with velocity = J v, [time, corner, 3, dof].
    """

    points: tuple[tuple[str, ArrayLike], ...]
    positions: np.ndarray
    velocities: np.ndarray
    jacobians: np.ndarray

    @property
    def touching(self) -> np.ndarray:
        """Which are near the floor and not on their way over it, [time, corner]."""
        speeds = np.linalg.norm(self.velocities, axis=2)
        return (self.positions[..., 2] <= CONTACT_HEIGHT) & (speeds <= CONTACT_SPEED)


def sole_points(character: Character) -> tuple[tuple[str, ArrayLike], ...]:
    """All corners of all soles, in their order."""
    return tuple((sole.body, corner) for sole in character.soles for corner in sole.corners)


def corners_of(character: Character, states: States, points: Sequence[tuple[str, ArrayLike]] | None = None) -> Corners:
    """Where points are and how they move.

    Args:
        character: A tree character.
        states: What it does.
        points: (body, point on that body [m]) of each; the corners of all soles where not given.
    """
    chosen = sole_points(character) if points is None else tuple(points)
    count, dofs = states.velocities.shape
    if not chosen:
        nowhere = np.zeros((count, 0, 3))
        return Corners((), nowhere, nowhere, np.zeros((count, 0, 3, dofs)))
    poses = forward_kinematics(character, states)
    places = np.stack([poses.of(body).apply(point) for body, point in chosen], axis=1)
    frames = [(body, Frame(tuple(np.asarray(point, dtype=np.float64).tolist()))) for body, point in chosen]
    jacobians = np.stack([frame_jacobians(character, states, body, frame)[:, :3] for body, frame in frames], axis=1)
    return Corners(chosen, places, np.matmul(jacobians, states.velocities[:, None, :, None])[..., 0], jacobians)
