"""A project that is made in Python is opened by the studio as it is, and the robot can do its takes."""

from __future__ import annotations

import runpy
from pathlib import Path

import animato as an
from animato.studio.keys import Keyed
from animato.studio.project import is_project, load_project

EXAMPLE = Path(__file__).parents[2] / "examples" / "studio_project.py"


def test_pico_nods_and_bows(tmp_path: Path) -> None:
    made = runpy.run_path(str(EXAMPLE))["main"](tmp_path / "bow")
    assert is_project(tmp_path / "bow")
    document = load_project(tmp_path / "bow", {"keyed": Keyed})
    assert [one.name for one in document.takes] == ["nod", "bow"] and document.current == made.current
    for take in document.takes:
        assert take.motion is not None and an.check(document.character, take.motion).outcome.usable
        assert isinstance(take.source, Keyed) and len(take.source.keys) >= 4
