"""Angles of a skeleton copied to a robot."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint, JointType
from animato.character.limits import Limits
from animato.errors import MotionError, UnknownNameError
from animato.formats.capture.bvh import load_bvh
from animato.mechanics.tree.kinematics.forward import forward_kinematics
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.transfer.angle_transfer import transfer_angles
from animato.spatial import quaternions

X, Y, Z = np.eye(3)
IDENTITY = np.array((1.0, 0.0, 0.0, 0.0))


def tree(name: str, joints: list[Joint], *, floats: bool = False) -> Character:
    bodies = ["base", *(joint.child for joint in joints)]
    ground = [] if floats else [Joint("stand", JointType.GROUND, "world", "base")]
    return Character(name, tuple(Body(body) for body in bodies), (*ground, *joints))


def hinge(name: str, parent: str, axis: np.ndarray, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Joint:
    frame = Frame(place)
    return Joint(name, JointType.REVOLUTE, parent, f"{name}_body", frame_parent=frame, axis=tuple(axis.tolist()))


def skeleton(
    bones: dict[str, tuple[str | None, tuple[float, float, float]]],
    turns: dict[str, np.ndarray],
    moves: dict[str, np.ndarray] | None = None,
) -> CapturedMotion:
    """A capture of bones (parent, offset) with local turns [frame, 4] and movements from the offset [frame, 3]."""
    names = list(bones)
    frames = len(next(iter(turns.values()))) if turns else len(next(iter((moves or {}).values())))
    rotations = np.tile(IDENTITY, (frames, len(names), 1))
    offsets = np.array([offset for _, offset in bones.values()], dtype=float)
    shifts = np.tile(offsets, (frames, 1, 1))
    for name, turn in turns.items():
        rotations[:, names.index(name)] = turn
    for name, move in (moves or {}).items():
        shifts[:, names.index(name)] += move
    parents = np.array([-1 if parent is None else names.index(parent) for parent, _ in bones.values()])
    return CapturedMotion(
        np.arange(frames) / 30, tuple(names), parents, offsets, rotations, shifts if moves else None, "rig"
    )


def about(axis: np.ndarray, angles: np.ndarray) -> np.ndarray:
    return quaternions.quaternion_about(axis, angles)


WAVE = 0.7 * np.sin(np.linspace(0.0, 6.0, 40))


def test_a_rig_made_for_the_robot_keeps_its_angles() -> None:
    robot = tree(
        "heron", [hinge("neck_joint", "base", Y, (0, 0, 0.2)), hinge("head", "neck_joint_body", Z, (0.1, 0, 0))]
    )
    bones = {"Base": (None, (0, 0, 0)), "Neck": ("Base", (0, 0, 0.2)), "Head": ("Neck", (0, 0, 0.2))}
    capture = skeleton(bones, {"Neck": about(Y, WAVE), "Head": about(Z, -0.5 * WAVE)})
    transfer = transfer_angles(capture, robot)
    assert transfer.bones == (("neck_joint", "Neck"), ("head", "Head"))
    assert transfer.losses == ()
    assert transfer.clip.names == ("neck_joint", "head")
    np.testing.assert_allclose(transfer.clip.positions, np.column_stack([WAVE, -0.5 * WAVE]), atol=1e-12)
    assert not transfer.clip.has_base
    assert transfer.clip.times.tobytes() == capture.times.tobytes()


def test_tilted_frames_reversed_joints_and_negative_axes() -> None:
    """The axis counts as it stands in the neutral pose, from whichever side the joint is walked."""
    tilt = Frame((0.0, 0.0, 0.1), tuple(about(X, np.array(np.pi / 2)).tolist()))
    neck = Joint("neck", JointType.REVOLUTE, "head", "base", frame_parent=tilt, frame_child=tilt, axis=(0, 0, 1.0))
    robot = Character("odd", (Body("base"), Body("head")), (Joint("stand", JointType.GROUND, "world", "base"), neck))
    capture = skeleton({"base": (None, (0, 0, 0)), "neck": ("base", (0, 0, 1))}, {"neck": about(Y, WAVE)})
    # z of the joint's frame is -y; the joint turns its parent against its child, which turns the sign back
    np.testing.assert_allclose(transfer_angles(capture, robot).clip.positions[:, 0], WAVE, atol=1e-12)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("kind", "second"),
    [
        (JointType.SPHERICAL, None),
        (JointType.UNIVERSAL, (1.0, 0.0, 0.0)),
        (JointType.REVOLUTE, None),
        (JointType.CYLINDRICAL, None),
    ],
)
def test_kinematics_agree_about_what_is_left_over(
    kind: JointType, second: tuple[float, float, float] | None, reverse: bool, rng: np.random.Generator
) -> None:
    """The robot performs the clip in `mechanics`; how far its body is off is what the transfer said."""
    frames = [Frame(tuple(rng.normal(size=3)), tuple(rng.normal(size=4))) for _ in range(2)]
    ends = ("head", "base") if reverse else ("base", "head")
    neck = Joint("neck", kind, *ends, None, *frames, (0.0, 0.6, 0.8), second)
    robot = Character("odd", (Body("base"), Body("head")), (Joint("stand", JointType.GROUND, "world", "base"), neck))
    turn = quaternions.quaternion_from_rotation_vector(0.3 * rng.normal(size=(5, 3)))
    transfer = transfer_angles(
        skeleton({"base": (None, (0, 0, 0)), "neck": ("base", (0, 0, 1))}, {"neck": turn}), robot
    )
    neutral = Clip(np.zeros(1), transfer.clip.names, np.array([neck.neutral]))
    poses, still = (forward_kinematics(robot, clip).of("head").quaternion_wxyz for clip in (transfer.clip, neutral))
    off = quaternions.angle_between(quaternions.multiply(poses, quaternions.conjugate(still)), turn).max()
    if kind is JointType.SPHERICAL:
        assert off < 1e-10
        assert transfer.losses == ()
    else:
        assert off > np.radians(5.0)
        assert f"also turned up to {np.degrees(off):.0f} degrees" in transfer.losses[0]


def test_several_hinges_share_one_bone(rng: np.random.Generator) -> None:
    joints = [hinge("left_hip_pitch", "base", Y), hinge("left_hip_roll", "left_hip_pitch_body", X)]
    joints.append(hinge("left_hip_yaw", "left_hip_roll_body", Z))
    angles = np.column_stack([WAVE, 0.6 * WAVE[::-1], 0.3 + 0.2 * WAVE])
    turn = quaternions.multiply(
        quaternions.multiply(about(Y, angles[:, 0]), about(X, angles[:, 1])), about(Z, angles[:, 2])
    )
    capture = skeleton({"Hips": (None, (0, 0, 1)), "LeftUpLeg": ("Hips", (0, 0.1, 0))}, {"LeftUpLeg": turn})
    transfer = transfer_angles(capture, tree("legs", joints))
    np.testing.assert_allclose(transfer.clip.positions, angles, atol=1e-9)


def test_a_collar_bone_does_not_turn_what_a_robot_calls_a_shoulder() -> None:
    robot = tree("arm", [hinge("left_shoulder", "base", Y), hinge("left_elbow", "left_shoulder_body", Y, (0, 0, -1))])
    bones = {
        "Spine": (None, (0.0, 0.0, 0.0)),
        "LeftShoulder": ("Spine", (0.0, 0.1, 0.0)),
        "LeftArm": ("LeftShoulder", (0.0, 0.1, 0.0)),
        "LeftForeArm": ("LeftArm", (0.0, 0.0, -0.3)),
    }
    transfer = transfer_angles(skeleton(bones, {"LeftArm": about(Y, WAVE)}), robot)
    assert dict(transfer.bones) == {"left_shoulder": "LeftArm", "left_elbow": "LeftForeArm"}
    # in a rig that was made for a robot with both, each has its own
    both = tree("arm", [hinge("left_shoulder", "base", Y), hinge("left_arm", "left_shoulder_body", Y, (0, 0, -1))])
    assert (
        dict(transfer_angles(skeleton(bones, {"LeftArm": about(Y, WAVE)}), both).bones)["left_shoulder"]
        == "LeftShoulder"
    )


def test_turns_of_bones_without_joints_are_passed_on() -> None:
    bones = {"root": (None, (0, 0, 0)), "twist": ("root", (0, 0, 1)), "neck": ("twist", (0, 0, 1))}
    capture = skeleton(bones, {"twist": about(Y, WAVE), "neck": about(Y, 0.5 * WAVE)})
    transfer = transfer_angles(capture, tree("a", [hinge("neck", "base", Y)]))
    np.testing.assert_allclose(transfer.clip.positions[:, 0], 1.5 * WAVE, atol=1e-12)


def test_ball_universal_and_sliding_joints() -> None:
    turn = quaternions.quaternion_from_rotation_vector(np.column_stack([WAVE, 0.5 * WAVE, -WAVE]))
    frame = Frame((0.0, 0.0, 0.0), tuple(about(Z, np.array(0.5)).tolist()))
    joints = [
        Joint("ball", JointType.SPHERICAL, "base", "b1", frame_parent=frame, frame_child=frame),
        Joint("cross", JointType.UNIVERSAL, "b1", "b2", axis=(0, 1.0, 0), second_axis=(1.0, 0, 0)),
        Joint("lift", JointType.PRISMATIC, "b2", "b3", axis=(0, 0, -1.0)),
        Joint("stage", JointType.CARTESIAN, "b3", "b4"),
        Joint("screw", JointType.CYLINDRICAL, "b4", "b5", axis=(0, 0, 1.0)),
    ]
    bones = {
        "base": (None, (0.0, 0.0, 0.0)),
        **{
            name: (above, (0.0, 0.0, 1.0))
            for name, above in [
                ("ball", "base"),
                ("cross", "ball"),
                ("lift", "cross"),
                ("stage", "lift"),
                ("screw", "stage"),
            ]
        },
    }
    moves = np.column_stack([WAVE, 2 * WAVE, 3 * WAVE])
    crossed = quaternions.multiply(about(Y, WAVE), about(X, -0.4 * WAVE))
    capture = skeleton(
        bones,
        {"ball": turn, "cross": crossed, "screw": about(Z, 2 * WAVE)},
        {"lift": moves, "stage": moves, "screw": moves},
    )
    robot = tree("all", [])
    robot = Character("all", tuple(Body(n) for n in ("base", "b1", "b2", "b3", "b4", "b5")), (*robot.joints, *joints))
    clip = transfer_angles(capture, robot).clip
    own = quaternions.multiply(quaternions.multiply(about(Z, np.array(-0.5)), turn), about(Z, np.array(0.5)))
    ball = np.column_stack([clip.positions[:, clip.column(f"ball.{part}")] for part in ("qw", "qx", "qy", "qz")])
    np.testing.assert_allclose(quaternions.angle_between(ball, own), 0.0, atol=1e-10)
    columns = {
        "cross.first": WAVE, "cross.second": -0.4 * WAVE, "lift": -3 * WAVE, "stage.x": WAVE, "stage.y": 2 * WAVE,
        "stage.z": 3 * WAVE, "screw.slide": 3 * WAVE, "screw.turn": 2 * WAVE,
    }  # fmt: skip
    for name, expected in columns.items():
        np.testing.assert_allclose(clip.positions[:, clip.column(name)], expected, atol=1e-9, err_msg=name)


def test_what_is_lost_is_told_in_words() -> None:
    robot = tree("arm", [hinge("elbow", "base", Y), hinge("gripper", "elbow_body", X)])
    bones = {"root": (None, (0, 0, 0)), "Elbow": ("root", (0, 0, 1)), "ear": ("Elbow", (0, 0, 1))}
    turn = quaternions.multiply(about(Y, WAVE), about(X, np.full(40, np.radians(23.0))))
    capture = skeleton(
        bones, {"Elbow": turn, "ear": about(X, WAVE), "root": about(Z, WAVE)}, {"root": np.outer(WAVE, X)}
    )
    losses = transfer_angles(capture, robot).losses
    assert (
        "bone 'Elbow' also turned up to 23 degrees about directions that joint 'elbow' does not have, 23 on average"
        in losses
    )
    assert "no bone moves these joints, they stay neutral: gripper" in losses
    assert "what these bones did is lost, no joint follows them: ear" in losses
    assert any("'root' moved up to 0." in loss and "'arm' stands fixed" in loss for loss in losses)


def test_mappings_and_their_errors() -> None:
    robot = tree("arm", [hinge("j1", "base", Y), hinge("j2", "j1_body", X)])
    bones = {"root": (None, (0, 0, 0)), "upper": ("root", (0, 0, 1)), "lower": ("upper", (0, 0, 1))}
    capture = skeleton(bones, {"upper": about(Y, WAVE), "lower": about(X, 2 * WAVE)})
    clip = transfer_angles(capture, robot, mapping={"j1": "upper", "j2": "lower"}).clip
    np.testing.assert_allclose(clip.positions, np.column_stack([WAVE, 2 * WAVE]), atol=1e-10)
    with pytest.raises(MotionError, match=r"mapping=\{joint: bone\}\. Joints: j1, j2\. Bones: root, upper, lower"):
        transfer_angles(capture, robot)
    with pytest.raises(UnknownNameError, match="Did you mean 'upper'"):
        transfer_angles(capture, robot, mapping={"j1": "uper"})
    with pytest.raises(UnknownNameError, match="Joint 'j3'"):
        transfer_angles(capture, robot, mapping={"j3": "upper"})
    with pytest.raises(MotionError, match="no coordinate"):
        transfer_angles(capture, robot, mapping={"stand": "upper"})
    with pytest.raises(MotionError, match="0 to 39, given 40"):
        transfer_angles(capture, robot, mapping={"j1": "upper"}, rest_frame=40)
    with pytest.raises(MotionError, match="scale"):
        transfer_angles(capture, robot, mapping={"j1": "upper"}, scale=-1.0)


def test_the_base_goes_where_the_root_goes_and_faces_where_it_faces() -> None:
    robot = tree("walker", [hinge("neck", "base", Y, (0, 0, 0.2))], floats=True)
    bones = {
        "hips": (None, (0, 0, 1)),
        "neck": ("hips", (0, 0, 0.2)),
        "LeftEye": ("neck", (0.05, 0, 0)),  # left is x, so the figure faces -y
        "RightEye": ("neck", (-0.05, 0, 0)),
    }
    way = np.column_stack([WAVE, 2 * WAVE, 0 * WAVE])
    capture = skeleton(bones, {"hips": about(Z, WAVE), "neck": about(X, WAVE)}, {"hips": way})
    clip = transfer_angles(capture, robot).clip
    assert clip.base_positions is not None and clip.base_quaternions_wxyz is not None
    np.testing.assert_allclose(clip.base_positions, way + Z, atol=1e-12)
    forward = quaternions.rotate(clip.base_quaternions_wxyz, X)
    np.testing.assert_allclose(forward, quaternions.rotate(about(Z, WAVE), -Y), atol=1e-12)
    # what turns about x for a figure that faces -y turns about y for a robot that faces x
    np.testing.assert_allclose(clip.positions[:, 0], WAVE, atol=1e-12)


def humanoid() -> Character:
    joints: list[Joint] = []
    for side, y in (("left", 1.0), ("right", -1.0)):
        hip = [hinge(f"{side}_hip_pitch_joint", "base", Y, (0, 0.1 * y, -0.1))]
        hip.append(hinge(f"{side}_hip_roll_joint", f"{side}_hip_pitch_joint_body", X))
        hip.append(hinge(f"{side}_hip_yaw_joint", f"{side}_hip_roll_joint_body", Z))
        knee = hinge(f"{side}_knee_joint", f"{side}_hip_yaw_joint_body", Y, (0.03, 0, -0.3))
        ankle = hinge(f"{side}_ankle_pitch_joint", f"{side}_knee_joint_body", Y, (-0.02, 0, -0.3))
        shoulder = [hinge(f"{side}_shoulder_pitch_joint", "base", Y, (0, 0.2 * y, 0.4))]
        shoulder.append(hinge(f"{side}_shoulder_roll_joint", f"{side}_shoulder_pitch_joint_body", X))
        shoulder.append(hinge(f"{side}_shoulder_yaw_joint", f"{side}_shoulder_roll_joint_body", Z))
        elbow = hinge(f"{side}_elbow_joint", f"{side}_shoulder_yaw_joint_body", Y, (0, 0, -0.25))
        wrist = hinge(f"{side}_wrist_roll_joint", f"{side}_elbow_joint_body", X, (0.2, 0, 0))  # forearm points ahead
        joints += [*hip, knee, ankle, *shoulder, elbow, wrist]
    return tree("toy", joints, floats=True)


def body_turns(robot: Character, clip_values: dict[str, np.ndarray], chain: list[str]) -> np.ndarray:
    """Turn of the last body of a chain of hinges against the base; all frames of this robot are aligned."""
    total = np.tile(IDENTITY, (len(next(iter(clip_values.values()))), 1))
    for name in chain:
        total = quaternions.multiply(total, about(np.array(robot.joint(name).axis), clip_values[name]))
    return total


@pytest.mark.parametrize("name", ["07_01", "63_01"])
def test_a_person_moves_the_limbs_of_a_robot_with_another_rest_pose(name: str, shared_data: Path) -> None:
    """A T-pose, legs apart, facing -y, on a robot whose arms hang and whose forearms point ahead."""
    capture = load_bvh(shared_data / "clips" / f"{name}.bvh", first_frame=1)
    robot = humanoid()
    transfer = transfer_angles(capture, robot)
    assert dict(transfer.bones)["left_hip_roll_joint"] == "LeftUpLeg"
    assert dict(transfer.bones)["right_elbow_joint"] == "RightForeArm"
    clip = transfer.clip
    values = {joint: clip.positions[:, clip.column(joint)] for joint in clip.names}
    positions, _ = capture.world_poses()
    hips = clip.base_quaternions_wxyz
    used = [capture.bone(bone) for _, bone in transfer.bones]
    steps = quaternions.angle_between(capture.rotations_wxyz[1:, used], capture.rotations_wxyz[:-1, used])
    assert np.abs(np.diff(clip.positions, axis=0)).max() < 1.01 * steps.max(), "no jumps that the person did not make"
    for side in ("left", "right"):
        word = side.capitalize()
        hip = [f"{side}_hip_{axis}_joint" for axis in ("pitch", "roll", "yaw")]
        for chain, (start, end), worst in (
            (hip, ("UpLeg", "Leg"), 0.1),
            ([*hip, f"{side}_knee_joint"], ("Leg", "Foot"), 1.0),
        ):
            robot_limb = quaternions.rotate(quaternions.multiply(hips, body_turns(robot, values, chain)), -Z)
            limb = positions[:, capture.bone(word + end)] - positions[:, capture.bone(word + start)]
            limb /= np.linalg.norm(limb, axis=1, keepdims=True)
            off = np.degrees(np.arccos(np.clip(np.sum(robot_limb * limb, axis=1), -1.0, 1.0)))
            assert off.max() < worst, f"{word}{start} is off by {off.max():.2f} degrees"
        assert values[f"{side}_knee_joint"].min() > np.radians(-5.0), "knees bend one way"
    forward = quaternions.rotate(hips, X)
    assert np.all(np.linalg.norm(clip.base_positions[:, :2], axis=1) < 3.0)
    if name == "07_01":  # the walk goes where the robot looks
        way = clip.base_positions[-1] - clip.base_positions[0]
        assert np.mean(forward @ way) / np.linalg.norm(way) > 0.95
        assert np.radians(40.0) < np.ptp(values["left_knee_joint"]) < np.radians(90.0)
    assert any("scaled by 0." in loss for loss in transfer.losses)
    assert any("contacts, balance" in loss for loss in transfer.losses)


def test_without_rest_alignment_the_same_robot_is_off(shared_data: Path) -> None:
    """The control: legs that stand apart at rest stay apart when rest poses are not laid on one another."""
    capture = load_bvh(shared_data / "clips" / "07_01.bvh", first_frame=1)
    aligned, plain = (transfer_angles(capture, humanoid(), align_rest=choice).clip for choice in (True, False))
    roll = aligned.column("left_hip_roll_joint")
    assert abs(np.degrees(np.median(plain.positions[:, roll] - aligned.positions[:, roll]))) > 15.0


def test_a_frame_can_be_the_rest_pose(shared_data: Path) -> None:
    capture = load_bvh(shared_data / "clips" / "07_01.bvh")
    transfer = transfer_angles(capture, humanoid(), rest_frame=0, align_rest=False)
    np.testing.assert_allclose(transfer.clip.positions[0], 0.0, atol=1e-9)
    assert any("first frame jumps by 79 degrees" in loss for loss in transfer.losses)


def test_limits_only_choose_the_branch_and_clip_nothing() -> None:
    neck = Joint("neck", JointType.REVOLUTE, "base", "head", axis=(0, 1.0, 0), stated_limits=(Limits(-0.1, 0.1),))
    capture = skeleton({"base": (None, (0, 0, 0)), "neck": ("base", (0, 0, 1))}, {"neck": about(Y, WAVE)})
    np.testing.assert_allclose(transfer_angles(capture, tree("a", [neck])).clip.positions[:, 0], WAVE, atol=1e-12)


def test_a_long_capture_is_quick(shared_data: Path) -> None:
    short = load_bvh(shared_data / "clips" / "13_26_first1200.bvh")
    repeat = np.resize(np.arange(short.frame_count), 3000)
    assert short.translations is not None
    capture = CapturedMotion(
        np.arange(3000) / 120,
        short.names,
        short.parents,
        short.offsets,
        short.rotations_wxyz[repeat],
        short.translations[repeat],
    )
    transfer_angles(short, humanoid())
    started = time.perf_counter()
    transfer_angles(capture, humanoid())
    assert time.perf_counter() - started < 3.0  # 0.2 s on an idle core
