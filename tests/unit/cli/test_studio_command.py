"""What the words after `animato studio` mean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from animato.cli import run
from animato.cli.studio_command import Given, sorted_out
from animato.errors import OptionError


@pytest.mark.parametrize("words", [["pico", "pico_hello"], ["pico_hello", "pico"]])
def test_any_order(words: list[str]) -> None:
    assert sorted_out(words) == Given("pico", "pico_hello")


def test_files_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    (tmp_path / "pico").mkdir()
    assert sorted_out([]) == Given()
    assert sorted_out(["kept"]) == Given(folder=Path("kept"))
    assert sorted_out(["pico"]) == Given("pico")  # a folder of that name is no project
    (tmp_path / "pico" / "project.json").write_text("{}")
    assert sorted_out(["pico"]) == Given(folder=Path("pico"))
    assert sorted_out(["pico/project.json"]) == Given(folder=Path("pico"))
    assert sorted_out(["kept", "robot.urdf"]) == Given("robot.urdf", folder=Path("kept"))
    assert sorted_out(["walk.csv", "my/robot.yaml"]) == Given("my/robot.yaml", "walk.csv")


@pytest.mark.parametrize("word", ["./dance", "dances/first", "dance/"])
def test_a_project_that_is_about_to_begin(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert sorted_out(["pico", word]) == Given("pico", folder=Path(word))


def test_what_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError, match="Did you mean 'pico'"):
        sorted_out(["pcio"])
    with pytest.raises(OptionError, match=r"\./qqqq"):
        sorted_out(["qqqq"])
    with pytest.raises(OptionError, match="both a character"):
        sorted_out(["pico", "lamp"])


def test_it_opens_and_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    from animato import studio
    from animato.studio import serving

    done: list[object] = []

    def open_studio(*given: object) -> str:
        done.append(given)
        return "a studio"

    def serve(opening: Callable[[], object], **how: object) -> None:
        done.append((opening(), how))

    monkeypatch.setattr(studio, "open_studio", open_studio, raising=False)
    monkeypatch.setattr(serving, "serve", serve, raising=False)
    assert run(["studio", "pico_hello", "pico", "--no-browser", "--port", "8200"]) == 0
    assert done == [
        ("pico", "pico_hello", None),
        ("a studio", {"host": "127.0.0.1", "port": 8200, "open_browser": False}),
    ]
