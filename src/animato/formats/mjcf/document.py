"""The part of an MJCF file that describes a character, as text that MuJoCo may safely compile.

What is drawn, sensed or soft is left out before MuJoCo sees it: it would open texture files, reserve
memory and load plug-ins for things that a character does not have. Included files are put in place,
and every line of the new text remembers where it came from.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

from animato.errors import FileFormatError, did_you_mean
from animato.formats.files import XmlElement, is_file, load_xml

KEPT = ("compiler", "option", "default", "asset", "worldbody", "contact", "equality", "tendon", "actuator", "keyframe")
LEFT_OUT = ("size", "visual", "statistic", "custom", "extension", "sensor", "deformable")

_DROPPED_EVERYWHERE = {"texture", "hfield", "skin", "plugin", "camera", "light", "layer", "flag", "pair"}
_KEPT_ATTRIBUTES = {
    "option": ("gravity",),
    "key": ("name", "time", "qpos"),
    "fixed": ("name", "class", "limited", "range"),
}
_DROPPED_ATTRIBUTES = {
    "compiler": ("meshdir", "texturedir", "assetdir", "strippath", "discardvisual", "fusestatic", "usethread"),
    "material": ("texture",),
}
_REFUSED = {
    "composite": "soft bodies (<composite>) are not read; remove them or write a flexible part",
    "flexcomp": "soft bodies (<flexcomp>) are not read; remove them or write a flexible part",
    # MuJoCo follows a model that attaches itself until the stack is full, which ends the process.
    "model": "models inside models (<model>, <attach>) are not read; save the whole model as one file with MuJoCo",
    "attach": "models inside models (<model>, <attach>) are not read; save the whole model as one file with MuJoCo",
}
MAX_INCLUDES = 100
MAX_COPIES = 10_000


@dataclass
class MjcfDocument:
    """A reduced MJCF file.

    Attributes:
        text: The XML, one element a line.
        places: File and line that each line of the text came from.
        mesh_files: Absolute path of every mesh asset, by the name of the asset.
        driven_joints: Joints that an actuator moves by way of a tendon.
    """

    text: str = ""
    places: list[tuple[str, int]] = field(default_factory=list)
    mesh_files: dict[str, str] = field(default_factory=dict)
    driven_joints: set[str] = field(default_factory=set)


def load_mjcf_document(path: str | Path) -> MjcfDocument:
    """Reads an MJCF file and those it includes.

    Raises:
        FileFormatError: It is no MJCF file, includes what is not there, or holds soft bodies.
    """
    root = load_xml(path)
    if root.tag != "mujoco":
        raise FileFormatError(path, f"an MJCF file starts with <mujoco>, not with <{root.tag}>.", root.line)
    reading = _Reading(Path(path))
    sections = reading.sections(root, str(path), depth=0)
    reading.find_driven_joints(sections)
    reading.find_mesh_folder(sections)
    document = reading.document
    lines = [f"<mujoco model={quoteattr(root.attributes.get('model', Path(path).stem))}>"]
    document.places.append((str(path), root.line))
    for section, source in sections:
        if section.tag not in LEFT_OUT:
            reading.write(section, source, lines, copies=1)
    document.places.append((str(path), root.line))
    document.text = "\n".join([*lines, "</mujoco>"])
    return document


class _Reading:
    """What is known while the files are read."""

    def __init__(self, path: Path) -> None:
        self.folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links
        self.document = MjcfDocument()
        self.includes = 0
        self.mesh_folder = self.folder
        self.strips_paths = False
        self.fixed_tendons: set[str] = set()

    def sections(self, root: XmlElement, source: str, depth: int) -> list[tuple[XmlElement, str]]:
        """The sections of a file, those of included files in their place."""
        found: list[tuple[XmlElement, str]] = []
        for section in root.children:
            if section.tag == "include":
                included, place = self.included(section, source, depth)
                found += self.sections(included, place, depth + 1)
            elif section.tag in KEPT or section.tag in LEFT_OUT:
                self.put_includes_in_place(section, source, depth)
                found.append((section, source))
            else:
                known = (*KEPT, *LEFT_OUT)
                hint = did_you_mean(section.tag, known)
                raise FileFormatError(
                    source,
                    f"<{section.tag}> is not a section of MJCF.{hint} Sections: {', '.join(known)}.",
                    section.line,
                )
        return found

    def included(self, element: XmlElement, source: str, depth: int) -> tuple[XmlElement, str]:
        """The root of an included file, which is looked for beside the main file, then beside its own."""
        name = element.attributes.get("file", "")
        self.includes += 1
        if self.includes > MAX_INCLUDES or depth > 20:
            raise FileFormatError(source, "too many files are included; do they include one another?", element.line)
        own = Path(os.path.abspath(source)).parent  # noqa: PTH100
        place = next((one for one in (self.folder / name, own / name) if name and is_file(one)), None)
        if place is None:
            raise FileFormatError(source, f"the included file '{name}' is not there.", element.line)
        return load_xml(place), str(place)

    def put_includes_in_place(self, section: XmlElement, source: str, depth: int) -> None:
        waiting = [(section, depth)]
        files: dict[int, str] = {}  # of what was included: what it includes itself may lie beside it
        while waiting:
            element, level = waiting.pop()
            children: list[XmlElement] = []
            for child in element.children:
                if child.tag == "include":
                    included, place = self.included(child, files.get(id(child), source), level)
                    # Lines of the other file mean nothing here: say where it is included.
                    for one in included.walk():
                        one.line = child.line
                        files[id(one)] = place
                    children += included.children
                    if any(one.tag == "include" for one in included.walk()):
                        waiting.append((element, level + 1))
                else:
                    children.append(child)
                    waiting.append((child, level))
            element.children = children

    def find_driven_joints(self, sections: list[tuple[XmlElement, str]]) -> None:
        """Joints on tendons that an actuator pulls: the actuator is left out, the joints stay actuated."""
        tendons: dict[str, list[str]] = {}
        for section, _ in sections:
            if section.tag == "tendon":
                for tendon in section.children:
                    joints = [one.attributes.get("joint", "") for one in tendon.find_all("joint")]
                    tendons[tendon.attributes.get("name", "")] = joints
                    if tendon.tag == "fixed":
                        self.fixed_tendons.add(tendon.attributes.get("name", ""))
        for section, _ in sections:
            if section.tag == "actuator":
                for actuator in section.children:
                    self.document.driven_joints.update(tendons.get(actuator.attributes.get("tendon", ""), ()))

    def find_mesh_folder(self, sections: list[tuple[XmlElement, str]]) -> None:
        for section, _ in sections:
            if section.tag == "compiler":
                stated = section.attributes.get("meshdir", section.attributes.get("assetdir"))
                if stated is not None:
                    self.mesh_folder = self.folder / stated
                self.strips_paths = section.attributes.get("strippath", str(self.strips_paths)).lower() == "true"

    def write(self, element: XmlElement, source: str, lines: list[str], copies: int) -> None:
        """Adds an element and what is in it, one element a line."""
        if element.tag in _REFUSED:
            raise FileFormatError(source, f"{_REFUSED[element.tag]}.", element.line)
        if element.tag == "replicate":
            count = element.attributes.get("count", "")
            copies *= int(count) if count.isascii() and count.isdigit() and len(count) < 7 else MAX_COPIES + 1
            if copies > MAX_COPIES:
                raise FileFormatError(source, f"<replicate> makes more than {MAX_COPIES} copies.", element.line)
        attributes = dict(element.attributes)
        if element.tag in _KEPT_ATTRIBUTES:
            attributes = {key: attributes[key] for key in _KEPT_ATTRIBUTES[element.tag] if key in attributes}
        for key in _DROPPED_ATTRIBUTES.get(element.tag, ()):
            attributes.pop(key, None)
        if element.tag == "mesh" and "file" in attributes:
            attributes["file"] = self.mesh_file(attributes)
        written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        lines.append(f"<{element.tag}{written}>")
        self.document.places.append((source, element.line))
        for child in element.children:
            if child.tag not in _DROPPED_EVERYWHERE and not self.moves_no_joint(element, child):
                self.write(child, source, lines, copies)
        lines.append(f"</{element.tag}>")
        self.document.places.append((source, element.line))

    def mesh_file(self, attributes: dict[str, str]) -> str:
        given = attributes["file"].replace("\\", "/")
        path = os.path.normpath(self.mesh_folder / (Path(given).name if self.strips_paths else given))
        self.document.mesh_files[attributes.get("name", Path(given).stem)] = path
        return path

    def moves_no_joint(self, section: XmlElement, child: XmlElement) -> bool:
        """Whether it concerns tendons between sites, or skins, which are left out."""
        if section.tag == "actuator":
            return not {"joint", "jointinparent"} & set(child.attributes)
        if section.tag == "tendon":
            return child.tag != "fixed"
        if section.tag != "equality" or child.tag in ("connect", "weld", "joint"):
            return False
        ends = {child.attributes[key] for key in ("tendon1", "tendon2") if key in child.attributes}
        return child.tag != "tendon" or not ends <= self.fixed_tendons
