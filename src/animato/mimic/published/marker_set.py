"""Markers on a robot's bodies: where they are, and how they move with its coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described, shortened
from animato.errors import CharacterError, unknown_name
from animato.mechanics.tree import ContactPoints, Tree, build_contact_points, packed_tree
from animato.motion import unique_names


@dataclass(frozen=True)
class MarkerPlace:
    """A marker on a robot.

    Attributes:
        name: As in the capture.
        body: Name of the body that carries it.
        position: In that body's frame [m].
    """

    name: str
    body: str
    position: tuple[float, float, float]


@dataclass(frozen=True, repr=False)
class MarkerSet(Described):
    """All markers of a robot, and the middles of its soles.

    Attributes:
        character: The robot, with a floating base.
        places: Its markers.
        feet: Middle of the right and of the left sole, on the floor when the foot stands flat.
    """

    character: Character
    places: tuple[MarkerPlace, ...]
    feet: tuple[MarkerPlace, MarkerPlace]

    def __post_init__(self) -> None:
        tree = packed_tree(self.character)
        if not tree.has_free_root:
            raise CharacterError(
                f"'{self.character.name}' is held on the ground; markers of a person need a robot with a floating base."
            )
        if tree.balls:
            raise CharacterError(f"'{self.character.name}' has spherical joints, which the published method has not.")
        unique_names([place.name for place in self.places], "the marker set")
        for place in (*self.places, *self.feet):
            if place.body not in tree.body_names:
                raise unknown_name("body", place.body, tree.body_names, self.character.name)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {"robot": self.character.name, "markers": shortened(self.names)}

    @property
    def names(self) -> tuple[str, ...]:
        """Of the markers."""
        return tuple(place.name for place in self.places)

    def chosen(self, names: Sequence[str]) -> MarkerSet:
        """Only markers of these names, in the set's order."""
        return MarkerSet(self.character, tuple(p for p in self.places if p.name in names), self.feet)

    @property
    def tree(self) -> Tree:
        """The robot, packed."""
        return packed_tree(self.character)

    def points(self) -> ContactPoints:
        """Markers as the kernels take them."""
        return build_contact_points(self.tree, [(place.body, place.position) for place in self.places])

    def feet_points(self) -> ContactPoints:
        """Middles of the soles as the kernels take them."""
        return build_contact_points(self.tree, [(place.body, place.position) for place in self.feet])

    def moving(self) -> np.ndarray:
        """Degrees of freedom that markers decide: the root's six, and joints that carry a marker, [n] indices."""
        arrays, found = self.tree.arrays, set(range(6))
        for carrier in self.points().steps.tolist():
            step = carrier
            while arrays.parent[step] >= 0:
                if arrays.dof[step] >= 0:
                    found.add(int(arrays.dof[step]))
                step = int(arrays.parent[step])
        return np.array(sorted(found), dtype=np.int64)
