"""Finds the mesh files that a robot description names. Nothing is fetched from anywhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote


@dataclass(frozen=True)
class MeshPaths:
    """Where meshes may be.

    Attributes:
        folder: Of the file that names them, absolute.
        package_dirs: Folders of packages, or folders that hold such folders, looked at first.
    """

    folder: Path
    package_dirs: tuple[Path, ...] = ()

    @classmethod
    def beside(cls, path: str | Path, package_dirs: Sequence[str | Path] = ()) -> MeshPaths:
        """For the file at a path."""
        folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links
        return cls(folder, tuple(Path(os.path.abspath(one)) for one in package_dirs))  # noqa: PTH100

    def resolved(self, name: str) -> str:
        """The absolute path of a mesh.

        `package://heron/meshes/arm.stl` is looked for in `package_dirs`, then in the file's folder
        and all folders above it, as `heron/meshes/arm.stl`, or as `meshes/arm.stl` where the folder
        itself is called `heron`. A mesh that is not found keeps the name it has, a relative one
        starting at the file's folder.
        """
        scheme, mark, rest = name.partition("://")
        if not mark:
            return os.path.normpath(self.folder / name)
        if scheme == "file":
            return os.path.normpath(unquote(rest))
        if scheme not in ("package", "model"):
            return name
        package, _, inside = rest.partition("/")
        for place in (*self.package_dirs, self.folder, *self.folder.parents):
            candidates = [place / package / inside] + ([place / inside] if place.name == package else [])
            for candidate in candidates:
                if is_file(candidate):
                    return os.path.normpath(candidate)
        return name


def is_file(path: Path) -> bool:
    """Whether a file is there; False for names that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: str | Path) -> bool:
    """Whether a folder is there; False for names that none can have."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: str | Path) -> bool:
    """Whether anything is there; False for names that nothing can have."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
