"""Triangles out of a mesh file that somebody else made, read within bounds.

`trimesh` knows many more formats than robots use, archives among them, and follows what a file names: materials,
pictures, files beside it. Here a file is read whole first, only formats of plain triangles are taken, nothing beside
it is opened, and what could grow while it is read is counted before.
"""

from __future__ import annotations

import contextlib
import io
import logging
import stat
import struct
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from animato.errors import CharacterError, missing_dependency

LARGEST_MESH = 100_000_000  # bytes; a binary STL of two million triangles
MESH_SUFFIXES = (".stl", ".obj", ".ply", ".dae", ".off", ".glb")
_MOST_COPIES = 10_000  # of geometries and nodes in a scene, after all that is named several times is written out
_MOST_LEVELS = 200
_MOST_STATED = 100_000_000  # things of one kind that a header may claim
_QUIET = threading.Lock()  # the terminal is one for all threads: two that turn it away would not both bring it back


def load_mesh(path: str | Path, *, purpose: str = "Reading a mesh") -> Any:
    """The `trimesh.Trimesh` of a file, in the file's own unit.

    Args:
        path: STL, OBJ, PLY, DAE, OFF or GLB.
        purpose: What it is needed for, where trimesh is not installed.

    Raises:
        MissingDependencyError: trimesh is not installed.
        CharacterError: It is not there, not a mesh, damaged, or larger than what is read.
    """
    try:
        import trimesh
    except ImportError:
        raise missing_dependency("trimesh", "robots", purpose) from None
    place = Path(path)
    suffix = place.suffix.lower()
    if suffix not in MESH_SUFFIXES:
        raise CharacterError(f"Mesh file '{path}' is not read; meshes end in {', '.join(MESH_SUFFIXES)}.")
    data = _content(place)
    _check_counts(data, suffix, path)
    logging.getLogger("trimesh").setLevel(logging.CRITICAL)
    try:
        # loaders print to the terminal and raise whatever their formats' readers raise
        with _QUIET, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            mesh = trimesh.load(io.BytesIO(data), file_type=suffix[1:], force="mesh", skip_materials=True)
            if not len(mesh.faces):
                raise ValueError("there are no triangles in it")
    except Exception as error:
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise CharacterError(f"Mesh file '{path}' cannot be read: {reason}.") from None
    return mesh


def _content(place: Path) -> bytes:
    try:
        status = place.stat()
        if not stat.S_ISREG(status.st_mode):
            raise CharacterError(f"Mesh file '{place}' is not there: this is a folder, a pipe or a device.")
        if status.st_size > LARGEST_MESH:
            raise CharacterError(
                f"Mesh file '{place}' has {status.st_size / 1e6:.0f} MB; at most {LARGEST_MESH / 1e6:.0f} MB are read. "
                "Thin it out."
            )
        with place.open("rb") as stream:  # it may grow while it is read
            data = stream.read(LARGEST_MESH + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise CharacterError(f"Mesh file '{str(place)[:300]!r}' is not there or cannot be read: {error}.") from None
    if not data or len(data) > LARGEST_MESH:
        raise CharacterError(f"Mesh file '{place}' is {'too large' if data else 'empty'}.")
    return data


def _check_counts(data: bytes, suffix: str, path: str | Path) -> None:
    """Refuses headers that claim more than the file can hold, and scenes that unfold."""
    if suffix == ".stl" and len(data) >= 84 and not data[:80].lstrip().lower().startswith(b"solid"):
        count = struct.unpack_from("<I", data, 80)[0]
        if 84 + 50 * count > len(data):
            raise CharacterError(f"Mesh file '{path}' says {count} triangles and is cut off; copy it again.")
    elif suffix in (".ply", ".off"):
        head = data[:20_000].split(b"end_header")[0].split()
        if any(word.isdigit() and (len(word) > 12 or int(word) > min(_MOST_STATED, len(data))) for word in head[:2000]):
            raise CharacterError(f"Mesh file '{path}' claims more points than it has bytes; it is damaged.")
    elif suffix == ".dae":
        _check_scene(data, path)


@dataclass
class _SceneNode:
    """A node of a COLLADA scene: how much it draws itself, and what it names."""

    own: int = 1
    names: list[str] = field(default_factory=list)
    inside: list[_SceneNode] = field(default_factory=list)


class _Scene:
    """Nodes of a COLLADA file, and how many copies each becomes once all references are followed."""

    def __init__(self) -> None:
        self.root = _SceneNode()
        self.open = [self.root]
        self.by_name: dict[str, _SceneNode] = {}
        self.depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        name = tag.rpartition(":")[2]
        if self.depth > _MOST_LEVELS:
            raise ValueError("it is nested too deeply")
        if name in ("node", "visual_scene"):
            node = _SceneNode()
            self.open[-1].inside.append(node)
            self.open.append(node)
            if attributes.get("id"):
                self.by_name[attributes["id"]] = node
        elif name in ("instance_node", "instance_visual_scene"):
            self.open[-1].names.append(attributes.get("url", "").lstrip("#"))
        elif name.startswith("instance_"):
            self.open[-1].own += 1

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag.rpartition(":")[2] in ("node", "visual_scene"):
            self.open.pop()

    def copies(self, node: _SceneNode, above: int, known: dict[int, int]) -> int:
        """Nodes and geometries that a node unfolds into."""
        if above > _MOST_LEVELS:
            raise ValueError("its nodes name one another in a circle")
        if id(node) not in known:
            named = [self.by_name[name] for name in node.names if name in self.by_name]
            known[id(node)] = node.own + sum(self.copies(one, above + 1, known) for one in (*node.inside, *named))
        return known[id(node)]


def _check_scene(data: bytes, path: str | Path) -> None:
    """Refuses a COLLADA file with entities, or whose nodes unfold without end."""
    scene, parser = _Scene(), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = scene.start, scene.end

    def refuse(*_: object) -> None:
        raise ValueError("it declares entities, which are not read")

    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
        if scene.copies(scene.root, 0, {}) > _MOST_COPIES:
            raise ValueError(f"its nodes unfold into more than {_MOST_COPIES} copies")
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise CharacterError(f"Mesh file '{path}' cannot be read: {str(error)[:120]}.") from None
