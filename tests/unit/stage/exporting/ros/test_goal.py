"""Goals for joint_trajectory_controller, as YAML."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import yaml

from animato.formats import load_character
from animato.stage.exporting import export, take_of
from animato.stage.exporting.ros import trajectory_of
from tests.export_builders import swing


def test_a_goal_holds_the_trajectory_to_the_bit(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp, rate_hz=40.0)
    done = export(
        tmp_path / "goal.yaml", lamp, clip, to="ros2-goal", lead_s=3.0, path_tolerance_deg=9.0, goal_tolerance_deg=1.0
    )
    goal = yaml.safe_load((tmp_path / "goal.yaml").read_text())
    expected = trajectory_of(take_of(lamp, clip), lead_s=3.0)
    assert set(goal) == {"trajectory", "path_tolerance", "goal_tolerance"}  # what is not in the message is refused
    assert tuple(goal["trajectory"]["joint_names"]) == expected.names
    points = goal["trajectory"]["points"]
    for key in ("positions", "velocities", "accelerations"):
        read = np.array([one[key] for one in points])
        assert read.dtype == np.float64
        assert np.array_equal(read, getattr(expected, key))
    times = tuple(one["time_from_start"]["sec"] * 10**9 + one["time_from_start"]["nanosec"] for one in points)
    assert times == expected.times_ns
    assert points[-1]["velocities"] == [0.0] * 5
    assert [one["name"] for one in goal["path_tolerance"]] == list(expected.names)
    assert goal["path_tolerance"][0]["position"] == np.radians(9.0)
    assert done.files == (tmp_path / "goal.yaml",)
    assert "motion_sha256" in (tmp_path / "goal.yaml").read_text()


def test_a_goal_too_long_for_a_command_says_so(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    done = export(tmp_path / "goal.yaml", lamp, swing(lamp, seconds=6.0), to="ros2-goal")
    assert any("as one argument" in one for one in done.left_out)


def test_ends_beyond_a_torque_are_soft_all_the_same_and_said(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    weak = replace(
        lamp,
        joints=tuple(
            replace(one, stated_limits=tuple(replace(limits, torque=1e-6, curve=None) for limits in one.limits))
            if one.name == "shoulder"
            else one
            for one in lamp.joints
        ),
    )
    done = export(tmp_path / "goal.yaml", weak, swing(lamp, rate_hz=40.0), to="ros2-goal")
    assert any("Torques were not kept" in one and "shoulder" in one for one in done.left_out)
    goal = yaml.safe_load((tmp_path / "goal.yaml").read_text())
    assert goal["trajectory"]["points"][-1]["velocities"] == [0.0] * 5
