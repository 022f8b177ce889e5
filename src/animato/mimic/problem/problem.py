"""The problem: one robot, one person, contacts and what the artist wants kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.errors import OptionError
from animato.mimic.anatomy import Anatomy
from animato.mimic.contacts import ContactEdit, ContactPlan
from animato.mimic.options import Options
from animato.mimic.person import LANDMARKS, Person


@dataclass(frozen=True)
class Emphasis:
    """Weight of a part of the body over a stretch of time.

    Attributes:
        landmark: One of `LANDMARKS`.
        weight: Times the usual one.
        start_s, end_s: Of the capture's time [s]; all of it where not given.
    """

    landmark: str
    weight: float
    start_s: float | None = None
    end_s: float | None = None

    def __post_init__(self) -> None:
        if self.landmark not in LANDMARKS:
            raise OptionError(f"`emphasis` names '{self.landmark}'; landmarks: {', '.join(LANDMARKS)}.")
        if not 0.0 <= self.weight < 1e6:
            raise OptionError(f"The weight of an emphasis is at least 0 and below 1e6, not {self.weight!r}.")


@dataclass(frozen=True)
class Pin:
    """A pose that the robot is to take at a moment.

    Attributes:
        time_s: Of the capture's time [s].
        values: (coordinate, position [rad or m]) pairs; what is not named stays free.
    """

    time_s: float
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Described):
    """Everything that is asked for.

    Attributes:
        character: The robot.
        options: What is wanted.
        person: At the knots, as captured.
        capture: The same at the capture's own frames.
        anatomy: Landmarks and soles of the robot.
        plan: Contacts at the knots.
        times: Of the robot at the knots, evenly spaced, from 0 unless it is a part of a longer one [s], [knot].
        source_times: Of the capture at the knots [s], [knot].
        landmarks: Names of the key-points, without the pelvis.
        scale: Of the person, as first guessed; where segments have the robot's lengths, that of the legs.
        relative: Of the person's key-points from the pelvis, to be scaled [m], [knot, landmark, 3].
        by_segments: Whether these have the robot's proportions already, so that the scale is final.
        mesh: L^T L of the person's interaction mesh over pelvis and key-points, [knot, 1 + landmark, 1 + landmark];
            empty where it does not count.
        emphasis: Weight of each key-point at each knot, [knot, landmark].
        pins: Poses that are held.
        objects: Points of things that the person deals with, at the capture's own frames [m], [frame, point, 3]:
            vertices of the mesh that do not move with the robot.
        contacts: What is to touch otherwise than captured.
        wanted: Weights of parts of the body over time, as they were asked for.
        slowed_percent: How much longer the robot takes than the person, flights apart.
        notes: What was found, assumed or left out, in plain sentences.
    """

    character: Character
    options: Options
    person: Person
    capture: Person
    anatomy: Anatomy
    plan: ContactPlan
    times: np.ndarray
    source_times: np.ndarray
    landmarks: tuple[str, ...]
    scale: float
    relative: np.ndarray
    by_segments: bool
    mesh: np.ndarray
    emphasis: np.ndarray
    pins: tuple[Pin, ...] = ()
    objects: np.ndarray | None = None
    contacts: tuple[ContactEdit, ...] = ()
    wanted: tuple[Emphasis, ...] = ()
    slowed_percent: float = 0.0
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "robot": self.character.name,
            "person": self.person.source or "unknown",
            "knots": f"{len(self.times)} at {1.0 / self.step:.4g} Hz",
            "landmarks": str(len(self.landmarks)),
            "scale": f"{self.scale:.3f}",
        }

    @property
    def step(self) -> float:
        """Between knots [s]."""
        return float((self.times[-1] - self.times[0]) / (len(self.times) - 1))

    @property
    def targets(self) -> np.ndarray:
        """Where key-points should be from the pelvis [m], [knot, landmark, 3]."""
        return self.scale * self.relative
