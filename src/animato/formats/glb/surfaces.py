"""Shapes of a character as meshes of a GLB file, each written once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from animato.character import Geometry, Mesh, Shape, Vector
from animato.errors import CharacterError, MissingDependencyError
from animato.formats.glb.container import INDICES, VERTICES, GlbContainer
from animato.formats.outgoing import triangles_of

_GREY: Vector = (0.7, 0.7, 0.72, 1.0)


@dataclass
class SurfaceWriter:
    """Writes meshes.

    Attributes:
        container: What they are written to.
        missing: Paths of mesh files that cannot be read; their shapes are left out.
    """

    container: GlbContainer
    missing: list[str] = field(default_factory=list)
    _surfaces: dict[Geometry, dict[str, Any] | None] = field(default_factory=dict)
    _meshes: dict[tuple[Geometry, Vector], int] = field(default_factory=dict)
    _materials: dict[Vector, int] = field(default_factory=dict)

    def mesh(self, shape: Shape, name: str) -> int | None:
        """The number of the mesh of a shape in its colour, or None where its file cannot be read.

        Args:
            shape: What is drawn.
            name: For the mesh, where it is a new one.
        """
        geometry, colour = shape.geometry, shape.colour or _GREY
        key = (geometry, colour)
        if key not in self._meshes:
            surface = self._surface(geometry)
            if surface is None:
                return None
            meshes = self.container.sections.setdefault("meshes", [])
            meshes.append({"name": name, "primitives": [surface | {"material": self._material(colour)}]})
            self._meshes[key] = len(meshes) - 1
        return self._meshes[key]

    def _surface(self, geometry: Geometry) -> dict[str, Any] | None:
        if geometry not in self._surfaces:
            self._surfaces[geometry] = self._new_surface(geometry)
        return self._surfaces[geometry]

    def _new_surface(self, geometry: Geometry) -> dict[str, Any] | None:
        try:
            surface = triangles_of(geometry)
        except (CharacterError, MissingDependencyError):
            if isinstance(geometry, Mesh):
                self.missing.append(geometry.path)
            return None
        add = self.container.accessor
        attributes = {"POSITION": add(surface.vertices, target=VERTICES, bounds=True)}
        if surface.normals is not None:
            attributes["NORMAL"] = add(surface.normals, target=VERTICES)
        return {"attributes": attributes, "indices": add(surface.faces.ravel(), target=INDICES)}

    def _material(self, colour: Vector) -> int:
        if colour not in self._materials:
            look: dict[str, Any] = {"baseColorFactor": _linear(colour), "metallicFactor": 0.0, "roughnessFactor": 0.6}
            one: dict[str, Any] = {"name": f"colour_{len(self._materials) + 1}", "pbrMetallicRoughness": look}
            if colour[3] < 1.0:
                one["alphaMode"] = "BLEND"
            materials = self.container.sections.setdefault("materials", [])
            materials.append(one)
            self._materials[colour] = len(materials) - 1
        return self._materials[colour]


def _linear(colour: Vector) -> list[float]:
    """Colours are stated as a screen shows them (sRGB); glTF counts light."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return [*parts, colour[3]]
