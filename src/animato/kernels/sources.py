"""Which sources a kernel's machine code is made from.

A compiler freezes into machine code whatever a kernel names: the kernels that it calls, their constants, and how
numba was taught to lower their types. So what was compiled once holds as long as none of these changed. Each module
has its own set of sources, found in the text of its imports and followed to the end, so that an edit compiles anew
what may depend on it and nothing else. In doubt a source counts:

* every dotted name of the package, wherever it stands: in functions, behind TYPE_CHECKING, in strings and comments;
* `from package import name`: the package's `__init__`, and the module of that name where there is one;
* a package that is imported as such, or with a star, or that finds its names lazily (PEP 562): all that is in it;
* a module that is imported by a name which is not written down: the whole package, unless it is only handed on to
  whoever asks (`lazy`, whose packages count as a whole, and `described`, which asks reports for pages);
* modules that import numba or llvmlite themselves: they belong to every kernel, because a lowering that they define
  works wherever its type does, imported or not.

The parents of an imported module do not count: a name frozen into a kernel comes out of the module that it was
imported from. What a module reads from data files is not seen; kernels take tables as arguments.

All files are read once, when the first kernel is defined. That is a snapshot of what Python is about to import; a
file that changed since may or may not be what was imported, and then nothing that depends on it is kept or taken.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TEACHES_NUMBA = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(?:numba|llvmlite)\b", re.MULTILINE)
_LAZY = re.compile(rb"^(?:def )?__getattr__\b", re.MULTILINE)
_HAND_ON = ("lazy", "described")
_UNWRITTEN_IMPORT = re.compile(rb"(?:import_module|__import__)\s*\(\s*(?![\"'][^.])")


@dataclass(frozen=True)
class SourceFile:
    """One module as it was when it was read.

    Attributes:
        path: Of the file.
        stamp: Time of its last change [ns], size and inode; another stamp is another text.
        digest: Of the text.
        modules: Modules and packages that the text names; of a package, its `__init__` is meant.
        packages: Packages of which it may use anything.
        teaches_numba: Whether it may define how numba compiles a type or a function.
    """

    path: str
    stamp: tuple[int, int, int]
    digest: bytes
    modules: frozenset[str]
    packages: frozenset[str]
    teaches_numba: bool


@dataclass
class SourceTree:
    """All modules of a package, with what each of them stands on.

    Attributes:
        package: Its name.
        files: By the module's dotted name; a package's name stands for its `__init__`.
    """

    package: str
    files: dict[str, SourceFile]
    _closures: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> SourceTree:
        """The tree of the package in a folder; it is empty where the sources are not plain files, as in an archive."""
        try:
            places = dict(_module_files(str(folder), folder.name))
        except OSError:
            places = {}
        folders = {name.rpartition(".")[0] for name in places} - {""}
        references = _References(folder.name)
        files: dict[str, SourceFile] = {}
        for name, path in places.items():
            try:
                stamp = file_stamp(path)
                with open(path, "rb") as file:  # noqa: PTH123  # half the time of a Path, for hundreds of files
                    text = file.read()
            except OSError:  # it has a name but no text: nothing that depends on it may be kept
                stamp, text = (0, 0, 0), b""
            here = name if path.endswith("__init__.py") else name.rpartition(".")[0]
            modules, packages = references.found(text, places, folders, here)
            if b"__getattr__" in text and _LAZY.search(text):
                packages.add(here)
            if b"import" in text and _UNWRITTEN_IMPORT.search(text):
                packages.add(folder.name)
            if name.removeprefix(f"{folder.name}.") in _HAND_ON and not path.endswith("__init__.py"):
                packages.clear()
            teaches = (b"numba" in text or b"llvmlite" in text) and _TEACHES_NUMBA.search(text) is not None
            digest = hashlib.sha256(text).digest()
            files[name] = SourceFile(path, stamp, digest, frozenset(modules), frozenset(packages), teaches)
        return cls(folder.name, files)

    def closure(self, module: str) -> tuple[str, ...]:
        """Names of all modules that may have gone into the kernels of one, itself included, sorted."""
        if module not in self._closures:
            found: set[str] = set()
            ahead = [module, *(name for name, file in self.files.items() if file.teaches_numba)]
            while ahead:
                name = ahead.pop()
                if name in found or name not in self.files:
                    continue
                found.add(name)
                ahead.extend(self.files[name].modules)
                for package in self.files[name].packages:
                    ahead.extend(other for other in self.files if f"{other}.".startswith(f"{package}."))
            self._closures[module] = tuple(sorted(found))
        return self._closures[module]

    def digest(self, module: str) -> bytes:
        """Of the names and texts of the closure."""
        total = hashlib.sha256()
        for name in self.closure(module):
            total.update(name.encode() + b"\0" + self.files[name].digest)
        return total.digest()

    def unchanged(self, module: str) -> bool:
        """Whether the files of the closure are still those that were read."""
        try:
            return all(file_stamp(self.files[name].path) == self.files[name].stamp for name in self.closure(module))
        except OSError:
            return False


def file_stamp(path: str) -> tuple[int, int, int]:
    """Time of a file's last change [ns], its size and its inode."""
    status = os.stat(path)  # noqa: PTH116  # as above
    return status.st_mtime_ns, status.st_size, status.st_ino


