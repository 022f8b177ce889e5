"""The writer of character files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import FlexiblePart, Interface, Material, Rod
from animato.character.joint import Coupling, Joint
from animato.character.shape import Mesh, Shape
from animato.errors import AnimatoError, CharacterError, OptionError
from animato.formats.character_yaml.reader import character_from_yaml, load_character_yaml
from animato.formats.character_yaml.writer import character_to_yaml, save_character_yaml


def test_the_text_is_short_and_leaves_out_defaults():
    character = Character(
        "lamp",
        (Body("base", 1.5), Body("head", 0.2, centre=(0, 0, 0.1))),
        (Joint("stand", "ground", "world", "base"), Joint("neck", "revolute", "base", "head", axis=(0, 0, -1))),
    )
    assert character_to_yaml(character) == (
        "animato: 1\n"
        "name: lamp\n"
        "bodies:\n"
        "  base: {mass: 1.5}\n"
        "  head: {mass: 0.2, centre: [0, 0, 0.1]}\n"
        "joints:\n"
        "  stand: {type: ground, child: base}\n"
        "  neck: {type: revolute, parent: base, child: head, axis: -z}\n"
    )


def test_lines_stay_readable():
    shapes = tuple(
        Shape(Mesh(f"/meshes/{n}.stl", (0.001, 0.001, 0.001)), colour=(0.1, 0.2, 0.3, 0.4)) for n in range(3)
    )
    text = character_to_yaml(Character("x", (Body("a", 1.0, shapes=shapes),)))
    assert max(len(line) for line in text.splitlines()) <= 110
    assert '      - {mesh: {path: "/meshes/0.stl"' in text or '      - mesh: {path: "/meshes/0.stl"' in text


def test_a_material_of_several_parts_is_written_once():
    steel = Material(7850, 2e11)
    parts = tuple(FlexiblePart(name, Rod(0.001, 0.1), steel, (Interface("a"),)) for name in ("p", "q"))
    text = character_to_yaml(Character("x", (Body("a"),), flexible_parts=parts))
    assert text.count("density") == 1
    assert text.count("material: material_1") == 2


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("{folder}/robot/meshes/a.stl", "meshes/a.stl"),
        ("{folder}/shared/a.stl", "../shared/a.stl"),
        ("/elsewhere/a.stl", "/elsewhere/a.stl"),
        ("package://robot/a.stl", "package://robot/a.stl"),
    ],
)
def test_meshes_are_named_relative_to_the_file_where_they_are_near(tmp_path: Path, path: str, written: str):
    shape = Shape(Mesh(path.format(folder=tmp_path)))
    character = Character("x", (Body("a", 1.0, shapes=(shape,)),))
    file = save_character_yaml(tmp_path / "robot" / "x.yaml", character)
    assert f'"{written}"' in file.read_text() or f"path: {written}" in file.read_text()
    assert load_character_yaml(file) == character


def test_numbers_of_numpy_are_written_as_numbers():
    joint = Joint("j", "revolute", "a", "b", coupling=Coupling("k", np.float64(0.1), np.float64(2.0)))
    leader = Joint("k", "revolute", "a", "b")
    character = Character("x", (Body("a"), Body("b")), (leader, joint))
    assert "ratio: 0.1, offset: 2" in character_to_yaml(character)
    assert character_from_yaml(character_to_yaml(character)) == character


def test_what_cannot_be_written_is_explained(tmp_path: Path):
    with pytest.raises(CharacterError, match="half a character"):
        character_to_yaml(Character("\ud800", (Body("a"),)))
    path = tmp_path / "x.urdf"
    with pytest.raises(OptionError, match=r"written as \.yaml or \.yml, not as 'x\.urdf'"):
        save_character_yaml(path, Character("x", (Body("a"),)))
    assert not path.exists()
    (tmp_path / "file").touch()
    with pytest.raises(AnimatoError, match="Cannot write"):
        save_character_yaml(tmp_path / "file" / "x.yaml", Character("x", (Body("a"),)))
