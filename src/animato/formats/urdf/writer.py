"""Writes URDF files: the tree of a character, and beside it the file that closes its loops."""

from __future__ import annotations

import os
from pathlib import Path

from animato.character import Character, JointType
from animato.described import shortened
from animato.errors import OptionError
from animato.formats.files import UniqueNames, is_there
from animato.formats.loops import loop_text, loops_beside
from animato.formats.outgoing import (
    AxisKind,
    PlainStep,
    PlainTree,
    Saved,
    ball,
    check_distinct,
    element,
    left_out,
    missing_files,
    named_places,
    plain_tree,
    said_of_missing,
    stl_bytes,
    write_together,
    xml_text,
)
from animato.formats.urdf.written_joints import FAR, JointWriter, one_by_one
from animato.formats.urdf.written_links import LinkWriter
from animato.spatial.rigid_transform import RigidTransform

_WORLD_LINK = "world"
HELD = {
    *("range", "velocity", "torque", "damping", "friction", "couplings"),
    *("still names", "mass", "collision", "end-points", "markers"),
}


def save_urdf(path: str | Path, character: Character) -> Saved:
    """Writes a character as URDF, with a loop file of the same name (.yaml) where it has loops.

    Reading it gives the same motion, masses and limits. A robot that is held hangs on a link `world` by fixed
    joints, one that floats by a floating joint. All files are written, or none.

    Args:
        path: Ends in .urdf. Meshes are named relative to its folder where they are near it.
        character: What is written.

    Raises:
        OptionError: Another file stands where the loops would be written, or is read with the robot.
    """
    place = Path(path)
    if place.suffix.lower() != ".urdf":
        raise OptionError(f"A URDF file ends in .urdf, not as '{place.name}' does.")
    tree = plain_tree(character)
    writing = _Writing(tree, place)
    text = writing.text()
    files: dict[Path, str | bytes] = {place: text}
    loops = _loop_file(place, needed=bool(tree.ties))
    if loops is not None:
        files[loops] = loop_text(writing.ties, writing.motors())
    if writing.links.ellipsoids:
        files[place.parent / writing.links.ball_file] = stl_bytes(ball())
    said = [*left_out(character, HELD | ({"passive"} if loops else set())), *writing.said(loops)]
    written = write_together(files)
    return Saved(written[0], written, tuple(said))


def _loop_file(place: Path, *, needed: bool) -> Path | None:
    """Where the loops go. What stands there and is no loop file is never written over."""
    known = loops_beside(place)
    if not needed:
        if known is not None:
            raise OptionError(
                f"Beside '{place}' stands '{known.name}', which would close loops that this character does not have. "
                "Remove it, or choose another name."
            )
        return None
    target = known or place.with_suffix(".yaml")
    if known is None and is_there(target):
        raise OptionError(
            f"The loops of '{place}' are written to '{target.name}' beside it, where another file stands. "
            "Choose another name."
        )
    return target


