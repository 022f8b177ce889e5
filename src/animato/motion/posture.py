"""One pose of a character."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described, shortened
from animato.errors import unknown_name
from animato.motion.arrays import frozen_array, unique_names
from animato.motion.clip import Clip


@dataclass(frozen=True, eq=False, repr=False)
class Posture(Described):
    """Where each named coordinate is, at one moment.

    Attributes:
        names: Coordinate names.
        positions: [rad or m], shape [coordinate].
        source: Where it came from, for people.
    """

    names: tuple[str, ...]
    positions: np.ndarray
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", unique_names(self.names, "the posture"))
        positions = frozen_array(self.positions, (len(self.names),), "The positions of the posture")
        object.__setattr__(self, "positions", positions)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        told = [f"{name} {value:.3g}" for name, value in zip(self.names, self.positions, strict=True)]
        return {"coordinates": shortened(told), "source": self.source or "unknown"}

    @classmethod
    def named(cls, character: Character, name: str) -> Posture:
        """A posture that the character's file names; coordinates it leaves out are neutral."""
        values = dict(character.posture(name).values)
        neutral = {
            coordinate: value
            for joint in character.free_joints
            for coordinate, value in zip(joint.coordinate_names, joint.neutral, strict=True)
        }
        positions = [values.get(coordinate, neutral[coordinate]) for coordinate in character.coordinate_names]
        return cls(character.coordinate_names, np.array(positions), f"posture '{name}' of {character.name}")

    @classmethod
    def of_clip(cls, clip: Clip, frame: int) -> Posture:
        """One frame of a clip."""
        return cls(clip.names, clip.positions[frame], f"frame {frame} of {clip.source or 'a clip'}")

    def value(self, name: str) -> float:
        """The position of one coordinate [rad or m]."""
        if name not in self.names:
            raise unknown_name("coordinate", name, self.names, self.source or "the posture")
        return float(self.positions[self.names.index(name)])
