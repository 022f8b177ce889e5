"""Shapes of bodies: for drawing, for collision, and for mass where a density is given."""

from __future__ import annotations

from dataclasses import dataclass

from animato.character.frame import HERE, Frame
from animato.character.vectors import Vector, Vector3, finite_vector
from animato.errors import CharacterError


def _positive(value: float, what: str) -> float:
    (number,) = finite_vector([value], 1, what)
    if number <= 0.0:
        raise CharacterError(f"{what} must be greater than 0, not {number}.")
    return number


@dataclass(frozen=True)
class Box:
    """A box about its frame's origin. `size` holds its full edge lengths along x, y, z [m]."""

    size: Vector3

    def __post_init__(self) -> None:
        size = tuple(_positive(edge, "An edge of a box") for edge in finite_vector(self.size, 3, "The size of a box"))
        object.__setattr__(self, "size", size)


@dataclass(frozen=True)
class Sphere:
    """A ball about its frame's origin. `radius` [m]."""

    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _positive(self.radius, "The radius of a sphere"))


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid about its frame's origin. `radii` along x, y, z [m]."""

    radii: Vector3

    def __post_init__(self) -> None:
        values = finite_vector(self.radii, 3, "The radii of an ellipsoid")
        object.__setattr__(self, "radii", tuple(_positive(value, "A radius of an ellipsoid") for value in values))


@dataclass(frozen=True)
class Cylinder:
    """A cylinder along its frame's z axis, centred. `radius` and full `length` [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _positive(self.radius, "The radius of a cylinder"))
        object.__setattr__(self, "length", _positive(self.length, "The length of a cylinder"))


@dataclass(frozen=True)
class Capsule:
    """A cylinder of `length` with a half ball of `radius` on both ends, along z, centred [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _positive(self.radius, "The radius of a capsule"))
        object.__setattr__(self, "length", _positive(self.length, "The length of a capsule"))


@dataclass(frozen=True)
class Mesh:
    """Triangles from a file (STL, OBJ, DAE, PLY).

    Attributes:
        path: The file. It may be absent: what needs its triangles says so, everything else works.
        scale: Factors along x, y, z from the file's unit to metres.
    """

    path: str
    scale: Vector3 = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", finite_vector(self.scale, 3, "The scale of a mesh"))
        if 0.0 in self.scale:
            raise CharacterError(f"The scale of mesh '{self.path}' must not contain 0, given {self.scale}.")


Geometry = Box | Sphere | Ellipsoid | Cylinder | Capsule | Mesh


@dataclass(frozen=True)
class Shape:
    """A geometry placed on a body.

    Attributes:
        geometry: What it is.
        frame: Where it is on the body.
        colour: Red, green, blue, opacity, each 0 to 1; None lets the viewer choose.
        visual: Whether it is drawn.
        collision: Whether it counts for collision and clearance.
    """

    geometry: Geometry
    frame: Frame = HERE
    colour: Vector | None = None
    visual: bool = True
    collision: bool = True

    def __post_init__(self) -> None:
        if self.colour is not None:
            colour = finite_vector(self.colour, 4, "A colour (red, green, blue, opacity)")
            if min(colour) < 0.0 or max(colour) > 1.0:
                raise CharacterError(f"The parts of a colour go from 0 to 1, given {colour}.")
            object.__setattr__(self, "colour", colour)
