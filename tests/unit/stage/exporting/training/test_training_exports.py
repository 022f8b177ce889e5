"""Clips as files of training tools: what stands in them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.character import Body, Character, Joint
from animato.errors import MotionError, OptionError
from animato.formats import load_character
from animato.loading import load_clip
from animato.mechanics.loops import clip_with_loops
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from animato.spatial import quaternions
from animato.stage.exporting import FORMATS, export
from tests.robot_builders import forked_robot, random_robot, swinging_clip

TRAINING = [name for name, one in FORMATS.items() if one.module.startswith("training.")]


def arrays(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file}


def turning(rate: float, frames: int = 11) -> Clip:
    """A robot that turns on the spot and walks along x, its joints still."""
    times = np.arange(frames) / 50.0
    turns = quaternions.quaternion_about(np.tile((0.0, 0.0, 1.0), (frames, 1)), rate * times)
    names = forked_robot().coordinate_names
    places = np.column_stack([0.3 * times, 0.0 * times, 0.0 * times + 0.8])
    return Clip(times, names, np.zeros((frames, len(names))), places, turns)


def test_there_is_a_format_for_each_tool() -> None:
    assert TRAINING == [
        "unitree", "kimodo", "bones-seed", "beyondmimic", "mjlab", "gmr", "holosoma", "holosoma-training",
    ]  # fmt: skip


@pytest.mark.parametrize(("to", "quaternion"), [("unitree", "xyzw"), ("kimodo", "wxyz")])
def test_a_line_of_the_csv(tmp_path: Path, to: str, quaternion: str) -> None:
    clip = Clip(
        np.zeros(1), ("left_knee_joint",), np.array([[0.25]]), np.array([[1.0, 2.0, 3.0]]), np.array([[0.8, 0.6, 0, 0]])
    )
    done = export(tmp_path / "a.csv", forked_robot(), clip, to=to)
    turn = "0.6,0.0,0.0,0.8" if quaternion == "xyzw" else "0.8,0.6,0.0,0.0"
    assert done.files[0].read_text() == f"1.0,2.0,3.0,{turn},0.0,0.25,0.0,0.0\n"
    about = json.loads(done.files[1].read_text())
    assert done.files[1].name == "a.csv.about.json"
    assert about["quaternion_order"] == quaternion
    assert about["joint_names"][1] == "left_knee_joint"
    assert about["columns"][:7] == ["x", "y", "z", *(f"q{letter}" for letter in quaternion)]
    assert about["rate_hz"] == 30.0 and len(about["motion_sha256"]) == 64
    assert any("names neither joints nor rate" in one for one in done.left_out)


@pytest.mark.parametrize("to", ["beyondmimic", "mjlab"])
@pytest.mark.parametrize("rate", [1.7, -4.0])
def test_angular_velocity_of_a_steady_turn(tmp_path: Path, to: str, rate: float) -> None:
    # a quaternion's spline is not exactly a steady turn between frames; at 50 Hz it is to 1e-7 of the rate
    file = arrays(export(tmp_path / "a.npz", forked_robot(), turning(rate), to=to).files[0])
    inside = file["body_ang_vel_w"][3:-3]
    np.testing.assert_allclose(inside, np.broadcast_to((0.0, 0.0, rate), inside.shape), atol=2e-6 * abs(rate))
    np.testing.assert_allclose(file["body_lin_vel_w"][:, 0], np.tile((0.3, 0.0, 0.0), (11, 1)), atol=1e-12)
    np.testing.assert_array_equal(file["joint_vel"], 0.0)


def test_a_joint_that_turns_steadily_is_exact(tmp_path: Path) -> None:
    robot, times = forked_robot(), np.arange(8) / 50.0
    clip = Clip(times, ("left_hip_joint",), 0.7 * times[:, None], np.zeros((8, 3)), np.tile((1.0, 0, 0, 0), (8, 1)))
    file = arrays(export(tmp_path / "a.npz", robot, clip, to="mjlab").files[0])
    leg = file["body_names"].tolist().index("left_knee")
    np.testing.assert_allclose(file["body_ang_vel_w"][:, leg], np.tile((0.0, 0.7, 0.0), (8, 1)), atol=1e-13)
    np.testing.assert_allclose(file["joint_vel"][:, 0], 0.7, atol=1e-13)


def test_both_orders_and_what_each_reader_wants(tmp_path: Path) -> None:
    robot, clip = forked_robot(), turning(1.0)
    isaac = arrays(export(tmp_path / "a.npz", robot, clip, to="beyondmimic").files[0])
    mujoco = arrays(export(tmp_path / "b.npz", robot, clip, to="mjlab").files[0])
    assert isaac["body_names"].tolist() == ["pelvis", "left_hip", "right_hip", "left_knee", "right_knee"]
    assert mujoco["body_names"].tolist() == ["pelvis", "left_hip", "left_knee", "right_hip", "right_knee"]
    for file in (isaac, mujoco):
        assert file["fps"].tolist() == [50]
        assert file["joint_pos"].shape == file["joint_vel"].shape == (11, 4)
        assert file["body_pos_w"].shape == file["body_lin_vel_w"].shape == file["body_ang_vel_w"].shape == (11, 5, 3)
        assert file["body_quat_w"].shape == (11, 5, 4)
        assert json.loads(str(file["about"]))["made_by"].startswith("animato ")
    asked = arrays(export(tmp_path / "c.npz", robot, clip, to="mjlab", joint_order="breadth_first").files[0])
    np.testing.assert_array_equal(asked["joint_names"], isaac["joint_names"])


def test_isaac_melts_what_is_fixed_and_measures_at_the_common_centre(tmp_path: Path) -> None:
    robot = Character(
        "dumbbell",
        (Body("bar", mass=1.0, centre=(0.0, 0.0, 0.0)), Body("ball", mass=3.0, centre=(1.0, 0.0, 0.0))),
        (Joint("glue", "fixed", "bar", "ball"),),
    )
    times = np.arange(21) / 50.0
    turns = quaternions.quaternion_about(np.tile((0.0, 0.0, 1.0), (21, 1)), 2.0 * times)
    clip = Clip(times, (), np.zeros((21, 0)), np.zeros((21, 3)), turns)
    melted = arrays(export(tmp_path / "a.npz", robot, clip, to="beyondmimic").files[0])
    own = arrays(export(tmp_path / "b.npz", robot, clip, to="beyondmimic", bodies="all").files[0])
    assert melted["body_names"].tolist() == ["bar"] and own["body_names"].tolist() == ["bar", "ball"]
    # centre at 0.75 m from the axis, 2 rad/s: 1.5 m/s; each on its own: 0 and 2 m/s
    np.testing.assert_allclose(np.linalg.norm(melted["body_lin_vel_w"][3:-3, 0], axis=1), 1.5, rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(own["body_lin_vel_w"][3:-3], axis=2), [[0.0, 2.0]] * 15, atol=1e-5)


def test_velocities_are_of_the_original_spline_not_of_the_frames_that_are_written(tmp_path: Path) -> None:
    robot = forked_robot()
    times = np.arange(201) / 200.0
    clip = Clip(
        times, ("left_hip_joint",), np.sin(30.0 * times)[:, None], np.zeros((201, 3)), np.tile((1.0, 0, 0, 0), (201, 1))
    )
    file = arrays(export(tmp_path / "a.npz", robot, clip, to="mjlab").files[0])
    true = 30.0 * np.cos(30.0 * np.arange(51) / 50.0)
    assert np.abs(file["joint_vel"][1:-1, 0] - true[1:-1]).max() < 1e-3
    differences = np.gradient(file["joint_pos"][:, 0], 0.02)
    assert np.abs(differences[1:-1] - true[1:-1]).max() > 1.0  # what is taken where only frames are known


def test_gmrs_pickle_is_read_by_gmrs_keys(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    robot = random_robot(rng)
    clip = swinging_clip(rng, robot, rate_hz=30.0)
    done = export(tmp_path / "a.pkl", robot, clip, to="gmr")
    content = pickle.loads(done.files[0].read_bytes())
    assert content["fps"] == 30
    np.testing.assert_array_equal(content["root_pos"], clip.base_positions)
    turns = content["root_rot"][:, [3, 0, 1, 2]]
    assert clip.base_quaternions_wxyz is not None
    np.testing.assert_array_equal(turns, quaternions.continuous(clip.base_quaternions_wxyz))
    poses = forward_kinematics(robot, clip)
    for n, body in enumerate(content["link_body_list"]):
        place = content["root_pos"] + quaternions.rotate(turns, content["local_body_pos"][:, n])
        np.testing.assert_allclose(place, poses.of(body).position, atol=1e-12)
    assert any("does not read pickles" in one for one in done.left_out)


def test_holosoma_has_the_world_first_and_a_number_as_rate(tmp_path: Path) -> None:
    clip = turning(1.0)
    plain = arrays(export(tmp_path / "a.npz", forked_robot(), clip, to="holosoma").files[0])
    whole = arrays(export(tmp_path / "b.npz", forked_robot(), clip, to="holosoma-training").files[0])
    assert plain["fps"].shape == () and plain["qpos"].shape == (7, 11)
    assert whole["joint_pos"].shape == (11, 11) and whole["joint_vel"].shape == (11, 10)
    assert whole["body_names"][:2].tolist() == ["world", "pelvis"]
    np.testing.assert_array_equal(whole["body_pos_w"][:, 0], 0.0)
    np.testing.assert_array_equal(whole["joint_pos"][:, :3], whole["body_pos_w"][:, 1])


@pytest.mark.parametrize("to", TRAINING)
def test_a_character_that_is_held_is_written_at_rest_and_that_is_said(tmp_path: Path, to: str) -> None:
    lamp = load_character("lamp")
    done = export(tmp_path / f"a{FORMATS[to].suffix}", lamp, load_clip("lamp_look"), to=to)
    assert any("the base is; it is written at rest" in one for one in done.left_out)
    if to != "gmr":
        again = load_clip(done.files[0], lamp)
        assert not again.has_base and set(again.names) == set(lamp.coordinate_names)


def test_what_a_layout_cannot_hold_is_refused(tmp_path: Path) -> None:
    ball = Character("ball", (Body("a", mass=1.0), Body("b", mass=1.0)), (Joint("neck", "spherical", "a", "b"),))
    clip = Clip(np.zeros(1), ball.coordinate_names, np.array([[1.0, 0.0, 0.0, 0.0]]))
    for to in ("beyondmimic", "mjlab", "gmr", "holosoma-training", "bones-seed"):
        with pytest.raises((OptionError, MotionError), match="'neck' of 'ball' is a ball"):
            export(tmp_path / "a", ball, clip, to=to)
    with pytest.raises(OptionError, match="`bodies` does not exist for unitree; options: `joint_order`"):
        export(tmp_path / "a", ball, clip, to="unitree", bodies="all")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("to", TRAINING)
def test_loops_are_cut_open_where_robot_files_are_and_that_is_said(tmp_path: Path, to: str) -> None:
    four_bar, times = load_character("four_bar"), np.arange(60) / 120.0
    clip = Clip(times, ("crank_axle",), 0.4 * np.sin(6.0 * times)[:, None])
    done = export(tmp_path / f"a{FORMATS[to].suffix}", four_bar, clip, to=to)
    assert any(one.startswith("Loops are cut open") for one in done.left_out)
    if to == "gmr":
        return
    again = load_clip(done.files[0], four_bar)
    assert len(again.names) == 3
    moved = clip_with_loops(four_bar, clip).selected(again.names).resampled(again.times)
    np.testing.assert_allclose(again.positions, moved.positions, atol=1e-6)


def test_velocities_of_joints_that_follow_a_loop(tmp_path: Path) -> None:
    four_bar, times = load_character("four_bar"), np.arange(100) / 200.0
    clip = Clip(times, ("crank_axle",), 0.4 * np.sin(6.0 * times)[:, None])
    file = arrays(export(tmp_path / "a.npz", four_bar, clip, to="mjlab").files[0])
    moved = clip_with_loops(four_bar, clip).selected(file["joint_names"].tolist())
    np.testing.assert_allclose(file["joint_vel"], moved.velocity(np.arange(len(file["joint_vel"])) / 50.0), atol=1e-9)
    places = np.gradient(file["body_pos_w"], 0.02, axis=0)[1:-1]
    assert np.abs(places - file["body_lin_vel_w"][1:-1]).max() < 0.05 * np.abs(places).max()
