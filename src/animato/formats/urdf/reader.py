"""Reads URDF files, the Unified Robot Description Format.

The file is read element by element here, not by a URDF library: those that exist repair what is
wrong (a truncated file loads as half a robot, a missing inertia becomes 1) and cannot name a line.
Tests compare the result with theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from animato.character import WORLD, Character, Joint, JointType
from animato.errors import OptionError
from animato.formats.files import MeshPaths, UniqueNames, XmlElement, XmlValues, load_xml
from animato.formats.urdf.joints import UrdfJoint, joints_and_bodies, urdf_joint, with_mimics
from animato.formats.urdf.links import LinkReader, colour_of_material, frame_of_origin

BaseChoice = Literal["auto", "ground", "float"]
BASES = ("auto", "ground", "float")

_FOOT = re.compile(r"foot|ankle|sole|toe", re.IGNORECASE)


def load_urdf(
    path: str | Path,
    *,
    base: BaseChoice = "auto",
    package_dirs: Sequence[str | Path] = (),
    loops: str | Path | None = None,
) -> Character:
    """Reads a URDF file.

    Every link becomes a body, those on fixed joints too. A URDF says nothing about what holds the
    robot, so `base` does. A root link called `world`, or one without mass and shape that holds the
    rest by one floating joint, is no body but the world.

    Args:
        path: The file.
        base: "ground" holds the root link in the world, "float" lets it float. "auto" does what a
            joint of the world says; where there is none, robots with two or more feet (separate
            links called foot, ankle, sole or toe) float and all others are held.
        package_dirs: Folders in which `package://` addresses of meshes are looked for, before the
            file's own folder and those above it.
        loops: A YAML file that closes loops of the robot, see `urdf_loops`; without one it is a tree.

    Raises:
        FileFormatError: It is not a URDF file, or its robot is not possible; line and link or joint
            are named.
    """
    if base not in BASES:
        raise OptionError(f"The base of a URDF robot is one of {', '.join(BASES)}, not '{base}'.")
    character = _Robot(load_xml(path), path, package_dirs).character(base)
    if loops is None:
        return character
    from animato.formats.loops import load_loop_closures, with_loops

    return with_loops(character, load_loop_closures(loops))


class _Robot:
    """A URDF file while it is turned into a character."""

    def __init__(self, root: XmlElement, path: str | Path, package_dirs: Sequence[str | Path]) -> None:
        self.values = XmlValues(path)
        _check_is_urdf(root, self.values)
        self.name = root.attributes.get("name", "").strip() or Path(path).stem
        self.links = self._by_name(root, "link")
        if not self.links:
            raise self.values.error(root, "the robot has no <link>.")
        self.joints = [urdf_joint(one, self.links, self.values) for one in self._by_name(root, "joint").values()]
        self.root = self._root_link(root)
        self.reader = LinkReader(self.values, _colours(root, self.values), MeshPaths.beside(path, package_dirs))

    def _by_name(self, root: XmlElement, tag: str) -> dict[str, XmlElement]:
        found: dict[str, XmlElement] = {}
        for element in root.find_all(tag):
            name = self.values.text(element, "name")
            if name in found:
                first = found[name].line
                raise self.values.error(element, f"{tag} '{name}' stands twice, first on line {first}; rename one.")
            found[name] = element
        return found

    def _root_link(self, root: XmlElement) -> str:
        """The one link that is nobody's child; every other link must hang below it."""
        held: dict[str, UrdfJoint] = {}
        for joint in self.joints:
            if joint.child in held:
                raise self.values.of(f"joint '{joint.name}'").error(
                    joint.element,
                    f"link '{joint.child}' already hangs on joint '{held[joint.child].name}'. A URDF file is a tree; "
                    f"cut the loop and tie its ends in a YAML file beside it (closed_loop), or write a character file.",
                )
            held[joint.child] = joint
        roots = [name for name in self.links if name not in held]
        if len(roots) == 1:
            lost = self._not_below(roots[0])
            if lost:
                raise self.values.error(self.links[lost[0]], f"these links hang in a circle: {', '.join(lost[:10])}.")
            return roots[0]
        if not roots:
            raise self.values.error(root, "every link hangs on another one, in a circle; one must be the root.")
        raise self.values.error(
            self.links[roots[1]], f"there are {len(roots)} roots ({', '.join(roots[:10])}); connect them with joints."
        )

    def _not_below(self, root: str) -> list[str]:
        children: dict[str, list[str]] = {}
        for joint in self.joints:
            children.setdefault(joint.parent, []).append(joint.child)
        reached, waiting = {root}, [root]
        while waiting:
            below = children.get(waiting.pop(), [])
            reached.update(below)
            waiting += below
        return [name for name in self.links if name not in reached]

    def character(self, base: BaseChoice) -> Character:
        world_joints, grounded = self._base(base)
        names = {name: name for name in self.links}
        if WORLD in names:
            names[WORLD] = UniqueNames(names).new("world_link")
        joints: list[Joint] = []
        bodies = []
        for name, link in self.links.items():
            if not (world_joints and name == self.root):
                bodies.append(self.reader.body(link, names[name]))
        for one in self.joints:
            if one in world_joints:
                if grounded:
                    joints.append(self._ground(one.name, one, names))
                continue
            parts, between = joints_and_bodies(one, self.values, names[one.parent], names[one.child])
            joints += parts
            bodies += between
        if grounded and not world_joints:
            name = UniqueNames(one.name for one in self.joints).new("ground")
            joints.insert(0, Joint(name, JointType.GROUND, WORLD, names[self.root]))
        joints = with_mimics(joints, self.joints, self.values)
        with self.values.at(self.links[self.root]):
            return Character(self.name, tuple(bodies), tuple(joints))

    def _base(self, base: BaseChoice) -> tuple[list[UrdfJoint], bool]:
        """The joints by which the world itself holds the robot, and whether the robot is held."""
        children = [joint for joint in self.joints if joint.parent == self.root]
        kinds = {joint.type for joint in children}
        link = self.links[self.root]
        is_empty = not any(link.find(tag) for tag in ("inertial", "visual", "collision"))
        if is_empty and len(children) == 1 and kinds == {"floating"}:
            return children, base == "ground"
        if is_empty and self.root.lower() == WORLD and kinds == {"fixed"} and (base != "float" or len(children) == 1):
            return children, base != "float"
        if base != "auto":
            return [], base == "ground"
        return [], self.root.lower() == WORLD or self._foot_count() < 2

    def _foot_count(self) -> int:
        """How many separate feet there are: links named like one that do not hang on another of them."""
        parents = {joint.child: joint.parent for joint in self.joints}
        count = 0
        for name in self.links:
            above = parents.get(name)
            while above is not None and not _FOOT.search(above):
                above = parents.get(above)
            count += bool(_FOOT.search(name)) and above is None
        return count

    def _ground(self, name: str, joint: UrdfJoint, names: dict[str, str]) -> Joint:
        frame = frame_of_origin(joint.element.find("origin"), self.values.of(f"joint '{joint.name}'"))
        return Joint(name, JointType.GROUND, WORLD, names[joint.child], frame_parent=frame)


def _check_is_urdf(root: XmlElement, values: XmlValues) -> None:
    if root.tag != "robot":
        hint = " It is a MuJoCo model: read it as MJCF." if root.tag == "mujoco" else ""
        raise values.error(root, f"a URDF file starts with <robot>, not with <{root.tag}>.{hint}")
    for element in root.walk():
        if element.tag.startswith("xacro:"):
            raise values.error(element, "this is a xacro file; expand it first: xacro robot.xacro > robot.urdf.")


def _colours(root: XmlElement, values: XmlValues) -> dict[str, tuple[float, ...]]:
    """Colours of the materials with a name, wherever in the file they are defined; the first one counts."""
    colours: dict[str, tuple[float, ...]] = {}
    for element in root.walk():
        if element.tag == "material" and "name" in element.attributes:
            colour = colour_of_material(element, values.of(f"material '{element.attributes['name']}'"))
            if colour is not None:
                colours.setdefault(element.attributes["name"], colour)
    return colours
