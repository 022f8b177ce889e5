"""A rigid body: what it weighs and what it looks like."""

from __future__ import annotations

from dataclasses import dataclass

from animato.character.shape import Shape
from animato.character.vectors import Vector, Vector3, finite_vector
from animato.errors import CharacterError


@dataclass(frozen=True)
class Body:
    """A rigid body. Its mass is stated, or follows from its shapes and a density.

    What is not stated is worked out by `mass_properties.mass_properties_of`; what is stated is kept
    as it was, so that a character file can be written back without loss.

    Attributes:
        name: Unique among the character's bodies.
        mass: [kg], or None to take it from shapes and density. Without either the body is massless.
        centre: Centre of mass in body coordinates [m], or None for the centre of the shapes.
        inertia: (Ixx, Iyy, Izz, Ixy, Ixz, Iyz) about the centre of mass along the body's axes
            [kg m^2], or None for that of the shapes, scaled to the mass.
        density: Of the shapes [kg/m^3]; only where no mass is stated.
        shapes: For drawing, collision and, with a density, mass.
    """

    name: str
    mass: float | None = None
    centre: Vector3 | None = None
    inertia: Vector | None = None
    density: float | None = None
    shapes: tuple[Shape, ...] = ()

    def __post_init__(self) -> None:
        owner = f"body '{self.name}'"
        if self.mass is not None:
            (mass,) = finite_vector([self.mass], 1, f"The mass of {owner}")
            if mass < 0.0:
                raise CharacterError(f"The mass of {owner} must not be negative, given {mass} kg.")
            object.__setattr__(self, "mass", mass)
        if self.density is not None:
            (density,) = finite_vector([self.density], 1, f"The density of {owner}")
            if density <= 0.0:
                raise CharacterError(f"The density of {owner} must be greater than 0, given {density} kg/m^3.")
            if self.mass is not None:
                raise CharacterError(f"For {owner} state a mass or a density, not both.")
            if not self.shapes:
                raise CharacterError(f"For {owner} a density is stated but no shape that it could fill.")
            object.__setattr__(self, "density", density)
        if self.centre is not None:
            object.__setattr__(self, "centre", finite_vector(self.centre, 3, f"The centre of {owner}"))
        if self.inertia is not None:
            object.__setattr__(self, "inertia", finite_vector(self.inertia, 6, f"The inertia of {owner}"))
            if self.mass is None:
                raise CharacterError(f"For {owner} an inertia is stated without a mass.")
        object.__setattr__(self, "shapes", tuple(self.shapes))
