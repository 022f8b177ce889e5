"""Names of bones and joints that mean the same."""

from __future__ import annotations

import pytest

from animato.motion.transfer.bone_names import BodyPart, bones_of_parts, part_of_joint, plain_name, side_and_words


@pytest.mark.parametrize(
    "name", ["left_elbow", "LeftElbow", "LEFT_ELBOW", "left-elbow_joint", "rig:LeftElbow", "left elbow"]
)
def test_spellings_of_one_name(name: str) -> None:
    assert plain_name(name) == "leftelbow"


@pytest.mark.parametrize(
    ("name", "side", "words"),
    [
        ("LeftUpLeg", "left", ["up", "leg"]),
        ("mixamorig:RightForeArm", "right", ["fore", "arm"]),
        ("LHipJoint", "left", ["hip"]),
        ("upper_arm.R", "right", ["upper", "arm"]),
        ("lfemur", "left", ["femur"]),
        ("Bip01 L Thigh", "left", ["thigh"]),
        ("Spine1", "", ["spine", "1"]),
        ("lowerback", "", ["lowerback"]),
    ],
)
def test_sides(name: str, side: str, words: list[str]) -> None:
    assert side_and_words(name) == (side, words)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("left_hip_pitch_joint", BodyPart("hip", "left")),
        ("R_HIP_R", BodyPart("hip", "right")),
        ("LHipYawPitch", BodyPart("hip", "left")),
        ("r_shoulder_roll", BodyPart("shoulder", "right")),
        ("left_upper_arm_yaw", BodyPart("shoulder", "left")),
        ("waist_yaw_joint", BodyPart("torso", "")),
        ("CHEST_R", BodyPart("torso", "")),
        ("HeadYaw", BodyPart("head", "")),
        ("left_hand_thumb_0_joint", None),
        ("knee", None),
        ("joint_1", None),
    ],
)
def test_parts_of_joints(name: str, part: BodyPart | None) -> None:
    assert part_of_joint(name) == part


def test_the_chest_is_what_the_arms_hang_on() -> None:
    names = ("hips", "spine", "spine.001", "spine.002", "upper_arm.L", "upper_arm.R", "thigh.L", "thigh.R", "shin.L")
    parts = bones_of_parts(names, (-1, 0, 1, 2, 3, 3, 0, 0, 6))
    assert parts[BodyPart("torso", "")] == 3
    assert parts[BodyPart("shoulder", "right")] == 5
    assert parts[BodyPart("hip", "left")] == 6
    assert parts[BodyPart("knee", "left")] == 8


def test_the_surest_word_wins() -> None:
    parts = bones_of_parts(
        ("Hips", "LHipJoint", "LeftUpLeg", "LeftLeg", "LeftShoulder", "LeftArm"), (-1, 0, 1, 2, 0, 4)
    )
    assert parts[BodyPart("hip", "left")] == 2
    assert parts[BodyPart("knee", "left")] == 3
    assert parts[BodyPart("shoulder", "left")] == 5
