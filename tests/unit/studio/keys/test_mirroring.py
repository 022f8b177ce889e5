"""Left and right: names, signs, robots that are built from one foot up."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character, Frame, Joint, JointType
from animato.errors import MotionError
from animato.formats import load_character
from animato.motion import Clip
from animato.studio.keys import mirrored
from animato.studio.keys.pairs import is_left, other_side
from animato.view.scene import pose_bodies


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("left_elbow", "right_elbow"),
        ("Elbow_L", "Elbow_R"),
        ("l_elbow", "r_elbow"),
        ("arm.l.elbow", "arm.r.elbow"),
        ("LShoulderPitch", "RShoulderPitch"),
        ("ShoulderL", "ShoulderR"),
        ("leftKnee", "rightKnee"),
        ("FL_hip", "FR_hip"),
        ("LF_HAA", "RF_HAA"),
        ("RL_hip", "RR_hip"),
        ("Arm_LEFT_2", "Arm_RIGHT_2"),
    ],
)
def test_pairs_are_found_by_name(left: str, right: str) -> None:
    names = {left, right, "neck"}
    assert other_side(left, names) == right
    assert other_side(right, names) == left
    assert is_left(left)
    assert not is_left(right)


def test_other_names_have_no_other_side() -> None:
    names = {"lever", "rever", "roll", "neck", "wheel"}
    assert all(other_side(name, names) is None for name in names)


@pytest.mark.parametrize("name", ["pico", "torso29"])
def test_bodies_are_where_the_mirror_shows_them(name: str) -> None:
    character = load_character(name)
    names = character.coordinate_names
    row = 0.4 * np.random.default_rng(7).normal(size=len(names))
    here, there = (_places(character, one) for one in (row, mirrored(character, row)))
    bodies = [body.name for body in character.bodies]
    for n, body in enumerate(bodies):
        other = bodies.index(other_side(body, bodies) or body)
        assert there[other] == pytest.approx(here[n] * (1.0, -1.0, 1.0), abs=1e-12)
    assert np.array_equal(mirrored(character, mirrored(character, row)), row)


def test_a_robot_built_from_one_foot_up_is_mirrored_too() -> None:
    character = Character(
        "walker",
        tuple(Body(name) for name in ("left_foot", "left_leg", "hip", "right_leg", "right_foot")),
        (
            _hinge("left_ankle", "left_foot", "left_leg", 0.0, 0.0),
            _hinge("left_hip", "left_leg", "hip", 0.0, 0.4),
            _hinge("right_hip", "hip", "right_leg", -0.2, 0.0),
            _hinge("right_ankle", "right_leg", "right_foot", 0.0, -0.4),
        ),
    )
    # Seen from the hip, the left foot is pitched by -(ankle + hip) and the right one by +(hip + ankle).
    image = mirrored(character, np.array([0.3, -0.5, 0.2, 0.1]))
    assert image == pytest.approx([-0.1, -0.2, 0.5, -0.3])


def test_feet_stay_where_they_stand() -> None:
    character = load_character("pico")
    names = character.coordinate_names
    sway = {"left_ankle_roll": 0.15, "right_ankle_roll": -0.15, "left_hip_roll": -0.15, "right_hip_roll": 0.15}
    pose = [sway.get(name, 0.0) for name in names]
    row = np.array([*pose, 0.5, 0.3, 0.25, 1.0, 0.0, 0.0, 0.0])
    image = mirrored(character, row)
    feet = [[body.name for body in character.bodies].index(sole.body) for sole in character.soles]
    before, after = (_places(character, one)[feet] for one in (row, image))
    assert after == pytest.approx(before[::-1] * (1.0, -1.0, 1.0) + (0.0, 2.0 * before[:, 1].mean(), 0.0), abs=1e-9)
    assert abs(image[len(names) + 1] - row[len(names) + 1]) > 0.01  # the root sways to the other side


def test_a_character_without_sides_says_so() -> None:
    with pytest.raises(MotionError, match="no left and right"):
        mirrored(load_character("lamp"), np.zeros(5))


def _hinge(name: str, parent: str, child: str, y: float, z: float) -> Joint:
    return Joint(name, JointType.REVOLUTE, parent, child, frame_parent=Frame((0.0, y, z)), axis=(0.0, 1.0, 0.0))


def _places(character: Character, row: np.ndarray) -> np.ndarray:
    count = len(character.coordinate_names)
    root = (row[None, count : count + 3], row[None, count + 3 :]) if len(row) > count else (None, None)
    clip = Clip(np.zeros(1), character.coordinate_names, row[None, :count], *root)
    return pose_bodies(character, clip).positions[0, : len(character.bodies)]
