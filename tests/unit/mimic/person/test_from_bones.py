"""Landmarks of skeletons, by names and by shape."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from animato.errors import MotionError, OptionError, UnknownNameError
from animato.mimic.person import LANDMARKS, person_of
from animato.motion import CapturedMotion
from animato.spatial import quaternions
from tests.person_builders import JOINTS, stick_figure

PLACES = ("hip", "knee", "ankle", "toe", "shoulder", "elbow", "wrist", "hand")
SKELETONS = {
    "motionbuilder": (
        "{Side}UpLeg {Side}Leg {Side}Foot {Side}ToeBase {Side}Arm {Side}ForeArm {Side}Hand {Side}HandMiddle1",
        "Hips Spine2 Neck Head",
    ),
    "mixamo": (
        "mixamorig:{Side}UpLeg mixamorig:{Side}Leg mixamorig:{Side}Foot mixamorig:{Side}ToeBase mixamorig:{Side}Arm "
        "mixamorig:{Side}ForeArm mixamorig:{Side}Hand mixamorig:{Side}HandMiddle1",
        "mixamorig:Hips mixamorig:Spine2 mixamorig:Neck mixamorig:Head",
    ),
    "rigify": (
        "thigh.{S} shin.{S} foot.{S} toe.{S} upper_arm.{S} forearm.{S} hand.{S} palm.02.{S}",
        "spine spine.003 spine.004 spine.006",
    ),
    "biped": (
        "Bip01-{S}-Thigh Bip01-{S}-Calf Bip01-{S}-Foot Bip01-{S}-Toe0 Bip01-{S}-UpperArm Bip01-{S}-Forearm "
        "Bip01-{S}-Hand Bip01-{S}-Finger1",
        "Bip01-Pelvis Bip01-Spine2 Bip01-Neck Bip01-Head",
    ),
    "xsens": (
        "{Side}Hip {Side}Knee {Side}Ankle {Side}Toe {Side}Shoulder {Side}Elbow {Side}Wrist {Side}WristEnd",
        "Hips Chest4 Neck Head",
    ),
    "body model": (
        "{side}_hip {side}_knee {side}_ankle {side}_foot {side}_shoulder {side}_elbow {side}_wrist {side}_hand",
        "pelvis spine3 neck head",
    ),
    "asf": ("{s}femur {s}tibia {s}foot {s}toes {s}humerus {s}radius {s}wrist {s}hand", "root thorax lowerneck head"),
    "unreal": (
        "thigh_{s} calf_{s} foot_{s} ball_{s} upperarm_{s} lowerarm_{s} hand_{s} middle_01_{s}",
        "pelvis spine_03 neck_01 head",
    ),
    "vroid": (
        "J_Bip_{S}_UpperLeg J_Bip_{S}_LowerLeg J_Bip_{S}_Foot J_Bip_{S}_ToeBase J_Bip_{S}_UpperArm "
        "J_Bip_{S}_LowerArm J_Bip_{S}_Hand J_Bip_{S}_Middle1",
        "J_Bip_C_Hips J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head",
    ),
}


def called(skeleton: str) -> dict[str, str]:
    limbs, trunk = SKELETONS[skeleton]
    names = dict(zip(("pelvis", "chest", "neck", "head"), trunk.split(), strict=True))
    for side in ("left", "right"):
        letters = {"side": side, "Side": side.capitalize(), "s": side[0], "S": side[0].upper()}
        for place, word in zip(PLACES, limbs.split(), strict=True):
            names[f"{side}_{place}"] = word.format(**letters)
    return names


@pytest.mark.parametrize("skeleton", SKELETONS)
def test_skeletons_of_many_programs_are_recognized_by_name(skeleton: str) -> None:
    names = called(skeleton)
    person = person_of(stick_figure(names))
    made_up = {"left_heel", "right_heel"}
    assert set(person.names) == set(JOINTS) | made_up
    for landmark, source in zip(person.names, person.sources, strict=True):
        assert source == (() if landmark in made_up else (names[landmark],))
    assert not any("shape" in note for note in person.notes)


def test_landmarks_stand_where_the_joints_are_and_the_toes_on_the_floor() -> None:
    figure = stick_figure()
    person = person_of(figure)
    expected, _ = figure.world_poses()
    for joint, name in enumerate(figure.names):
        np.testing.assert_allclose(person.landmark(name), expected[:, joint], atol=1e-12)
    assert list(person.names) == [name for name in LANDMARKS if name in person.names]
    np.testing.assert_allclose(person.times, figure.times, atol=1e-12)


@pytest.mark.parametrize("turn", [0.0, 2.0, -2.5])
def test_a_skeleton_of_numbers_is_recognized_by_its_shape_whichever_way_it_faces(turn: float) -> None:
    names = {joint: f"bone{index}" for index, joint in enumerate(JOINTS)}
    figure = stick_figure(names)
    turns = figure.rotations_wxyz.copy()
    turns[:, 0] = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), turn)
    person = person_of(dataclasses.replace(figure, rotations_wxyz=turns))
    for landmark in ("left_hip", "right_knee", "left_ankle", "left_shoulder", "right_elbow", "left_wrist", "left_toe"):
        assert person.sources[person.names.index(landmark)] == (names[landmark],), landmark
    assert person.has("pelvis") and person.has("chest") and person.has("head")
    assert any("by the shape of the skeleton" in note for note in person.notes)


def test_sides_that_names_tell_count_more_than_the_feet() -> None:
    words = {
        "hip": "cuisse",
        "knee": "tibia2",
        "ankle": "cheville",
        "shoulder": "bras",
        "elbow": "coude",
        "wrist": "main",
    }
    names = {
        f"{side}_{place}": f"{word}_{side[0].upper()}" for side in ("left", "right") for place, word in words.items()
    }
    names |= {"left_toe": "", "right_toe": ""}
    person = person_of(stick_figure(names))
    assert person.sources[person.names.index("left_hip")] == ("cuisse_L",)
    assert not person.has("left_heel"), "a heel needs a toe"


@pytest.mark.parametrize(("unit", "told"), [(0.01, "centimetres"), (0.001, "millimetres"), (0.0254, "inches")])
def test_other_units_are_told_by_the_size_of_the_body(unit: float, told: str) -> None:
    person = person_of(stick_figure(unit=unit))
    np.testing.assert_allclose(person.positions, person_of(stick_figure()).positions, atol=1e-12)
    assert sum(told in note for note in person.notes) == 1


def test_inches_that_a_reader_took_for_centimetres_are_inches() -> None:
    person = person_of(stick_figure(unit=2.54))
    assert any("inches read as centimetres" in note for note in person.notes)
    np.testing.assert_allclose(person.positions, person_of(stick_figure()).positions, atol=1e-12)


def test_an_absurd_size_is_scaled_and_said() -> None:
    person = person_of(stick_figure(unit=7e-6))
    assert any("it is scaled to 1.7 m" in note for note in person.notes)
    assert 1.3 < person.landmark("head")[:, 2].max() < 1.9


def test_the_floor_is_found_under_the_toes() -> None:
    figure = stick_figure()
    offsets = figure.offsets.copy()
    offsets[0, 2] += 0.3
    person = person_of(dataclasses.replace(figure, offsets=offsets))
    lower = np.minimum(person.landmark("left_toe")[:, 2], person.landmark("right_toe")[:, 2])
    assert np.percentile(lower, 5) == pytest.approx(0.035)
    assert any("moved by -30.0 cm" in note for note in person.notes)


def test_a_heel_is_behind_the_ankle_on_the_sole_and_turns_with_the_foot() -> None:
    figure = stick_figure()
    person = person_of(figure)
    heel, ankle = person.landmark("left_heel"), person.landmark("left_ankle")
    np.testing.assert_allclose(heel[:, 2], 0.0, atol=1e-9)
    np.testing.assert_allclose((heel - ankle)[:, 0], -0.4 * 0.13, atol=1e-9)
    away = np.linalg.norm(person.landmark("right_heel") - person.landmark("right_toe"), axis=-1)
    np.testing.assert_allclose(away, away[0], atol=1e-9)


def spread(figure: CapturedMotion) -> CapturedMotion:
    """The figure with a T-pose as its first frame, a step away from the second."""
    turns = figure.rotations_wxyz.copy()
    turns[0] = (1.0, 0.0, 0.0, 0.0)
    about_x = np.array((1.0, 0.0, 0.0))
    for side, angle in (("left", np.pi / 2), ("right", -np.pi / 2)):
        turns[0, figure.bone(f"{side}_shoulder")] = quaternions.quaternion_about(about_x, angle)
    return dataclasses.replace(figure, rotations_wxyz=turns)


def test_a_t_pose_in_front_is_left_out_unless_a_start_is_given() -> None:
    figure = spread(stick_figure())
    person = person_of(figure)
    assert len(person.times) == figure.frame_count - 1 and person.times[0] == pytest.approx(1 / 60)
    assert any("T-pose" in note for note in person.notes)
    assert len(person_of(figure, start_s=0.0).times) == figure.frame_count
    assert len(person_of(stick_figure()).times) == figure.frame_count


def test_parts_of_a_capture() -> None:
    person = person_of(stick_figure(), start_s=0.1, end_s=0.3)
    assert person.times[0] == pytest.approx(0.1) and person.times[-1] == pytest.approx(0.3)
    with pytest.raises(OptionError, match="`start_s` and `end_s` must leave at least two frames"):
        person_of(stick_figure(), start_s=5.0)


def test_sources_override_the_choice_and_none_leaves_out() -> None:
    person = person_of(stick_figure(), sources={"head": ["neck"], "chest": None, "left_heel": None, "left_knee": []})
    np.testing.assert_array_equal(person.landmark("head"), person.landmark("neck"))
    assert not person.has("chest") and not person.has("left_heel")
    assert person.sources[person.names.index("left_knee")] == ("left_knee",)
    both = person_of(stick_figure(), sources={"pelvis": ["left_hip", "right_hip"]})
    middle = 0.5 * (both.landmark("left_hip") + both.landmark("right_hip"))
    np.testing.assert_allclose(both.landmark("pelvis"), middle, atol=1e-15)
    with pytest.raises(UnknownNameError, match="Landmark 'elbow'"):
        person_of(stick_figure(), sources={"elbow": ["left_elbow"]})
    with pytest.raises(UnknownNameError, match="Bone 'hed'"):
        person_of(stick_figure(), sources={"head": ["hed"]})


def test_times_that_a_file_rounded_meet_the_whole_rate() -> None:
    figure = stick_figure(frames=200)
    person = person_of(dataclasses.replace(figure, times=np.arange(200) * 0.0083333))
    np.testing.assert_allclose(person.times, np.arange(200) / 120, atol=1e-14)


def test_what_is_no_person_is_refused_in_words() -> None:
    with pytest.raises(MotionError, match="No two legs were found"):
        person_of(stick_figure({"left_hip": "", "right_hip": ""}))
    with pytest.raises(MotionError, match="No two arms were found"):
        person_of(stick_figure({"left_shoulder": "", "right_shoulder": ""}))
    with pytest.raises(MotionError, match="has a single frame"):
        person_of(stick_figure(frames=1))
    figure = stick_figure()
    offsets = figure.offsets.copy()
    offsets[figure.bone("left_knee")] = 0.0
    with pytest.raises(MotionError, match="a bone between them has no length"):
        person_of(dataclasses.replace(figure, offsets=offsets))


def test_one_leg_and_a_tail_are_no_two_legs() -> None:
    with pytest.raises(MotionError, match="No two legs"):
        person_of(stick_figure({joint: f"b{n}" for n, joint in enumerate(JOINTS)} | {"left_hip": ""}))


def test_a_collar_bone_is_no_upper_arm() -> None:
    figure = stick_figure({joint: f"b{n}" for n, joint in enumerate(JOINTS)})
    chest = figure.names.index("b9")
    collars = [figure.names.index(f"b{n}") for n in (12, 16)]  # where the shoulders hang on the chest
    names, parents, offsets = list(figure.names), figure.parents.tolist(), figure.offsets.tolist()
    turns = figure.rotations_wxyz
    for shoulder in collars:  # parents stand before their children, so the collar bones go in front of the arms
        names.insert(min(collars), f"collar{shoulder}")
        offsets.insert(min(collars), [0.0, 0.0, 0.15])
        parents = [parent + (parent >= min(collars)) for parent in parents]
        parents.insert(min(collars), chest)
        turns = np.insert(turns, min(collars), (1.0, 0.0, 0.0, 0.0), axis=1)
    for name in ("b12", "b16"):
        parents[names.index(name)] = names.index("collar12" if name == "b12" else "collar16")
        offsets[names.index(name)][2] = 0.0
    capture = CapturedMotion(figure.times, tuple(names), np.array(parents), offsets, turns)
    person = person_of(capture)
    assert [person.sources[person.names.index(f"left_{place}")] for place in ("shoulder", "elbow", "wrist")] == [
        ("b12",),
        ("b13",),
        ("b14",),
    ]
