"""A character whose flexible parts are frozen in their undeformed shape."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import Bar, FlexiblePart, Rod
from animato.character.frame import Frame
from animato.character.joint import Joint, JointRole, JointType
from animato.character.shape import Box, Cylinder, Shape


@lru_cache(maxsize=64)
def rigidified(character: Character) -> Character:
    """Replaces each flexible part by a rigid body that is fixed to all bodies it meets.

    Rigid mechanics works on this character. The bodies it adds stand after the character's own, in
    the order of the flexible parts. A character without flexible parts is returned as it is.
    """
    if not character.flexible_parts:
        return character
    joints = [joint for part in character.flexible_parts for joint in _clamps(part)]
    return replace(
        character,
        bodies=character.bodies + tuple(_solid_body(part) for part in character.flexible_parts),
        joints=character.joints + tuple(joints),
        flexible_parts=(),
    )


def _solid_body(part: FlexiblePart) -> Body:
    geometry = part.geometry
    if isinstance(geometry, Rod):
        shape = Shape(Cylinder(geometry.radius, geometry.length), Frame((0.0, 0.0, geometry.length / 2.0)))
    elif isinstance(geometry, Bar):
        size = (geometry.width, geometry.height, geometry.length)
        shape = Shape(Box(size), Frame((0.0, 0.0, geometry.length / 2.0)))
    else:
        shape = Shape(geometry)
    return Body(part.name, density=part.material.density, shapes=(shape,))


def _clamps(part: FlexiblePart) -> list[Joint]:
    return [
        Joint(
            f"{part.name} clamp {number}",
            JointType.FIXED,
            interface.body,
            part.name,
            JointRole.PASSIVE,
            interface.frame_body,
            interface.frame_part,
        )
        for number, interface in enumerate(part.interfaces)
    ]
