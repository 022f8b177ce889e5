"""Contacts of a captured person's feet: low and slow is taken as touching.

Two labels, on which every method of retargeting can be judged alike. The strict one is of a part of
a foot, and means that it stands still on the floor. The generous one is of a whole foot, and means
that it may carry weight. Heights are above the part's own 2nd percentile, since feet of different
captures, even the left and the right one, do not stand at one height.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError
from animato.mimic.person import SIDES, Person

FOOT_PARTS: tuple[str, ...] = ("left heel", "left toe", "right heel", "right toe")
"""Parts of the feet in the order of all columns here."""

LEVEL_PERCENTILE = 2.0
"""Percentile of a part's height that is taken as its height while it stands."""

STRICT_HEIGHT = 0.04
STRICT_SPEED = 0.2
"""A part nearer to its level than this [m] and slower than this [m/s] stands still on the floor."""

GENEROUS_HEIGHT = 0.06
GENEROUS_SPEED = 0.6
"""A foot with a part nearer to its level than this [m] and slower than this [m/s] may carry weight."""

_LANDMARKS = {"heel": ("ankle", "heel"), "toe": ("toe", "ankle", "heel")}
"""The landmark that tells of a part, best first. The ankle's joint tells of the heel, as most captures lack a heel."""


@dataclass(frozen=True, eq=False)
class PartMotion:
    """How parts of a person move.

    Attributes:
        times: [s], [frame].
        heights: Above each part's level [m], [frame, part].
        speeds: [m/s], [frame, part].
        levels: Height of each part while it stands [m], [part].
    """

    times: np.ndarray
    heights: np.ndarray
    speeds: np.ndarray
    levels: np.ndarray

    def low_and_slow(self, height: float, speed: float) -> np.ndarray:
        """Where parts are nearer to their level than a height [m] and slower than a speed [m/s], [frame, part]."""
        return (self.heights < height) & (self.speeds < speed)


def speeds_of(points: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Speeds of points by central differences of neighbouring frames [m/s].

    Args:
        points: [m], [frame, point, 3].
        times: [s], [frame].
    """
    if len(times) < 2:
        return np.zeros(points.shape[:2])
    return np.linalg.norm(np.gradient(points, times, axis=0), axis=2)


def foot_motion(person: Person) -> PartMotion:
    """Heights and speeds of heels and toes, columns as in `FOOT_PARTS`.

    Raises:
        MotionError: The person has no feet.
    """
    points = np.stack([person.landmark(_landmark_of(person, part)) for part in FOOT_PARTS], axis=1)
    levels = np.percentile(points[..., 2], LEVEL_PERCENTILE, axis=0)
    return PartMotion(person.times, points[..., 2] - levels, speeds_of(points, person.times), levels)


def _landmark_of(person: Person, part: str) -> str:
    side, place = part.split()
    for landmark in _LANDMARKS[place]:
        if person.has(f"{side}_{landmark}"):
            return f"{side}_{landmark}"
    raise MotionError(
        f"Contacts are found from ankles and toes, and {person.source or 'the capture'} has no {side} ankle. "
        f"Its landmarks: {', '.join(person.names)}. Name the bones or markers of the {side} ankle in the mapping."
    )


def strict_labels(person: Person) -> np.ndarray:
    """Which parts of the feet stand still on the floor, [frame, part], columns as in `FOOT_PARTS`."""
    return foot_motion(person).low_and_slow(STRICT_HEIGHT, STRICT_SPEED)


def support_labels(person: Person) -> np.ndarray:
    """Which feet may carry weight, [frame, foot], left then right."""
    return by_foot(foot_motion(person).low_and_slow(GENEROUS_HEIGHT, GENEROUS_SPEED))


def by_foot(parts: np.ndarray) -> np.ndarray:
    """Where any part of each foot is marked: [frame, part] to [frame, foot]."""
    return np.asarray(parts[:, : len(FOOT_PARTS)].reshape(len(parts), len(SIDES), -1).any(axis=2))
