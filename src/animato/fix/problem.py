"""The problem: one character, one clip, and what of it must stay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.fix.options import Accent, Options, Protection
from animato.motion import Clip


@dataclass(frozen=True)
class SeenPoint:
    """A point that people look at.

    Attributes:
        name: For people.
        body: That carries it.
        place: On that body [m].
        weight: Of its square.
        told: Whether its deviation is told of; points that stand ahead of another show where that one points.
    """

    name: str
    body: str
    place: tuple[float, float, float]
    weight: float
    told: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Described):
    """Everything that is asked for.

    Attributes:
        character: Who performs.
        clip: What the artist wants, every frame of it.
        options: What is wanted.
        points: What is seen.
        levers: What a coordinate's angle counts as a length [m], by coordinate of the clip, [coordinate].
        accents: What counts more.
        protected: What stays.
        notes: What was found or assumed, in plain sentences.
    """

    character: Character
    clip: Clip
    options: Options
    points: tuple[SeenPoint, ...]
    levers: np.ndarray
    accents: tuple[Accent, ...] = ()
    protected: tuple[Protection, ...] = ()
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "character": self.character.name,
            "clip": self.clip.source or "unknown",
            "frames": str(self.clip.frame_count),
            "points": ", ".join(point.name for point in self.points if point.told) or "none",
        }

    @property
    def told_points(self) -> tuple[str, ...]:
        """Names of the points whose deviation is told of."""
        return tuple(point.name for point in self.points if point.told)
