"""URDF robots whose loops a YAML file closes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from animato.character.joint import JointRole, JointType
from animato.character.structure.rest_pose import rest_poses, rest_stands
from animato.character.structure.topology import topology_of
from animato.errors import FileFormatError, OptionError
from animato.formats.character_files import load_character, save_character
from animato.formats.loops.loop_files import is_misspelt
from animato.formats.urdf.reader import load_urdf
from animato.loading.conversion import convert_file

LINKS = "".join(f'<link name="{name}"/>' for name in ("base", "crank", "rod", "rocker", "a", "b"))


def joint(name: str, kind: str, parent: str, child: str, xyz: str) -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}"/><axis xyz="0 1 0"/></joint>'
    )


# Crank 1 m up, rod 2 m to the right, rocker 2.2 m up from (2, 0): the loop is open by 1.2 m at zero.
ROBOT = (
    f'<robot name="linkage">{LINKS}'
    + joint("motor", "continuous", "base", "crank", "0 0 0")
    + joint("pin", "continuous", "crank", "rod", "0 0 1")
    + joint("axle", "continuous", "base", "rocker", "2 0 0")
    + joint("tip_A", "fixed", "rod", "a", "2 0 0")
    + joint("tip_B", "fixed", "rocker", "b", "0 0 2.2")
    + "</robot>"
)
CLOSURE = "closed_loop: [[tip_A, tip_B]]\ntype: ['3d']\nname_mot: [motor]\n"


def write(folder: Path, closures: str | None = CLOSURE, robot: str = ROBOT) -> Path:
    (folder / "linkage.urdf").write_text(robot, encoding="utf-8")
    if closures is not None:
        (folder / "linkage.yaml").write_text(closures, encoding="utf-8")
    return folder / "linkage.urdf"


def test_the_file_beside_closes_the_loop_at_rest_with_motors_at_their_zero(tmp_path: Path):
    character = load_character(write(tmp_path))
    (closing,) = topology_of(character).loop_joints
    assert (closing.name, closing.type, closing.role) == ("tip", JointType.SPHERICAL, JointRole.PASSIVE)
    assert character.actuated_coordinate_names == ("motor",)
    assert [joint.name for joint in character.joints if joint.role is JointRole.PASSIVE][1:3] == ["pin", "axle"]
    (stand,) = rest_stands(character).values()
    assert stand.distance < 1e-12
    # The crank stands upright, and what follows stands where lengths of rod and rocker meet.
    poses = rest_poses(character)
    tip = poses["a"].position
    np.testing.assert_allclose(poses["rod"].position, (0, 0, 1), atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(tip - (0, 0, 1)), 2.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(tip - (2, 0, 0)), 2.2, atol=1e-12)
    assert character.description == ""
    assert topology_of(load_urdf(tmp_path / "linkage.urdf")).is_tree  # the file itself knows no loops
    assert load_character(save_character(tmp_path / "saved.yaml", character)) == character


def test_closures_can_be_named_and_other_yaml_files_do_not_count(tmp_path: Path):
    path = write(tmp_path, "animato: 1\nname: something else\n")
    assert topology_of(load_character(path)).is_tree
    (tmp_path / "ties.yaml").write_text(CLOSURE, encoding="utf-8")
    assert not topology_of(load_character(path, loops=tmp_path / "ties.yaml")).is_tree
    with pytest.raises(OptionError, match=r"are for URDF files; 'saved.yaml' states its loops itself"):
        load_character(tmp_path / "saved.yaml", loops="ties.yaml")


def test_6d_fixes_frames_and_joints_get_types_that_urdf_lacks(tmp_path: Path):
    robot = ROBOT.replace('name="tip_A" type="fixed"', 'name="tip_A" type="continuous"')
    closures = CLOSURE.replace("3d", "6d") + "joint_name: [pin, axle]\njoint_type: [CARDAN, SPHERICAL]\n"
    character = load_character(write(tmp_path, closures, robot))
    assert character.joint("pin").type is JointType.UNIVERSAL
    assert character.joint("axle").type is JointType.SPHERICAL
    assert character.joint("tip").type is JointType.FIXED
    (stand,) = rest_stands(character).values()
    assert max(stand.distance, stand.angle) < 1e-9


def test_where_motors_at_zero_cannot_close_a_loop_their_zero_moves_and_is_said(tmp_path: Path):
    # With the crank upright the rocker of 0.5 m cannot reach the rod; other angles of the crank can.
    robot = ROBOT.replace("0 0 2.2", "0 0 0.9").replace("0 0 1", "0 0 1.0").replace('xyz="2 0 0"', 'xyz="2 0 0"')
    robot = robot.replace(joint("tip_A", "fixed", "rod", "a", "2 0 0"), joint("tip_A", "fixed", "rod", "a", "0.8 0 0"))
    character = load_character(write(tmp_path, CLOSURE, robot))
    assert re.match(r"Zero of the motors is where the file has motor -?\d", character.description)
    (stand,) = rest_stands(character).values()
    assert stand.distance < 1e-12


@pytest.mark.parametrize(
    ("closures", "message"),
    [
        (CLOSURE.replace("tip_A", "tipA"), r"line 1: closed_loop\[0\]: Frame 'tipA' is not in 'linkage'. Did you mean"),
        (CLOSURE.replace("'3d'", "'4d'"), r"line 2: type\[0\]: must be 6d or 3d, not '4d'"),
        (CLOSURE.replace("['3d']", "['3d', '3d']"), "line 2: type: has 2 entries, 'closed_loop' has 1"),
        (
            CLOSURE.replace("[motor]", "[moter]"),
            r"line 3: name_mot\[0\]: Joint 'moter' is not in.*Did you mean 'motor'",
        ),
        (CLOSURE.replace("name_mot", "name_mots"), "line 3: name_mots: is not a key. Did you mean 'name_mot'"),
        (CLOSURE.replace("[tip_A, tip_B]", "tip_A"), r"line 1: closed_loop\[0\]: must be two names in brackets"),
        ("closed_loop: 3\n", "line 1: closed_loop: must be a list in brackets"),
        (CLOSURE + "joint_name: [pin]\n", "joint_type: has 0 entries, 'joint_name' has 1"),
        (
            CLOSURE + "joint_name: [pin]\njoint_type: [BALL]\n",
            "must be one of SPHERICAL, CARDAN, .*, not 'BALL'",
        ),
        (CLOSURE + "joint_name: [pinn]\njoint_type: [FIXED]\n", r"joint_name\[0\]: Joint 'pinn' is not in"),
        ("closed_loop: [[tip_A, tip_B]\n", "line"),
        (
            CLOSURE.replace("tip_B", "crank"),
            "line 1: closed_loop: No pose was found .*'tip_A to crank' by ",
        ),
    ],
)
def test_what_is_wrong_in_the_closures_is_explained(tmp_path: Path, closures: str, message: str):
    with pytest.raises(FileFormatError, match=message) as caught:
        load_character(write(tmp_path, closures))
    assert caught.value.path.endswith("linkage.yaml")


def test_closures_that_are_not_there_are_explained(tmp_path: Path):
    with pytest.raises(FileFormatError, match=r"ties\.yaml: there is no such file"):
        load_character(write(tmp_path), loops=tmp_path / "ties.yaml")


def test_a_conversion_does_not_write_over_the_closures(tmp_path: Path):
    path = write(tmp_path)
    with pytest.raises(OptionError, match="holds the loop closures of"):
        convert_file(path, tmp_path / "linkage.yaml")
    assert (tmp_path / "linkage.yaml").read_text(encoding="utf-8") == CLOSURE
    convert_file(path, tmp_path / "closed.yaml")
    assert load_character(tmp_path / "closed.yaml") == load_character(path)


def test_the_five_bar_linkage(shared_data: Path):
    character = load_character(shared_data / "mechanisms" / "five_bar" / "robot.urdf")
    assert character.actuated_coordinate_names == ("mot1", "mot2")
    assert [joint.name for joint in topology_of(character).loop_joints] == ["closedloop1"]
    (stand,) = rest_stands(character).values()
    assert max(stand.distance, stand.angle) < 1e-12
    # Its pins hang between two hinges about one line; one of the hinges is kept.
    assert character.joint("closedloop1_A").type is JointType.REVOLUTE
    assert character.joint("closedloop1_B").type is JointType.FIXED
    poses = rest_poses(character)
    for pair, length in (("rod", "rod_2"), 0.46), (("rod_3", "end_rod"), 0.46):
        gap = poses[pair[0]].position - poses[pair[1]].position
        assert np.linalg.norm(gap[1:]) == pytest.approx(length, abs=1e-12)
    # The motors stand where the file has them: both rods point straight down.
    np.testing.assert_allclose(poses["rod_2"].position[1], poses["rod"].position[1], atol=1e-12)


@pytest.mark.parametrize(("word", "axes"), [("CARDAN", ((1, 0, 0), (0, 1, 0))), ("UJOINT_ZY", ((0, 0, 1), (0, 1, 0)))])
def test_universal_joints_turn_about_the_axes_that_their_type_names(
    tmp_path: Path, word: str, axes: tuple[tuple[int, ...], ...]
):
    character = load_character(write(tmp_path, CLOSURE + f"joint_name: [pin]\njoint_type: [{word}]\n"))
    pin = character.joint("pin")
    assert pin.type is JointType.UNIVERSAL
    assert (pin.axis, pin.second_axis) == axes


def test_a_joint_that_two_files_spell_differently_is_found_but_not_another_copy():
    assert is_misspelt("left_spherical_foot", "left_sherical_foot")
    assert not is_misspelt("left_spherical_foot_1", "left_spherical_foot_2")
    assert not is_misspelt("left_spherical_foot", "right_spherical_foot")
    assert not is_misspelt("closedloop_A", "closedloop_B")
