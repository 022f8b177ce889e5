from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from animato.cli import main
from animato.cli.line import working
from animato.formats import load_character, save_motion
from animato.loading import load_clip
from animato.motion import Clip
from animato.outcome import Iteration

QUICK = ("--step-s", "0.004", "--control-points", "25", "--check-step-s", "0.002")


def animato(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["animato", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


@pytest.fixture
def lean(tmp_path: Path) -> Path:
    """A clip of the rod: 10 degrees in a fifth of a second."""
    times = np.linspace(0.0, 1.0, 101)
    angle = np.radians(10.0) * np.clip((times - 0.2) / 0.2, 0.0, 1.0)
    save_motion(tmp_path / "lean.csv", Clip(times, ("motor",), angle[:, None]), load_character("rod"))
    return tmp_path / "lean.csv"


def test_steady_writes_profiles_a_page_and_numbers(
    lean: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, result = tmp_path / "out.csv", tmp_path / "out.json"
    status = animato(
        monkeypatch, "steady", "rod", str(lean), "--track", "ball=2", "--out", str(out), "--json", str(result), *QUICK
    )
    assert status == 0
    said = capsys.readouterr().err
    assert "The rod's ball was up to" in said and f"The profiles: {out}" in said
    assert load_clip(out).duration == pytest.approx(1.0)
    assert (tmp_path / "out.html").read_text().startswith("<!doctype html>")
    assert json.loads(result.read_text())["peak_after_m"] < 0.01


def test_an_interrupt_writes_what_was_found_and_says_how_to_go_on(
    lean: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def tired(_: working, step: Iteration) -> None:
        if step.objective is not None and step.number >= 2:
            raise KeyboardInterrupt

    out = tmp_path / "part.csv"
    with monkeypatch.context() as patch:
        patch.setattr(working, "__call__", tired)
        animato(patch, "steady", "rod", str(lean), "--out", str(out), *QUICK)
    assert f"--start {out}" in capsys.readouterr().err
    assert load_clip(out).frame_count > 50
    assert not (tmp_path / "part.html").exists()
    whole = tmp_path / "whole.csv"
    assert animato(monkeypatch, "steady", "rod", str(lean), "--start", str(out), "--out", str(whole), *QUICK) == 0
    assert "now it stays within" in capsys.readouterr().err


def test_simulate_writes_a_page_a_table_and_a_film(
    lean: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, table, film = tmp_path / "s.html", tmp_path / "s.csv", tmp_path / "s.gif"
    arguments = ("--page", str(page), "--out", str(table), "--film", str(film), "--step-s", "0.002")
    assert animato(monkeypatch, "simulate", "rod", str(lean), *arguments) == 0
    assert page.exists() and table.exists() and film.exists()
    assert "times real time" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("steady", "rod", "rod_swing", "--track", "bal"), "Did you mean 'ball'?"),
        (("steady", "rod", "rod_swing", "--track", "ball=heavy"), "NAME=WEIGHT"),
        (("steady", "rod", "rod_swing", "--out", "x.txt"), ".csv or .npz"),
        (("steady", "rod", "rod_swing", "--stiffness-spread", "2"), "--stiffness-spread is a share"),
        (("steady", "rod", "away.csv"), "starts away from rest"),
        (("simulate", "rod", "away.csv"), "starts away from rest"),
        (("simulate", "rod", "rod_swing", "--step-s", "-1"), "--step-s"),
        (("simulate", "rod", "rod_swing", "--film", "x.avi"), ".gif or .mp4"),
        (("simulate", "rod_swing", "rod"), "Did you mean: animato simulate rod rod_swing?"),
        (("steady", "lamp", "rod_swing"), "lamp"),
    ],
)
def test_a_users_mistake_is_one_clear_line_and_nothing_is_written(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    times = np.linspace(0.0, 0.5, 51)
    save_motion(tmp_path / "away.csv", Clip(times, ("motor",), times[:, None]), load_character("rod"))
    assert animato(monkeypatch, *arguments) == 2
    text = capsys.readouterr().err.strip()
    assert text.startswith("animato: ") and words in text and "\n" not in text
    assert [file.name for file in tmp_path.iterdir()] == ["away.csv"]
