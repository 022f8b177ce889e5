"""Arrays of training tools, with names and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.character import Character
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats import load_character, load_motion
from animato.formats.training import robot_order
from animato.loading import load_clip
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from tests.robot_builders import forked_robot, random_robot, swinging_clip


def tracking(character: Character, clip: Clip, order: str, bodies: str = "all") -> dict[str, Any]:
    """Arrays of a tracker without any names."""
    names = robot_order(character, order, bodies)  # type: ignore[arg-type]
    poses = forward_kinematics(character, clip)
    columns = [poses.names.index(body) for body in names.body_names]
    values = {name: clip.positions[:, n] for n, name in enumerate(clip.names)}
    for joint in character.joints:
        if joint.coupling is not None:
            values[joint.name] = joint.coupling.ratio * values[joint.coupling.leader] + joint.coupling.offset
    return {
        "fps": [50],
        "joint_pos": np.column_stack([values[name] for name in names.joint_names]).astype(np.float32),
        "body_pos_w": poses.positions[:, columns].astype(np.float32),
        "body_quat_w": poses.quaternions_wxyz[:, columns].astype(np.float32),
    }


@pytest.mark.parametrize("order", ["depth_first", "breadth_first"])
@pytest.mark.parametrize("bodies", ["all", "moving"])
@pytest.mark.parametrize("seed", range(4))
def test_bodies_tell_the_order_of_joints_without_names(tmp_path: Path, order: str, bodies: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng)
    clip = swinging_clip(rng, robot)
    np.savez(tmp_path / "a.npz", **tracking(robot, clip, order, bodies))
    again = load_clip(tmp_path / "a.npz", robot).selected(robot.coordinate_names)
    np.testing.assert_allclose(again.positions, clip.positions, atol=1e-6)
    np.testing.assert_allclose(again.base_positions, clip.base_positions, atol=1e-6)
    assert again.times[1] == 1 / 50


def test_another_robot_and_no_robot_are_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    robot, other = random_robot(rng), random_robot(rng)
    np.savez(tmp_path / "a.npz", **tracking(robot, swinging_clip(rng, robot), "depth_first"))
    with pytest.raises(FileFormatError, match=r"the bodies are not where 'robot' has them.*say `joint_order`"):
        load_clip(tmp_path / "a.npz", other)
    assert load_clip(tmp_path / "a.npz", other, joint_order="depth_first").has_base
    with pytest.raises(MotionError, match="does not name its joints; say for which character"):
        load_motion(tmp_path / "a.npz")
    with pytest.raises(FileFormatError, match="7 joints and does not name them; 'lamp' has"):
        load_clip(tmp_path / "a.npz", "lamp")


def test_bodies_at_one_point_do_not_tell(tmp_path: Path) -> None:
    robot = forked_robot()  # all of its bodies sit at the pelvis
    np.savez(tmp_path / "a.npz", **tracking(robot, swinging_clip(np.random.default_rng(1), robot), "breadth_first"))
    with pytest.raises(FileFormatError, match="Say `joint_order`: breadth_first for files made with Isaac"):
        load_clip(tmp_path / "a.npz", robot)
    assert load_clip(tmp_path / "a.npz", robot, joint_order="breadth_first").names[1] == "right_hip_joint"


def test_the_world_before_the_bodies_and_the_base_before_the_joints(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    robot = random_robot(rng)
    clip = swinging_clip(rng, robot)
    arrays = tracking(robot, clip, "depth_first")
    base = np.hstack([arrays["body_pos_w"][:, 0], arrays["body_quat_w"][:, 0]])
    arrays["joint_pos"] = np.hstack([base, arrays["joint_pos"]])
    still, straight = np.zeros((len(base), 1, 3)), np.tile((1.0, 0.0, 0.0, 0.0), (len(base), 1, 1))
    arrays["body_pos_w"] = np.concatenate([still, arrays["body_pos_w"]], axis=1)
    arrays["body_quat_w"] = np.concatenate([straight, arrays["body_quat_w"]], axis=1)
    np.savez(tmp_path / "a.npz", **arrays)
    again = load_clip(tmp_path / "a.npz", robot).selected(robot.coordinate_names)
    np.testing.assert_allclose(again.positions, clip.positions, atol=1e-6)
    np.testing.assert_allclose(again.base_positions, clip.base_positions, atol=1e-6)


def test_qpos_with_names_without_with_a_thing_and_with_the_turn_first(tmp_path: Path) -> None:
    robot = forked_robot()
    names = robot_order(robot).joint_names
    qpos = np.hstack([np.tile((1.0, 2.0, 3.0, 0.8, 0.6, 0.0, 0.0), (3, 1)), np.arange(12.0).reshape(3, 4) / 10])
    path = tmp_path / "a.npz"
    np.savez(path, qpos=qpos, joints=np.array(names), fps=30.0, solve_s=np.zeros(3), contacts=np.zeros((3, 2), bool))
    named = load_motion(path)
    assert isinstance(named, Clip) and named.names == names and named.source == "a.npz"
    np.savez(path, qpos=np.hstack([qpos, np.ones((3, 7))]), human_joints=np.zeros((3, 22, 3)), fps=30, cost=1.0)
    bare = load_clip(path, robot)
    assert bare.same_as(named) and bare.source == "a.npz (the last 7 columns, of a thing that moves, left out)"
    np.savez(path, qpos=np.hstack([qpos[:, 3:7], qpos[:, :3], qpos[:, 7:]]))
    first = load_clip(path, robot)
    assert first.same_as(named)
    assert first.source == "a.npz (the quaternion stands before the place; 30 frames a second taken)"
    with pytest.raises(FileFormatError, match="4 joints and does not name them; 'lamp' has"):
        load_clip(path, "lamp")
    with pytest.raises(OptionError, match="z is up; leave `up_axis` away"):
        load_motion(path, up_axis="y")


def test_gmrs_layout_has_w_last(tmp_path: Path) -> None:
    robot = forked_robot()
    np.savez(
        tmp_path / "a.npz",
        fps=np.array(60),
        root_pos=np.zeros((2, 3)),
        root_rot=np.tile((0.6, 0.0, 0.0, 0.8), (2, 1)),
        dof_pos=np.zeros((2, 4)),
    )
    clip = load_clip(tmp_path / "a.npz", robot)
    np.testing.assert_array_equal(clip.base_quaternions_wxyz, np.tile((0.8, 0.6, 0.0, 0.0), (2, 1)))
    assert clip.times[1] == 1 / 60


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"qpos": np.zeros(7)}, "'qpos' must not have the shape"),
        ({"qpos": np.zeros((2, 5))}, "at least 7 columns, not 5"),
        ({"qpos": np.full((2, 11), np.nan)}, "finite numbers only"),
        ({"qpos": np.zeros((2, 11))}, "has the length 0 in frame 0"),
        ({"root_pos": np.zeros((2, 3)), "root_rot": np.ones((3, 4)), "dof_pos": np.zeros((2, 4))}, "as many frames"),
        ({"root_pos": np.zeros((2, 3)), "root_rot": np.ones((2, 3)), "dof_pos": np.zeros((2, 4))}, "'root_rot' must"),
    ],
)
def test_damaged_arrays_are_refused(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(FileFormatError, match=message):
        load_clip(tmp_path / "a.npz", forked_robot())


@pytest.mark.parametrize("name", ["gmr_07_01", "holo_13_26"])
def test_motions_of_other_tools(shared_data: Path, name: str) -> None:
    path = shared_data / "retarget_peers" / f"{name}.npz"
    g1 = load_character(shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf", base="float")
    clip = load_clip(path, g1)
    with np.load(path, allow_pickle=False) as file:
        np.testing.assert_array_equal(clip.positions, file["qpos"][:, 7:])
        assert clip.names == tuple(file["joints"].tolist()) == robot_order(g1).joint_names
    lowest = forward_kinematics(g1, clip).positions[:, :, 2].min()
    assert -0.05 < lowest < 0.15  # ankles are near the ground that the peers stood it on
