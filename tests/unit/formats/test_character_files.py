"""Characters by name or path."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.errors import FileFormatError, UnknownNameError
from animato.formats.character_files import load_character, save_character, shipped_characters

URDF = '<robot name="x"><link name="hip"/></robot>'
MJCF = '<mujoco model="x"><worldbody><body name="hip"><geom size="1"/></body></worldbody></mujoco>'
YAML = "animato: 1\nname: x\nbodies: {hip: }\n"


@pytest.mark.parametrize("name", shipped_characters())
def test_shipped_characters_are_found_by_name(name: str):
    character = load_character(name)
    assert character.bodies
    assert character.name


def test_there_are_shipped_characters():
    assert len(shipped_characters()) >= 10
    assert list(shipped_characters()) == sorted(shipped_characters())


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("x.yaml", YAML),
        ("x.YML", YAML),
        ("x.urdf", URDF),
        ("x.xml", URDF),
        ("x.xml", MJCF),
        ("x.mjcf", MJCF),
        ("x.urdf", MJCF),
    ],
)
def test_files_are_read_by_their_ending_and_first_element(tmp_path: Path, file: str, text: str):
    if text == MJCF:
        pytest.importorskip("mujoco")
    path = tmp_path / file
    path.write_text(text)
    for given in (path, str(path)):
        character = load_character(given)
        assert character.name == "x"
        assert "hip" in [body.name for body in character.bodies]


def test_options_reach_the_urdf_reader(tmp_path: Path):
    path = tmp_path / "x.urdf"
    path.write_text(URDF)
    assert not load_character(path).floats
    assert load_character(path, base="float").floats


def test_a_file_comes_before_a_shipped_character_only_with_its_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    name = shipped_characters()[0]
    monkeypatch.chdir(tmp_path)
    Path(f"{name}.yaml").write_text(YAML)
    assert load_character(f"{name}.yaml").name == "x"
    assert load_character(name).name != "x"


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            shipped_characters()[0] + "x",
            UnknownNameError,
            f"Did you mean '{shipped_characters()[0]}'.* Or give a file that",
        ),
        ("gone.yaml", FileFormatError, "there is no such file"),
        ("robot.step", FileFormatError, r"a file that ends in \.yaml, \.yml, \.urdf, \.xml, \.mjcf"),
        ("robot.xacro", FileFormatError, "Expand it first: xacro"),
        ("some/folder", FileFormatError, "a character is a file that ends in"),
        ("x" * 5000, UnknownNameError, "There is no character"),
        ("\0", UnknownNameError, "There is no character"),
        ("", FileFormatError, "This is a folder"),
    ],
)
def test_what_is_no_character_is_explained(given: str, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        load_character(given)


def test_other_xml_is_explained(tmp_path: Path):
    path = tmp_path / "x.xml"
    path.write_text("<svg/>")
    with pytest.raises(FileFormatError, match="it starts with <svg>; a URDF file starts with <robot>"):
        load_character(path)


def test_saving_and_loading(tmp_path: Path):
    character = Character("x", (Body("a", 1.5),))
    assert load_character(save_character(tmp_path / "new" / "x.yaml", character)) == character
