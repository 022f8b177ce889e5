from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import animato as an
from animato.character import Limits
from animato.errors import AnimatoError, CharacterError, FileFormatError, OptionError
from animato.formats.character_yaml import with_servo_map
from animato.stage.servos import (
    changes_between,
    first_map,
    map_file_of,
    map_rows,
    map_troubles,
    save_changes,
    set_values,
)

HeadFile = Callable[[str, str], Path]


def test_where_a_map_stands(tmp_path: Path) -> None:
    lamp = an.load_character("lamp")
    assert map_file_of("lamp", lamp).path == Path("lamp.servos.yaml")
    assert map_file_of("robot.urdf", lamp).path == Path("lamp.servos.yaml")
    assert map_file_of("my/robot.yaml", lamp).is_character
    assert map_file_of("my/robot.yaml", lamp, "map.yml").path == Path("map.yml")
    with pytest.raises(OptionError, match="servo map is a"):
        map_file_of("lamp", lamp, "map.txt")


def test_a_first_map_goes_into_a_file_of_its_own(tmp_path: Path) -> None:
    lamp = an.load_character("lamp")
    made = first_map(lamp, "feetech", "/dev/ttyACM0", 1_000_000)
    file = map_file_of("lamp", lamp, tmp_path / "lamp.servos.yaml")
    saved = save_changes(file, lamp, *changes_between(lamp, made))
    assert (saved.buses, saved.wires) == (made.buses, made.wires)
    assert with_servo_map(lamp, file.path).wires == made.wires
    assert [wire.id for wire in made.wires] == [1, 2, 3, 4, 5]
    assert not file.backup.exists()
    with pytest.raises(OptionError, match="has a servo already"):
        first_map(made, "feetech")


def test_first_maps_that_cannot_be() -> None:
    lamp = an.load_character("lamp")
    with pytest.raises(OptionError, match="2 ids for 5 joints"):
        first_map(lamp, "feetech", ids=(1, 2))
    with pytest.raises(CharacterError, match="same servo"):
        first_map(lamp, "feetech", ids=(1, 2, 3, 4, 4))
    with pytest.raises(CharacterError, match="ids are 0 to 23"):
        first_map(lamp, "maestro", ids=(0, 1, 2, 3, 24))


def test_values_are_set_and_the_rest_is_kept(head_file: HeadFile) -> None:
    path = head_file("dynamixel", "/dev/ttyUSB0")
    before, character = path.read_text(), an.load_character(path)
    file = map_file_of(str(path), character)
    set_values(file, character, "nod", ["zero=2048", "sign=-1", "current=400 mA", "reverse=true"])
    assert path.read_text() == before.replace(
        "nod: {bus: neck, id: 2}", 'nod: {bus: neck, id: 2, zero: 2048, sign: -1, current: "400 mA", reverse: true}'
    )
    after = an.load_character(path)
    assert after.wires[1].current == pytest.approx(0.4)
    set_values(file, after, "nod", ["current=", "reverse="])
    assert an.load_character(path).wires[1].current is None
    set_values(file, an.load_character(path), "neck", ["baud=1000000"])
    assert an.load_character(path).buses[0].baud == 1_000_000
    assert "# the long cable" in path.read_text()


@pytest.mark.parametrize(
    ("name", "words", "why"),
    [
        ("nod", ["zero=abc"], "must be a number"),
        ("nod", ["id=1"], "same servo"),
        ("nod", ["id=300"], "ids are 0 to 252"),
        ("nod", ["bus=arm"], "arm"),
        ("nod", ["colour=red"], "colour"),
        ("nod", ["zero"], "KEY=VALUE"),
        ("nod", [], "KEY=VALUE"),
        ("nod", ["lowest=3000", "highest=1000"], "no range"),
        ("node", ["zero=1"], "Did you mean 'nod'"),
        ("neck", ["kind=morse"], "morse"),
    ],
)
def test_what_is_wrong_is_said_and_the_file_stays(head_file: HeadFile, name: str, words: list[str], why: str) -> None:
    path = head_file("dynamixel", "/dev/ttyUSB0")
    before, character = path.read_bytes(), an.load_character(path)
    with pytest.raises(AnimatoError, match=why):
        set_values(map_file_of(str(path), character), character, name, words)
    assert path.read_bytes() == before
    assert not path.with_name("head.yaml.bak").exists()


def test_encodings_stay(head_file: HeadFile) -> None:
    path = head_file("dynamixel", "/dev/ttyUSB0")
    text = path.read_text().replace("written by hand", "geschrieben f\u00fcr dich").replace("\n", "\r\n")
    for data in (b"\xef\xbb\xbf" + text.encode(), b"\xff\xfe" + text.encode("utf-16-le")):
        path.write_bytes(data)
        character = an.load_character(path)
        set_values(map_file_of(str(path), character), character, "turn", ["zero=5"])
        was, now = (b"id: 1}", b"id: 1, zero: 5}")
        if data[:2] == b"\xff\xfe":
            was, now = (one.decode().encode("utf-16-le") for one in (was, now))
        assert path.read_bytes() == data.replace(was, now)


def test_a_character_in_braces_is_left_alone(tmp_path: Path, head_file: HeadFile) -> None:
    path = head_file("dynamixel", "/dev/ttyUSB0")
    character = an.load_character(path)
    text = path.read_text().split("servos:")[0] + "servos: {turn: {bus: neck, id: 1}}\n"
    path.write_text(text)
    with pytest.raises(OptionError, match="`servos`"):
        set_values(map_file_of(str(path), character), character, "turn", ["zero=5"])
    assert path.read_text() == text


def test_a_broken_file_is_not_made_worse(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("animato: 1\nservos:\n  turn: [1\n")
    lamp = an.load_character("lamp")
    with pytest.raises(FileFormatError, match="line"):
        set_values(map_file_of("lamp", lamp, path), lamp, "turn", ["bus=arm", "id=1"])


def test_rows_say_what_is_missing() -> None:
    lamp = first_map(an.load_character("lamp"), "dynamixel", "/dev/null")
    turn, shoulder, elbow, *_ = lamp.wires
    wires = (replace(turn, zero=2048.0), replace(shoulder, zero=300.0), elbow)
    rows = map_rows(replace(lamp, wires=wires))
    assert rows[0].told == pytest.approx((1024.0, 3072.0))
    assert rows[0].margin == pytest.approx(1023.0)
    assert not rows[0].trouble
    assert rows[1].margin is not None
    assert rows[1].margin < 0.0
    assert "does not cover" in rows[1].trouble
    said = map_troubles(rows)
    assert said[0].startswith("No servo moves nod, tilt")
    assert said[1] == "No zero yet: elbow. Calibrate them."
    assert len(said) == 3


def test_open_limits_have_no_margin() -> None:
    lamp = first_map(an.load_character("lamp"), "dynamixel", "/dev/null")
    joints = tuple(replace(j, stated_limits=(Limits(),), actuator=None) if j.name == "turn" else j for j in lamp.joints)
    wires = tuple(replace(wire, zero=2048.0) for wire in lamp.wires)
    row = map_rows(replace(lamp, joints=joints, wires=wires))[0]
    assert (row.told, row.margin, row.trouble) == (None, None, "")
