"""Links of a URDF file that is written: mass, what is seen and what is touched."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from animato.character import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Frame,
    Geometry,
    Mesh,
    Shape,
    Sphere,
    mass_properties_of,
)
from animato.formats.files import XmlElement
from animato.formats.outgoing import element, mesh_name, roll_pitch_yaw
from animato.spatial.rigid_transform import RigidTransform


def origin(transform: RigidTransform) -> list[XmlElement]:
    """The `<origin>` of a transform; none where it is none."""
    position, turn = transform.position.tolist(), roll_pitch_yaw(transform)
    if not any(position) and not any(turn):
        return []
    return [element("origin", xyz=position, rpy=turn)]


@dataclass
class LinkWriter:
    """Writes links.

    Attributes:
        folder: Of the file, absolute.
        ball_file: Name of the mesh of a ball of radius 1 m, which stands for ellipsoids.
        colours: Names of the materials, by colour.
        capsules, ellipsoids: Bodies that have such shapes.
    """

    folder: Path
    ball_file: str
    colours: dict[tuple[float, ...], str] = field(default_factory=dict)
    capsules: list[str] = field(default_factory=list)
    ellipsoids: list[str] = field(default_factory=list)

    def link(self, body: Body) -> XmlElement:
        """The link of a body."""
        parts = _inertial(body)
        for shape in body.shapes:
            for geometry, frame in self._pieces(body.name, shape):
                inside = [*origin(frame.transform), element("geometry", self._geometry(geometry))]
                if shape.visual:
                    parts.append(element("visual", *inside, *self._material(shape)))
                if shape.collision:
                    parts.append(element("collision", *inside))
        return element("link", *parts, name=body.name)

    def _pieces(self, owner: str, shape: Shape) -> list[tuple[Geometry, Frame]]:
        """The shape, or what makes it up: URDF has no capsules."""
        whole = shape.geometry
        if isinstance(whole, Ellipsoid):
            self.ellipsoids.append(owner)
        if not isinstance(whole, Capsule):
            return [(whole, shape.frame)]
        self.capsules.append(owner)
        pieces: list[tuple[Geometry, Frame]] = [(Cylinder(whole.radius, whole.length), shape.frame)]
        for end in (-0.5 * whole.length, 0.5 * whole.length):
            place = shape.frame.transform @ RigidTransform((0.0, 0.0, end))
            pieces.append((Sphere(whole.radius), Frame.from_transform(place)))
        return pieces

    def _geometry(self, geometry: Geometry) -> XmlElement:
        if isinstance(geometry, Box):
            return element("box", size=geometry.size)
        if isinstance(geometry, Sphere):
            return element("sphere", radius=geometry.radius)
        if isinstance(geometry, Cylinder | Capsule):
            return element("cylinder", radius=geometry.radius, length=geometry.length)
        if isinstance(geometry, Ellipsoid):
            return element("mesh", filename=self.ball_file, scale=geometry.radii)
        return self._mesh(geometry)

    def _mesh(self, mesh: Mesh) -> XmlElement:
        scale = {} if mesh.scale == (1.0, 1.0, 1.0) else {"scale": mesh.scale}
        return element("mesh", filename=mesh_name(mesh.path, self.folder), **scale)

    def _material(self, shape: Shape) -> list[XmlElement]:
        if shape.colour is None:
            return []
        name = self.colours.setdefault(shape.colour, f"colour_{len(self.colours) + 1}")
        return [element("material", name=name)]

    def materials(self) -> list[XmlElement]:
        """All colours of the links written so far."""
        return [element("material", element("color", rgba=rgba), name=name) for rgba, name in self.colours.items()]


def _inertial(body: Body) -> list[XmlElement]:
    properties = mass_properties_of(body)
    if properties.mass == 0.0:
        return []
    tensor = properties.inertia
    inertia = element(
        "inertia",
        ixx=float(tensor[0, 0]),
        ixy=float(tensor[0, 1]),
        ixz=float(tensor[0, 2]),
        iyy=float(tensor[1, 1]),
        iyz=float(tensor[1, 2]),
        izz=float(tensor[2, 2]),
    )
    place = origin(RigidTransform(properties.centre))
    return [element("inertial", *place, element("mass", value=properties.mass), inertia)]
