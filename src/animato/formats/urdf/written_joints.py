"""Joints of a URDF file that is written, one axis each, with links without mass between them where needed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animato.character import Joint, Limits
from animato.formats.files import UniqueNames, XmlElement
from animato.formats.outgoing import AxisKind, PlainAxis, PlainStep, element
from animato.formats.urdf.written_links import origin
from animato.spatial.rigid_transform import RigidTransform

FAR = 1e9  # [rad or m] where a range is open at one side
_ON_LINE = 1e-12  # [m] between an axis and the origin of the link that turns about it
_BALL_AXES = (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", (0.0, 0.0, 1.0)))


@dataclass
class JointWriter:
    """Writes joints.

    Attributes:
        links: Names of all links so far.
        joints: Names of all joints so far.
        elements: What was written.
        between: Names of the links that were added.
        half_open: Names of joints whose range is open at one side.
    """

    links: UniqueNames
    joints: UniqueNames
    elements: list[XmlElement] = field(default_factory=list)
    between: list[str] = field(default_factory=list)
    half_open: list[str] = field(default_factory=list)

    def fixed(self, name: str, parent: str, child: str, transform: RigidTransform) -> None:
        """A joint that does not move."""
        ends = [element("parent", link=parent), element("child", link=child)]
        self.elements.append(element("joint", *ends, *origin(transform), name=name, type="fixed"))

    def added(self, wish: str) -> str:
        """A new link without mass."""
        name = self.links.new(wish)
        self.between.append(name)
        self.elements.append(element("link", name=name))
        return name

    def chain(self, step: PlainStep, parent: str, child: str) -> None:
        """The joints from a parent to a child that move as one joint of the character does.

        URDF has every link's own frame on the axis that moves it. Where that of the body is elsewhere, a
        link without mass moves in its place and carries it.
        """
        joint = step.joint
        assert joint is not None
        axes = one_by_one(step.axes)
        before, after = step.before, step.after
        if not axes:
            self.fixed(joint.name, parent, child, before @ after)
            return
        for number, axis in enumerate(axes):
            direction = np.array(axis.direction)
            is_last = number == len(axes) - 1
            absorbed = is_last and _can_absorb(axis, direction, after)
            if absorbed:
                before, direction = before @ after, after.rotation.T @ direction
            link = child if absorbed else self.added(f"{child}.{axis.name}")
            self._moving(axis, joint, parent, link, before, direction)
            parent, before = link, RigidTransform()
            if is_last and not absorbed:
                self.fixed(self.joints.new(f"{axis.name}.carried"), parent, child, after)

    def _moving(
        self, axis: PlainAxis, joint: Joint, parent: str, child: str, place: RigidTransform, direction: np.ndarray
    ) -> None:
        limits = axis.limits
        free = limits.lower is None and limits.upper is None
        kind = "prismatic" if axis.kind is AxisKind.SLIDE else "continuous" if free else "revolute"
        parts = [element("parent", link=parent), element("child", link=child), *origin(place)]
        parts.append(element("axis", xyz=direction.tolist()))
        parts += self._limit(axis.name, limits, kind)
        if joint.damping or joint.friction:
            parts.append(element("dynamics", damping=joint.damping, friction=joint.friction))
        gear = joint.coupling
        if gear is not None:
            parts.append(element("mimic", joint=gear.leader, multiplier=gear.ratio, offset=gear.offset))
        self.elements.append(element("joint", *parts, name=axis.name, type=kind))

    def _limit(self, name: str, limits: Limits, kind: str) -> list[XmlElement]:
        """Effort and speed must stand in every limit; 0 is how files say that they are not known."""
        bounds = {}
        if kind != "continuous":
            bounds = {
                "lower": -FAR if limits.lower is None else limits.lower,
                "upper": FAR if limits.upper is None else limits.upper,
            }
            if limits.lower is None or limits.upper is None:
                self.half_open.append(name)
        elif limits.velocity is None and limits.torque is None:
            return []
        return [element("limit", **bounds, effort=limits.torque or 0.0, velocity=limits.velocity or 0.0)]


def one_by_one(axes: tuple[PlainAxis, ...]) -> list[PlainAxis]:
    """The axes, a ball as turns about x, then the turned y, then the turned z axis."""
    found = []
    for axis in axes:
        if axis.kind is not AxisKind.BALL:
            found.append(axis)
            continue
        # The range of a ball is that of its whole turn, which no single axis has.
        limits = Limits(velocity=axis.limits.velocity, torque=axis.limits.torque)
        found += [PlainAxis(f"{axis.name}.{x}", AxisKind.TURN, way, limits) for x, way in _BALL_AXES]
    return found


def _can_absorb(axis: PlainAxis, direction: np.ndarray, after: RigidTransform) -> bool:
    """Whether the axis goes through the origin of the body, or only slides it."""
    return axis.kind is AxisKind.SLIDE or float(np.linalg.norm(np.cross(direction, after.position))) <= _ON_LINE
