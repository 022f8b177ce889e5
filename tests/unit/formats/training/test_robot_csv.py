"""CSV of bare numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import JointRole
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats import load_character, load_motion
from animato.formats.training import robot_csv_text, save_training_csv, training_qpos
from animato.loading import load_clip, load_clip_and_losses
from tests.robot_builders import forked_robot


def test_what_mimic_writes_is_read_and_said(tmp_path: Path) -> None:
    pico, clip = load_character("pico"), load_clip("pico_hello")
    again = load_clip(save_training_csv(tmp_path / "hello.csv", clip, pico), pico)
    assert again.source == "hello.csv (30 frames a second taken; quaternion taken as x, y, z, w)"
    even = clip.selected(pico.coordinate_names).resampled(again.times)
    np.testing.assert_array_equal(again.selected(pico.coordinate_names).positions, even.positions)
    np.testing.assert_array_equal(again.base_positions, even.base_positions)


@pytest.mark.parametrize("separator", [",", ";", "\t", " ", "  "])
def test_separators_comments_and_the_old_way_to_end_lines(tmp_path: Path, separator: str) -> None:
    pico, clip = load_character("pico"), load_clip("pico_hello")
    text = robot_csv_text(training_qpos(clip, pico, 30.0), "wxyz").replace(",", separator)
    (tmp_path / "a.csv").write_text("# retargeted\n" + text.replace("\n", "\r\n"), newline="")
    again = load_clip(tmp_path / "a.csv", pico, rate_hz=60.0)
    assert again.source == "a.csv (quaternion taken as w, x, y, z)"
    assert again.times[1] == 1.0 / 60.0


def test_what_is_missing_or_wrong_is_said(tmp_path: Path) -> None:
    robot, path = forked_robot(), tmp_path / "a.csv"
    path.write_text("0,0,1,0,0,0.001,0.9999995,.1,.2,.3,.4\n" * 3)
    with pytest.raises(MotionError, match="numbers without names; say for which character"):
        load_clip(path)
    with pytest.raises(FileFormatError, match="the first line holds numbers"):
        load_motion(path)
    with pytest.raises(MotionError, match=r"does not say whether the quaternion.*Give `quaternion_order`: xyzw"):
        load_clip(path, robot)
    assert load_clip(path, robot, quaternion_order="xyzw").has_base
    with pytest.raises(OptionError, match="`quaternion_order` is one of wxyz, xyzw; given 'zyx'"):
        load_clip(path, robot, quaternion_order="zyx")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`up_axis` does not exist for the motion of a robot"):
        load_clip(path, robot, up_axis="y")
    with pytest.raises(OptionError, match="`joint_order` is for the motion of a robot in numbers"):
        load_clip("pico_hello", joint_order="depth_first")
    with pytest.raises(FileFormatError, match=r"11 columns: 7 of the base and 4 joints; 'lamp' has"):
        load_clip(path, "lamp")
    path.write_text("0,0,1,0,0,0,2,.1,.2,.3,.4\n")
    with pytest.raises(FileFormatError, match=r"length 2 in frame 0, not 1"):
        load_clip(path, robot, quaternion_order="xyzw")
    path.write_text("0,0,1,0,0,0,1,.1,.2,.3,.4\n0,0,1,0,0,0,1,.1,nan,.3,.4\n")
    with pytest.raises(FileFormatError, match=r"line 2.*column 'column 9' is empty"):
        load_clip(path, robot)


def test_the_order_of_the_joints_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("0,0,1,0,0,0,1,.1,.2,.3,.4\n" * 2)
    deep, broad = load_clip(path, forked_robot()), load_clip(path, forked_robot(), joint_order="breadth_first")
    assert deep.names[1] == "left_knee_joint" and broad.names[1] == "right_hip_joint"
    np.testing.assert_allclose(broad.positions, deep.positions)


def test_a_pickle_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "a.pkl").write_bytes(b"cos\nsystem\n(S'touch harm'\ntR.")
    with pytest.raises(FileFormatError, match=r"a pickle is a program.*numpy\.savez"):
        load_clip(tmp_path / "a.pkl", forked_robot())


def test_columns_of_joints_that_are_set_once_are_left_out_and_said(tmp_path: Path) -> None:
    robot = forked_robot()
    joints = tuple(
        replace(joint, role=JointRole.CONFIGURABLE, configuration=(0.2,)) if joint.name == "left_knee_joint" else joint
        for joint in robot.joints
    )
    path = tmp_path / "a.csv"
    path.write_text("0,0,1,0,0,0,1,.1,.2,.3,.4\n" * 2)
    clip = load_clip(path, replace(robot, joints=joints))
    assert clip.names == ("left_hip_joint", "right_hip_joint", "right_knee_joint")
    np.testing.assert_array_equal(clip.positions[0], (0.1, 0.3, 0.4))
    assert "joints that are set once left out: left_knee_joint" in clip.source


def test_decimal_commas(tmp_path: Path) -> None:
    pico, clip = load_character("pico"), load_clip("pico_hello")
    text = robot_csv_text(training_qpos(clip, pico, 30.0), "wxyz")
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text(text.replace(",", ";").replace(".", ","))
    plain, other = (load_clip(tmp_path / name, pico) for name in ("a.csv", "b.csv"))
    np.testing.assert_array_equal(plain.positions, other.positions)


def test_lines_that_are_cut_off_and_columns_too_many(tmp_path: Path) -> None:
    robot, path = forked_robot(), tmp_path / "a.csv"
    joints = ",0.1" * len(robot.coordinate_names)
    path.write_text(f"0,0,1,0,0,0,1{joints}\n0,0,1,0,0\n")
    with pytest.raises(FileFormatError, match="line 2: 5 cells, but the first line has"):
        load_clip(path, robot)
    path.write_text("".join(f"{frame},0,0,1,0,0,0,1{joints}\n" for frame in range(3)))
    with pytest.raises(FileFormatError, match="counts frames or tells the time"):
        load_clip(path, robot)


def test_what_was_taken_for_granted_is_told_with_the_options_that_say_otherwise(tmp_path: Path) -> None:
    pico, clip = load_character("pico"), load_clip("pico_hello")
    path = save_training_csv(tmp_path / "hello.csv", clip, pico)
    (said,) = load_clip_and_losses(path, pico)[1]
    assert "30 frames a second taken" in said and "x, y, z, w" in said and "`quaternion_order`" in said
    assert load_clip_and_losses(path, pico, rate_hz=30.0, quaternion_order="xyzw")[1] == ()
