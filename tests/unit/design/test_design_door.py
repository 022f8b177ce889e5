"""The door of the verb: one shape, and names that rooms do not hide."""

from __future__ import annotations

import subprocess
import sys

import pytest

import animato as an


def test_the_verb_has_the_shape_of_all_verbs() -> None:
    for name in ("Options", "build", "solve", "Problem", "Solution"):
        assert name in dir(an.design) and callable(getattr(an.design, name))
    for name in an.design.__all__:
        assert getattr(an.design, name).__name__ == name
    with pytest.raises(AttributeError, match="Did you mean 'solve'"):
        _ = an.design.slove


def test_importing_the_rooms_first_does_not_hide_the_verbs() -> None:
    code = "import animato.design.optimization.solve, animato.design.problem.build, animato as an; "
    code += "print(callable(an.design.solve), callable(an.design.build))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]
