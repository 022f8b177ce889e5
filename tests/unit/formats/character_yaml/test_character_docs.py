"""The page about the character file names every key, type, unit and servo there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from animato.character.flexible_part import MaterialModel
from animato.character.joint import JointRole, JointType
from animato.character.servo import SERVOS
from animato.formats.character_yaml import schema as character_schema
from animato.formats.files.units import UNITS

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "character-file.md").read_text(encoding="utf-8")
SECTIONS = [one for one in vars(character_schema).values() if isinstance(one, type) and issubclass(one, BaseModel)]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda one: one.__name__)
def test_every_key_is_explained(section: type[BaseModel]):
    for key in section.model_fields:
        assert f"`{key}`" in PAGE, key


def test_every_word_unit_and_servo_is_explained():
    for kind in (JointType, JointRole, MaterialModel):
        for one in kind:
            assert f"`{one.value}`" in PAGE
    for table in UNITS.values():
        for unit in table:
            assert unit in PAGE
    for servo in SERVOS.values():
        assert f"| `{servo.name}` | {servo.note} | {servo.stall_torque:.3g} |" in PAGE
