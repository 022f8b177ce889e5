"""The layer check: who may import whom. Run it with `python -m tests.layers`."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "animato"
VERBS = ("express", "trace", "design", "steady", "mimic")
ORDER = (
    "errors",
    "outcome",
    "spatial",
    "character",
    "motion",
    "mechanics",
    "solvers",
    *VERBS,
    "formats",
    "view",
    "report",
    "studio",
    "cli",
)
"""Each may import what stands before it; the verbs never import one another."""

BLIND = {"solvers": ("character", "motion", "mechanics")}
"""Layers that must not know some of those before them: solvers see arrays and callables only."""

DRAWING = ("matplotlib", "PIL", "viser")
DRAWERS = ("view", "report", "studio")


def layer_of(file: Path) -> str:
    """The layer a file belongs to."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(file: Path) -> list[tuple[int, str]]:
    """(line, module) of every import in a file, those inside functions too."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [(node.lineno, module if module != "animato" else f"animato.{a.name}") for a in node.names]
    return found


def fault(layer: str, module: str) -> str | None:
    """Why a layer may not import a module, or None where it may."""
    if module.startswith("."):
        return "relative imports hide the layer; write the whole name"
    top, *rest = module.split(".")
    if top in DRAWING and layer not in DRAWERS:
        return f"only {', '.join(DRAWERS)} draw"
    if top != "animato" or not rest or rest[0] in (layer, "__version__") or layer == "__init__":
        return None
    other = rest[0]
    if other == "library":
        return None  # data only
    if other not in ORDER:
        return f"'{other}' is not a layer"
    if layer not in ORDER:
        return f"'{layer}' is not a layer"
    if layer in VERBS and other in VERBS:
        return "the verbs never import one another"
    if other in BLIND.get(layer, ()):
        return f"{layer} must not know {other}"
    if ORDER.index(other) > ORDER.index(layer):
        return f"{layer} stands before {other}"
    return None


def faults(package: Path = PACKAGE) -> list[str]:
    """All imports that go the wrong way, as 'file:line: why'."""
    return [
        f"{file.relative_to(package.parent.parent)}:{line}: imports {module}: {why}"
        for file in sorted(package.rglob("*.py"))
        for line, module in sorted(set(imported(file)))
        if (why := fault(layer_of(file), module)) is not None
    ]


if __name__ == "__main__":
    wrong = faults()
    print("\n".join(wrong) if wrong else "layers: every import goes the right way")
    sys.exit(1 if wrong else 0)
