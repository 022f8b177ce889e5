"""Folders on this machine and in object storage, in one way: list, read, write whole.

An address with "://" in it goes through fsspec: s3://bucket/clips, gs://..., memory://...; anything else is a folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

from animato.errors import AnimatoError, missing_dependency
from animato.formats.files import write_whole

_PUT_WHOLE = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "az", "adl", "oss", "memory"})
"""Protocols whose objects appear whole or not at all; elsewhere a file is written beside its place and moved."""


@dataclass(frozen=True)
class Listed:
    """A file of a storage.

    Attributes:
        name: From the storage's folder on, with slashes.
        size: [bytes].
        mark: What the storage says about the content, such as an ETag; "" where that has to be read.
    """

    name: str
    size: int
    mark: str = ""


@dataclass(frozen=True)
class Storage:
    """A folder, here or elsewhere; made where it is missing when something is written.

    Attributes:
        address: A path, or a URL that fsspec knows.
    """

    address: str

    @property
    def is_local(self) -> bool:
        """Whether it is a folder that other programs of this machine can open."""
        return "://" not in self.address or self.address.startswith(("file://", "local://"))

    @property
    def folder(self) -> Path:
        """Of a local storage."""
        return Path(self.address.partition("://")[2] if "://" in self.address else self.address)

    @cached_property
    def _remote(self) -> tuple[Any, str]:
        """Fsspec's file system, and the folder in it."""
        try:
            fsspec = import_module("fsspec")
        except ImportError:
            raise missing_dependency("fsspec", "batch", f"Files at {self.address}") from None
        try:
            system, root = fsspec.core.url_to_fs(self.address)
        except Exception as error:  # each storage's library has errors of its own
            raise AnimatoError(f"'{self.address}' cannot be opened: {error}") from None
        return system, str(root).rstrip("/")

    def files(self, under: str = "") -> Iterator[Listed]:
        """All files of a folder and of those in it, sorted by name; names count from that folder on."""
        if self.is_local:
            yield from _local_files(self.folder / under)
            return
        system, root = self._remote
        top = f"{root}/{under}".rstrip("/")
        try:
            system.invalidate_cache()
            found = system.find(top, detail=True) if system.exists(top) else {}
        except Exception as error:
            raise AnimatoError(f"'{self.address}' cannot be listed: {error}") from None
        for path in sorted(found):
            about = found[path]
            mark = about.get("ETag") or about.get("etag") or about.get("md5Hash") or about.get("content_md5") or ""
            name = str(PurePosixPath(path.removeprefix(top).lstrip("/")))
            if name != ".":
                yield Listed(name, int(about.get("size") or 0), str(mark))

    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises:
            AnimatoError: It cannot be read.
        """
        try:
            if self.is_local:
                return (self.folder / name).read_bytes()
            system, root = self._remote
            return bytes(system.cat_file(f"{root}/{name}"))
        except AnimatoError:
            raise
        except Exception as error:
            raise AnimatoError(f"Cannot read '{name}' of '{self.address}': {error}") from None

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        if self.is_local:
            return (self.folder / name).is_file()
        system, root = self._remote
        return bool(system.isfile(f"{root}/{name}"))

    def write(self, name: str, content: bytes) -> None:
        """Writes a file, whole or not at all.

        Raises:
            AnimatoError: It cannot be written.
        """
        if self.is_local:
            write_whole(self.folder / name, content)
            return
        system, root = self._remote
        path = f"{root}/{name}"
        try:
            system.makedirs(path.rpartition("/")[0], exist_ok=True)
            if {system.protocol} & _PUT_WHOLE if isinstance(system.protocol, str) else _PUT_WHOLE & {*system.protocol}:
                system.pipe_file(path, content)
            else:
                beside = f"{path}.{hashlib.sha256(content).hexdigest()[:12]}.part"
                system.pipe_file(beside, content)
                system.mv(beside, path)
        except Exception as error:
            raise AnimatoError(f"Cannot write '{name}' to '{self.address}': {error}") from None

    def brought(self, name: str, into: Path) -> Path:
        """A file that can be opened here: the file itself, or a copy in a folder."""
        if self.is_local:
            return self.folder / name
        place = into / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(self.read(name))
        return place


def _local_files(folder: Path) -> Iterator[Listed]:
    """Files below a folder, sorted by name; hidden ones and what is still being written are left out."""
    found = []
    for place in folder.rglob("*") if folder.is_dir() else ():
        name = place.relative_to(folder).as_posix()
        if not any(part.startswith(".") for part in name.split("/")) and place.is_file():
            found.append(Listed(name, place.stat().st_size))
    yield from sorted(found, key=lambda one: one.name)
