"""A stick figure of rounded bones, for bodies that bring no shapes that can be drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import (
    WORLD,
    Body,
    Box,
    Capsule,
    Character,
    Cylinder,
    Frame,
    Joint,
    JointRole,
    JointType,
    Mesh,
    Shape,
)
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform
from animato.view.raster import Colour, Triangles, cylinder, ellipsoid, palette
from animato.view.scene.hulls import hull_of_balls

_SLIDING = (JointType.PRISMATIC, JointType.CYLINDRICAL)
_BALL = (JointType.SPHERICAL, JointType.UNIVERSAL)


@dataclass(frozen=True, eq=False)
class Bone:
    """One rounded solid of a stick figure, in body coordinates; `colour` None leaves it to the palette."""

    triangles: Triangles
    colour: Colour | None = None


def bones_of(character: Character, body: Body, incoming: Joint | None, unit: float) -> list[Bone]:
    """What stands for a body without shapes.

    The points where joints, end-points and soles sit on the body span a rounded solid: two points
    make a bone that tapers, more make a plate such as a pelvis. A puck along its axis marks the
    joint that moves the body.

    Args:
        character: The whole character.
        body: The body.
        incoming: The joint it hangs on, None for a floating root.
        unit: Radius of a sturdy bone of this character [m].
    """
    first = _anchor(incoming, body.name) if incoming is not None else None
    others = _anchors(character, body.name, incoming)
    if first is None and not others and not any(sole.body == body.name for sole in character.soles):
        return [Bone(ellipsoid([2.0 * unit] * 3))]
    soles = [np.array(sole.corners) for sole in character.soles if sole.body == body.name]
    points, radii = _span(body, first, others + [corners.mean(axis=0) for corners in soles], unit)
    bones = [Bone(hull_of_balls(points, radii))] + [_plate(corners, points[0], unit) for corners in soles]
    if "head" in body.name.lower() and not any(joint.parent == body.name for joint in character.joints):
        arm = points[-1] - points[0]
        middle = points[-1] - arm * min(0.3, unit / max(float(np.linalg.norm(arm)), 1e-9))
        bones.append(Bone(ellipsoid([2.9 * unit, 2.5 * unit, 3.3 * unit]).placed(RigidTransform(middle))))
    if incoming is not None:
        bones += _joint_marks(incoming, body.name, unit * float(np.clip(radii[0] / unit, 0.55, 1.0)))
    return bones


def _anchor(joint: Joint, body: str) -> np.ndarray:
    """Where a joint sits on one of its two bodies, shape [3] [m]."""
    return np.array((joint.frame_child if joint.child == body else joint.frame_parent).position)


def _anchors(character: Character, body: str, incoming: Joint | None) -> list[np.ndarray]:
    """All places on a body from which something goes on, the incoming joint not among them."""
    known = incoming.name if incoming is not None else ""
    points = [
        _anchor(joint, body)
        for joint in character.joints
        if joint.name != known and body in (joint.parent, joint.child) and not _is_sensor(character, joint, body)
    ]
    points += [np.array(place.frame.position) for place in character.end_points if place.body == body]
    for part in character.flexible_parts:
        points += [np.array(clamp.frame_body.position) for clamp in part.interfaces if clamp.body == body]
    if not points and not any(sole.body == body for sole in character.soles):
        points = [point for shape in character.body(body).shapes for point in _reach(shape)]
    return points


def _plate(corners: np.ndarray, joint: np.ndarray, unit: float) -> Bone:
    """The sole of a foot: a rounded plate whose underside is the patch that touches the floor."""
    middle = corners.mean(axis=0)
    normal = np.linalg.svd(corners - middle)[2][2]
    normal = normal if normal @ (joint - middle) >= 0.0 else -normal
    thick = 0.5 * unit
    inward = middle - corners
    length = np.linalg.norm(inward, axis=1, keepdims=True)
    inset = np.where(length > 0.0, inward / np.where(length > 0.0, length, 1.0), 0.0) * np.minimum(thick, 0.5 * length)
    return Bone(hull_of_balls(corners + inset + thick * normal, thick))


def _reach(shape: Shape) -> list[np.ndarray]:
    """Points that span a shape which is there for collision only; they tell at least how far a foot goes."""
    geometry = shape.geometry
    if isinstance(geometry, Box):
        half = 0.5 * np.array(geometry.size)
        local = np.stack(np.meshgrid(*[(-1.0, 1.0)] * 3), axis=-1).reshape(-1, 3) * half
    elif isinstance(geometry, (Cylinder, Capsule)):
        local = np.array([(0.0, 0.0, -0.5 * geometry.length), (0.0, 0.0, 0.5 * geometry.length)])
    elif isinstance(geometry, Mesh):
        local = np.zeros((0, 3))
    else:
        local = np.zeros((1, 3))
    return list(shape.frame.transform.apply(local)) if len(local) else []


def _is_sensor(character: Character, joint: Joint, body: str) -> bool:
    """Whether a joint only fixes a frame without mass, shape or followers, such as that of a camera."""
    if joint.type is not JointType.FIXED or joint.child == body:
        return False
    child = character.body(joint.child)
    goes_on = any(other.parent == child.name for other in character.joints)
    return not goes_on and not child.shapes and not child.mass


def _span(body: Body, first: np.ndarray | None, others: list[np.ndarray], unit: float) -> tuple[np.ndarray, np.ndarray]:
    """Centres [ball, 3] and radii [ball] of the balls that span a body."""
    start = first if first is not None else np.mean(others, axis=0)
    if not others and body.centre is not None:
        # nothing goes on from here: the body reaches somewhat beyond its centre of mass
        arm = np.array(body.centre) - start
        length = float(np.linalg.norm(arm))
        others = [start + arm * (1.0 + min(0.7, 1.5 * unit / length))] if length > 0.3 * unit else []
    points = [start] if first is not None else []
    for point in others:
        if all(np.linalg.norm(point - other) > 0.25 * unit for other in points):
            points.append(point)
    reach = max((float(np.linalg.norm(point - start)) for point in points), default=0.0)
    thick = float(np.clip(0.13 * reach, 0.35 * unit, unit))
    radii = np.full(len(points), 0.66 * thick if len(points) == 2 else thick)
    if first is not None:
        radii[0] = thick
    return np.array(points), radii


def _joint_marks(joint: Joint, body: str, unit: float) -> list[Bone]:
    """A puck along the axis of a turning joint, a sleeve for a sliding one, a ball for a ball joint."""
    frame = joint.frame_child if joint.child == body else joint.frame_parent
    if joint.type is JointType.FIXED:
        return []
    colour = palette.ACTUATED if joint.role is JointRole.ACTUATED else palette.PASSIVE
    if joint.type is JointType.GROUND or joint.parent == WORLD:
        return [Bone(cylinder(2.6 * unit, 0.8 * unit).placed(frame.transform), palette.GROUND)]
    if joint.type in _BALL:
        return [Bone(ellipsoid([1.1 * unit] * 3).placed(frame.transform), colour)]
    if joint.type in _SLIDING:
        return [Bone(cylinder(0.85 * unit, 4.0 * unit).placed(_along(frame, joint.axis)), colour)]
    return [Bone(cylinder(1.05 * unit, 2.5 * unit).placed(_along(frame, joint.axis)), colour)]


def _along(frame: Frame, axis: tuple[float, ...]) -> RigidTransform:
    """A frame whose z is the joint's axis."""
    return frame.transform @ RigidTransform(quaternion_wxyz=quaternions.shortest_turn((0.0, 0.0, 1.0), axis))
