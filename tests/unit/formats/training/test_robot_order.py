"""How simulators count joints and bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import Body, Character, Coupling, Joint
from animato.errors import OptionError
from animato.formats import load_character
from animato.formats.training import joint_columns, robot_order
from animato.motion import Clip
from tests.robot_builders import forked_robot


def test_a_fork_is_counted_down_each_branch_or_level_by_level() -> None:
    deep, broad = robot_order(forked_robot(), "depth_first"), robot_order(forked_robot(), "breadth_first")
    assert deep.body_names == ("pelvis", "left_hip", "left_knee", "right_hip", "right_knee")
    assert broad.body_names == ("pelvis", "left_hip", "right_hip", "left_knee", "right_knee")
    assert deep.joint_names == tuple(f"{body}_joint" for body in deep.body_names[1:])
    assert broad.joint_names == tuple(f"{body}_joint" for body in broad.body_names[1:])


def test_the_characters_own_order_and_what_is_no_order() -> None:
    robot = forked_robot()
    shuffled = Character("mixed", robot.bodies, (robot.joints[3], robot.joints[0], robot.joints[2], robot.joints[1]))
    assert robot_order(shuffled, "character").joint_names == shuffled.coordinate_names
    assert robot_order(shuffled, "depth_first").joint_names[0] == "left_hip_joint"
    with pytest.raises(OptionError, match=r"`joint_order` is one of depth_first, breadth_first, character"):
        robot_order(robot, "alphabetic")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`bodies` is one of all, moving"):
        robot_order(robot, bodies="some")  # type: ignore[arg-type]


def test_what_is_fixed_is_melted_and_what_follows_is_counted() -> None:
    robot = Character(
        "hand",
        (Body("palm", mass=1.0), Body("badge", mass=0.1), Body("finger", mass=0.1), Body("thumb", mass=0.1)),
        (
            Joint("glue", "fixed", "palm", "badge"),
            Joint("bend", "revolute", "palm", "finger"),
            Joint("follow", "revolute", "badge", "thumb", coupling=Coupling("bend", -2.0, 0.5)),
        ),
    )
    assert robot_order(robot, bodies="all").body_names == ("palm", "badge", "thumb", "finger")
    assert robot_order(robot, bodies="moving").body_names == ("palm", "thumb", "finger")
    names = robot_order(robot).joint_names
    assert names == ("follow", "bend")
    columns = joint_columns(robot, Clip(np.arange(2.0), ("bend",), np.array([[0.0], [1.0]])), names)
    np.testing.assert_allclose(columns, [[0.5, 0.0], [-1.5, 1.0]])


def test_g1_has_the_order_that_isaac_gives_it(shared_data: Path) -> None:
    g1 = load_character(shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf")
    names = [name.removesuffix("_joint") for name in robot_order(g1, "breadth_first").joint_names]
    assert names == [
        "left_hip_pitch", "right_hip_pitch", "waist_yaw", "left_hip_roll", "right_hip_roll", "waist_roll",
        "left_hip_yaw", "right_hip_yaw", "waist_pitch", "left_knee", "right_knee", "left_shoulder_pitch",
        "right_shoulder_pitch", "left_ankle_pitch", "right_ankle_pitch", "left_shoulder_roll", "right_shoulder_roll",
        "left_ankle_roll", "right_ankle_roll", "left_shoulder_yaw", "right_shoulder_yaw", "left_elbow", "right_elbow",
        "left_wrist_roll", "right_wrist_roll", "left_wrist_pitch", "right_wrist_pitch", "left_wrist_yaw",
        "right_wrist_yaw",
    ]  # fmt: skip
    assert len(robot_order(g1, bodies="moving").body_names) == 30


def test_one_body_with_several_joints_of_an_mjcf_file_is_one_body(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    (tmp_path / "cart.xml").write_text(
        '<mujoco><worldbody><body name="cart"><joint name="along" type="slide" axis="1 0 0"/>'
        '<joint name="round" axis="0 0 1"/><geom size=".1"/><body name="arm"><joint name="lift" axis="0 1 0"/>'
        '<geom size=".1"/></body></body></worldbody></mujoco>'
    )
    cart = load_character(tmp_path / "cart.xml")
    assert len(cart.bodies) > 2
    order = robot_order(cart)
    assert order.body_names[-2:] == ("cart", "arm") and "cart.along" not in order.body_names
    assert order.joint_names == ("along", "round", "lift")
