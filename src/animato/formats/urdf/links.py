"""Links of a URDF file as bodies."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Frame,
    Geometry,
    Mesh,
    Shape,
    Sphere,
    Vector,
    mass_properties_of,
)
from animato.formats.files import MeshPaths, XmlElement, XmlValues
from animato.spatial import quaternions

ZERO = (0.0, 0.0, 0.0)


def frame_of_origin(origin: XmlElement | None, values: XmlValues) -> Frame:
    """The frame of an `<origin xyz rpy>`: turned about the fixed x, then y, then z axis."""
    position = values.numbers(origin, "xyz", 3, ZERO)
    roll, pitch, yaw = values.numbers(origin, "rpy", 3, ZERO)
    turn = quaternions.quaternion_from_euler((yaw, pitch, roll), "zyx")
    return Frame(position, tuple(turn.tolist()))  # type: ignore[arg-type]


@dataclass(frozen=True)
class LinkReader:
    """Reads links.

    Attributes:
        values: Of the file.
        colours: Of the materials that have a name.
        meshes: Where mesh files are.
    """

    values: XmlValues
    colours: dict[str, Vector]
    meshes: MeshPaths

    def body(self, element: XmlElement, name: str) -> Body:
        """The body of a `<link>`.

        Args:
            element: The link.
            name: What the body is called.
        """
        values = self.values.of(f"link '{element.attributes['name']}'")
        visuals = [self._shape(one, values, visual=True) for one in element.find_all("visual") if not _is_nothing(one)]
        collisions = [
            self._shape(one, values, visual=False) for one in element.find_all("collision") if not _is_nothing(one)
        ]
        shapes = []
        for shape in visuals:
            # What is drawn and collided with alike is one shape.
            twin = replace(shape, colour=None, visual=False, collision=True)
            if twin in collisions:
                collisions.remove(twin)
                shapes.append(replace(shape, collision=True))
            else:
                shapes.append(shape)
        inertial = element.find("inertial")
        with values.at(element if inertial is None else inertial):
            if inertial is None:
                return Body(name, shapes=(*shapes, *collisions))
            body = _with_inertia(name, inertial, values, (*shapes, *collisions))
            mass_properties_of(body)  # says whether such a body can exist
        return body

    def _shape(self, element: XmlElement, values: XmlValues, *, visual: bool) -> Shape:
        frame = frame_of_origin(element.find("origin"), values)
        with values.at(element):
            return Shape(
                self._geometry(element, values),
                frame,
                self._colour(element.find("material"), values) if visual else None,
                visual,
                not visual,
            )

    def _geometry(self, element: XmlElement, values: XmlValues) -> Geometry:
        geometry = element.find("geometry")
        if geometry is None or not geometry.children:
            raise values.error(element, f"<{element.tag}> has no geometry; add one or remove the element.")
        one = geometry.children[0]
        if one.tag == "box":
            return Box(values.numbers(one, "size", 3))  # type: ignore[arg-type]
        if one.tag == "sphere":
            return Sphere(values.number(one, "radius"))
        if one.tag in ("cylinder", "capsule"):
            kind = Cylinder if one.tag == "cylinder" else Capsule
            return kind(values.number(one, "radius"), values.number(one, "length"))
        if one.tag == "mesh":
            words = one.attributes.get("scale", "1").split()
            scale = values.numbers(one, "scale", len(words), (1.0,)) * (3 if len(words) < 2 else 1)
            return Mesh(self.meshes.resolved(values.text(one, "filename")), scale)  # type: ignore[arg-type]
        raise values.error(one, f"geometry <{one.tag}> is not known. Allowed: box, capsule, cylinder, mesh, sphere.")

    def _colour(self, material: XmlElement | None, values: XmlValues) -> Vector | None:
        if material is None:
            return None
        stated = colour_of_material(material, values)
        return self.colours.get(material.attributes.get("name", "")) if stated is None else stated


def _is_nothing(element: XmlElement) -> bool:
    """Whether a shape has no extent at all: links that only carry a frame are written with a box of size 0 0 0."""
    geometry = element.find("geometry")
    if geometry is None or not geometry.children:
        return False
    one = geometry.children[0]
    words = " ".join(one.attributes.get(key, "") for key in ("size", "radius", "length")).split()
    return one.tag != "mesh" and bool(words) and not any(word.strip("+-.0") for word in words)


def colour_of_material(material: XmlElement, values: XmlValues) -> Vector | None:
    """Red, green, blue, opacity, cut to 0 to 1; None where the material has no colour of its own."""
    colour = material.find("color")
    if colour is None:
        return None
    count = len(colour.attributes.get("rgba", "").split())
    parts = values.numbers(colour, "rgba", 3 if count == 3 else 4, (1.0, 1.0, 1.0, 1.0))
    return tuple(min(max(part, 0.0), 1.0) for part in (*parts, 1.0)[:4])


def _with_inertia(name: str, inertial: XmlElement, values: XmlValues, shapes: tuple[Shape, ...]) -> Body:
    mass, tensor = inertial.find("mass"), inertial.find("inertia")
    if mass is None or tensor is None:
        missing = "mass" if mass is None else "inertia"
        raise values.error(
            inertial, f"<inertial> has no <{missing}>; add it, or remove <inertial> for a massless link."
        )
    frame = frame_of_origin(inertial.find("origin"), values)
    xx, yy, zz = (values.number(tensor, key) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (values.number(tensor, key, 0.0) for key in ("ixy", "ixz", "iyz"))
    if frame.quaternion_wxyz != (1.0, 0.0, 0.0, 0.0):
        rotation = frame.transform.rotation
        turned = rotation @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ rotation.T
        xx, yy, zz = np.diag(turned).tolist()
        xy, xz, yz = float(turned[0, 1]), float(turned[0, 2]), float(turned[1, 2])
    inertia = (xx, yy, zz, xy, xz, yz)
    return Body(name, values.number(mass, "value"), frame.position, inertia, shapes=shapes)
