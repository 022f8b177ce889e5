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


def test_words_in_sentences() -> None:
    assert [listed("abc"[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert capitalized("the XM430") == "The XM430"
    assert capitalized("") == ""
