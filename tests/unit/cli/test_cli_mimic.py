"""The command `mimic`, with a made-up solver: what goes in, what is written, what is refused."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.cli import main
from animato.cli.mimic_command import emphasis_from
from animato.errors import OptionError
from animato.library import LIBRARY
from animato.loading import load_clip
from animato.mimic.contacts import load_contacts
from animato.mimic.mapping import load_mapping
from animato.mimic.problem import Emphasis, Problem
from tests.mimic_builders import solved_by_nobody

QUICK = ("--scale", "0.2", "--end-s", "1.5")


def animato(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["animato", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Problem]:
    """Problems that were given to the solver, which finds pico's own dance."""
    seen: list[Problem] = []

    def solve(problem: Problem, **_: Any) -> Any:
        seen.append(problem)
        return solved_by_nobody(problem)

    monkeypatch.setattr("animato.mimic.optimization.solve", solve, raising=False)
    return seen


def test_mimic_writes_a_clip_a_page_numbers_and_files_for_training(
    asked: list[Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    more = ("--json", "out.json", "--export-csv", "train.csv", "--export-npz", "train.npz", "--export-hz", "20")
    status = animato(monkeypatch, "mimic", "person_wave", "--robot", "pico", *QUICK, *more)
    said = capsys.readouterr().err
    assert status == 0, said
    assert "pico does what person_wave shows" in said
    assert "The clip: mimicked.csv" in said
    assert load_clip("mimicked.csv").duration == pytest.approx(asked[0].times[-1], abs=0.02)
    assert Path("mimicked.html").read_text().startswith("<!doctype html>")
    assert json.loads(Path("out.json").read_text())["robot"] == "pico"
    rows = np.loadtxt("train.csv", delimiter=",")
    with np.load("train.npz", allow_pickle=False) as file:
        assert float(file["fps"]) == 20.0
        np.testing.assert_allclose(file["qpos"][:, 7:], rows[:, 7:], atol=1e-7)
        assert list(file["contact_names"]) == ["left heel", "left toe", "right heel", "right toe"]
        assert file["contacts"].all()


def test_what_was_found_can_be_saved_changed_and_given(
    asked: list[Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    saving = ("--save-mapping", "map.yaml", "--save-contacts", "feet.yaml")
    assert animato(monkeypatch, "mimic", "person_wave", "--robot", "pico", *QUICK, *saving) == 0
    assert dict(load_mapping("map.yaml").person)["left_knee"] == ("LeftLeg",)
    assert {edit.state for edit in load_contacts("feet.yaml")} == {"planted"}
    changed = "person:\n  left_wrist: [LeftForeArm, LeftHand]\nweights:\n  left_toe: 3\n"
    Path("map.yaml").write_text(f"animato_mapping: 1\n{changed}")
    Path("feet.yaml").write_text("animato_contacts: 1\nleft heel:\n  - {from: 0.5, to: 1, state: free}\n")
    given = ("--mapping", "map.yaml", "--contacts", "feet.yaml", "--emphasize", "right_wrist=4@0.5-1")
    assert animato(monkeypatch, "mimic", "person_wave", "--robot", "pico", *QUICK, *given) == 0
    problem = asked[1]
    moved = np.linalg.norm(problem.person.landmark("left_wrist") - problem.person.landmark("left_elbow"), axis=1)
    np.testing.assert_allclose(moved, 0.13, atol=1e-3)  # half a forearm
    assert not problem.plan.planted[(problem.times > 0.5) & (problem.times < 1.0), 0].any()
    weights = dict(zip(problem.landmarks, problem.emphasis.T, strict=True))
    np.testing.assert_allclose(weights["left_toe"], 3.0)
    assert sorted(set(weights["right_wrist"])) == [1.0, 4.0]


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("person_wave", "--robot", "pico", "--out", "a.bvh"), "Cannot save the clip as 'a.bvh'"),
        (("person_wave", "--robot", "pico", "--export-npz", "a.csv"), "Cannot save the motion for training"),
        (("pico_hello", "--robot", "pico"), "pico_hello holds no captured person but a clip"),
        (("person_wav", "--robot", "pico"), "Did you mean 'person_wave'"),
        (("pico", "--robot", "person_wave"), "Did you mean: animato mimic person_wave --robot pico?"),
        (("person_wave", "--robot", "arm6"), "'arm6' is held in the world"),
        (("person_wave", "--robot", "pico", "--start-s", "4.4"), "at least 8 are needed"),
        (("person_wave", "--robot", "pico", "--mapping", "none.yaml"), "none.yaml: there is no such file"),
        (("person_wave", "--robot", "pico", "--margin", "0.7"), "--margin is a share"),
        (("person_wave", "--robot", "pico", "--emphasize", "wrist"), "--emphasize is a landmark and its weight"),
        (("person_wave", "--robot", "pico", "--emphasize", "wrist=2"), "'wrist'"),
    ],
)
def test_wrong_input_is_one_line_that_helps(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert animato(monkeypatch, "mimic", *arguments) == 2
    said = capsys.readouterr().err
    assert words in said.replace("\n", " ")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("asked")
def test_flags_in_messages_are_those_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.savez("joints.npz", joints=np.random.default_rng(4).normal(size=(20, 22, 3)))
    assert animato(monkeypatch, "mimic", "joints.npz", "--robot", "pico") == 2
    assert "say them with --capture-hz" in capsys.readouterr().err.replace("\n", " ")
    shipped = (LIBRARY / "clips" / "person_wave.bvh").read_text()
    Path("zero.bvh").write_text(re.sub(r"(JOINT LeftLeg\s*\{\s*OFFSET) [^\n]*", r"\1 0 0 0", shipped))
    assert animato(monkeypatch, "mimic", "zero.bvh", "--robot", "pico") == 2
    said = capsys.readouterr().err.replace("\n", " ")
    assert "a bone between them has no length" in said
    assert "--mapping" in said
    assert "--sources" not in said


def test_emphasis_is_read_from_words() -> None:
    assert emphasis_from("left_wrist=5") == Emphasis("left_wrist", 5.0)
    assert emphasis_from("right_toe=0.5@1-2.5") == Emphasis("right_toe", 0.5, 1.0, 2.5)
    with pytest.raises(OptionError, match="given 'left_wrist=5@2'"):
        emphasis_from("left_wrist=5@2")
