"""Parts that bend: a shape or a mesh, a material, and where they meet bodies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from animato.character.frame import HERE, Frame
from animato.character.shape import Mesh
from animato.character.vectors import finite_vector
from animato.errors import CharacterError


class MaterialModel(StrEnum):
    """How stress follows from strain."""

    NEO_HOOKEAN = "neo_hookean"
    ST_VENANT_KIRCHHOFF = "st_venant_kirchhoff"
    LINEAR = "linear"


@dataclass(frozen=True)
class Material:
    """An elastic material with Rayleigh damping (alpha M + beta K).

    Attributes:
        density: [kg/m^3].
        youngs_modulus: [Pa].
        poisson_ratio: Between -1 and 0.5.
        mass_damping: alpha [1/s].
        stiffness_damping: beta [s].
        model: Hyperelastic model.
    """

    density: float
    youngs_modulus: float
    poisson_ratio: float = 0.3
    mass_damping: float = 0.0
    stiffness_damping: float = 0.0
    model: MaterialModel = MaterialModel.NEO_HOOKEAN

    def __post_init__(self) -> None:
        for name in ("density", "youngs_modulus"):
            (value,) = finite_vector([getattr(self, name)], 1, f"The {name} of a material")
            if value <= 0.0:
                raise CharacterError(f"The {name} of a material must be greater than 0, not {value}.")
        for name in ("mass_damping", "stiffness_damping"):
            (value,) = finite_vector([getattr(self, name)], 1, f"The {name} of a material")
            if value < 0.0:
                raise CharacterError(f"The {name} of a material must not be negative, given {value}.")
        if not -1.0 < self.poisson_ratio < 0.5:
            raise CharacterError(f"A Poisson ratio lies between -1 and 0.5, not {self.poisson_ratio}.")
        object.__setattr__(self, "model", MaterialModel(self.model))


@dataclass(frozen=True)
class Rod:
    """A round rod from its frame's origin along z. `radius` and `length` [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        if min(finite_vector([self.radius, self.length], 2, "The radius and length of a rod")) <= 0.0:
            raise CharacterError(f"A rod has a radius and a length greater than 0, not {self.radius}, {self.length}.")


@dataclass(frozen=True)
class Bar:
    """A bar of rectangular section from its frame's origin along z. `width` (x), `height` (y), `length` [m]."""

    width: float
    height: float
    length: float

    def __post_init__(self) -> None:
        edges = finite_vector([self.width, self.height, self.length], 3, "The edges of a bar")
        if min(edges) <= 0.0:
            raise CharacterError(f"The edges of a bar must be greater than 0, not {edges}.")


@dataclass(frozen=True)
class Interface:
    """Where a flexible part is clamped to a rigid body.

    Attributes:
        body: Name of the body.
        frame_body: The clamp's frame on the body.
        frame_part: The same frame on the undeformed part.
        extent: Radius about the frame's origin within which a mesh is clamped [m]; 0 for the end
            face of a rod or bar.
    """

    body: str
    frame_body: Frame = HERE
    frame_part: Frame = HERE
    extent: float = 0.0

    def __post_init__(self) -> None:
        (extent,) = finite_vector([self.extent], 1, f"The extent of the interface to '{self.body}'")
        if extent < 0.0:
            raise CharacterError(f"The extent of the interface to '{self.body}' must not be negative, given {extent}.")
        object.__setattr__(self, "extent", extent)


@dataclass(frozen=True)
class FlexiblePart:
    """A part that bends between the bodies it is clamped to.

    Attributes:
        name: Unique among bodies and flexible parts.
        geometry: Undeformed shape, in the part's own coordinates.
        material: What it is made of.
        interfaces: Where it meets bodies, at least one.
    """

    name: str
    geometry: Rod | Bar | Mesh
    material: Material
    interfaces: tuple[Interface, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "interfaces", tuple(self.interfaces))
        if not self.interfaces:
            raise CharacterError(f"Flexible part '{self.name}' has no interface; say which body holds it.")
