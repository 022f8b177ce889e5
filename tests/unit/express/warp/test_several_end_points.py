"""Several end-points by priority: each faces as far as its own joints can, and none disturbs those before it."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.joint import Joint, JointType
from animato.character.limits import Limits
from animato.errors import MotionError, OptionError, UnknownNameError
from animato.express.warp.several_end_points import SeveralEndPoints
from animato.formats.character_files import load_character
from animato.mechanics.tree.chains import build_chain, tip_orientations
from animato.mechanics.tree.kinematics import forward_kinematics
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.spatial import quaternions

CASTS = [
    ("pico", ("eyes", "left_hand", "right_hand")),
    ("torso29", ("head", "left_hand", "right_hand")),
    ("torso29", ("pelvis", "head", "right_hand")),
    ("drummer", ("left_stick", "right_stick", "head")),
]


@functools.cache
def character_of(name: str) -> Character:
    return load_character(name)


def neutral(character: Character) -> Posture:
    values = [value for joint in character.free_joints for value in joint.neutral]
    return Posture(character.coordinate_names, np.array(values))


def reachable(character: Character, rng: np.random.Generator) -> Posture:
    """A random posture in the middle half of the limits."""
    ranges = [np.clip(limits.range, -1.5, 1.5) for joint in character.free_joints for limits in joint.limits]
    values = [np.mean(r) + 0.25 * np.ptp(r) * rng.uniform(-1, 1) for r in ranges]
    return Posture(character.coordinate_names, np.array(values))


def orientation(character: Character, end_point: str, posture: Posture) -> np.ndarray:
    """By the forward kinematics of the house, which knows nothing of chains."""
    tip = character.end_point(end_point)
    poses = forward_kinematics(character, Clip(np.zeros(1), posture.names, posture.positions[None]))
    return quaternions.quaternion_from_matrix(poses.of(tip.body).rotation[0] @ tip.frame.transform.rotation)


@pytest.mark.parametrize(("name", "end_points"), CASTS)
def test_targets_that_all_can_face_are_faced(name: str, end_points: tuple[str, ...], rng: np.random.Generator) -> None:
    character = character_of(name)
    goal = reachable(character, rng)
    targets = {one: orientation(character, one, goal) for one in end_points}
    # From the goal's own posture nothing need move.
    facing = SeveralEndPoints(character, goal, end_points).step(targets)
    assert np.abs(facing.posture.positions - goal.positions).max() < 1e-6
    # From the neutral posture the first faces, and what is said of each is so.
    facing = SeveralEndPoints(character, neutral(character), end_points).step(targets)
    assert facing.errors[end_points[0]].orientation < 1e-6
    for one in end_points:
        angle = quaternions.angle_between(orientation(character, one, facing.posture), targets[one])
        assert facing.errors[one].orientation == pytest.approx(np.sqrt(2.0) * np.sin(0.25 * angle), abs=1e-7)


@pytest.mark.parametrize(("name", "end_points"), CASTS)
def test_higher_priority_is_not_disturbed(name: str, end_points: tuple[str, ...], rng: np.random.Generator) -> None:
    character = character_of(name)
    targets = {one: orientation(character, one, reachable(character, rng)) for one in end_points}
    posture = neutral(character)
    for count in (1, 2):
        few = SeveralEndPoints(character, posture, end_points[:count])
        all_of_them = SeveralEndPoints(character, posture, end_points)
        for _ in range(3):
            a = few.step({one: targets[one] for one in end_points[:count]})
            b = all_of_them.step(targets)
            for one in end_points[:count]:
                assert a.errors[one] == b.errors[one]
                for joint in build_chain(character, one).names:
                    assert a.posture.value(joint) == b.posture.value(joint)


def test_roll_that_does_not_count() -> None:
    character = character_of("pico")
    tilted = quaternions.quaternion_about([1.0, 0.0, 0.0], np.float64(1.2))  # about where the eyes look
    exact = SeveralEndPoints(character, neutral(character), ("eyes",)).step({"eyes": tilted})
    free = SeveralEndPoints(character, neutral(character), ("eyes",), roll={"eyes": "free"}).step({"eyes": tilted})
    assert exact.errors["eyes"].orientation > 0.05
    assert free.errors["eyes"].orientation < 1e-6
    assert np.abs(free.posture.positions - neutral(character).positions).max() < 1e-6


def test_priority_is_what_is_asked_for(rng: np.random.Generator) -> None:
    character = character_of("torso29")
    targets = {one: orientation(character, one, reachable(character, rng)) for one in ("pelvis", "head")}
    first = SeveralEndPoints(character, neutral(character), ("pelvis", "head"))
    assert len(first.own_joints["pelvis"]) == 3 and len(first.own_joints["head"]) == 6
    facing = first.step(targets)
    assert max(error.orientation for error in facing.errors.values()) < 1e-6  # six joints are enough for the head
    second = SeveralEndPoints(character, neutral(character), ("head", "pelvis"))
    assert second.own_joints["pelvis"] == ()
    facing = second.step(targets)
    assert facing.errors["head"].orientation < 1e-6 < facing.errors["pelvis"].orientation


def test_limits_hold_and_other_joints_stay(rng: np.random.Generator) -> None:
    character = character_of("pico")
    posture = neutral(character)
    several = SeveralEndPoints(character, posture, ("eyes", "left_hand"))
    limits = dict(zip(character.coordinate_names, (x for j in character.free_joints for x in j.limits), strict=True))
    moved = {joint for joints in several.own_joints.values() for joint in joints}
    for _ in range(20):
        targets = {one: quaternions.normalized(rng.normal(size=4)) for one in ("eyes", "left_hand")}
        facing = several.step(targets)
        for name, value in zip(facing.posture.names, facing.posture.positions, strict=True):
            low, high = limits[name].range
            assert low <= value <= high
            assert name in moved or value == posture.value(name)


def one_own_joint() -> Character:
    """Pico with a slide for a waist, and all of the left arm fixed but its shoulder."""
    character = character_of("pico")
    fixed = ("left_shoulder_roll", "left_arm_twist", "left_elbow")

    def changed(joint: Joint) -> Joint:
        if joint.name in fixed:
            return dataclasses.replace(joint, type=JointType.FIXED, stated_limits=(), actuator=None, role=None)
        if joint.name == "waist_yaw":
            slide = (Limits(-0.02, 0.02),)
            return dataclasses.replace(joint, type=JointType.PRISMATIC, stated_limits=slide, actuator=None, role=None)
        return joint

    return dataclasses.replace(character, joints=tuple(changed(joint) for joint in character.joints), postures=())


def test_one_own_joint_and_a_slide() -> None:
    character = one_own_joint()
    posture = Posture(("waist_yaw",), np.array([0.01]))
    several = SeveralEndPoints(character, posture, ("eyes", "left_hand"))
    assert several.own_joints["left_hand"] == ("left_shoulder_pitch",)
    wanted = Posture((*posture.names, "left_shoulder_pitch"), np.array([0.01, 0.8]))
    targets = {
        "eyes": orientation(character, "eyes", posture),
        "left_hand": orientation(character, "left_hand", wanted),
    }
    facing = several.step(targets)
    assert facing.posture.value("waist_yaw") == 0.01
    assert facing.posture.value("left_shoulder_pitch") == pytest.approx(0.8, abs=1e-6)
    # A target off the joint's circle is faced in part, and the error says so.
    chain = build_chain(character, "left_hand")
    tips = tip_orientations(chain, np.array([[0.01, angle] for angle in np.linspace(*chain.limits[1].range, 2001)]))
    tilted = quaternions.multiply(targets["left_hand"], quaternions.quaternion_about([0.6, 0.0, 0.8], np.float64(0.5)))
    best = np.min(quaternions.angle_between(tips, tilted))
    facing = several.step({"left_hand": tilted})
    assert best > 0.1
    found = 4.0 * np.arcsin(facing.errors["left_hand"].orientation / np.sqrt(2.0))
    assert best - 1e-3 < found < best + 0.05  # a compromise with the posture
    assert "eyes" not in facing.errors


def test_steps_do_not_jump_and_forget_begins_anew(rng: np.random.Generator) -> None:
    character = character_of("torso29")
    ends = ("head", "left_hand")
    several = SeveralEndPoints(character, neutral(character), ends)
    goal, last = reachable(character, rng), None
    away = goal.positions - neutral(character).positions
    for share in np.linspace(0.0, 1.0, 51):
        there = Posture(goal.names, neutral(character).positions + share * away)
        facing = several.step({one: orientation(character, one, there) for one in ends})
        if last is not None:
            assert np.abs(facing.posture.positions - last).max() < 0.15
        last = facing.posture.positions
    targets = {one: orientation(character, one, goal) for one in ends}
    several.forget()
    fresh = SeveralEndPoints(character, neutral(character), ends).step(targets)
    assert several.step(targets).posture.positions.tobytes() == fresh.posture.positions.tobytes()


def test_errors_say_what_to_do() -> None:
    character = character_of("pico")
    posture = neutral(character)
    with pytest.raises(UnknownNameError, match="left_hand"):
        SeveralEndPoints(character, posture, ("eyes", "left_hnd"))
    with pytest.raises(OptionError, match="different"):
        SeveralEndPoints(character, posture, ("eyes", "eyes"))
    with pytest.raises(OptionError, match="one or more"):
        SeveralEndPoints(character, posture, ())
    with pytest.raises(UnknownNameError, match="nek"):
        SeveralEndPoints(character, Posture(("nek",), np.zeros(1)), ("eyes",))
    with pytest.raises(UnknownNameError, match="eyse"):
        SeveralEndPoints(character, posture, ("eyes",), roll={"eyse": "free"})
    several = SeveralEndPoints(character, posture, ("eyes",))
    with pytest.raises(UnknownNameError, match="eyes"):
        several.step({"left_hand": [1.0, 0.0, 0.0, 0.0]})
    with pytest.raises(MotionError, match="quaternion"):
        several.step({"eyes": [0.0, 0.0, 0.0]})


def test_values_never_raise() -> None:
    character = character_of("pico")
    several = SeveralEndPoints(character, neutral(character), ("eyes", "left_hand"))
    first = several.step({"eyes": [np.nan] * 4})
    assert first.held == ("eyes",) and not first.errors
    assert np.array_equal(first.posture.positions, neutral(character).positions)
    turned = quaternions.quaternion_about([0.0, 0.0, 1.0], np.float64(0.4))
    good = several.step({"eyes": turned})
    kept = several.step({"eyes": np.zeros(4)})
    assert good.held == () and kept.held == ("eyes",)
    assert kept.errors["eyes"].orientation < 1e-6
