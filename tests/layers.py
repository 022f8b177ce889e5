"""The check of the house: who may import whom, how full a room may be. Run it with `python -m tests.layers`.

Six rules, each with a sentence of its own when it is broken:

- a layer imports what stands before it in `ORDER`; the verbs never import one another; `solvers` stand before
  all robots and know none, and `formats` never solve;
- a room is entered by its door: another room's names come from its package, which names them in `__all__`, and not
  from the files behind it (a room's own files and those of the rooms around it are at home; `OPEN` rooms are
  toolboxes whose every file is a door);
- no modules import one another in a circle, and no rooms either, imports for type checkers and inside functions
  included;
- a room has at most `FULL` modules;
- only `DRAWERS` draw;
- imports are written whole.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "animato"
VERBS = ("express", "trace", "design", "steady", "mimic", "fix")
ORDER = (
    "version",
    "errors",
    "outcome",
    "lazy",
    "described",
    "library",
    "kernels",
    "algebra",
    "spatial",
    "solvers",
    "character",
    "motion",
    "mechanics",
    "formats",
    "loading",
    "findings",
    *VERBS,
    "view",
    "report",
    "gallery",
    "batch",
    "stage",
    "studio",
    "cli",
)
"""Each may import what stands before it."""

BLIND = {"formats": ("solvers",)}
"""Layers that must not know some of those before them: formats read and write, they never solve."""

OPEN = ("kernels", "algebra", "spatial")
FULL = 18
DRAWING = ("matplotlib", "PIL", "viser")
DRAWERS = ("view", "report", "studio")


class Import(NamedTuple):
    """A name that a file imports: its line, the module it is said to come from, and the name (empty: the module)."""

    line: int
    module: str
    name: str


class House:
    """All modules of a package with what they import."""

    def __init__(self, package: Path = PACKAGE) -> None:
        self.package = package
        self.files = {self._module(file): file for file in sorted(package.rglob("*.py"))}
        self.rooms = {module for module, file in self.files.items() if file.name == "__init__.py"}
        self.imports = {module: imported(file.read_text(encoding="utf-8")) for module, file in self.files.items()}
        self.doors = {room: _named_in_all(self.files[room].read_text(encoding="utf-8")) for room in self.rooms}

    def _module(self, file: Path) -> str:
        parts = ("animato", *file.relative_to(self.package).with_suffix("").parts)
        return ".".join(parts).removesuffix(".__init__")

    def room_of(self, module: str) -> str:
        """The package in which a module lies; a package lies in itself."""
        return module if module in self.rooms else module.rpartition(".")[0]

    def target(self, one: Import) -> str:
        """The module that an import really reaches: a submodule where the name is one."""
        inner = f"{one.module}.{one.name}"
        return inner if one.name and inner in self.files else one.module

    def edges(self) -> dict[str, set[str]]:
        """Modules that each module imports."""
        return {
            module: {self.target(one) for one in found if self.target(one) in self.files} - {module}
            for module, found in self.imports.items()
        }


def imported(text: str) -> list[Import]:
    """Every import of a file, those inside functions and for type checkers too."""
    found: list[Import] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [Import(node.lineno, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [Import(node.lineno, module, alias.name) for alias in node.names]
    return found


def _named_in_all(text: str) -> set[str]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return {str(name) for name in ast.literal_eval(node.value)}
    return set()


def fault(layer: str, module: str) -> str | None:
    """Why a layer may not import a module, or None where it may."""
    if module.startswith("."):
        return "relative imports hide the layer; write the whole name"
    top, *rest = module.split(".")
    if top in DRAWING and layer not in DRAWERS:
        return f"only {', '.join(DRAWERS)} draw"
    if top != "animato" or not rest or rest[0] == layer or layer == "__init__":
        return None
    other = rest[0]
    for one in (other, layer):
        if one not in ORDER:
            return f"'{one}' is not a layer"
    if layer in VERBS and other in VERBS:
        return "the verbs never import one another"
    if other in BLIND.get(layer, ()):
        return f"{layer} must not know {other}"
    if ORDER.index(other) > ORDER.index(layer):
        return f"{layer} stands before {other}"
    return None


def door_fault(house: House, module: str, one: Import) -> str | None:
    """Why an import goes behind another room's door, or None where it does not."""
    target = house.target(one)
    if target not in house.files:
        return None
    own, other = house.room_of(module), house.room_of(target)
    if other in ("animato", own) or own.startswith(other + ".") or other.removeprefix("animato.") in OPEN:
        return None
    if target not in house.rooms and not (one.module == other and one.name in house.doors[other]):
        return f"'{target.removeprefix('animato.')}' is a private file of {other}; import what {other} names"
    if target in house.rooms and one.module == target and one.name and one.name not in house.doors[target]:
        return f"{target} does not name '{one.name}' in __all__"
    return None


def circles(edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups of nodes that reach one another (Tarjan's algorithm), each sorted."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            at = stack.index(node)
            group, stack[at:] = stack[at:], []
            if len(group) > 1:
                found.append(sorted(group))

    for node in edges:
        if node not in number:
            visit(node)
    return found


def room_edges(house: House) -> dict[str, set[str]]:
    """Rooms that the files of each room import; the front door, which may know all, is left out."""
    found: dict[str, set[str]] = {room: set() for room in house.rooms if room != "animato"}
    for module, targets in house.edges().items():
        own = house.room_of(module)
        found.get(own, set()).update(
            house.room_of(one) for one in targets if house.room_of(one) not in (own, "animato")
        )
    return found


def faults(package: Path = PACKAGE) -> list[str]:
    """Everything that is against the rules, as 'file:line: why' or 'room: why'."""
    house = House(package)
    wrong = []
    for module, found in house.imports.items():
        layer = [*module.split("."), "__init__"][1]
        file = house.files[module].relative_to(package.parent.parent)
        for one in sorted(set(found)):
            why = fault(layer, house.target(one)) or (None if layer == "__init__" else door_fault(house, module, one))
            if why is not None:
                wrong.append(f"{file}:{one.line}: imports {one.module} {one.name}".rstrip() + f": {why}")
    wrong += [f"modules import one another in a circle: {', '.join(group)}" for group in circles(house.edges())]
    wrong += [f"rooms import one another in a circle: {', '.join(group)}" for group in circles(room_edges(house))]
    for room in sorted(house.rooms):
        count = sum(house.room_of(module) == room for module in house.files)
        if count > FULL:
            wrong.append(f"{room} has {count} modules; a room of more than {FULL} is two")
    return wrong


if __name__ == "__main__":
    broken = faults()
    print("\n".join(broken) if broken else "layers: every import goes the right way, and no room is too full")
    sys.exit(1 if broken else 0)
