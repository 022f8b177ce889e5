"""A character as a system in minimal coordinates, with the names of what is in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.mechanics.simulation.system.packed import PackedSystem
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True)
class Placed:
    """Something that moves with a step of the tree.

    Attributes:
        step: Of the tree.
        transform: T_step_thing.
    """

    step: int
    transform: RigidTransform


@dataclass(frozen=True)
class RodLink:
    """A straight piece of a rod, for drawing.

    Attributes:
        step: Of the tree.
        transform: T_step_link; the piece goes along z, its middle is at the origin.
        length: [m].
        station: Arc length of the middle from the rod's origin [m].
    """

    step: int
    transform: RigidTransform
    length: float
    station: float


@dataclass(frozen=True, eq=False, repr=False)
class System(Described):
    """A character in minimal coordinates.

    Attributes:
        character: What it was built from.
        packed: What the kernels take.
        unknown_names: Of u, [n_u].
        motor_names: Of theta, the character's actuated coordinates, [n_p].
        tracked: Names of the bodies whose centres of mass and rotations are outputs.
        bodies: Where each body of the character is, by name.
        rods: Links of each rod, by the name of the flexible part, from its origin to its end.
        closures: Name of each row of the loops' gap: the joint's or part's, [m].
    """

    character: Character
    packed: PackedSystem
    unknown_names: tuple[str, ...]
    motor_names: tuple[str, ...]
    tracked: tuple[str, ...]
    bodies: dict[str, Placed]
    rods: dict[str, tuple[RodLink, ...]]
    closures: tuple[str, ...]

    @property
    def unknown_count(self) -> int:
        """n_u."""
        return len(self.unknown_names)

    @property
    def coordinate_count(self) -> int:
        """All of them: n_u + n_p."""
        return len(self.unknown_names) + len(self.motor_names)

    @property
    def row_count(self) -> int:
        """m, rows of the gap of the loops."""
        return len(self.closures)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "character": self.character.name,
            "hinges": str(len(self.packed.tree.parent) - 1),
            "unknowns": str(self.unknown_count),
            "motors": str(len(self.motor_names)),
            "rows of loops": str(self.row_count),
        }

    def rest(self) -> np.ndarray:
        """Coordinates z of the undeformed character with all joints at zero, [n]."""
        return np.zeros(self.coordinate_count)
