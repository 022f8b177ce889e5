"""`animato show` on the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from animato.cli import run
from tests.stage_builders import LAMP_SERVOS

SHOW = """animato: 1
name: short
robot: lamp
clips: {look: lamp_look}
inputs: {keys: {kind: keyboard}}
timeline: [{pose: rest}, {play: look, end: 1 s}, {wait_for: go}, {pose: curious}]
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A show and a servo map."""
    (tmp_path / "show.yaml").write_text(SHOW)
    (tmp_path / "servos.yaml").write_text(LAMP_SERVOS)
    return [str(tmp_path / "show.yaml"), "--servos", str(tmp_path / "servos.yaml")]


def test_a_show_is_checked(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", *files, "--check", "--json", str(tmp_path / "show.json")]) == 0
    captured = capsys.readouterr()
    said = captured.out + captured.err
    assert "waits for the cue 'go'" in said
    assert "All of the show keeps the limits" in said
    figures = json.loads((tmp_path / "show.json").read_text())
    assert figures["usable"]
    assert figures["held_back"] == 0
    assert len(figures["schedule"]) == 5
