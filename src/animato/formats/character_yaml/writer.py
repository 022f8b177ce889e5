"""Writes animato's character file (YAML). Reading it back gives an equal character."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from animato.character import (
    AXES,
    FREEDOM,
    IDENTITY,
    LIMIT_COUNT,
    MANNER_WORDS,
    X_AXIS,
    Z_AXIS,
    ZERO,
    Bar,
    Body,
    Box,
    Capsule,
    Character,
    Cylinder,
    Ellipsoid,
    FlexiblePart,
    Frame,
    Geometry,
    Joint,
    JointRole,
    JointType,
    Limits,
    Material,
    MaterialModel,
    Mesh,
    Rod,
    Shape,
    Sphere,
    Vector3,
)
from animato.errors import OptionError
from animato.formats.character_yaml.servo_map import servo_map_data
from animato.formats.character_yaml.values import VERSION
from animato.formats.files import Value, write_whole, yaml_text

Mapping = dict[str, Value]


def save_character_yaml(path: str | Path, character: Character) -> Path:
    """Writes a character file, whole or not at all.

    Args:
        path: Ends in .yaml or .yml. Meshes are named relative to its folder where they are near it.
        character: What is written.
    """
    if Path(path).suffix.lower() not in (".yaml", ".yml"):
        raise OptionError(f"A character is written as .yaml or .yml, not as '{Path(path).name}'.")
    folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links
    return write_whole(path, character_to_yaml(character, folder=folder))


def character_to_yaml(character: Character, *, folder: Path | None = None) -> str:
    """The text of a character file. What has its default value is left out.

    Args:
        character: What is written.
        folder: Absolute; paths of meshes are written relative to it where possible.
    """
    data: Mapping = {"animato": VERSION, "name": character.name}
    if character.description:
        data["description"] = character.description
    if character.gravity != (0.0, 0.0, -9.81):
        data["gravity"] = list(character.gravity)
    shared = _shared_materials(character)
    sections: dict[str, Mapping] = {
        "materials": {name: _material(material) for material, name in shared.items()},
        "bodies": {body.name: _body(body, folder) for body in character.bodies},
        "joints": {joint.name: _joint(joint) for joint in character.joints},
        "flexible_parts": {part.name: _part(part, shared, folder) for part in character.flexible_parts},
        "end_points": {},
        "soles": {one.name: {"body": one.body, "corners": _rows(one.corners)} for one in character.soles},
        "markers": {one.name: {"body": one.body, **_frame(one.frame)} for one in character.markers},
        "postures": {posture.name: dict(posture.values) for posture in character.postures},
    }
    for point in character.end_points:
        entry: Mapping = {"body": point.body, **_frame(point.frame), **_direction("forward", point.forward, X_AXIS)}
        entry |= _direction("up", point.up, Z_AXIS)
        sections["end_points"][point.name] = entry | ({"symmetric": True} if point.symmetric else {})
    data |= {name: section for name, section in sections.items() if section}
    if character.ignored_collisions:
        data["ignored_collisions"] = [list(pair) for pair in character.ignored_collisions]
    return yaml_text(data | servo_map_data(character))


def _vector(key: str, vector: Vector3, default: Vector3 = ZERO) -> Mapping:
    return {} if vector == default else {key: list(vector)}


def _rows(vectors: tuple[Vector3, ...]) -> list[Value]:
    return [list(vector) for vector in vectors]


def _direction(key: str, direction: Vector3, default: Vector3 | None) -> Mapping:
    if direction == default:
        return {}
    letter = next((name for name, axis in AXES.items() if axis == direction), None)
    return {key: letter if letter is not None else list(direction)}


def _frame(frame: Frame, prefix: str = "") -> Mapping:
    turn: Mapping = {} if frame.quaternion_wxyz == IDENTITY else {f"{prefix}turn": list(frame.quaternion_wxyz)}
    return _vector(f"{prefix}at", frame.position) | turn


def _mesh(mesh: Mesh, folder: Path | None) -> Mapping:
    return {"path": _near(mesh.path, folder), **_vector("scale", mesh.scale, (1.0, 1.0, 1.0))}


def _near(path: str, folder: Path | None) -> str:
    """A path relative to a folder, unless they have only the root of the disk in common."""
    if folder is None or "://" in path or not Path(path).is_absolute():
        return path
    shared = [a for a, b in zip(Path(path).parts, folder.parts, strict=False) if a == b]
    return Path(os.path.relpath(path, folder)).as_posix() if len(shared) > 1 else path


def _geometry(geometry: Geometry, folder: Path | None) -> Mapping:
    if isinstance(geometry, Box):
        return {"box": {"size": list(geometry.size)}}
    if isinstance(geometry, Sphere):
        return {"sphere": {"radius": geometry.radius}}
    if isinstance(geometry, Ellipsoid):
        return {"ellipsoid": {"radii": list(geometry.radii)}}
    if isinstance(geometry, Cylinder | Capsule):
        kind = "cylinder" if isinstance(geometry, Cylinder) else "capsule"
        return {kind: {"radius": geometry.radius, "length": geometry.length}}
    return {"mesh": _mesh(geometry, folder)}


def _shape(shape: Shape, folder: Path | None) -> Mapping:
    data = _geometry(shape.geometry, folder) | _frame(shape.frame)
    if shape.colour is not None:
        data["colour"] = list(shape.colour[:3] if shape.colour[3] == 1.0 else shape.colour)
    if not shape.visual:
        data["visual"] = False
    if not shape.collision:
        data["collision"] = False
    return data


def _body(body: Body, folder: Path | None) -> Mapping:
    data: Mapping = {}
    for key in ("mass", "density"):
        if getattr(body, key) is not None:
            data[key] = getattr(body, key)
    for key in ("centre", "inertia"):
        if getattr(body, key) is not None:
            data[key] = list(getattr(body, key))
    if body.shapes:
        data["shapes"] = [_shape(shape, folder) for shape in body.shapes]
    return data


def _joint(joint: Joint) -> Mapping:
    data: Mapping = {"type": joint.type.value}
    default = JointRole.ACTUATED if FREEDOM[joint.type] else JointRole.PASSIVE
    if joint.role is not None and joint.role is not default:
        data["role"] = joint.role.value
    if joint.type is not JointType.GROUND:
        data["parent"] = joint.parent
    data["child"] = joint.child
    data |= _frame(joint.frame_parent) | _frame(joint.frame_child, "child_")
    data |= _direction("axis", joint.axis, X_AXIS)
    if joint.second_axis is not None:
        data |= _direction("second_axis", joint.second_axis, None)
    if joint.stated_limits:
        limits: list[Value] = [_limits(one) for one in joint.stated_limits]
        data["limits"] = limits[0] if LIMIT_COUNT[joint.type] == 1 else limits
    if joint.actuator is not None:
        servo: Mapping = {} if joint.actuator.servo is None else {"servo": joint.actuator.servo}
        data["actuator"] = {**servo, "gear_ratio": joint.actuator.gear_ratio}
    if joint.coupling is not None:
        data["follows"] = {
            "leader": joint.coupling.leader,
            "ratio": joint.coupling.ratio,
            "offset": joint.coupling.offset,
        }
    if joint.configuration:
        data["configuration"] = list(joint.configuration)
    for key in ("damping", "friction", "armature"):
        if getattr(joint, key) != 0.0:
            data[key] = getattr(joint, key)
    manner: Mapping = {word: getattr(joint.manner, word) for word in MANNER_WORDS}
    manner = {word: value for word, value in manner.items() if value is not None}
    return data | ({"manner": manner} if manner else {})


def _limits(limits: Limits) -> Mapping:
    keys = ("lower", "upper", "velocity", "acceleration", "jerk", "torque")
    data: Mapping = {key: getattr(limits, key) for key in keys if getattr(limits, key) is not None}
    if limits.curve is not None:
        data["curve"] = {"speeds": list(limits.curve.speeds), "torques": list(limits.curve.torques)}
    return data


def _material(material: Material) -> Mapping:
    data: Mapping = {"density": material.density, "youngs_modulus": material.youngs_modulus}
    data["poisson_ratio"] = material.poisson_ratio
    for key in ("mass_damping", "stiffness_damping"):
        if getattr(material, key) != 0.0:
            data[key] = getattr(material, key)
    if material.model is not MaterialModel.NEO_HOOKEAN:
        data["model"] = material.model.value
    return data


def _shared_materials(character: Character) -> dict[Material, str]:
    """Materials that several parts are made of, with a name for each."""
    uses = Counter(part.material for part in character.flexible_parts)
    return {
        material: f"material_{number}"
        for number, material in enumerate((material for material, count in uses.items() if count > 1), start=1)
    }


def _part(part: FlexiblePart, shared: dict[Material, str], folder: Path | None) -> Mapping:
    geometry = part.geometry
    data: Mapping
    if isinstance(geometry, Rod):
        data = {"rod": {"radius": geometry.radius, "length": geometry.length}}
    elif isinstance(geometry, Bar):
        data = {"bar": {"width": geometry.width, "height": geometry.height, "length": geometry.length}}
    else:
        data = {"mesh": _mesh(geometry, folder)}
    data["material"] = shared[part.material] if part.material in shared else _material(part.material)
    interfaces: list[Value] = []
    for one in part.interfaces:
        entry: Mapping = {"body": one.body, **_frame(one.frame_body), **_frame(one.frame_part, "part_")}
        interfaces.append(entry | ({"extent": one.extent} if one.extent else {}))
    data["interfaces"] = interfaces
    return data
