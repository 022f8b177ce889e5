"""How near a robot's key-points are to the person's, and what that leaves of the interaction mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError
from animato.mechanics.tree import BodyPoses
from animato.mimic.anatomy import Anatomy
from animato.mimic.judging.rules import KEY_POINTS
from animato.mimic.mesh import mesh_of
from animato.mimic.person import Person


@dataclass(frozen=True, eq=False)
class KeyPoints:
    """Key-points relative to the pelvis, of a person and of a robot that mimics it.

    Attributes:
        names: Landmarks that both have.
        person: As captured [m], [frame, landmark, 3].
        robot: [m], [frame, landmark, 3].
        scale: Of the person, one for the whole clip, which makes the squared distances least.
    """

    names: tuple[str, ...]
    person: np.ndarray
    robot: np.ndarray
    scale: float

    @property
    def errors(self) -> np.ndarray:
        """Distances [m], [frame, landmark]."""
        return np.asarray(np.linalg.norm(self.robot - self.scale * self.person, axis=2))

    def hands_gaps(self, within: float) -> np.ndarray:
        """|distance of the robot's wrists - that of the person's, scaled| [m] where the latter's are together, [case].

        Args:
            within: The person's wrists are together within this [m], unscaled.
        """
        if not {"left_wrist", "right_wrist"} <= set(self.names):
            return np.zeros(0)
        left, right = (self.names.index(f"{side}_wrist") for side in ("left", "right"))
        person, robot = (np.linalg.norm(x[:, left] - x[:, right], axis=1) for x in (self.person, self.robot))
        return np.asarray(np.abs(robot - self.scale * person)[person < within])

    def laplacian_energies(self) -> np.ndarray:
        """Sum over the pelvis and all key-points of |L(robot) - L(scaled person)|^2 [m^2], [frame].

        Neighbours are those of the person's tetrahedra in that frame; the weights are inverse distances in either
        shape itself, so that a limb of another length is a change of shape only as far as its surroundings change.
        """
        person, robot = (np.pad(x, ((0, 0), (1, 0), (0, 0))) for x in (self.scale * self.person, self.robot))
        energies = []
        for source, found in zip(person, robot, strict=True):
            pairs = mesh_of(source).pairs
            energies.append(np.sum((_laplacian(found, pairs) - _laplacian(source, pairs)) ** 2))
        return np.array(energies)


def key_points_of(anatomy: Anatomy, poses: BodyPoses, person: Person) -> KeyPoints:
    """Key-points of a robot's motion and of the person at the same frames.

    Raises:
        MotionError: Nothing to compare.
    """
    names = tuple(name for name in KEY_POINTS if name in anatomy.names and person.has(name))
    if not names or not person.has("pelvis"):
        raise MotionError(
            f"{person.source or 'The person'} and '{anatomy.character.name}' have no key-points in common."
        )
    captured = np.stack([person.landmark(name) for name in names], axis=1) - person.landmark("pelvis")[:, None]
    found = np.stack([landmark_of(anatomy, poses, name) for name in names], axis=1)
    found = found - landmark_of(anatomy, poses, "pelvis")[:, None]
    return KeyPoints(names, captured, found, float(np.sum(found * captured) / np.sum(captured * captured)))


def landmark_of(anatomy: Anatomy, poses: BodyPoses, name: str) -> np.ndarray:
    """Where a landmark of a robot is [m], [frame, 3]."""
    point = anatomy.point(name)
    return poses.of(point.body).apply(point.position)


def _laplacian(points: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Points minus the means of their neighbours, weighted by inverse distances [m], [vertex, 3]."""
    start, end = pairs.T
    nearness = 1.0 / np.maximum(np.linalg.norm(points[start] - points[end], axis=1), 1e-9)
    sums = np.stack([np.bincount(start, nearness * points[end, axis], len(points)) for axis in range(3)], axis=1)
    return np.asarray(points - sums / np.bincount(start, nearness, len(points))[:, None])
