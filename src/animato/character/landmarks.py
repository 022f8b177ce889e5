"""Named places on a character: end-points, soles, markers, and named postures."""

from __future__ import annotations

from dataclasses import dataclass

from animato.character.frame import HERE, Frame
from animato.character.vectors import IDENTITY, X_AXIS, Z_AXIS, ZERO, Quaternion, Vector3, finite_vector, unit_vector
from animato.errors import CharacterError


@dataclass(frozen=True)
class EndPoint:
    """A place that faces, points, holds or draws.

    Attributes:
        name: Unique among end-points.
        body: Name of the body it is on.
        frame: Where it is on the body.
        forward: The way it faces, in its own frame.
        up: What it calls up, in its own frame.
        symmetric: Whether it is as good upside down (turned by half a turn about `forward`).
    """

    name: str
    body: str
    frame: Frame = HERE
    forward: Vector3 = X_AXIS
    up: Vector3 = Z_AXIS
    symmetric: bool = False

    def __post_init__(self) -> None:
        for axis in ("forward", "up"):
            what = f"The {axis} direction of end-point '{self.name}'"
            object.__setattr__(self, axis, unit_vector(getattr(self, axis), 3, what))


@dataclass(frozen=True)
class Sole:
    """The patch of a foot that touches the floor.

    Attributes:
        name: Unique among soles.
        body: Name of the body it is on.
        corners: Convex outline in body coordinates [m], at least three points.
    """

    name: str
    body: str
    corners: tuple[Vector3, ...]

    def __post_init__(self) -> None:
        what = f"A corner of sole '{self.name}'"
        object.__setattr__(self, "corners", tuple(finite_vector(corner, 3, what) for corner in self.corners))
        if len(self.corners) < 3:
            raise CharacterError(f"Sole '{self.name}' needs at least 3 corners, given {len(self.corners)}.")


@dataclass(frozen=True)
class Marker:
    """A named point on a body, and where its axes point.

    Attributes:
        name: Unique among markers.
        body: Name of the body it is on.
        position: In body coordinates [m].
        quaternion_wxyz: Turns the body's axes into its own; counts where it becomes an end-point.
    """

    name: str
    body: str
    position: Vector3 = ZERO
    quaternion_wxyz: Quaternion = IDENTITY

    def __post_init__(self) -> None:
        what = f"The position of marker '{self.name}'"
        object.__setattr__(self, "position", finite_vector(self.position, 3, what))
        turn = unit_vector(self.quaternion_wxyz, 4, f"The quaternion (w, x, y, z) of marker '{self.name}'")
        object.__setattr__(self, "quaternion_wxyz", turn)

    @property
    def frame(self) -> Frame:
        """Where it is on its body."""
        return Frame(self.position, self.quaternion_wxyz)


@dataclass(frozen=True)
class NamedPosture:
    """A posture that belongs to the character ("rest", "curious").

    Attributes:
        name: Unique among postures.
        values: (coordinate name, position [rad or m]) pairs; what is not named is neutral.
    """

    name: str
    values: tuple[tuple[str, float], ...]

    def __post_init__(self) -> None:
        what = f"A value of posture '{self.name}'"
        pairs = tuple((str(name), finite_vector([value], 1, what)[0]) for name, value in self.values)
        object.__setattr__(self, "values", pairs)
