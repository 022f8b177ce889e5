"""How a written file names the mesh files of a character."""

from __future__ import annotations

import os
from pathlib import Path

from animato.character import Character, Mesh
from animato.described import shortened
from animato.formats.files import is_file


def mesh_name(path: str, folder: Path) -> str:
    """The path relative to the folder of the file that names it, unless they share only the root of the disk."""
    if "://" in path:
        return path
    place = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    shared = [a for a, b in zip(place.parts, folder.parts, strict=False) if a == b]
    return Path(os.path.relpath(place, folder)).as_posix() if len(shared) > 1 else str(place)


def missing_files(character: Character) -> list[str]:
    """Paths of meshes whose files are not there, each once."""
    meshes = [
        shape.geometry.path for body in character.bodies for shape in body.shapes if isinstance(shape.geometry, Mesh)
    ]
    return [path for path in dict.fromkeys(meshes) if not is_file(Path(path))]


def said_of_missing(missing: list[str], what: str) -> list[str]:
    """A sentence on mesh files that are not there, where there are any."""
    return [f"{what}: {shortened([Path(path).name for path in missing])}."] if missing else []