class _Writing:
    """A URDF file while it is made."""

    def __init__(self, tree: PlainTree, place: Path) -> None:
        folder = Path(os.path.abspath(place)).parent  # noqa: PTH100 - resolve() would follow links
        self.tree, self.character = tree, tree.character
        self.links = LinkWriter(folder, f"{place.stem}_ball.stl")
        axes = [axis.name for step in (*tree.steps, *tree.ties) for axis in one_by_one(step.axes)]
        still = [joint.name for joint in self.character.joints if joint.type in (JointType.FIXED, JointType.GROUND)]
        check_distinct([*axes, *still], tree)
        self.joints = JointWriter(
            UniqueNames([_WORLD_LINK, *(body.name for body in self.character.bodies)]), UniqueNames([*axes, *still])
        )
        self.ties: list[tuple[str, str, str]] = []

    def text(self) -> str:
        bodies = [self.links.link(body) for body in self.character.bodies]
        self._base()
        for step in self.tree.steps:
            if step.parent is not None:
                self.joints.chain(step, step.parent, step.body)
        for tie in self.tree.ties:
            self._cut(tie)
        for place in named_places(self.character, self.joints.links):
            self.joints.elements.append(element("link", name=place.name))
            self.joints.fixed(self.joints.joints.new(f"{place.name}.place"), place.body, place.name, place.transform)
        parts = [*self.links.materials(), element("link", name=_WORLD_LINK), *bodies, *self.joints.elements]
        return xml_text(element("robot", *parts, name=self.character.name))

    def _base(self) -> None:
        for step in self.tree.below(None):
            if step.joint is not None:
                self.joints.fixed(step.joint.name, _WORLD_LINK, step.body, step.before @ step.after)
                continue
            ends = [element("parent", link=_WORLD_LINK), element("child", link=step.body)]
            name = self.joints.joints.new("floating_base")
            self.joints.elements.append(element("joint", *ends, name=name, type="floating"))

    def _cut(self, tie: PlainStep) -> None:
        """Two links without mass, where the cut joint was, that the loop file ties."""
        joint = tie.joint
        assert joint is not None and tie.parent is not None
        ball_joint = joint.type is JointType.SPHERICAL
        stem = joint.name if ball_joint else f"{joint.name}.tie"
        ends = [self.joints.added(f"{stem}.{letter}") for letter in "ab"]
        if ball_joint:
            self.joints.fixed(self.joints.joints.new(ends[0]), tie.parent, ends[0], tie.before)
        else:
            moving = PlainStep(ends[0], tie.parent, joint, tie.before, RigidTransform(), tie.axes)
            self.joints.chain(moving, tie.parent, ends[0])
        self.joints.fixed(self.joints.joints.new(ends[1]), tie.body, ends[1], tie.after.inverse())
        self.ties.append((ends[0], ends[1], "3d" if ball_joint else "6d"))

    def motors(self) -> list[str]:
        steps = (*self.tree.steps, *self.tree.ties)
        return [axis.name for step in steps if self.tree.drives(step.joint) for axis in one_by_one(step.axes)]

    def said(self, loops: Path | None) -> list[str]:
        """How things were written that URDF says in another way."""
        said = []
        steps = [step for step in (*self.tree.steps, *self.tree.ties) if step.joint is not None]
        chains = [step.joint.name for step in steps if step.joint and len(one_by_one(step.axes)) > 1]
        balls = [axis for step in self.tree.steps for axis in step.axes if axis.kind is AxisKind.BALL]
        if chains:
            said.append(f"Joints of several axes are chains of joints of one axis: {shortened(chains)}.")
        if balls:
            names = [axis.name for axis in balls]
            said.append(f"Balls are three hinges, about x, y and z in turn, not a quaternion: {shortened(names)}.")
        limited = [axis.name for axis in balls if axis.limits.upper is not None]
        if limited:
            said.append(f"The largest turn of balls is left out: {shortened(limited)}.")
        if self.joints.between:
            said.append(f"Links without mass were added to place joints: {shortened(self.joints.between)}.")
        if self.joints.half_open:
            said.append(
                f"A range that is open at a side is written to {FAR:g} rad or m: {shortened(self.joints.half_open)}."
            )
        if loops is not None:
            cut = [tie.joint.name for tie in self.tree.ties if tie.joint]
            said.append(f"URDF is a tree: loops are cut at {shortened(cut)} and closed again by '{loops.name}'.")
        if self.character.floats:
            said.append("The robot hangs on the link 'world' by a floating joint; some readers want it removed.")
        said += _of_shapes(self.links)
        if self.character.end_points or self.character.markers:
            said.append("End-points (x forward, z up) and markers are links without mass.")
        return said + said_of_missing(missing_files(self.character), "Meshes are named whose files are not there")


def _of_shapes(links: LinkWriter) -> list[str]:
    said = []
    if links.capsules:
        owners = list(dict.fromkeys(links.capsules))
        said.append(f"Capsules are a cylinder and two balls each: {shortened(owners)}.")
    if links.ellipsoids:
        owners = list(dict.fromkeys(links.ellipsoids))
        said.append(f"Ellipsoids are meshes ('{links.ball_file}', scaled): {shortened(owners)}.")
    return said
