from dataclasses import replace
from pathlib import Path

import pytest

import animato as an
from animato.character import Bus, BusKind, Character, Wire
from animato.errors import FileFormatError
from animato.formats.character_yaml import save_character_yaml, save_servo_map, with_servo_map

MAP = """animato: 1
buses:
  arm: {kind: dynamixel, port: /dev/ttyUSB0, baud: 1000000, rate: 50 Hz}
  face: {kind: maestro}
servos:
  turn: {bus: arm, id: 1, zero: 2048, sign: -1, current: 300 mA}
  nod: {bus: face, id: 3, zero: 1500, lowest: 600, highest: 2400, travel: 170 deg, gear: 1.5, reverse: true}
"""


def wired() -> Character:
    return replace(
        an.load_character("lamp"),
        buses=(Bus("arm", BusKind.DYNAMIXEL, "/dev/ttyUSB0", 1000000, 50.0), Bus("face", BusKind.MAESTRO)),
        wires=(
            Wire("turn", "arm", 1, 2048.0, -1, current=0.3),
            Wire("nod", "face", 3, 1500.0, 1, 1.5, 600.0, 2400.0, 2.9670597283903604, True),
        ),
    )


def test_a_map_of_its_own_says_what_a_character_file_says(tmp_path: Path) -> None:
    file = tmp_path / "servos.yaml"
    file.write_text(MAP)
    assert with_servo_map(an.load_character("lamp"), file) == wired()


def test_the_map_comes_back_from_both_files(tmp_path: Path) -> None:
    save_character_yaml(tmp_path / "lamp.yaml", wired())
    assert an.load_character(tmp_path / "lamp.yaml") == wired()
    save_servo_map(tmp_path / "map.yaml", wired())
    assert with_servo_map(an.load_character("lamp"), tmp_path / "map.yaml") == wired()


@pytest.mark.parametrize(
    ("was", "is_now", "words"),
    [
        ("turn:", "tern:", "turn"),
        ("bus: arm, id: 1", "bus: arn, id: 1", "arn"),
        ("id: 1,", "id: 1.5,", "whole number"),
        ("id: 1,", "", "id"),
        ("dynamixel", "dynamixell", "dynamixel"),
        ("sign: -1", "sign: -2", "1 or -1"),
        ("300 mA", "300 mV", "mA"),
        ("zero: 2048", "zeros: 2048", "zero"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, was: str, is_now: str, words: str) -> None:
    file = tmp_path / "servos.yaml"
    assert was in MAP
    file.write_text(MAP.replace(was, is_now, 1))
    with pytest.raises(FileFormatError, match=words) as caught:
        with_servo_map(an.load_character("lamp"), file)
    assert "line" in str(caught.value)


def test_a_robot_file_says_that_it_does_not_hold_the_map(tmp_path: Path) -> None:
    lost = an.save(tmp_path / "lamp.urdf", wired())
    assert any("Wires of servos are left out: 2 (turn" in one for one in lost), lost
