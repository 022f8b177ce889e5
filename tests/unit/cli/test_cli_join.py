from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.cli import main
from tests.joining_builders import wave


def animato(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["animato", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    """Two clips of arm6."""
    arm = an.load_character("arm6")
    for name, phase in (("one", 0.0), ("two", 1.3)):
        an.save(tmp_path / f"{name}.csv", wave(arm.coordinate_names, 0.4, phase), arm)
    return str(tmp_path / "one.csv"), str(tmp_path / "two.csv")


def test_join_writes_the_clip_and_what_is_asked_for(
    two: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, told = tmp_path / "joined.csv", tmp_path / "joined.json"
    assert animato(monkeypatch, "join", "arm6", *two, two[0], "--out", str(out), "--json", str(told)) == 0
    clip = an.load_clip(out, "arm6")
    assert clip.frame_count > 3 * 80 and np.allclose(np.diff(clip.times), 0.02, atol=1e-6)
    assert json.loads(told.read_text())
    assert " ".join(capsys.readouterr().out.split()).count("as long as") == 2  # transitions, among the notes


def test_a_transition_that_cannot_be_leaves_no_clip_and_status_1(
    two: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "joined.csv"
    assert animato(monkeypatch, "join", "arm6", *two, "--gap-s", "0.05", "--out", str(out)) == 1
    assert not out.exists()
    assert "--gap-s" in capsys.readouterr().err


def test_strange_input_is_status_2(
    two: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert animato(monkeypatch, "join", "arm6", two[0], "--out", str(tmp_path / "a.csv")) == 2
    assert animato(monkeypatch, "join", "arm6", *two, "--out", str(tmp_path / "a.txt")) == 2
    assert animato(monkeypatch, "join", two[0], "arm6", two[1]) == 2
    assert "the character comes first" in capsys.readouterr().err
