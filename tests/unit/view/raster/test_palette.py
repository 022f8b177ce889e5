"""Which side a name means."""

from __future__ import annotations

import pytest

from animato.character.character import Character
from animato.view.raster import palette
from animato.view.raster.palette import body_colours, body_sides, side_of_name, speed_colour


@pytest.mark.parametrize(
    ("name", "twin", "side"),
    [
        ("left_arm", "", "left"),
        ("LeftArm", "", "left"),
        ("armLeft", "", "left"),
        ("RIGHT_HAND", "", "right"),
        ("arm_l", "arm_r", "left"),
        ("r_knee_pitch", "l_knee_pitch", "right"),
        ("LShoulder", "RShoulder", "left"),
        ("ArmR", "ArmL", "right"),
        ("arm.R.001", "arm.L.001", "right"),
        ("shoulder", "", "centre"),
        ("head_r_link", "head_p_link", "centre"),  # roll, not right: there is no head_l_link
        ("wheel", "wheer", "centre"),
        ("torso", "", "centre"),
    ],
)
def test_side_of_name(name: str, twin: str, side: str) -> None:
    assert side_of_name(name, {name, twin}) == side


def test_children_take_the_side_of_their_parent(walker: Character) -> None:
    sides = body_sides(walker)
    assert sides == {"pelvis": "centre", "left_leg": "left", "right_leg": "right", "head": "centre"}
    colours = body_colours(walker)
    assert colours["left_leg"] == palette.LEFT and colours["right_leg"] == palette.RIGHT
    assert colours["pelvis"] != colours["head"]  # neighbours in the middle differ


def test_speed_colour_stays_in_range() -> None:
    for share in (-1.0, 0.0, 0.3, 1.0, 7.0):
        assert all(0.0 <= part <= 1.0 for part in speed_colour(share))
    slow, fast = speed_colour(0.0), speed_colour(1.0)
    assert slow[2] > slow[0] and fast[0] > fast[2]
