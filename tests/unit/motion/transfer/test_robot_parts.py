"""Limbs of robots whose joints are only counted, found by how the robot is built."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint, JointType
from animato.motion.captured_motion import CapturedMotion
from animato.motion.transfer.angle_transfer import transfer_angles
from animato.motion.transfer.bone_names import BodyPart, part_of_joint, side_and_words
from animato.motion.transfer.limb_joints import joint_centre
from animato.motion.transfer.rest_pose import neutral_joints, robot_facing
from animato.motion.transfer.robot_parts import robot_parts
from animato.spatial import quaternions
from tests.unit.motion.transfer.numbered_robots import (
    ARM,
    LEG,
    Hinge,
    X,
    Y,
    Z,
    counted,
    facing_x,
    line,
    mirrored,
    robot,
)

BONES: dict[str, tuple[str | None, tuple[float, float, float]]] = {
    "Hips": (None, (0, 0, 1)),
    "Spine": ("Hips", (0, 0, 0.2)),
    **{
        f"{word}{bone}": (f"{word}{above}" if above not in ("Hips", "Spine") else above, (x, sign * y, z))
        for word, sign in (("Left", 1.0), ("Right", -1.0))
        for bone, above, (x, y, z) in (
            ("Arm", "Spine", (0.0, 0.2, 0.3)),
            ("ForeArm", "Arm", (0.0, 0.3, 0.0)),
            ("Hand", "ForeArm", (0.0, 0.25, 0.0)),
            ("UpLeg", "Hips", (0.0, 0.1, 0.0)),
            ("Leg", "UpLeg", (0.0, 0.0, -0.45)),
            ("Foot", "Leg", (0.0, 0.0, -0.45)),
        )
    },
}


def capture(turns: dict[str, np.ndarray]) -> CapturedMotion:
    """A person in a T-pose who faces x, with local turns [frame, 4] of some bones."""
    names, frames = list(BONES), len(next(iter(turns.values())))
    rotations = np.tile((1.0, 0.0, 0.0, 0.0), (frames, len(names), 1))
    for name, turn in turns.items():
        rotations[:, names.index(name)] = turn
    parents = np.array([-1 if parent is None else names.index(parent) for parent, _ in BONES.values()])
    offsets = np.array([offset for _, offset in BONES.values()], dtype=float)
    return CapturedMotion(np.arange(frames) / 30, tuple(names), parents, offsets, rotations, None, "rig")


def parts(character: Character) -> dict[str, BodyPart]:
    names = [joint.name for joint in character.free_joints]
    return robot_parts(facing_x(character), names, stands=character.floats)


@pytest.mark.parametrize(
    ("arm", "leg", "sides", "first"),
    [
        ("arm_{side}_{number}_joint", "leg_{side}_{number}_joint", ("left", "right"), 1),
        ("{side}ARM_JOINT{number}", "{side}LEG_JOINT{number}", ("L", "R"), 0),
        ("{side}_upper_{number}", "{side}_lower_{number}", ("left", "right"), 1),  # no word for a limb at all
        ("a{side}{number}", "b{side}{number}", ("x", "y"), 1),  # nor for a side
    ],
)
def test_counted_joints_find_their_place(arm: str, leg: str, sides: tuple[str, str], first: int) -> None:
    found = parts(counted(arm, leg, sides))
    for side, word in zip(("left", "right"), sides, strict=True):
        roles = [found[arm.format(side=word, number=index + first)] for index in range(7)]
        assert [part.role for part in roles] == ["shoulder"] * 3 + ["elbow"] + ["wrist"] * 3
        assert {part.side for part in roles} == {side}
        roles = [found[leg.format(side=word, number=index + first)] for index in range(6)]
        assert [part.role for part in roles] == ["hip"] * 3 + ["knee"] + ["ankle"] * 2
    assert found["torso_1_joint"] == found["torso_2_joint"] == BodyPart("torso", "")


def test_a_back_without_a_name_carries_both_arms() -> None:
    spine = line("q{}", "base", [(Z, (0, 0, 0.1)), (Y, (0, 0, 0.2))], (0, 0, 0))
    joints = list(spine)
    for side, hinges in (("left", ARM), ("right", mirrored(ARM))):
        joints += line(f"{side}_arm_{{}}", spine[-1].child, hinges, (0, 0, 0.2))
    assert parts(robot(joints, floats=False))["q0"] == BodyPart("torso", "")


def pair(name: str, hinges: list[Hinge]) -> list[Joint]:
    result: list[Joint] = []
    for side, places in (("left", hinges), ("right", mirrored(hinges))):
        result += line(f"{side}_{name}_{{}}", "base", places, (0, 0, 0))
    return result


def test_one_pair_is_legs_on_what_stands_and_arms_on_what_is_held() -> None:
    assert parts(robot(pair("q", LEG)))["left_q_3"] == BodyPart("knee", "left")
    assert parts(robot(pair("q", ARM), floats=False))["right_q_3"] == BodyPart("elbow", "right")


def test_legs_that_end_at_the_knee_are_legs() -> None:
    """Below the last joint that turns there may be fixed ones, down to a point foot."""
    joints = pair("q", LEG[1:4])
    for side in ("left", "right"):
        foot = Frame((0.0, 0.0, -0.4))
        joints.append(Joint(f"{side}_tip", JointType.FIXED, f"{side}_q_2_body", f"{side}_tip_body", frame_parent=foot))
    assert parts(robot(joints))["left_q_2"] == BodyPart("knee", "left")


def test_limbs_without_hands_or_feet_bend_at_their_last_joint() -> None:
    assert [parts(robot(pair("leg", LEG[1:4])))[f"left_leg_{k}"].role for k in range(3)] == ["hip", "hip", "knee"]
    short = [parts(robot(pair("arm", ARM[1:4])))[f"left_arm_{k}"].role for k in range(3)]
    assert short == ["shoulder", "shoulder", "elbow"]


def test_wheels_and_four_legs_are_no_limbs_of_a_person() -> None:
    wheels = [joint for n in ("front", "rear") for joint in pair(f"{n}_wheel", [(Y, (0.2, 0.2, 0.0))])]
    assert parts(robot(wheels)) == {}
    assert part_of_joint("caster_back_left_1_joint") is None and part_of_joint("hip_front_left") is None
    front = [(axis, (0.3, place[1], place[2])) for axis, place in LEG[1:4]]
    assert parts(robot([*pair("fore", front), *pair("hind", LEG[1:4])])) == {}


def test_of_two_elbows_one_turns_the_upper_arm_along_itself() -> None:
    """Names as on robots that call the upper arm's own turn an elbow; the neutral arm points sideways."""
    hinges: list[Hinge] = [(Y, (0, 0.1, 0.4)), (X, (0, 0.15, 0.4)), (Y, (0, 0.2, 0.4)), (Z, (0, 0.36, 0.4))]
    names = ("shoulder_pitch", "shoulder_roll", "elbow_pitch", "elbow_yaw")
    found = parts(robot(line([f"left_{name}" for name in names], "base", hinges, (0, 0, 0))))
    assert [found[f"left_{name}"].role for name in names] == ["shoulder", "shoulder", "shoulder", "elbow"]


