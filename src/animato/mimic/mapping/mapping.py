"""Which places of a person and of a robot belong together: small enough to be read and changed by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.character import Sole
from animato.described import Described, shortened
from animato.errors import OptionError, unknown_name
from animato.mimic.anatomy import Anatomy, BodyPoint
from animato.mimic.person import LANDMARKS, SIDES, Person


@dataclass(frozen=True, repr=False)
class Mapping(Described):
    """Landmarks of a person and of a robot. What is not named is found as without a mapping.

    A mapping made for one capture and one robot works for every capture with the same names of bones
    or markers, and its two halves work apart.

    Attributes:
        person: (landmark, names of the bones or markers whose mean it is) pairs; no names leave the
            landmark out.
        robot: Places of landmarks on bodies.
        soles: Called "left" and "right".
        weights: (landmark, weight) pairs; what is not named counts 1.
    """

    person: tuple[tuple[str, tuple[str, ...]], ...] = ()
    robot: tuple[BodyPoint, ...] = ()
    soles: tuple[Sole, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        named = [[name for name, _ in self.person], [point.landmark for point in self.robot]]
        for names in (*named, [name for name, _ in self.weights]):
            for name in names:
                if name not in LANDMARKS:
                    raise unknown_name("landmark", name, LANDMARKS, "a body")
                if names.count(name) > 1:
                    raise OptionError(f"Landmark '{name}' stands twice in a mapping; name it once.")
        for sole in self.soles:
            if sole.name not in SIDES:
                raise unknown_name("side", sole.name, SIDES, "soles")
        for name, weight in self.weights:
            if not math.isfinite(weight) or weight < 0.0:
                raise OptionError(f"The weight of '{name}' must be a number of at least 0, not {weight!r}.")

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "person": shortened([name for name, _ in self.person]),
            "robot": shortened([point.landmark for point in self.robot]),
            "soles": shortened([sole.name for sole in self.soles]),
        }

    @property
    def sources(self) -> dict[str, tuple[str, ...] | None]:
        """What `person_of` takes: landmark -> bones or markers, None for one that is left out."""
        return {landmark: names or None for landmark, names in self.person}

    @property
    def points(self) -> dict[str, BodyPoint]:
        """What `anatomy_of` takes as `points`."""
        return {point.landmark: point for point in self.robot}

    @property
    def sole_of_side(self) -> dict[str, Sole]:
        """What `anatomy_of` takes as `soles`."""
        return {sole.name: sole for sole in self.soles}


def mapping_of(person: Person | None = None, anatomy: Anatomy | None = None) -> Mapping:
    """The mapping as it was found, to be saved, changed and loaded.

    Args:
        person: Its landmarks and what they were made from.
        anatomy: The robot's landmarks and soles.
    """
    sources = () if person is None else tuple(zip(person.names, person.sources, strict=True))
    feet = () if anatomy is None else anatomy.feet
    return Mapping(
        person=tuple((name, names) for name, names in sources if names),
        robot=() if anatomy is None else anatomy.points,
        soles=tuple(Sole(foot.side, foot.sole.body, foot.sole.corners) for foot in feet),
    )
