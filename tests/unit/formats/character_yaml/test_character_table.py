"""The table of joints for the person who builds the robot."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import WORLD, Joint, JointRole, JointType
from animato.character.limits import Limits
from animato.character.servo import Actuator
from animato.errors import OptionError, UnknownNameError
from animato.formats.character_files import load_character
from animato.formats.character_yaml.table import joint_table, save_joint_table

HALF = math.sqrt(0.5)


def mechanism(angle: float = 0.0) -> Character:
    """A base 1 m up, turned so that its x axis points along world y; on it one of each that matters."""
    joints = (
        Joint("ground", JointType.GROUND, WORLD, "base", frame_parent=Frame((0, 0, 1), (HALF, 0, 0, HALF))),
        Joint(
            "set", JointType.REVOLUTE, "base", "arm", JointRole.CONFIGURABLE, Frame((0.1, 0, 0)), axis=(0, 0, 1),
            configuration=(angle,),
        ),
        Joint(
            "motor", JointType.REVOLUTE, "arm", "hand", frame_parent=Frame((0.2, 0, 0)),
            stated_limits=(Limits(-math.pi / 2, math.pi / 4),), actuator=Actuator("SG90", 2.0),
        ),
        Joint(
            "cross", JointType.UNIVERSAL, "hand", "tip", JointRole.PASSIVE, second_axis=(0, 0, 1),
            stated_limits=(Limits(-1, 1), Limits()),
        ),
        Joint("slider", JointType.PRISMATIC, "tip", "end", stated_limits=(Limits(0.0, 0.03),)),
    )  # fmt: skip
    return Character("m", tuple(Body(name) for name in ("base", "arm", "hand", "tip", "end")), joints)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_positions_axes_and_limits_in_units_of_a_drawing():
    table = {row.joint: row for row in joint_table(mechanism())}
    motor = table["motor"]
    np.testing.assert_allclose(motor.position_mm, (0, 300, 1000), atol=1e-10)
    assert motor.axis is not None
    np.testing.assert_allclose(motor.axis, (0, 1, 0), atol=1e-12)
    assert (motor.lower, motor.upper, motor.units) == ((pytest.approx(-90),), (pytest.approx(45),), ("deg",))
    assert (motor.servo, motor.gear_ratio, motor.second_axis) == ("SG90", 2.0, None)
    np.testing.assert_allclose(table["cross"].second_axis, (0, 0, 1), atol=1e-12)
    assert table["slider"].upper == (pytest.approx(30),)
    assert table["slider"].units == ("mm",)
    assert table["ground"].axis is None


def test_before_and_after_in_one_file(tmp_path: Path):
    path = save_joint_table(tmp_path / "joints.csv", mechanism(math.pi / 6), before=mechanism())
    by_name = {row["joint"]: row for row in rows(path)}
    assert by_name["set"]["configuration"] == "30 deg"
    assert by_name["set"]["configuration before"] == "0 deg"
    assert float(by_name["set"]["moved [mm]"]) == 0.0
    # The motor sits 200 mm from the axis that was turned by 30 deg.
    assert float(by_name["motor"]["moved [mm]"]) == pytest.approx(400 * math.sin(math.pi / 12), abs=1e-5)
    assert float(by_name["motor"]["turned [deg]"]) == pytest.approx(30, abs=1e-5)
    assert by_name["cross"]["lower"] == "-57.29578; "
    assert by_name["cross"]["unit"] == "deg; deg"
    assert by_name["motor"]["configuration"] == ""


def test_a_mechanism_with_loops_has_a_table(tmp_path: Path):
    path = save_joint_table(tmp_path / "four_bar.csv", load_character("four_bar"))
    by_name = {row["joint"]: row for row in rows(path)}
    assert [by_name["rocker_pin"][f"{letter} [mm]"] for letter in "xyz"] == ["160", "0", "280"]
    assert "configuration before" not in by_name["rocker_pin"]


def test_what_cannot_be_written_is_explained(tmp_path: Path):
    with pytest.raises(OptionError, match=r"written as \.csv, not as 'joints\.txt'"):
        save_joint_table(tmp_path / "joints.txt", mechanism())
    fewer = replace(mechanism(), joints=mechanism().joints[:-1], bodies=mechanism().bodies[:-1])
    with pytest.raises(UnknownNameError, match="Joint 'slider' is not in 'm'"):
        save_joint_table(tmp_path / "joints.csv", mechanism(), before=fewer)
    assert not (tmp_path / "joints.csv").exists()
