"""Joints, motors, gears and loops of an MJCF file that is written."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animato.character import Frame, Joint, JointType
from animato.formats.files import UniqueNames, XmlElement
from animato.formats.mjcf.written_geoms import placed
from animato.formats.mjcf.written_masses import point_mass
from animato.formats.outgoing import AxisKind, PlainAxis, PlainStep, PlainTree, element, is_bare
from animato.spatial.rigid_transform import RigidTransform

FAR = 1e9  # [rad or m] where a range is open at one side
ALONG = 0.1  # [m] between the two points that stand for a hinge
_TYPES = {AxisKind.TURN: "hinge", AxisKind.SLIDE: "slide", AxisKind.BALL: "ball"}


@dataclass
class JointWriter:
    """Writes what moves and what ties.

    Attributes:
        tree: Whose.
        bodies, joints, sites: Names of each that are taken.
        actuators, equalities: What was written so far.
        ends: Sites and bodies that stand where loops are cut, by the body they are on.
        pins: Names of bodies that were added for joints that close loops.
        half_open: Names of axes whose range is open at one side.
    """

    tree: PlainTree
    bodies: UniqueNames
    joints: UniqueNames
    sites: UniqueNames
    actuators: list[XmlElement] = field(default_factory=list)
    equalities: list[XmlElement] = field(default_factory=list)
    ends: dict[str, list[XmlElement]] = field(default_factory=dict)
    pins: list[str] = field(default_factory=list)
    hinges: list[str] = field(default_factory=list)
    half_open: list[str] = field(default_factory=list)

    def joints_of(self, step: PlainStep) -> list[XmlElement]:
        """The joints that move a body, about points of the body itself, and their motors and gears."""
        joint = step.joint
        assert joint is not None
        on_body = step.after.inverse()
        for axis in step.axes:
            if self.tree.drives(joint):
                self.actuators += _motors(axis)
            if joint.coupling is not None:
                gear = joint.coupling
                ratio = (gear.offset, gear.ratio, 0.0, 0.0, 0.0)
                self.equalities.append(element("joint", joint1=axis.name, joint2=gear.leader, polycoef=ratio))
        return [self._joint(axis, joint, on_body) for axis in step.axes]

    def _joint(self, axis: PlainAxis, joint: Joint, on_body: RigidTransform) -> XmlElement:
        what: dict[str, str | float | list[float] | tuple[float, ...]] = {"name": axis.name, "type": _TYPES[axis.kind]}
        if axis.kind is not AxisKind.SLIDE and on_body.position.any():
            what["pos"] = on_body.position.tolist()
        if axis.kind is not AxisKind.BALL:
            what["axis"] = (on_body.rotation @ np.array(axis.direction)).tolist()
        lower, upper = axis.limits.lower, axis.limits.upper
        if lower is not None or upper is not None:
            far = 0.0 if axis.kind is AxisKind.BALL else -FAR
            if axis.kind is not AxisKind.BALL and (lower is None or upper is None):
                self.half_open.append(axis.name)
            what["range"] = (far if lower is None else lower, FAR if upper is None else upper)
        for key, value in (("damping", joint.damping), ("frictionloss", joint.friction), ("armature", joint.armature)):
            if value:
                what[key] = value
        return element("joint", **what)

    def tie(self, step: PlainStep) -> None:
        """Closes a loop: balls and bare hinges by points that coincide, all else by a body that is welded on."""
        joint = step.joint
        assert joint is not None and step.parent is not None
        leaders = {one.coupling.leader for one in self.tree.character.joints if one.coupling}
        far = step.after.inverse()
        if joint.type is JointType.SPHERICAL and is_bare(joint, leaders):
            self._connect(joint.name, step, far, np.zeros(3))
            return
        if joint.type is JointType.REVOLUTE and is_bare(joint, leaders):
            self.hinges.append(joint.name)
            for letter, shift in (("near", 0.0), ("far", ALONG)):
                self._connect(f"{joint.name}.{letter}", step, far, shift * np.array(step.axes[0].direction))
            return
        pin = self.bodies.new(f"{joint.name}.pin")
        self.pins.append(pin)
        moving = PlainStep(pin, step.parent, joint, step.before, RigidTransform(), step.axes)
        sites = [self.sites.new(f"{joint.name}.{letter}") for letter in "ab"]
        frame = Frame.from_transform(step.before)
        inside = [point_mass(), *self.joints_of(moving), element("site", name=sites[0])]
        self._on(step.parent, element("body", *inside, name=pin, **placed(frame)))
        self._on(step.body, element("site", name=sites[1], **placed(Frame.from_transform(far))))
        self.equalities.append(element("weld", name=f"{joint.name}.weld", site1=sites[0], site2=sites[1]))

    def _connect(self, name: str, step: PlainStep, far: RigidTransform, shift: np.ndarray) -> None:
        assert step.parent is not None
        names = []
        for letter, body, place in (("a", step.parent, step.before), ("b", step.body, far)):
            names.append(self.sites.new(f"{name}.{letter}"))
            frame = Frame.from_transform(place @ RigidTransform(shift))
            self._on(body, element("site", name=names[-1], **placed(frame)))
        self.equalities.append(element("connect", name=name, site1=names[0], site2=names[1]))

    def _on(self, body: str, one: XmlElement) -> None:
        self.ends.setdefault(body, []).append(one)


def _motors(axis: PlainAxis) -> list[XmlElement]:
    """A motor for each turn or slide, held to the torque that the joint has."""
    torque = axis.limits.torque
    limits = {} if torque is None else {"ctrlrange": (-torque, torque), "forcerange": (-torque, torque)}
    if axis.kind is not AxisKind.BALL:
        return [element("motor", name=axis.name, joint=axis.name, **limits)]
    gears = (("x", (1, 0, 0, 0, 0, 0)), ("y", (0, 1, 0, 0, 0, 0)), ("z", (0, 0, 1, 0, 0, 0)))
    return [element("motor", name=f"{axis.name}.{x}", joint=axis.name, gear=gear, **limits) for x, gear in gears]
