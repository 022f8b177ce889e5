"""Joints of a URDF file as joints, with massless bodies between them where one becomes several."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import HERE, X_AXIS, Body, Coupling, Frame, Joint, JointRole, JointType, Limits, Vector3
from animato.errors import CharacterError, unknown_name
from animato.formats.files import XmlElement, XmlValues
from animato.formats.urdf.links import frame_of_origin

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


@dataclass(frozen=True)
class UrdfJoint:
    """A `<joint>` and the links it is between."""

    name: str
    type: str
    parent: str
    child: str
    element: XmlElement


def urdf_joint(element: XmlElement, links: dict[str, XmlElement], values: XmlValues) -> UrdfJoint:
    """Reads what a joint connects.

    Args:
        element: The `<joint>`.
        links: By name.
        values: Of the file.

    Raises:
        FileFormatError: Its name, type or links are missing or not known.
    """
    name = values.text(element, "name")
    values = values.of(f"joint '{name}'")
    kind = values.text(element, "type")
    if kind not in TYPES:
        raise values.error(element, f"the type '{kind}' is not known. Allowed: {', '.join(TYPES)}.")
    ends = []
    for tag in ("parent", "child"):
        end = element.find(tag)
        if end is None:
            raise values.error(element, f'it has no <{tag}>; add <{tag} link="..."/>.')
        link = values.text(end, "link")
        if link not in links:
            with values.at(end):
                raise unknown_name("link", link, links, "the file")
        ends.append(link)
    if ends[0] == ends[1]:
        raise values.error(element, f"it connects link '{ends[0]}' with itself.")
    return UrdfJoint(name, kind, ends[0], ends[1], element)


def joints_and_bodies(urdf: UrdfJoint, values: XmlValues, parent: str, child: str) -> tuple[list[Joint], list[Body]]:
    """The joints that move as one joint of the file does, and the massless bodies between them.

    Args:
        urdf: The joint.
        values: Of the file.
        parent: Name of the parent body.
        child: Name of the child body.
    """
    values = values.of(f"joint '{urdf.name}'")
    element = urdf.element
    frame = frame_of_origin(element.find("origin"), values)
    with values.at(element):
        if urdf.type == "fixed":
            return [Joint(urdf.name, JointType.FIXED, parent, child, frame_parent=frame)], []
        if urdf.type == "floating":
            between = f"{child}.{urdf.name}"
            slide = Joint(f"{urdf.name}.position", JointType.CARTESIAN, parent, between, JointRole.PASSIVE, frame)
            turn = Joint(f"{urdf.name}.orientation", JointType.SPHERICAL, between, child, JointRole.PASSIVE)
            return [slide, turn], [Body(between)]
        axis: Vector3 = values.numbers(element.find("axis"), "xyz", 3, X_AXIS)  # type: ignore[assignment]
        if urdf.type == "planar":
            return _planar(urdf.name, parent, child, frame, axis)
        dynamics = element.find("dynamics")
        kind = JointType.PRISMATIC if urdf.type == "prismatic" else JointType.REVOLUTE
        joint = Joint(
            urdf.name,
            kind,
            parent,
            child,
            frame_parent=frame,
            axis=axis,
            stated_limits=_limits(urdf, values),
            damping=values.number(dynamics, "damping", 0.0),
            friction=values.number(dynamics, "friction", 0.0),
        )
        return [joint], []


def _limits(urdf: UrdfJoint, values: XmlValues) -> tuple[Limits, ...]:
    """The limits that are stated; an effort or velocity of 0 stands for not known."""
    limit = urdf.element.find("limit")
    if limit is None:
        return ()
    turns_endlessly = urdf.type == "continuous"
    with values.at(limit):
        limits = Limits(
            None if turns_endlessly else values.bound(limit, "lower"),
            None if turns_endlessly else values.bound(limit, "upper"),
            velocity=values.bound(limit, "velocity") or None,
            torque=values.bound(limit, "effort") or None,
        )
    return () if limits == Limits() else (limits,)


def _planar(name: str, parent: str, child: str, frame: Frame, axis: Vector3) -> tuple[list[Joint], list[Body]]:
    """Two slides and a turn: motion in the plane that is normal to the axis."""
    turn = Joint(f"{name}.turn", JointType.REVOLUTE, f"{child}.{name}.y", child, axis=axis)
    normal = np.array(turn.axis)
    guess = np.array(X_AXIS) if abs(normal[0]) < 0.9 else np.array((0.0, 1.0, 0.0))
    first = guess - normal * (normal @ guess)
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    joints = []
    for letter, direction, before, where in (("x", first, parent, frame), ("y", second, f"{child}.{name}.x", HERE)):
        between = f"{child}.{name}.{letter}"
        slide: Vector3 = tuple(direction.tolist())
        joints.append(Joint(f"{name}.{letter}", JointType.PRISMATIC, before, between, frame_parent=where, axis=slide))
    return [*joints, turn], [Body(joint.child) for joint in joints]


def with_mimics(joints: list[Joint], file_joints: list[UrdfJoint], values: XmlValues) -> list[Joint]:
    """The joints, those with a `<mimic>` tied to the joint at the end of their chain of leaders."""
    known = {joint.name: joint for joint in joints}
    moving = (one for one in file_joints if one.type != "fixed")
    mimics = {one.name: mimic for one in moving if (mimic := one.element.find("mimic")) is not None}
    tied = []
    for joint in joints:
        mimic = mimics.get(joint.name)
        if mimic is None:
            tied.append(joint)
            continue
        with values.of(f"joint '{joint.name}'").at(mimic):
            tied.append(_tied(joint, mimics, known, values.of(f"joint '{joint.name}'")))
    return tied


def _tied(joint: Joint, mimics: dict[str, XmlElement], known: dict[str, Joint], values: XmlValues) -> Joint:
    leader, ratio, offset = joint.name, 1.0, 0.0
    passed: set[str] = set()
    while leader in mimics:
        if leader in passed:
            raise CharacterError(f"it mimics itself, by way of {', '.join(sorted(passed))}.")
        passed.add(leader)
        mimic = mimics[leader]
        step_ratio, step_offset = values.number(mimic, "multiplier", 1.0), values.number(mimic, "offset", 0.0)
        ratio, offset, leader = ratio * step_ratio, ratio * step_offset + offset, values.text(mimic, "joint")
    if leader not in known:
        raise unknown_name("joint", leader, known, "the file")
    if known[leader].type is JointType.FIXED:
        # What follows a joint that does not move does not move either.
        return replace(joint, role=JointRole.CONFIGURABLE, configuration=(offset,))
    return replace(joint, role=JointRole.PASSIVE, coupling=Coupling(leader, ratio, offset))