def test_fingers_stay_out() -> None:
    joints = line("left_arm_{}", "base", ARM, (0, 0, 0))
    joints += line("left_gripper_{}", joints[-1].child, [(X, (0, 0.25, -0.2))], ARM[-1][1])
    found = parts(robot(joints))
    assert "left_gripper_0" not in found and found["left_arm_6"] == BodyPart("wrist", "left")


def test_what_turns_a_whole_hand_is_a_wrist() -> None:
    joints = line(["left_shoulder", "left_elbow", "left_wrist_roll", "left_gripper_yaw"], "base", ARM[2:6], (0, 0, 0))
    assert parts(robot(joints))["left_gripper_yaw"] == BodyPart("wrist", "left")


def test_whole_words_for_sides_go_before_letters() -> None:
    assert side_and_words("shoulder_r_left") == ("left", ["shoulder", "r"])
    assert side_and_words("L_SHOULDER_R") == ("left", ["shoulder", "r"])


def test_the_centre_is_where_axes_meet_wherever_files_put_the_joints() -> None:
    joints = facing_x(robot(line("left_arm_{}", "base", ARM[1:3], (0, 0, 0))))
    np.testing.assert_allclose(joint_centre(list(joints.values())), (0.0, 0.25, 0.5), atol=1e-3)


