"""Puts a character together from the sections of its file, naming the place of every contradiction."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from animato.character import (
    WORLD,
    Bar,
    Body,
    Box,
    Capsule,
    Character,
    Cylinder,
    Ellipsoid,
    EndPoint,
    FlexiblePart,
    Frame,
    Geometry,
    Interface,
    Joint,
    Marker,
    Material,
    Mesh,
    NamedPosture,
    Rod,
    Shape,
    Sole,
    Sphere,
    mass_properties_of,
)
from animato.character.structure import rigidified, topology_of
from animato.errors import CharacterError, unknown_name
from animato.formats.character_yaml import schema
from animato.formats.character_yaml.joint_sections import checked_posture, joint_of
from animato.formats.character_yaml.servo_map import wiring_of
from animato.formats.files import Places


def assembled(section: schema.CharacterSection, places: Places, folder: Path | None) -> Character:
    """Builds the character.

    Args:
        section: The whole file, checked by the schema.
        places: For the lines of errors.
        folder: Where relative paths of meshes start; None keeps them as they are.

    Raises:
        FileFormatError: Parts of the file contradict one another.
    """
    if not section.bodies:
        raise places.error(("bodies",), "is empty; a character needs at least one body.")
    bodies = [_body(name, body, places, folder) for name, body in section.bodies.items()]
    joints = []
    for name, joint in section.joints.items():
        with places.at("joints", name):
            joints.append(joint_of(name, joint, places))
    _check_joints(section, joints, places)
    parts = tuple(_part(name, part, section, places, folder) for name, part in section.flexible_parts.items())
    postures = tuple(
        NamedPosture(name, checked_posture(name, values, joints, section.name, places))
        for name, values in section.postures.items()
    )
    for index, pair in enumerate(section.ignored_collisions):
        _check_bodies(pair, section, places, "ignored_collisions", index)
    free = [name for joint in joints if joint.is_free_coordinate for name in joint.coordinate_names]
    buses, wires = wiring_of(section.buses, section.servos, free, section.name, places)
    with places.at():
        character = Character(
            section.name,
            tuple(bodies),
            tuple(joints),
            parts,
            _end_points(section, places),
            _soles(section, places),
            _markers(section, places),
            postures,
            tuple(section.ignored_collisions),
            section.gravity,
            section.description,
            buses,
            wires,
        )
    with places.at("joints" if section.joints else "bodies"):
        topology_of(rigidified(character))
    return character


def _check_bodies(names: Iterable[str], section: schema.CharacterSection, places: Places, *path: str | int) -> None:
    for name in names:
        if name not in section.bodies:
            with places.at(*path):
                raise unknown_name("body", name, section.bodies, section.name)


def _check_joints(section: schema.CharacterSection, joints: list[Joint], places: Places) -> None:
    """What a joint says about other joints and bodies."""
    known = {joint.name: joint for joint in joints}
    for joint in joints:
        _check_bodies([joint.child], section, places, "joints", joint.name, "child")
        if joint.parent != WORLD:
            _check_bodies([joint.parent], section, places, "joints", joint.name, "parent")
        if joint.parent == joint.child:
            raise places.error(("joints", joint.name, "child"), f"connects body '{joint.child}' with itself.")
        if joint.coupling is None:
            continue
        with places.at("joints", joint.name, "follows", "leader"):
            leader = known.get(joint.coupling.leader)
            if leader is None:
                raise unknown_name("joint", joint.coupling.leader, known, section.name)
            if not leader.is_free_coordinate or len(leader.coordinate_names) != 1:
                raise CharacterError(
                    f"'{leader.name}' is no joint that can be followed: it must be revolute or prismatic, "
                    f"not configurable, and not follow a joint itself."
                )


def _mesh(section: schema.MeshSection, folder: Path | None) -> Mesh:
    """A mesh, its path made absolute; addresses (package://...) are kept."""
    if folder is None or "://" in section.path:
        return Mesh(section.path, section.scale)
    return Mesh(os.path.normpath(folder / section.path), section.scale)


def _geometry(section: schema.ShapeSection, folder: Path | None) -> Geometry:
    if section.box is not None:
        return Box(section.box.size)
    if section.sphere is not None:
        return Sphere(section.sphere.radius)
    if section.ellipsoid is not None:
        return Ellipsoid(section.ellipsoid.radii)
    if section.cylinder is not None:
        return Cylinder(section.cylinder.radius, section.cylinder.length)
    if section.capsule is not None:
        return Capsule(section.capsule.radius, section.capsule.length)
    assert section.mesh is not None  # the schema demands exactly one
    return _mesh(section.mesh, folder)


def _body(name: str, section: schema.BodySection, places: Places, folder: Path | None) -> Body:
    if name == WORLD:
        raise places.error(("bodies", name), f"'{WORLD}' is the world itself; give the body another name.")
    shapes = []
    for index, shape in enumerate(section.shapes):
        with places.at("bodies", name, "shapes", index):
            frame = Frame(shape.at, shape.turn)
            shapes.append(Shape(_geometry(shape, folder), frame, shape.colour, shape.visual, shape.collision))
    with places.at("bodies", name):
        body = Body(name, section.mass, section.centre, section.inertia, section.density, tuple(shapes))
        if body.mass is not None and body.centre is not None and body.inertia is not None:
            mass_properties_of(body)  # says whether such a body can exist
    return body


def _material(name: str, section: schema.CharacterSection, places: Places) -> Material:
    stated = section.flexible_parts[name].material
    path: tuple[str, ...] = ("flexible_parts", name, "material")
    if isinstance(stated, str):
        if stated not in section.materials:
            with places.at(*path):
                raise unknown_name("material", stated, section.materials, section.name)
        path, stated = ("materials", stated), section.materials[stated]
    with places.at(*path):
        return Material(**{key: getattr(stated, key) for key in schema.MaterialSection.model_fields})


def _part(
    name: str, section: schema.FlexiblePartSection, whole: schema.CharacterSection, places: Places, folder: Path | None
) -> FlexiblePart:
    if name in (WORLD, *whole.bodies):
        raise places.error(("flexible_parts", name), "this name is taken by a body; give the part another one.")
    interfaces = []
    for index, one in enumerate(section.interfaces):
        path = ("flexible_parts", name, "interfaces", index)
        _check_bodies([one.body], whole, places, *path)
        with places.at(*path):
            frames = Frame(one.at, one.turn), Frame(one.part_at, one.part_turn)
            interfaces.append(Interface(one.body, *frames, one.extent))
    material = _material(name, whole, places)
    with places.at("flexible_parts", name):
        geometry: Rod | Bar | Mesh
        if section.rod is not None:
            geometry = Rod(section.rod.radius, section.rod.length)
        elif section.bar is not None:
            geometry = Bar(section.bar.width, section.bar.height, section.bar.length)
        else:
            assert section.mesh is not None  # the schema demands exactly one
            geometry = _mesh(section.mesh, folder)
        return FlexiblePart(name, geometry, material, tuple(interfaces))


def _end_points(section: schema.CharacterSection, places: Places) -> tuple[EndPoint, ...]:
    found = []
    for name, one in section.end_points.items():
        _check_bodies([one.body], section, places, "end_points", name, "body")
        with places.at("end_points", name):
            found.append(EndPoint(name, one.body, Frame(one.at, one.turn), one.forward, one.up, one.symmetric))
    return tuple(found)


def _soles(section: schema.CharacterSection, places: Places) -> tuple[Sole, ...]:
    found = []
    for name, one in section.soles.items():
        _check_bodies([one.body], section, places, "soles", name, "body")
        with places.at("soles", name):
            found.append(Sole(name, one.body, tuple(one.corners)))
    return tuple(found)


def _markers(section: schema.CharacterSection, places: Places) -> tuple[Marker, ...]:
    found = []
    for name, one in section.markers.items():
        _check_bodies([one.body], section, places, "markers", name, "body")
        with places.at("markers", name):
            found.append(Marker(name, one.body, one.at, one.turn))
    return tuple(found)
