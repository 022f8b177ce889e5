"""Writes MJCF files, the format of MuJoCo."""

from __future__ import annotations

import os
from pathlib import Path

from animato.character import Character, Frame
from animato.described import shortened
from animato.errors import OptionError
from animato.formats.files import UniqueNames, XmlElement
from animato.formats.mjcf.written_geoms import GeomWriter, placed
from animato.formats.mjcf.written_joints import ALONG, FAR, JointWriter
from animato.formats.mjcf.written_masses import LEAST_INERTIA, LEAST_MASS, MassWriter
from animato.formats.mjcf.written_postures import keyframe
from animato.formats.outgoing import (
    AxisKind,
    PlainStep,
    PlainTree,
    Saved,
    check_distinct,
    element,
    left_out,
    named_places,
    plain_tree,
    said_of_missing,
    write_together,
    xml_text,
)
from animato.spatial import quaternions

HELD = {
    *("range", "torque", "damping", "friction", "armature", "couplings", "passive", "mass", "collision"),
    *("end-points", "markers", "soles", "postures", "ignored collisions", "gravity"),
}


def save_mjcf(path: str | Path, character: Character) -> Saved:
    """Writes a character as MJCF: bodies, joints, motors, loops as equality constraints, sites and keyframes.

    Args:
        path: Ends in .xml or .mjcf. Meshes are named relative to its folder where they are near it; those that
            MuJoCo does not read are written beside it as STL.
        character: What is written.
    """
    place = Path(path)
    if place.suffix.lower() not in (".xml", ".mjcf"):
        raise OptionError(f"An MJCF file ends in .xml or .mjcf, not as '{place.name}' does.")
    writing = _Writing(plain_tree(character), place)
    files: dict[Path, str | bytes] = {place: xml_text(writing.root())}
    files |= {place.parent / name: data for name, data in writing.geoms.files.items()}
    written = write_together(files)
    return Saved(written[0], written, (*left_out(character, HELD), *writing.said()))


