"""Exports for training tools, checked by MuJoCo on a robot that animato wrote for it: orders, poses, velocities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.formats import load_character, save_character
from animato.motion import Clip
from animato.stage.exporting import export
from tests.robot_builders import random_robot, swinging_clip

SAME = 1e-9


def arrays(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file}


@pytest.mark.parametrize("seed", range(5))
def test_bodies_are_where_mujoco_has_them_and_as_fast(tmp_path: Path, seed: int) -> None:
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng(seed)
    robot = random_robot(rng)
    clip = swinging_clip(rng, robot)
    model = mujoco.MjModel.from_xml_path(str(save_character(tmp_path / "robot.xml", robot).path))
    data = mujoco.MjData(model)
    files = {
        to: arrays(export(tmp_path / f"{to}.npz", robot, clip, to=to, rate_hz=50.0).files[0])
        for to in ("holosoma", "holosoma-training", "mjlab")
    }
    isaac = arrays(export(tmp_path / "isaac.npz", robot, clip, to="beyondmimic", bodies="all").files[0])
    whole, tracked = files["holosoma-training"], files["mjlab"]
    assert [model.joint(n).name for n in range(1, model.njnt)] == tracked["joint_names"].tolist()
    assert [model.body(n).name for n in range(model.nbody)] == whole["body_names"].tolist()
    places = [isaac["body_names"].tolist().index(name) for name in tracked["body_names"]]
    joints = [isaac["joint_names"].tolist().index(name) for name in tracked["joint_names"]]
    np.testing.assert_array_equal(isaac["joint_vel"][:, joints], tracked["joint_vel"])
    isaac_bodies = isaac["body_lin_vel_w"][:, places]
    for frame in range(clip.frame_count):
        data.qpos[:], data.qvel[:] = whole["joint_pos"][frame], whole["joint_vel"][frame]
        mujoco.mj_forward(model, data)
        np.testing.assert_array_equal(data.qpos[7:], tracked["joint_pos"][frame])
        np.testing.assert_allclose(data.xpos[1:], tracked["body_pos_w"][frame], atol=SAME)
        alike = np.abs(np.sum(data.xquat[1:] * tracked["body_quat_w"][frame], axis=1))
        np.testing.assert_allclose(alike, 1.0, atol=SAME)
        for point, linear in (
            (mujoco.mjtObj.mjOBJ_XBODY, tracked["body_lin_vel_w"][frame]),
            (mujoco.mjtObj.mjOBJ_BODY, whole["body_lin_vel_w"][frame, 1:]),
            (mujoco.mjtObj.mjOBJ_BODY, isaac_bodies[frame]),
        ):
            speeds = np.zeros((model.nbody, 6))
            for body in range(model.nbody):
                mujoco.mj_objectVelocity(model, data, point, body, speeds[body], 0)
            np.testing.assert_allclose(linear, speeds[1:, 3:], atol=SAME)
            np.testing.assert_allclose(tracked["body_ang_vel_w"][frame], speeds[1:, :3], atol=SAME)
            np.testing.assert_allclose(isaac["body_ang_vel_w"][frame, places], speeds[1:, :3], atol=SAME)
    np.testing.assert_array_equal(files["holosoma"]["qpos"], whole["joint_pos"])


def test_negative_control_the_two_points_of_a_body_differ(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    robot = random_robot(rng)
    clip = swinging_clip(rng, robot)
    origin = arrays(export(tmp_path / "a.npz", robot, clip, to="mjlab").files[0])["body_lin_vel_w"]
    centre = arrays(export(tmp_path / "b.npz", robot, clip, to="holosoma-training").files[0])["body_lin_vel_w"]
    assert np.abs(origin - centre[:, 1:]).max() > 0.01


@pytest.mark.parametrize("name", ["four_bar", "kickbot"])
def test_robots_with_loops_are_counted_as_mujoco_counts_them(tmp_path: Path, name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    robot = load_character(name)
    names, times = robot.actuated_coordinate_names, np.arange(20) / 50.0
    clip = Clip(times, names, 0.1 * np.sin(5.0 * times)[:, None] * np.ones(len(names)))
    model = mujoco.MjModel.from_xml_path(str(save_character(tmp_path / "robot.xml", robot).path))
    data = mujoco.MjData(model)
    file = arrays(export(tmp_path / "a.npz", robot, clip, to="mjlab").files[0])
    moving = [n for n in range(model.njnt) if model.jnt_type[n] != mujoco.mjtJoint.mjJNT_FREE]
    assert [model.joint(n).name for n in moving] == file["joint_names"].tolist()
    bodies = {model.body(n).name: n for n in range(1, model.nbody)}
    assert [one for one in bodies if one in file["body_names"]] == file["body_names"].tolist()
    for frame in range(0, 20, 5):
        data.qpos[[model.jnt_qposadr[n] for n in moving]] = file["joint_pos"][frame]
        mujoco.mj_kinematics(model, data)
        places = data.xpos[[bodies[one] for one in file["body_names"].tolist()]]
        if model.njnt == len(moving):  # a base at rest is where the file of the robot puts it
            np.testing.assert_allclose(places, file["body_pos_w"][frame], atol=1e-9)
