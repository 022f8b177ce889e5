"""`animato export` as users type it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from animato.cli import main
from animato.formats import save_character
from animato.formats.character_yaml import save_servo_map
from animato.stage.exporting import FORMATS
from tests.export_builders import lamp_with_servos


def animato(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["animato", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_it_names_all_formats(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert animato(monkeypatch, "export", "--list") == 0
    said = capsys.readouterr()
    for name in FORMATS:
        assert name in said.out + said.err


def test_a_bag_and_what_to_do_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert animato(monkeypatch, "export", "lamp_look", "--robot", "lamp", "--to", "ros2-mcap", "--rate", "20") == 0
    said = "".join(capsys.readouterr())
    assert "ros2 bag play lamp_look_ros2_mcap" in said
    about = json.loads((tmp_path / "lamp_look_ros2_mcap" / "about.json").read_text())
    assert (about["rate_hz"], about["motion"]) == (20.0, "lamp_look")


def test_a_servo_map_of_its_own_and_several_clips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lamp = lamp_with_servos()
    save_servo_map(tmp_path / "map.yaml", lamp)
    save_character(tmp_path / "lamp.yaml", lamp)
    common = ("export", "lamp_look", "--to", "servo-animation-bin", "--no-check")
    assert (
        animato(monkeypatch, *common, "--robot", "lamp", "--servos", tmp_path / "map.yaml", "-o", tmp_path / "a.bin")
        == 0
    )
    assert animato(monkeypatch, *common, "--robot", tmp_path / "lamp.yaml", "-o", tmp_path / "b.bin") == 0
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()
    two = ("export", "lamp_look", "lamp_look", "--robot", "lamp", "--to", "lerobot", "-o", tmp_path / "set")
    assert animato(monkeypatch, *two) == 0
    assert json.loads((tmp_path / "set" / "meta" / "info.json").read_text())["total_episodes"] == 2


def test_a_clip_that_asks_too_much_is_written_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ("--to", "unitree", "-o", tmp_path / "a.csv")
    assert animato(monkeypatch, "export", "pico_hello", "--robot", "pico", *out) == 0
    assert "cannot do pico_hello" in "".join(capsys.readouterr())
    assert (tmp_path / "a.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("lamp_look", "--robot", "lamp"), "--to FORMAT"),
        (("lamp", "--robot", "lamp_look", "--to", "lerobot"), "animato export lamp_look --robot lamp --to lerobot"),
        (("lamp_look", "--robot", "lamp", "--to", "ros2-mpac"), "ros2-mcap"),
        (("lamp_look", "--robot", "lamp", "--to", "arduino"), "No servo moves"),
        (("lamp_look", "--robot", "lamp", "--to", "ros2-goal", "-o", "x.json"), "ends in .yaml"),
        (("lamp_look", "--robot", "lamp", "--to", "ros2-goal", "--task", "x"), "--task does not exist"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert animato(monkeypatch, "export", *arguments) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert animato(monkeypatch, "export", "lamp_look", "--to", "mjlab") != 0
    assert "missing: --robot CHARACTER." in "".join(capsys.readouterr())


def test_what_a_file_does_not_say_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    animato(monkeypatch, "export", "pico_hello", "--robot", "pico", "--to", "unitree", "--no-check")
    (tmp_path / "pico_hello_unitree.csv.about.json").unlink()
    capsys.readouterr()
    animato(monkeypatch, "export", "pico_hello_unitree.csv", "--robot", "pico", "--to", "mjlab", "--no-check")
    said = " ".join("".join(capsys.readouterr()).split())
    assert "30 frames a second taken; quaternion taken as x, y, z, w" in said
    assert "--read-rate-hz, --quaternion-order or --read-joint-order" in said
