"""What a robot has of a human body: landmarks on its bodies, and soles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character, Sole
from animato.described import Described, shortened
from animato.errors import unknown_name


@dataclass(frozen=True)
class BodyPoint:
    """A landmark of a robot.

    Attributes:
        landmark: One of `LANDMARKS`.
        body: Name of the body it is on.
        position: In that body's frame [m].
        joint: The joint whose place it is, empty where it is none's.
    """

    landmark: str
    body: str
    position: tuple[float, float, float]
    joint: str = ""


@dataclass(frozen=True)
class Foot:
    """A sole with its two parts, which touch the floor one after the other in a step.

    Attributes:
        side: "left" or "right".
        sole: Its outline on a body.
        heel, toe: Indices of the corners of the sole that belong to each part; together all of them.
    """

    side: str
    sole: Sole
    heel: tuple[int, ...]
    toe: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Anatomy(Described):
    """Where the landmarks of a human body are on a robot.

    Attributes:
        character: The robot, with a floating base.
        points: Those that were found, in the order of `LANDMARKS`; the pelvis is always among them.
        feet: Left, then right.
        stand: Coordinates of a posture in which it stands upright, arms down, facing x, [coordinate].
        notes: What was found how, and what was not, in plain sentences.
        stand_root: Where the root body is in that posture while the soles are on the floor, their middle at the
            origin: x, y, z [m] and qw, qx, qy, qz.
    """

    character: Character
    points: tuple[BodyPoint, ...]
    feet: tuple[Foot, ...]
    stand: tuple[float, ...]
    notes: tuple[str, ...] = ()
    stand_root: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "robot": self.character.name,
            "landmarks": shortened([point.landmark for point in self.points]),
            "feet": shortened([foot.sole.body for foot in self.feet]),
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Landmarks that the robot has."""
        return tuple(point.landmark for point in self.points)

    def point(self, landmark: str) -> BodyPoint:
        """The point of a landmark."""
        for point in self.points:
            if point.landmark == landmark:
                return point
        raise unknown_name("landmark", landmark, self.names, self.character.name)

    @property
    def stand_posture(self) -> np.ndarray:
        """The standing posture, [coordinate]."""
        return np.array(self.stand)