def _module_files(folder: str, name: str) -> Iterator[tuple[str, str]]:
    """(dotted name, path) of the modules in a folder and those below it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                stem = entry.name.removesuffix(".py")
                yield (name if stem == "__init__" else f"{name}.{stem}"), entry.path
            elif entry.name.isidentifier() and entry.name != "__pycache__" and entry.is_dir():
                yield from _module_files(entry.path, f"{name}.{entry.name}")


class _References:
    """Finds the names of a package in texts. Each pattern begins with a word, which makes it quick."""

    def __init__(self, package: str) -> None:
        name = package.encode()
        self.package = package
        self.whole = re.compile(rb"import\s+%b\b(?!\.)" % name)
        self.mentions = re.compile(rb"%b(?:\.\w+)+" % name)
        self.imports = re.compile(rb"from\s+(\.[\w.]*|%b[\w.]*)\s+import\s*(\([^)]*\)|[^\n;]*)" % name)

    def found(self, text: bytes, places: dict[str, str], folders: set[str], here: str) -> tuple[set[str], set[str]]:
        """Modules that a text in the package `here` names, and packages of which it may use anything."""
        modules: set[str] = set()
        packages: set[str] = {self.package} if self.whole.search(text) else set()
        stated: set[int] = set()
        for statement in self.imports.finditer(text):
            stated.add(statement.start(1))
            origin = _existing(_absolute(statement[1].decode(), here), places, folders)
            modules.add(origin)
            if origin in folders:
                _add_names(origin, statement[2], places, folders, modules, packages)
        for mention in self.mentions.finditer(text):
            if mention.start() not in stated:
                name = _existing(mention[0].decode(), places, folders)
                (packages if name in folders else modules).add(name)
        return modules, packages


def _add_names(
    origin: str, names: bytes, places: dict[str, str], folders: set[str], modules: set[str], packages: set[str]
) -> None:
    """Adds what `from origin import names` may mean where the origin is a package."""
    if any(mark in names for mark in (b"*", b"#", b"\\")):  # a star, or a list whose end is not clear
        packages.add(origin)
    for word in re.findall(r"\w+", names.decode(errors="replace")):
        inner = f"{origin}.{word}"
        if inner in folders:
            packages.add(inner)
        elif inner in places:
            modules.add(inner)


def _absolute(source: str, here: str) -> str:
    """The dotted name that a relative import means in the package `here`."""
    levels = len(source) - len(source.lstrip("."))
    if levels == 0:
        return source
    parents = here.split(".")
    return ".".join([*parents[: len(parents) - levels + 1], *filter(None, [source[levels:]])])


def _existing(name: str, places: dict[str, str], folders: set[str]) -> str:
    """The longest part of a dotted name that is a module or a package; the rest are names in it."""
    while name and name not in places and name not in folders:
        name = name.rpartition(".")[0]
    return name