class _Writing:
    """An MJCF file while it is made."""

    def __init__(self, tree: PlainTree, place: Path) -> None:
        folder = Path(os.path.abspath(place)).parent  # noqa: PTH100 - resolve() would follow links
        self.tree, self.character = tree, tree.character
        self.geoms = GeomWriter(folder, place.stem)
        self.masses = MassWriter(tree)
        axes = [axis.name for step in (*tree.steps, *tree.ties) for axis in step.axes]
        check_distinct(axes, tree)
        joints = UniqueNames(axes)
        sites = UniqueNames(())
        places = named_places(self.character, sites)
        self.sites = [(one.body, one.name, Frame.from_transform(one.transform)) for one in places]
        for sole in self.character.soles:
            for number, corner in enumerate(sole.corners, start=1):
                self.sites.append((sole.body, sites.new(f"{sole.name}.{number}"), Frame(corner)))
        bodies = UniqueNames(["world", *(body.name for body in self.character.bodies)])
        self.joints = JointWriter(tree, bodies, joints, sites)
        self.order: list[PlainStep] = []
        self.children: dict[str | None, list[PlainStep]] = {}
        for step in tree.steps:
            self.children.setdefault(step.parent, []).append(step)

    def root(self) -> XmlElement:
        for tie in self.tree.ties:
            self.joints.tie(tie)
        bodies = [self._body(step) for step in self.children[None]]
        sections = [element("worldbody", *bodies)]
        named = {
            "contact": [
                element("exclude", body1=first, body2=second) for first, second in self.character.ignored_collisions
            ],
            "equality": self.joints.equalities,
            "actuator": self.joints.actuators,
            "keyframe": self._keyframes(),
        }
        sections += [element(name, *parts) for name, parts in named.items() if parts]
        balanced = {"balanceinertia": "true"} if self.masses.balanced else {}
        head = [element("compiler", angle="radian", autolimits="true", inertiafromgeom="false", **balanced)]
        head.append(element("option", gravity=self.character.gravity))
        if self.geoms.assets:
            head.append(element("asset", *self.geoms.assets))
        return element("mujoco", *head, *sections, model=self.character.name)

    def _body(self, step: PlainStep) -> XmlElement:
        self.order.append(step)
        body = self.character.body(step.body)
        floats = step.joint is None
        parts = self.masses.inertial(body, moves=floats or bool(step.axes))
        if floats:
            parts.append(element("freejoint", name=self.joints.joints.new("floating_base")))
        else:
            parts += self.joints.joints_of(step)
        for shape in body.shapes:
            parts += self.geoms.geom(shape)
        parts += [
            element("site", name=name, **placed(frame)) for owner, name, frame in self.sites if owner == body.name
        ]
        ends = self.joints.ends.get(body.name, [])
        parts += [one for one in ends if one.tag == "site"]
        parts += [self._body(below) for below in self.children.get(body.name, ())]
        # Bodies that were added for loops stand last, so that all others come first in MuJoCo's lists.
        parts += [one for one in ends if one.tag == "body"]
        frame = Frame.from_transform(step.before @ step.after)
        return element("body", *parts, name=body.name, **placed(frame))

    def _keyframes(self) -> list[XmlElement]:
        if self.joints.pins:
            return []  # their positions are those of a motion that the posture does not tell
        return [
            element("key", name=one.name, qpos=keyframe(one, self.tree, self.order)) for one in self.character.postures
        ]

    def said(self) -> list[str]:
        """How things were written that MJCF says in another way."""
        masses, joints, said = self.masses, self.joints, []
        chains = [step.joint.name for step in self.tree.steps if step.joint and len(step.axes) > 1]
        if chains:
            said.append(f"Joints of several axes are several joints of one body: {shortened(chains)}.")
        balls = [step.body for step in self.tree.steps if _turns_otherwise(step)]
        if balls:
            said.append(f"The quaternions of balls are counted along the axes of their bodies: {shortened(balls)}.")
        if joints.hinges:
            said.append(
                f"Hinges that close loops are two points, {ALONG:g} m apart on their axis, that coincide; "
                f"their angles are left out: {shortened(joints.hinges)}."
            )
        if joints.pins:
            said.append(
                f"Joints that close loops move a body of {LEAST_MASS:g} kg, welded on: {shortened(joints.pins)}."
            )
            if self.character.postures:
                said.append(f"Postures are left out: {shortened([one.name for one in self.character.postures])}.")
        if joints.half_open:
            said.append(
                f"A range that is open at a side is written to {FAR:g} rad or m: {shortened(joints.half_open)}."
            )
        if masses.given_mass:
            said.append(f"Bodies that move without mass are given {LEAST_MASS:g} kg: {shortened(masses.given_mass)}.")
        if masses.given_inertia:
            words = f"Bodies without inertia about some axis are given {LEAST_INERTIA:g} kg m^2"
            said.append(f"{words}: {shortened(masses.given_inertia)}.")
        if masses.balanced:
            said.append(f"MuJoCo evens out moments that no rigid body has: {shortened(masses.balanced)}.")
        if self.character.soles:
            said.append("The corners of soles are sites.")
        if self.character.end_points or self.character.markers:
            said.append("End-points (x forward, z up) and markers are sites.")
        if self.geoms.files:
            said.append(f"Meshes that MuJoCo does not read are written as STL: {shortened(list(self.geoms.files))}.")
        return said + said_of_missing(self.geoms.missing, "Meshes that are not there or cannot be read are left out")


def _turns_otherwise(step: PlainStep) -> bool:
    """Whether a ball's quaternion is another one in the file."""
    if not step.axes or step.axes[0].kind is not AxisKind.BALL:
        return False
    turned = quaternions.angle_between(step.after.quaternion_wxyz, (1.0, 0.0, 0.0, 0.0)) > 1e-12
    return step.reversed or bool(turned)
