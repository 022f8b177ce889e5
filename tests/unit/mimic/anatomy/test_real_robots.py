"""Robots that others built, where they are installed."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np
import pytest

from animato.errors import CharacterError
from animato.formats import load_character
from animato.mimic.anatomy import anatomy_of, stand_points

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
HUMANOIDS = {
    "g1_description/urdf/g1_29dof_rev_1_0.urdf": "left_hip_pitch left_knee left_ankle_pitch left_elbow left_wrist_yaw",
    "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf": (
        "left_hip_pitch left_knee left_ankle_pitch left_elbow left_wrist_yaw"
    ),
    "talos_data/robots/talos_reduced.urdf": "leg_left_1 leg_left_4 leg_left_5 arm_left_4 arm_left_7",
    "icub_description/robots/icub.urdf": "l_hip_pitch l_knee l_ankle_pitch l_elbow l_wrist_yaw",
    "romeo_description/urdf/romeo.urdf": "LHipYaw LKneePitch LAnklePitch LElbowYaw LWristPitch",
    "human_description/robots/human.urdf": "left_hip_Z left_knee_Z left_ankle_Z left_elbow_Z left_wrist_X",
}
OTHERS = (
    "a1_description/urdf/a1.urdf",
    "alex_description/urdf/alex_nub_hands.urdf",
    "panda_description/urdf/panda.urdf",
)


def robot_file(name: str) -> Path:
    if not (ROBOTS / name).is_file():
        pytest.skip("the package example-robot-data is not installed")
    return ROBOTS / name


@pytest.mark.parametrize("name", HUMANOIDS)
def test_a_humanoid_has_all_and_stands(name: str) -> None:
    anatomy = anatomy_of(load_character(robot_file(name), base="float"))
    places = ("hip", "knee", "ankle", "elbow", "wrist")
    found = [anatomy.point(f"left_{place}").joint.removesuffix("_joint") for place in places]
    assert found == HUMANOIDS[name].split()
    points = stand_points(anatomy)
    assert points["left_hip"][1] > 0.0 > points["right_hip"][1]
    for side in ("left", "right"):
        assert points[f"{side}_heel"][2] == pytest.approx(0.0, abs=3e-3)
        assert points[f"{side}_toe"][0] > points[f"{side}_heel"][0]
        assert points[f"{side}_wrist"][2] < points[f"{side}_shoulder"][2]
        assert points[f"{side}_knee"][0] > (points[f"{side}_hip"] + points[f"{side}_ankle"])[0] / 2.0
    mirrored = points["right_ankle"] * (1.0, -1.0, 1.0)
    assert np.linalg.norm(points["left_ankle"] - mirrored) < 0.01


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_humanoid_is_refused(name: str) -> None:
    with pytest.raises(CharacterError, match="legs"):
        anatomy_of(load_character(robot_file(name), base="float"))
