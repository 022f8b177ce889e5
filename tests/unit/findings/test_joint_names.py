from __future__ import annotations

import pytest

from animato.findings.joint_names import capitalized, listed, pretty_name, pretty_names


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("left_elbow_joint", "left elbow"),
        ("LElbowYaw", "left elbow yaw"),
        ("RShoulderPitch", "right shoulder pitch"),
        ("knee_r", "right knee"),
        ("wrist-left", "left wrist"),
        ("FR_hip_joint", "front right hip"),
        ("L_SHOULDER_R", "left shoulder roll"),
        ("L_SHOULDER_P", "left shoulder pitch"),
        ("R_ELBOW_Y", "right elbow yaw"),
        ("R_KNEE", "right knee"),
        ("CHEST_R", "chest roll"),
        ("neck_r", "neck roll"),
        ("LLEG_JOINT3", "left leg joint 3"),
        ("RARM_SHOULDER_R", "right arm shoulder roll"),
        ("l_arm_shx", "left arm shoulder x"),
        ("r_leg_aky", "right leg ankle y"),
        ("back_bkz", "back z"),
        ("leftShoulderYaw", "left shoulder yaw"),
        ("shoulderPitch_Right", "right shoulder pitch"),
        ("LHipPitch", "left hip pitch"),
        ("left_hip_roll_joint", "left hip roll"),
        ("leg_left_1_joint", "left leg 1"),
        ("RL_hip_joint", "rear left hip"),
        ("fr_thigh", "front right thigh"),
        ("LH_KFE", "left hind KFE"),
        ("rh_FFJ4", "right hand FFJ4"),
        ("rf_mcp", "rf mcp"),
        ("hip_hind_right", "hind right hip"),
        ("hip-roll-left", "left hip roll"),
        ("l_sho_pitch", "left shoulder pitch"),
        ("l_gripper_r_finger_joint", "left gripper right finger"),
        ("left/right_carriage_joint", "left, right carriage"),
        ("joint_left_wheel", "left wheel"),
        ("head_y", "head y"),
        ("neck.second", "neck (second axis)"),
        ("pole.slide", "pole (slide)"),
        ("joint1", "joint 1"),
        ("panda_joint7", "panda joint 7"),
        ("joint", "joint"),
        ("left", "left"),
        ("imu_HAA", "imu HAA"),
        ("HEAD_YAW", "head yaw"),
        ("Hüfte_links", "hüfte links"),
        ("__", "__"),
        ("a", "a"),
    ],
)
def test_names_become_words(name: str, words: str) -> None:
    assert pretty_name(name) == words


def test_names_that_would_sound_the_same_keep_their_spelling() -> None:
    names = pretty_names(["left_elbow", "left_elbow_joint", "neck_joint"])
    assert names == {"left_elbow": "left_elbow", "left_elbow_joint": "left_elbow_joint", "neck_joint": "neck"}


def test_names_of_one_robot_explain_one_another() -> None:
    assert pretty_names(["WING_R", "WING_P"])["WING_R"] == "wing roll"
    assert pretty_names(["wing_r", "wing_l"]) == {"wing_r": "right wing", "wing_l": "left wing"}
    assert pretty_names(["head_y", "head_p"])["head_y"] == "head yaw"
    assert pretty_names(["HEAD_Y", "HEAD_Z"])["HEAD_Y"] == "head y"


def test_words_in_sentences() -> None:
    assert [listed("abc"[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert capitalized("the XM430") == "The XM430"
    assert capitalized("") == ""
