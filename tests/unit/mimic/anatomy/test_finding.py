"""What is found of a human body on robots of all kinds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import Character, Frame, Joint, JointType, Shape, Sole, Sphere
from animato.errors import CharacterError, UnknownNameError
from animato.formats import load_character
from animato.mimic.anatomy import BodyPoint, anatomy_of, stand_points
from animato.mimic.person import LANDMARKS, SIDES
from tests.humanoid_builders import FOOT, humanoid

JOINTS = {
    "hip": "hip_yaw",
    "knee": "knee",
    "ankle": "ankle_pitch",
    "shoulder": "shoulder_roll",
    "elbow": "elbow",
    "wrist": "wrist_pitch",
}
KINDS = {
    "plain": {},
    "names without sides": {"names": ("a", "b")},
    "faces -x": {"turn": np.pi},
    "faces y, no names": {"turn": np.pi / 2.0, "names": ("a", "b")},
    "y up": {"y_up": True},
    "torso is the root": {"root_is_torso": True},
    "toes": {"toes": True},
    "fingers": {"fingers": 3},
    "one finger": {"fingers": 1},
    "knees bent at zero": {"zero_knee": 0.5},
    "coupled knee": {"coupled_knee": True},
    "feet without shapes": {"foot": None},
}


@pytest.mark.parametrize("kind", KINDS)
def test_landmarks_of_all_kinds(kind: str) -> None:
    plan = KINDS[kind]
    anatomy = anatomy_of(humanoid(**plan))
    first, second = plan.get("names", SIDES)  # type: ignore[misc]
    assert anatomy.names == tuple(name for name in LANDMARKS)
    for side, called in zip(SIDES, (first, second), strict=True):
        for place, joint in JOINTS.items():
            assert anatomy.point(f"{side}_{place}").joint == f"{called}_{joint}"
        assert np.allclose(anatomy.point(f"{side}_knee").position, 0.0)
    assert anatomy.point("pelvis").body == "pelvis"
    assert anatomy.point("neck").joint == "neck"
    assert [foot.sole.body for foot in anatomy.feet] == [f"{first}_ankle_roll_link", f"{second}_ankle_roll_link"]


@pytest.mark.parametrize("kind", KINDS)
def test_it_stands(kind: str) -> None:
    anatomy = anatomy_of(humanoid(**KINDS[kind]))
    points = stand_points(anatomy)
    thigh, shin = 0.33, 0.34 if "coupled" in kind else 0.32
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hip, knee, ankle = (points[f"{side}_{place}"] for place in ("hip", "knee", "ankle"))
        assert points[f"{side}_heel"][2] == pytest.approx(0.0, abs=1e-3)
        toe, heel = points[f"{side}_toe"], points[f"{side}_heel"]
        assert (toe - heel)[0] > 0.1
        assert abs((toe - heel)[1]) < 5e-3
        assert sign * hip[1] > 0.05
        assert knee[0] > (hip + ankle)[0] / 2.0 + 0.03
        assert np.linalg.norm(hip - ankle) == pytest.approx(0.97 * (thigh + shin), rel=0.01)
        assert points[f"{side}_wrist"][2] < points[f"{side}_elbow"][2] < points[f"{side}_shoulder"][2]
    assert points["head"][2] > points["neck"][2] > points["pelvis"][2]
    assert points["left_toe"] == pytest.approx(points["right_toe"] * (1.0, -1.0, 1.0), abs=2e-3)


def test_a_box_gives_its_lower_face() -> None:
    (left, _) = anatomy_of(humanoid()).feet
    corners = np.array(left.sole.corners)
    assert corners.min(0) == pytest.approx((-0.07, -0.04, -0.06))
    assert corners.max(0) == pytest.approx((0.13, 0.04, -0.06))
    assert np.all(corners[list(left.heel), 0] < 0.0)
    assert np.all(corners[list(left.toe), 0] > 0.0)
    assert sorted(left.heel + left.toe) == [0, 1, 2, 3]


def test_balls_give_the_points_below_them() -> None:
    robot = humanoid()
    places = ((-0.05, 0.025), (-0.05, -0.025), (0.12, 0.03), (0.12, -0.03))
    balls = tuple(Shape(Sphere(0.005), Frame((x, y, -0.03))) for x, y in places)
    bodies = tuple(replace(body, shapes=balls) if "ankle_roll" in body.name else body for body in robot.bodies)
    anatomy = anatomy_of(replace(robot, bodies=bodies))
    corners = {tuple(np.round(corner, 6)) for corner in anatomy.feet[0].sole.corners}
    assert corners == {(x, y, -0.035) for x, y in places}
    assert anatomy.point("left_toe").position == pytest.approx((0.1, 0.0, -0.02), abs=1e-9)


def test_a_foot_that_is_tilted_at_rest_has_its_own_sole() -> None:
    tilted = Shape(FOOT.geometry, Frame(FOOT.frame.position, (np.cos(0.1), 0.0, np.sin(0.1), 0.0)))
    anatomy = anatomy_of(humanoid(foot=tilted))
    corners = np.array(anatomy.feet[0].sole.corners)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
    normal /= np.linalg.norm(normal)
    assert abs(normal @ (np.sin(0.2), 0.0, np.cos(0.2))) == pytest.approx(1.0, abs=1e-9)
    assert stand_points(anatomy)["left_heel"][2] == pytest.approx(0.0, abs=1e-3)


def test_a_guessed_sole_is_said() -> None:
    notes = anatomy_of(humanoid(foot=None)).notes
    assert sum("guessed" in note for note in notes) == 2


def test_without_arms_and_without_wrists() -> None:
    legs = anatomy_of(humanoid(arms=False))
    assert all("shoulder" not in name for name in legs.names)
    assert any("no arms" in note for note in legs.notes)
    short = anatomy_of(humanoid(wrist=False))
    elbow, wrist, hand = (stand_points(short)[f"left_{place}"] for place in ("elbow", "wrist", "hand"))
    assert wrist == pytest.approx(elbow + 0.65 * (hand - elbow), abs=1e-6)
    assert any("no joint of a wrist" in note for note in short.notes)


def test_what_is_given_takes_the_place_of_what_is_found() -> None:
    robot = humanoid()
    crown = BodyPoint("head", "head", (0.0, 0.0, 0.5))
    sole = Sole("mine", "left_ankle_roll_link", ((0.1, 0.03, -0.06), (-0.1, 0.03, -0.06), (0.0, -0.03, -0.06)))
    anatomy = anatomy_of(robot, points={"head": crown}, soles={"left": sole})
    assert anatomy.point("head") == crown
    assert anatomy.feet[0].sole == sole
    assert anatomy.feet[1].sole.name == "right"
    same = BodyPoint("left_knee", "left_knee_link", (0.0, 0.0, 0.0))
    assert anatomy_of(robot, points={"left_knee": same}).point("left_knee").joint == "left_knee"


def test_what_cannot_be_is_said() -> None:
    robot = humanoid()
    held = replace(robot, joints=(Joint("stand", JointType.GROUND, "world", "pelvis"), *robot.joints))
    with pytest.raises(CharacterError, match="`base` 'float'"):
        anatomy_of(held)
    with pytest.raises(CharacterError, match="no two legs"):
        anatomy_of(Character("box", robot.bodies[:1]))
    with pytest.raises(UnknownNameError, match="left_knie"):
        anatomy_of(robot, points={"left_knie": BodyPoint("left_knie", "pelvis", (0.0, 0.0, 0.0))})
    with pytest.raises(UnknownNameError, match="nowhere"):
        anatomy_of(robot, points={"head": BodyPoint("head", "nowhere", (0.0, 0.0, 0.0))})
    with pytest.raises(UnknownNameError, match="middle"):
        anatomy_of(robot, soles={"middle": Sole("s", "pelvis", ((0, 0, 0), (1, 0, 0), (0, 1, 0)))})


def test_pico_stands_as_it_says() -> None:
    pico = load_character("pico")
    anatomy = anatomy_of(pico)
    assert anatomy.names == LANDMARKS
    stated = dict(pico.posture("stand").values)
    assert dict(zip(pico.coordinate_names, anatomy.stand, strict=True))["left_knee"] == stated["left_knee"]
    assert [foot.sole for foot in anatomy.feet] == list(pico.soles)
    assert anatomy.stand_root[2] == pytest.approx(0.194, abs=1e-4)


def test_g1_has_the_points_of_the_scorer(shared_data: Path) -> None:
    anatomy = anatomy_of(load_character(shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf"))
    links = {
        "hip": "hip_pitch",
        "knee": "knee",
        "ankle": "ankle_pitch",
        "shoulder": "shoulder_roll",
        "elbow": "elbow",
        "wrist": "wrist_yaw",
    }
    assert anatomy.point("pelvis") == BodyPoint("pelvis", "pelvis", (0.0, 0.0, 0.0))
    for side in SIDES:
        for place, link in links.items():
            point = anatomy.point(f"{side}_{place}")
            assert (point.body, point.position) == (f"{side}_{link}_link", (0.0, 0.0, 0.0))
        toe = anatomy.point(f"{side}_toe")
        assert (toe.body, toe.position) == (f"{side}_ankle_roll_link", pytest.approx((0.1, 0.0, -0.02), abs=1e-9))
    wanted = {(-0.05, 0.025, -0.035), (-0.05, -0.025, -0.035), (0.12, 0.03, -0.035), (0.12, -0.03, -0.035)}
    for foot in anatomy.feet:
        assert set(foot.sole.corners) == wanted


def test_hrp4c_has_placeholders_for_torques(shared_data: Path) -> None:
    robot = load_character(shared_data / "robots" / "hrp4c" / "HRP4Cmain.urdf")
    anatomy = anatomy_of(robot)
    assert anatomy.point("left_wrist").joint == "L_WRIST_R"
    assert anatomy.point("right_shoulder").joint == "R_SHOULDER_R"
    assert anatomy.point("left_hip").joint == "L_HIP_Y"
    assert any("same torque limit, 100 N m" in note for note in anatomy.notes)


def test_an_arm_has_no_legs(shared_data: Path) -> None:
    arm = load_character(shared_data / "robots" / "tx90l" / "tx90l.urdf", base="float")
    with pytest.raises(CharacterError, match="no two legs"):
        anatomy_of(arm)
