"""Functions that kernels take in hold no references to arrays, so they must not make or return any."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[3] / "src" / "animato"
MAKERS = {"empty", "zeros", "ones", "full", "array", "arange", "copy", "reshape", "ravel", "empty_like", "zeros_like"}


def inlined(text: str) -> list[ast.FunctionDef]:
    """Functions of a module that are decorated so."""
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    return [node for node in functions if any(ast.unparse(one) == "inlined_kernel" for one in node.decorator_list)]


def faults(text: str) -> list[str]:
    """Names of those that make or return arrays."""
    found = []
    for node in inlined(text):
        calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
        makes = any(isinstance(call, ast.Attribute) and call.attr in MAKERS for call in calls)
        if makes or (node.returns is not None and "ndarray" in ast.unparse(node.returns)):
            found.append(node.name)
    return found


def test_none_makes_or_returns_arrays() -> None:
    every = (file.read_text(encoding="utf-8") for file in sorted(PACKAGE.rglob("*.py")))
    texts = [text for text in every if "inlined_kernel" in text]  # to parse all of the package takes seconds
    assert sum(len(inlined(text)) for text in texts) > 100
    assert [name for text in texts for name in faults(text)] == []


@pytest.mark.parametrize("body", ["f() -> float:\n    return np.zeros(3)[0]", "f(x) -> np.ndarray:\n    return x"])
def test_the_check_can_fail(body: str) -> None:
    assert faults(f"@inlined_kernel\ndef {body}\n") == ["f"]
