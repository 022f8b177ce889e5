"""The demo of mimic, with a solver that finds pico's own dance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from animato.errors import UnknownNameError
from animato.gallery.mimic import MIMIC_DEMOS, make_mimic_demo
from animato.gallery.mimic.captures import CAPTURES
from animato.mimic import Problem
from tests.mimic_builders import solved_by_nobody


def test_every_capture_has_a_demo() -> None:
    assert {f"person_{name}" for name in MIMIC_DEMOS} == set(CAPTURES)
    with pytest.raises(UnknownNameError, match="wave"):
        make_mimic_demo("wav", "nowhere")


def test_the_demo_fills_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(problem: Problem, **_: Any) -> Any:
        return solved_by_nobody(problem)

    monkeypatch.setattr("animato.gallery.mimic.demo.solve", solve)
    said = make_mimic_demo("clap", tmp_path, film=False)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "clap.html", "clap.csv", "clap_training.csv", "clap_training.npz", "errors.svg", "footprints.svg", "moment.png"
    }  # fmt: skip
    assert any(sentence == f"The page: {tmp_path / 'clap.html'}" for sentence in said)
