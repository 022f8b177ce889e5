"""Named places of a character as frames on its bodies, for formats that know frames only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character, EndPoint
from animato.formats.files import UniqueNames
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True, eq=False)
class NamedPlace:
    """A frame on a body.

    Attributes:
        name: No other place or taken name is called so.
        body: Name of the body it is on.
        transform: T_body_place; the x axis of an end-point points forward and its z axis up.
    """

    name: str
    body: str
    transform: RigidTransform


def named_places(character: Character, names: UniqueNames) -> list[NamedPlace]:
    """End-points, then markers; a marker that an end-point of its name stands for is left out.

    Args:
        character: Whose.
        names: Those that are taken.
    """
    found = [NamedPlace(names.new(one.name), one.body, _facing(one)) for one in character.end_points]
    known = {(one.name, one.body): one.frame.position for one in character.end_points}
    markers = [one for one in character.markers if known.get((one.name, one.body)) != one.position]
    return found + [NamedPlace(names.new(one.name), one.body, one.frame.transform) for one in markers]


def _facing(point: EndPoint) -> RigidTransform:
    if point.forward == (1.0, 0.0, 0.0) and point.up == (0.0, 0.0, 1.0):
        return point.frame.transform
    x_axis = np.array(point.forward)
    z_axis = np.array(point.up) - x_axis * float(np.dot(x_axis, point.up))
    if np.linalg.norm(z_axis) < 1e-9:  # up along forward says nothing
        return point.frame.transform @ RigidTransform(
            (0.0, 0.0, 0.0), quaternions.shortest_turn((1.0, 0.0, 0.0), x_axis)
        )
    z_axis /= np.linalg.norm(z_axis)
    matrix = np.column_stack([x_axis, np.cross(z_axis, x_axis), z_axis])
    return point.frame.transform @ RigidTransform((0.0, 0.0, 0.0), quaternions.quaternion_from_matrix(matrix))
