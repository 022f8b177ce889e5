"""A character as things to draw: triangles with a colour that move with a body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.character import (
    Bar,
    Body,
    Box,
    Capsule,
    Character,
    Cylinder,
    Ellipsoid,
    FlexiblePart,
    Mesh,
    Rod,
    Shape,
    Sphere,
)
from animato.character.structure import topology_of
from animato.mechanics.simulation.posing import LinkPlace
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform
from animato.view.raster import Colour, Triangles, box, capsule, cylinder, ellipsoid, palette
from animato.view.scene.bending import Bend, Skin, skin_of
from animato.view.scene.bones import bones_of
from animato.view.scene.hulls import tube
from animato.view.scene.mesh_files import mesh_triangles
from animato.view.scene.posing import pose_bodies, spanning_character, still_clip
from animato.view.scene.stand_ins import stand_in

_BEND_ROWS = 24


@dataclass(frozen=True, eq=False)
class Part:
    """Triangles of one colour that move with a body.

    Attributes:
        name: For people: the body, and a number where it has several parts.
        body: Index into the character's bodies.
        triangles: In the body's coordinates.
        colour: Red, green, blue (sRGB).
        opacity: 0 to 1.
        bend: For a flexible part: how it follows what it hangs on.
    """

    name: str
    body: int
    triangles: Triangles
    colour: Colour
    opacity: float = 1.0
    bend: Bend | Skin | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """All parts of a character.

    Attributes:
        name: Of the character.
        body_names: In the character's order; `Part.body` counts in it.
        parts: What is drawn.
        size: Diagonal of the box around the rest pose [m].
    """

    name: str
    body_names: tuple[str, ...]
    parts: tuple[Part, ...]
    size: float


def place_part(part: Part, positions: np.ndarray, turns_wxyz: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and normals of a part in the world.

    A bent part blends the two rigid motions of its clamps by a smooth step along its length, which
    keeps it clamped at both ends; a rod whose links are among the poses follows these.

    Args:
        part: The part.
        positions: Of all bodies, and of the links of rods where they are known [m], shape [body, 3].
        turns_wxyz: Of all bodies, shape [body, 4].
    """
    rotation = quaternions.matrix_from_quaternion(turns_wxyz[part.body])
    vertices = part.triangles.vertices @ rotation.T + positions[part.body]
    normals = part.triangles.normals @ rotation.T
    if part.bend is not None:
        return part.bend.bent(vertices, normals, positions, turns_wxyz)
    return vertices, normals


def build_scene(character: Character, rods: Mapping[str, Sequence[LinkPlace]] | None = None) -> Scene:
    """Everything there is to draw of a character.

    Visual shapes are drawn as they are. In the place of meshes that cannot be read a body's collision shapes are
    drawn. A body that has none of these is drawn as bones, unless it is a mere frame of a character that has shapes
    elsewhere, and as a box where it has no bones either.

    Args:
        character: Who is drawn.
        rods: Links of flexible parts whose bending is known, as a `Performance` has them.
    """
    names = tuple(body.name for body in character.bodies)
    index = {name: n for n, name in enumerate(names)}
    colours = palette.body_colours(character)
    rest = pose_bodies(character, still_clip(None))
    unit = 0.017 * _joint_extent(character, rest)
    shaped = {body.name: _shape_parts(body, index[body.name], colours[body.name]) for body in character.bodies}
    incoming = {link.body: link.joint for link in topology_of(spanning_character(character)).links}
    any_shape = any(shaped.values())
    parts: list[Part] = []
    for body in character.bodies:
        if shaped[body.name]:
            parts += shaped[body.name]
            continue
        if any_shape and not any(shape.visual for shape in body.shapes):
            continue
        bones = bones_of(character, body, incoming.get(body.name), unit)
        for n, bone in enumerate(bones):
            colour = bone.colour or colours[body.name]
            parts.append(Part(f"{body.name}.{n}", index[body.name], bone.triangles, colour))
        if not any(len(bone.triangles.faces) for bone in bones) and any(shape.visual for shape in body.shapes):
            parts.append(Part(f"{body.name}.box", index[body.name], stand_in(body, 2.0 * unit), colours[body.name]))
    for flexible in character.flexible_parts:
        parts += _flexible_parts(flexible, index, (rods or {}).get(flexible.name, ()))
    return Scene(character.name, names, tuple(parts), _extent(parts, rest))


