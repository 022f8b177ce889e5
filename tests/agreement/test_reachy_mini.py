"""Moves for Reachy Mini, played by its own class and held against its own kinematics, where it is installed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from animato.formats import load_character
from animato.motion import Clip
from animato.spatial import quaternions
from animato.stage.exporting import export
from tests.export_builders import swing

reachy_mini = pytest.importorskip("reachy_mini", reason="Reachy Mini's package is not installed")


def test_its_own_class_plays_a_move(tmp_path: Path) -> None:
    recorded = pytest.importorskip("reachy_mini.motion.recorded_move")
    lamp = load_character("lamp")
    clip = swing(lamp)
    export(tmp_path / "m.json", lamp, clip, to="reachy-mini", head="shade", antennas=("nod", "tilt"), body_yaw="turn")
    data = json.loads((tmp_path / "m.json").read_text())
    move = recorded.RecordedMove(data)
    for frame in range(clip.frame_count - 1):
        head, antennas, yaw = move.evaluate(clip.times[frame])
        np.testing.assert_allclose(head, data["set_target_data"][frame]["head"], atol=1e-12)
        np.testing.assert_allclose(antennas, clip.positions[frame, 3:5], atol=1e-12)
        assert yaw == pytest.approx(clip.positions[frame, 0], abs=1e-12)


def test_the_head_of_the_robot_itself_is_where_its_own_kinematics_have_it(tmp_path: Path) -> None:
    """Poses go through its inverse kinematics to motors, and through our closed loops back to poses."""
    rust = pytest.importorskip("reachy_mini_rust_kinematics")
    home = Path(reachy_mini.__file__).parent
    data = json.loads((home / "assets" / "kinematics_data.json").read_text())
    solver = rust.ReachyMiniRustKinematics(data["motor_arm_length"], data["rod_length"])
    for motor in data["motors"]:
        inverse = np.linalg.inv(np.array(motor["T_motor_world"]))
        solver.add_branch(motor["branch_position"], inverse, 1 if motor["solution"] else -1)
    rows, wanted = [], []
    for share in np.sin(np.linspace(0.0, np.pi, 25)):
        pose = np.eye(4)
        turn = quaternions.quaternion_from_rotation_vector(np.array([0.2, -0.25, 0.35]) * share)
        pose[:3, :3] = quaternions.matrix_from_quaternion(turn)
        pose[:3, 3] = np.array([0.01, -0.008, 0.01]) * share
        raised = pose.copy()
        raised[2, 3] += data["head_z_offset"]
        rows.append([0.3 * share, *solver.inverse_kinematics(raised.tolist(), 0.3 * share), 0.5 * share, -0.4 * share])
        wanted.append(pose)
    names = ("yaw_body", *(f"stewart_{n}" for n in range(1, 7)), "right_antenna", "left_antenna")
    clip = Clip(np.arange(25) / 100.0, names, np.array(rows))
    robot = load_character(home / "descriptions" / "reachy_mini" / "mjcf" / "reachy_mini.xml")
    export(tmp_path / "move.json", robot, clip, to="reachy-mini")
    made = json.loads((tmp_path / "move.json").read_text())["set_target_data"]
    found = np.array([one["head"] for one in made])
    # its model and its kinematics are two files that round lengths and angles to 6 digits
    np.testing.assert_allclose(found, wanted, atol=2e-5)
    np.testing.assert_allclose([one["body_yaw"] for one in made], clip.positions[:, 0], atol=1e-12)
    np.testing.assert_allclose([one["antennas"] for one in made], -clip.positions[:, 7:], atol=1e-12)
