"""Mass, centre and inertia of a body: as stated, or from its shapes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from animato.character.body import Body
from animato.character.mesh_file import load_mesh
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, Shape, Sphere
from animato.errors import CharacterError


@dataclass(frozen=True, eq=False)
class MassProperties:
    """What dynamics needs to know of a rigid body.

    Attributes:
        mass: [kg].
        centre: Centre of mass in body coordinates [m], shape [3].
        inertia: About the centre of mass, along the body's axes [kg m^2], shape [3, 3].
    """

    mass: float
    centre: np.ndarray
    inertia: np.ndarray

    def moved(self, rotation: np.ndarray, position: np.ndarray) -> MassProperties:
        """The same mass seen from a frame in which the body's frame has this rotation and position."""
        return MassProperties(self.mass, rotation @ self.centre + position, rotation @ self.inertia @ rotation.T)


def combined(parts: list[MassProperties]) -> MassProperties:
    """Several masses as one, by the parallel axis theorem."""
    mass = sum(part.mass for part in parts)
    if mass == 0.0:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    centre = np.asarray(sum(part.mass * part.centre for part in parts) / mass)
    inertia = np.zeros((3, 3))
    for part in parts:
        shift = part.centre - centre
        inertia += part.inertia + part.mass * (shift @ shift * np.eye(3) - np.outer(shift, shift))
    return MassProperties(mass, centre, inertia)


@lru_cache(maxsize=4096)
def mass_properties_of(body: Body) -> MassProperties:
    """Mass properties of a body; what it leaves unstated follows from its shapes.

    Raises:
        CharacterError: The stated inertia belongs to no possible body.
    """
    if body.mass is None and body.density is None:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    stated = body.mass is not None and body.centre is not None and body.inertia is not None
    filled = None if stated or not body.shapes else combined([_solid(shape) for shape in body.shapes])
    if body.density is not None and filled is not None:
        mass, factor = filled.mass * body.density, body.density
    else:
        mass = float(body.mass or 0.0)
        factor = 0.0 if filled is None else mass / filled.mass
    centre = np.zeros(3) if filled is None else filled.centre
    inertia = np.zeros((3, 3)) if filled is None else filled.inertia * factor
    if body.centre is not None:
        centre = np.array(body.centre)
    if body.inertia is not None:
        xx, yy, zz, xy, xz, yz = body.inertia
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        _check_inertia(body.name, inertia)
    return MassProperties(mass, centre, inertia)


def _check_inertia(name: str, inertia: np.ndarray) -> None:
    """Every body has moments that are not negative; the triangle rule is left to the owner of the file."""
    moments = np.linalg.eigvalsh(inertia)
    # Real robots (HRP-4C, TIAGo) have links of a few grams whose rounded moments come out at -1e-7.
    if moments[0] < -1e-6 * max(1.0, float(np.abs(moments).max())):
        shown = ", ".join(f"{moment:.4g}" for moment in moments)
        raise CharacterError(
            f"The inertia of body '{name}' has a negative moment (its principal moments are {shown} kg m^2); "
            f"no body has that. Check the order: Ixx, Iyy, Izz, Ixy, Ixz, Iyz."
        )


def _solid(shape: Shape) -> MassProperties:
    """A shape filled with density 1, in body coordinates."""
    transform = shape.frame.transform
    return _solid_geometry(shape.geometry).moved(transform.rotation, transform.position)


def _solid_geometry(geometry: Geometry) -> MassProperties:
    """A geometry filled with density 1, in its own frame."""
    if isinstance(geometry, Mesh):
        return _solid_mesh(geometry)
    if isinstance(geometry, Box):
        x, y, z = geometry.size
        volume = x * y * z
        moments = volume / 12.0 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
    elif isinstance(geometry, Sphere | Ellipsoid):
        a, b, c = (geometry.radius,) * 3 if isinstance(geometry, Sphere) else geometry.radii
        volume = 4.0 / 3.0 * math.pi * a * b * c
        moments = volume / 5.0 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    elif isinstance(geometry, Cylinder | Capsule):
        r, length = geometry.radius, geometry.length
        volume = math.pi * r * r * length
        across, along = volume * (3.0 * r * r + length * length) / 12.0, volume * r * r / 2.0
        if isinstance(geometry, Capsule):
            ends = 4.0 / 3.0 * math.pi * r**3
            # two half balls, each with its centre 3/8 r beyond the end of the cylinder
            across += ends * (0.4 * r * r + length * length / 4.0 + 3.0 / 8.0 * r * length)
            along += ends * 0.4 * r * r
            volume += ends
        moments = np.array([across, across, along])
    return MassProperties(volume, np.zeros(3), np.diag(moments))


def _solid_mesh(mesh: Mesh) -> MassProperties:
    try:
        solid = load_mesh(mesh.path, purpose="The mass of a mesh")
    except CharacterError as error:
        raise CharacterError(f"{error} So its mass cannot be worked out; state a mass.") from None
    try:
        with np.errstate(all="ignore"):  # absurd vertices may overflow before they are refused
            solid.apply_scale(mesh.scale)
            volume, centre, inertia = float(solid.volume), np.array(solid.center_mass), np.array(solid.moment_inertia)
    except Exception as error:  # trimesh raises whatever its own arithmetic raises
        raise CharacterError(f"Mesh file '{mesh.path}' has no volume: {error}. State a mass instead.") from None
    if not volume > 0.0 or not np.isfinite([volume, *centre, *inertia.ravel()]).all():
        raise CharacterError(f"Mesh '{mesh.path}' encloses no volume, so it has no mass; state a mass.")
    return MassProperties(volume, centre, inertia)
