"""Rest poses, where joints stand, moved zeros, and designs made permanent."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import WORLD, Coupling, Joint, JointRole, JointType
from animato.character.landmarks import NamedPosture
from animato.character.limits import Limits
from animato.character.servo import Actuator
from animato.character.structure.baked import baked
from animato.character.structure.joint_coordinates import joint_stand
from animato.character.structure.joint_motion import joint_motion
from animato.character.structure.rest_pose import rest_poses, rest_stands
from animato.character.structure.rezeroed import rezeroed, rezeroed_joint
from animato.errors import CharacterError
from animato.formats.character_files import load_character
from animato.formats.character_yaml.reader import character_from_yaml
from animato.formats.character_yaml.writer import character_to_yaml
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

MOVING = [kind for kind in JointType if kind not in (JointType.FIXED, JointType.GROUND)]


def some_joint(kind: JointType, rng: np.random.Generator, role: JointRole | None = None) -> Joint:
    def frame() -> Frame:
        return Frame(tuple(rng.normal(size=3)), tuple(rng.normal(size=4)))

    return Joint("j", kind, "a", "b", role, frame(), frame(), tuple(rng.normal(size=3)), tuple(rng.normal(size=3)))


def some_coordinates(joint: Joint, rng: np.random.Generator) -> tuple[float, ...]:
    values = rng.uniform(-1.4, 1.4, len(joint.coordinate_names))
    return tuple((values / np.linalg.norm(values) if joint.type is JointType.SPHERICAL else values).tolist())


def between(joint: Joint, coordinates: tuple[float, ...]) -> np.ndarray:
    motion = joint_motion(joint, coordinates)
    return (joint.frame_parent.transform @ motion @ joint.frame_child.transform.inverse()).matrix


@pytest.mark.parametrize("kind", MOVING)
def test_where_a_joint_stands_is_the_inverse_of_its_motion(kind: JointType, rng: np.random.Generator):
    for _ in range(10):
        joint = some_joint(kind, rng)
        stand = joint_stand(joint, joint_motion(joint, coordinates := some_coordinates(joint, rng)))
        np.testing.assert_allclose(stand.coordinates, coordinates, atol=1e-12)
        assert max(stand.distance, stand.angle) < 1e-12


@pytest.mark.parametrize("kind", [JointType.REVOLUTE, JointType.PRISMATIC, JointType.UNIVERSAL])
def test_what_a_joint_cannot_reach_is_its_gap(kind: JointType, rng: np.random.Generator):
    joint = some_joint(kind, rng)
    turn = quaternions.quaternion_about(joint.axes[:, 2], 0.1)
    stand = joint_stand(joint, RigidTransform(0.02 * joint.axes[:, 1], turn))
    assert stand.distance == pytest.approx(0.02, abs=1e-12)
    assert stand.angle == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("kind", MOVING)
def test_a_moved_zero_shifts_coordinates_and_nothing_else(kind: JointType, rng: np.random.Generator):
    joint = some_joint(kind, rng)
    zero = some_coordinates(joint, rng)
    moved = rezeroed_joint(joint, zero)
    np.testing.assert_allclose(between(moved, moved.neutral), between(joint, zero), atol=1e-12)
    step = some_coordinates(joint, rng)
    if kind is JointType.SPHERICAL:
        there = tuple(quaternions.multiply(zero, step).tolist())
    else:
        there = tuple(np.add(zero, step).tolist())
    np.testing.assert_allclose(between(moved, step), between(joint, there), atol=1e-12)


def test_limits_move_with_the_zero_also_those_of_a_servo():
    hinge = Joint("j", JointType.REVOLUTE, "a", "b", stated_limits=(Limits(-1.0, 2.0, velocity=3.0),))
    assert rezeroed_joint(hinge, (0.5,)).limits == (Limits(-1.5, 1.5, velocity=3.0),)
    servo = Joint("j", JointType.REVOLUTE, "a", "b", actuator=Actuator("SG90"))
    (before,), (after,) = servo.limits, rezeroed_joint(servo, (0.5,)).limits
    assert (after.lower, after.upper) == pytest.approx((before.lower - 0.5, before.upper - 0.5), abs=1e-15)
    ball = Joint("j", JointType.SPHERICAL, "a", "b", stated_limits=(Limits(upper=1.0),))
    with pytest.raises(CharacterError, match="'j' is limited about its neutral position"):
        rezeroed_joint(ball, (0.0, 1.0, 0.0, 0.0))


def chain(*joints: Joint, **more: object) -> Character:
    names = ["base", *(joint.child for joint in joints)]
    ground = Joint("ground", JointType.GROUND, WORLD, "base", frame_parent=Frame((0.0, 0.0, 1.0)))
    return Character("chain", tuple(Body(name) for name in names), (ground, *joints), **more)


def test_gears_and_postures_mean_the_same_after_a_moved_zero():
    leader = Joint("leader", JointType.REVOLUTE, "base", "a", axis=(0, 0, 1))
    follower = Joint(
        "follower",
        JointType.REVOLUTE,
        "a",
        "b",
        JointRole.PASSIVE,
        Frame((1, 0, 0)),
        coupling=Coupling("leader", 2.0, 0.1),
    )
    postures = (NamedPosture("up", (("leader", 0.7),)), NamedPosture("rest", ()))
    character = chain(leader, follower, postures=postures)
    moved = rezeroed(character, {"leader": (0.4,)})
    tie = moved.joint("follower").coupling
    assert tie is not None
    assert (tie.ratio, tie.offset) == (2.0, pytest.approx(0.9, abs=1e-15))
    assert dict(moved.posture("up").values)["leader"] == pytest.approx(0.3, abs=1e-15)
    assert dict(moved.posture("rest").values)["leader"] == pytest.approx(-0.4, abs=1e-15)
    with pytest.raises(CharacterError, match="'follower' has no free position"):
        rezeroed(character, {"follower": (0.1,)})


def test_bodies_at_rest_and_loops_that_close_or_do_not():
    four_bar = load_character("four_bar")
    poses = rest_poses(four_bar)
    np.testing.assert_allclose(poses["coupler"].position, (0, 0, 0.16), atol=1e-15)
    (stand,) = rest_stands(four_bar).values()
    assert max(stand.distance, stand.angle) < 1e-15
    # A coupler that is 1 mm too long leaves the loop open by 1 mm.
    pin = four_bar.joint("rocker_pin")
    x, y, z = pin.frame_parent.position
    longer = replace(pin, frame_parent=Frame((x + 8e-4, y, z + 6e-4)))
    joints = tuple(longer if joint is pin else joint for joint in four_bar.joints)
    (stand,) = rest_stands(replace(four_bar, joints=joints)).values()
    assert stand.distance == pytest.approx(1e-3, abs=1e-12)


@pytest.mark.parametrize("fixed", [True, False])
def test_a_baked_design_stands_where_the_configured_one_did(fixed: bool, rng: np.random.Generator):
    joints = []
    for number, kind in enumerate(MOVING):
        joint = some_joint(kind, rng, JointRole.CONFIGURABLE)
        parent = "base" if number == 0 else f"b{number - 1}"
        configuration = some_coordinates(joint, rng)
        joints.append(replace(joint, name=f"j{number}", parent=parent, child=f"b{number}", configuration=configuration))
    character = chain(*joints)
    assert character_from_yaml(character_to_yaml(character)) == character
    result = baked(character, fixed=fixed)
    assert character_from_yaml(character_to_yaml(result)) == result
    for name, pose in rest_poses(character).items():
        np.testing.assert_allclose(rest_poses(result)[name].matrix, pose.matrix, atol=1e-12)
    wanted = JointType.FIXED if fixed else None
    for before, after in zip(character.joints[1:], result.joints[1:], strict=True):
        assert after.type is (wanted or before.type)
        assert after.configuration == ()
        assert after.role is (JointRole.PASSIVE if fixed else JointRole.CONFIGURABLE)


def test_baking_drops_what_a_fixed_joint_has_no_use_for_and_leaves_others_alone():
    set_once = Joint(
        "set", JointType.REVOLUTE, "base", "a", JointRole.CONFIGURABLE, axis=(0, 0, 1),
        stated_limits=(Limits(-1, 1),), configuration=(math.pi / 2,),
    )  # fmt: skip
    motor = Joint("motor", JointType.REVOLUTE, "a", "b", frame_parent=Frame((1, 0, 0)))
    result = baked(chain(set_once, motor))
    assert result.joint("set").stated_limits == ()
    assert result.joint("motor") is motor
    np.testing.assert_allclose(rest_poses(result)["b"].position, (0, 1, 1), atol=1e-15)
    assert baked(result) is result
