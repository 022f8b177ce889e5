"""What inverse kinematics needs to know of a character: where its bodies are, and how they move with its freedoms."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from animato.character import Character, Sole
from animato.errors import AnimatoError
from animato.mechanics.contact import guessed_soles
from animato.spatial import quaternions
from animato.studio.posing.stance import Stance


class Figure(Protocol):
    """A character that can be posed. Freedoms are joints' coordinates and, where it floats, six of its root.

    Attributes:
        character: Who.
        lower: Of all coordinates [rad or m], shape [coordinate].
        upper: Likewise.
        size: How large it is [m]; makes lengths and turns comparable.
        lengths: Which freedoms are lengths, shape [freedom].
        driven: Coordinates that a person may set; others follow.
        root_freedoms: How many freedoms, the first ones, are the root's: six or none.
        rest_root: Where the character's file has the root body: x, y, z [m] and qw, qx, qy, qz, shape [7].
        soles: What it can stand on.
    """

    character: Character
    lower: np.ndarray
    upper: np.ndarray
    size: float
    lengths: np.ndarray
    driven: tuple[str, ...]
    root_freedoms: int
    rest_root: np.ndarray
    soles: tuple[Sole, ...]

    def stance(self, coordinates: np.ndarray, root: np.ndarray | None = None, near: Stance | None = None) -> Stance:
        """The pose with coordinates, brought inside their limits; what follows others follows.

        Args:
            coordinates: Of the whole character [rad or m], shape [coordinate].
            root: Of the root body, shape [7]; where it rests where not given.
            near: A pose near it, where known.
        """
        ...

    def bodies(self, stance: Stance) -> tuple[np.ndarray, np.ndarray]:
        """Where all bodies are: positions [m], [body, 3], and quaternions wxyz, [body, 4]."""
        ...

    def jacobian(self, stance: Stance, body: int, local: np.ndarray) -> np.ndarray:
        """How a point on a body moves [m] and turns [rad] with each freedom, in world axes, [6, freedom]."""
        ...

    def room(self, stance: Stance) -> tuple[np.ndarray, np.ndarray]:
        """How far each freedom may go back and forth from here, each [freedom]."""
        ...

    def moved(self, stance: Stance, step: np.ndarray) -> Stance | None:
        """The pose after a step [freedom], inside all limits; None where there is none."""
        ...

    def away(self, stance: Stance, other: Stance) -> np.ndarray:
        """By how much each freedom is off where it is in another pose, [freedom]."""
        ...

    def rides_on_root(self, body: int) -> bool:
        """Whether a body moves with the root and nothing else moves it."""
        ...


def soles_of(character: Character) -> tuple[Sole, ...]:
    """The soles that a character states, or those that its feet look like; none where nothing is certain."""
    if character.soles or not character.floats:
        return character.soles
    try:
        return guessed_soles(character).soles
    except AnimatoError:  # meshes that are not there, or loops: nobody knows then
        return ()


def root_moved(root: np.ndarray, step: np.ndarray) -> np.ndarray:
    """A root [7] after a step: three lengths [m] and a turn [rad], along its own axes."""
    place = root[:3] + quaternions.rotate(root[3:], step[:3])
    turn = quaternions.multiply(root[3:], quaternions.quaternion_from_rotation_vector(step[3:6]))
    return np.concatenate([place, quaternions.normalized(turn)])


def root_away(root: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The step of `root_moved` that leads from another root to this one, to first order in its lengths, [6]."""
    place = quaternions.rotate(quaternions.conjugate(root[3:]), root[:3] - other[:3])
    return np.concatenate([place, turn_between(other[3:], root[3:])])


def turn_between(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The shortest turn from one orientation to another, in the axes of the first, as a rotation vector [rad], [3]."""
    found: np.ndarray = quaternions.rotation_vector_from_quaternion(
        quaternions.multiply(quaternions.conjugate(start), end)
    )
    return found