def test_a_robot_may_face_another_axis_of_its_root() -> None:
    """Its left is at -y, so that it faces -x; knees still bend as the person's do, and it walks ahead."""
    turned = [(-axis if axis is not Z else axis, (-x, -y, z)) for axis, (x, y, z) in LEG]
    character = robot(
        [
            *line("left_leg_{}", "base", turned, (0, 0, 0)),
            *line("right_leg_{}", "base", mirrored(turned), (0, 0, 0)),
        ]
    )
    np.testing.assert_allclose(quaternions.rotate(robot_facing(neutral_joints(character)), -X), X, atol=1e-12)
    bend = np.linspace(0.0, 1.0, 20)
    clip = transfer_angles(capture({"LeftLeg": quaternions.quaternion_about(Y, bend)}), character).clip
    np.testing.assert_allclose(clip.positions[:, clip.column("left_leg_3")], bend, atol=1e-9)
    assert clip.base_quaternions_wxyz is not None
    np.testing.assert_allclose(quaternions.rotate(clip.base_quaternions_wxyz, -X), np.tile(X, (20, 1)), atol=1e-12)


def test_a_waist_below_the_root_turns_the_hips_against_the_chest() -> None:
    waist = line("waist", "base", [(Z, (0, 0, -0.1))], (0, 0, 0))
    joints = list(waist)
    for side, hinges in (("left", LEG), ("right", mirrored(LEG))):
        low = [(axis, (x, y, z - 0.2)) for axis, (x, y, z) in hinges]
        joints += line(f"{side}_leg_{{}}", "waist_body", low, (0, 0, -0.1))
    joints += pair("arm", ARM)
    turn = np.linspace(0.0, 0.5, 20)
    person = capture({"Hips": quaternions.quaternion_about(Z, turn), "Spine": quaternions.quaternion_about(Z, -turn)})
    clip = transfer_angles(person, robot(joints)).clip
    np.testing.assert_allclose(clip.positions[:, clip.column("waist")], turn, atol=1e-9)
    assert clip.base_quaternions_wxyz is not None
    np.testing.assert_allclose(clip.base_quaternions_wxyz, np.tile((1.0, 0, 0, 0), (20, 1)), atol=1e-12)
    others = [column for column, name in enumerate(clip.names) if "leg" in name]
    np.testing.assert_allclose(clip.positions[:, others], 0.0, atol=1e-9)


def test_all_limbs_of_a_counted_robot_follow_a_person() -> None:
    bend = 0.8 * np.abs(np.sin(np.linspace(0.0, 6.0, 60)))
    turns = {"LeftForeArm": quaternions.quaternion_about(Z, -bend), "RightLeg": quaternions.quaternion_about(Y, bend)}
    person = capture(turns)
    transfer = transfer_angles(person, counted("arm_{side}_{number}_joint", "leg_{side}_{number}_joint"))
    assert len(transfer.bones) == 28
    clip = transfer.clip
    np.testing.assert_allclose(clip.positions[:, clip.column("leg_right_4_joint")], bend, atol=1e-9)
    assert np.ptp(clip.positions[:, clip.column("leg_left_4_joint")]) < 1e-9
    bones = dict(transfer.bones)
    assert bones["arm_left_4_joint"] == "LeftForeArm" and bones["arm_right_6_joint"] == "RightHand"
