"""Geoms and mesh assets of an MJCF file that is written."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

from animato.character import Box, Capsule, Cylinder, Ellipsoid, Frame, Mesh, Shape, Sphere
from animato.errors import CharacterError, MissingDependencyError
from animato.formats.files import UniqueNames, XmlElement, is_file
from animato.formats.outgoing import element, mesh_name, stl_bytes, triangles_of

_MOST_FACES = 200_000  # of an STL file that MuJoCo reads
_SEEN, _SEEN_ONLY, _HIDDEN = "0", "2", "3"  # groups; MuJoCo's viewer shows 0 to 2


def placed(frame: Frame) -> dict[str, tuple[float, ...]]:
    """Attributes that put something into a frame; none where it is the body's own."""
    found: dict[str, tuple[float, ...]] = {} if not any(frame.position) else {"pos": frame.position}
    turned = frame.quaternion_wxyz != (1.0, 0.0, 0.0, 0.0)
    return found | ({"quat": frame.quaternion_wxyz} if turned else {})


@dataclass
class GeomWriter:
    """Writes geoms.

    Attributes:
        folder: Of the file, absolute.
        stem: Name of the file, which those of converted meshes begin with.
        assets: Mesh assets so far.
        files: Meshes that were converted, by the name of their file.
        missing: Paths of meshes that are not there or cannot be read; their geoms are left out.
    """

    folder: Path
    stem: str
    assets: list[XmlElement] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    _names: UniqueNames = field(default_factory=lambda: UniqueNames(()))
    _known: dict[Mesh, str | None] = field(default_factory=dict)

    def geom(self, shape: Shape) -> list[XmlElement]:
        """The geom of a shape; none for a mesh that MuJoCo could not read."""
        geometry = shape.geometry
        what: dict[str, str | tuple[float, ...]]
        if isinstance(geometry, Box):
            what = {"type": "box", "size": tuple(0.5 * edge for edge in geometry.size)}
        elif isinstance(geometry, Sphere):
            what = {"type": "sphere", "size": (geometry.radius,)}
        elif isinstance(geometry, Ellipsoid):
            what = {"type": "ellipsoid", "size": geometry.radii}
        elif isinstance(geometry, Cylinder | Capsule):
            kind = "cylinder" if isinstance(geometry, Cylinder) else "capsule"
            what = {"type": kind, "size": (geometry.radius, 0.5 * geometry.length)}
        else:
            name = self._asset(geometry)
            if name is None:
                return []
            what = {"type": "mesh", "mesh": name}
        if not shape.collision:
            what |= {"contype": "0", "conaffinity": "0"}
        what["group"] = _HIDDEN if not shape.visual else _SEEN if shape.collision else _SEEN_ONLY
        if shape.colour is not None:
            what["rgba"] = shape.colour
        return [element("geom", **what, **placed(shape.frame))]

    def _asset(self, mesh: Mesh) -> str | None:
        if mesh not in self._known:
            self._known[mesh] = self._new_asset(mesh)
        return self._known[mesh]

    def _new_asset(self, mesh: Mesh) -> str | None:
        path = Path(mesh.path)
        if not is_file(path):
            self.missing.append(mesh.path)
            return None
        name = self._names.new(path.stem)
        if _is_read_by_mujoco(path):
            file, scale = mesh_name(mesh.path, self.folder), mesh.scale
        else:
            try:
                surface = triangles_of(mesh)
            except (CharacterError, MissingDependencyError):
                self.missing.append(mesh.path)
                return None
            if len(surface.faces) > _MOST_FACES:
                self.missing.append(mesh.path)
                return None
            file, scale = f"{self.stem}_{name}.stl", (1.0, 1.0, 1.0)
            self.files[file] = stl_bytes(surface)
        scaled = {} if scale == (1.0, 1.0, 1.0) else {"scale": scale}
        self.assets.append(element("mesh", name=name, file=file, inertia="shell", **scaled))
        return name


def _is_read_by_mujoco(path: Path) -> bool:
    """Whether MuJoCo reads a mesh as it is: STL only as numbers, and nothing that merely is called a mesh."""
    suffix = path.suffix.lower()
    try:
        with path.open("rb") as stream:
            head, size = stream.read(2000), path.stat().st_size
    except OSError:
        return False
    if suffix == ".stl" and size >= 84:
        count = struct.unpack_from("<I", head, 80)[0]
        return bool(1 <= count <= _MOST_FACES and size == 84 + 50 * count)
    # What stands in the place of a large file that was not fetched has neither comments nor vertices.
    return suffix == ".msh" or (suffix == ".obj" and not head.startswith(b"version "))