def _joint_extent(character: Character, rest: BodyPoses) -> float:
    """Diagonal of the box around all joints of the rest pose [m]."""
    points = [np.zeros(3)] if not character.joints else []
    for joint in character.joints:
        body, frame = (joint.child, joint.frame_child)
        points.append(rest.of(body).apply(frame.position)[0])
    points += list(rest.positions[0])
    diagonal = float(np.linalg.norm(np.ptp(np.array(points), axis=0)))
    return diagonal if diagonal > 1e-6 else 1.0


def _extent(parts: list[Part], rest: BodyPoses) -> float:
    corners = []
    for part in parts:
        if len(part.triangles.vertices):
            placed, _ = place_part(part, rest.positions[0], rest.quaternions_wxyz[0])
            corners += [placed.min(axis=0), placed.max(axis=0)]
    diagonal = float(np.linalg.norm(np.ptp(np.array(corners), axis=0))) if corners else 0.0
    return diagonal if diagonal > 1e-6 else 1.0


def shape_triangles(shape: Shape) -> Triangles | None:
    """Triangles of a shape in body coordinates; None for a mesh that cannot be read."""
    geometry = shape.geometry
    if isinstance(geometry, Box):
        mesh: Triangles | None = box(geometry.size)
    elif isinstance(geometry, Sphere):
        mesh = ellipsoid([geometry.radius] * 3)
    elif isinstance(geometry, Ellipsoid):
        mesh = ellipsoid(geometry.radii)
    elif isinstance(geometry, Cylinder):
        mesh = cylinder(geometry.radius, geometry.length)
    elif isinstance(geometry, Capsule):
        mesh = capsule(geometry.radius, geometry.length)
    else:
        mesh = mesh_triangles(geometry)
    return None if mesh is None else mesh.placed(shape.frame.transform)


def _shape_parts(body: Body, index: int, colour: Colour) -> list[Part]:
    parts = []
    seen = [(shape, shape_triangles(shape)) for shape in body.shapes if shape.visual]
    if any(triangles is None for _, triangles in seen):  # a mesh is missing: show what it collides by
        solid = (shape for shape in body.shapes if shape.collision and not shape.visual)
        seen += [(replace(shape, colour=None), shape_triangles(shape)) for shape in solid]
    for n, (shape, triangles) in enumerate(seen):
        if triangles is None:
            continue
        own = colour if shape.colour is None else (shape.colour[0], shape.colour[1], shape.colour[2])
        opacity = 1.0 if shape.colour is None else shape.colour[3]
        parts.append(Part(f"{body.name}.{n}", index, triangles, own, opacity))
    return parts


def _flexible_parts(part: FlexiblePart, index: dict[str, int], links: Sequence[LinkPlace]) -> list[Part]:
    """A flexible part on its first clamp, bent along its links, or towards its last clamp where it has two."""
    geometry = part.geometry
    if isinstance(geometry, Rod):
        line = np.column_stack([np.zeros((_BEND_ROWS, 2)), np.linspace(0.0, geometry.length, _BEND_ROWS)])
        mesh: Triangles | None = tube(line, geometry.radius, segments=16)
    elif isinstance(geometry, Bar):
        whole = box((geometry.width, geometry.height, geometry.length), cuts=_BEND_ROWS)
        mesh = whole.placed(RigidTransform((0.0, 0.0, geometry.length / 2.0)))
    else:
        mesh = mesh_triangles(geometry) if isinstance(geometry, Mesh) else None
    if mesh is None:
        return []
    near, far = part.interfaces[0], part.interfaces[-1]
    held = mesh.placed(near.frame_body.transform @ near.frame_part.transform.inverse())
    clamps = None
    if far is not near and far.body != near.body:
        other = mesh.placed(far.frame_body.transform @ far.frame_part.transform.inverse())
        line = np.array(far.frame_part.position) - np.array(near.frame_part.position)
        length = float(line @ line)
        share = (
            (mesh.vertices - near.frame_part.position) @ line / length if length > 0.0 else 0.0 * mesh.vertices[:, 0]
        )
        share = np.clip(share, 0.0, 1.0)
        clamps = Bend(index[far.body], other.vertices, other.normals, share * share * (3.0 - 2.0 * share))
    bend = skin_of(mesh, links, clamps) if links else clamps
    return [Part(part.name, index[near.body], held, palette.FLEXIBLE, 1.0, bend)]
