"""Configurable joints put into a robot, and dissolved into its frames again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Box, Character, EndPoint, Frame, Joint, JointRole, JointType, Limits, Shape
from animato.character.structure import rest_poses
from animato.design.freeing import Freedom, as_freedom, baked, freed
from animato.design.optimization.solve import solve
from animato.design.options import DesignWeights, Options
from animato.design.problem.build import build
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms.target import TrackingTarget
from animato.errors import OptionError, UnknownNameError
from animato.formats import load_character
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from tests.unit.design.small_robots import arm, four_bar

WORDS = ("elbow:axis:20", "elbow:position:0.02,0,0.01", "shoulder:position", "upper:length:0.1", "shoulder:orientation")


def plain_arm() -> Character:
    """Two hinges, bodies with shapes that are turned against their joints, a hand at the end."""
    bare = arm(configurable=False)
    turned = Frame((0.1, 0.02, -0.03), (0.9, 0.1, -0.3, 0.2))
    joints = tuple(replace(one, frame_child=turned) if one.name == "elbow" else one for one in bare.joints)
    bodies = tuple(replace(body, mass=1.0, shapes=(Shape(Box((0.1, 0.1, 0.1))),)) for body in bare.bodies)
    return replace(bare, joints=joints, bodies=bodies, end_points=(EndPoint("hand", "lower", Frame((0.5, 0.0, 0.1))),))


def with_design(character: Character, seed: int) -> Character:
    """All configurable joints set a little off."""
    random = np.random.default_rng(seed)

    def off(joint: Joint) -> Joint:
        if joint.role is not JointRole.CONFIGURABLE:
            return joint
        values = np.array(joint.neutral) + 0.05 * random.standard_normal(len(joint.neutral))
        return replace(joint, configuration=tuple(values / (np.linalg.norm(values) if len(values) == 4 else 1.0)))

    return replace(character, joints=tuple(map(off, character.joints)))


def test_a_freed_robot_is_as_it_was() -> None:
    before, after = plain_arm(), freed(plain_arm(), WORDS)
    assert after.coordinate_names == before.coordinate_names
    controls = np.array([[0.0, 0.0], [0.7, -0.9]])
    old, new = (loop_kinematics(build_mechanism(one), controls) for one in (before, after))
    for body in before.bodies:
        assert np.allclose(rest_poses(after)[body.name].position, rest_poses(before)[body.name].position, atol=1e-15)
        assert np.allclose(new.positions(body.name), old.positions(body.name), atol=1e-12)
    assert set(build_mechanism(after).design_names) == {
        "elbow.axis.first", "elbow.axis.second", "elbow.axis_back.first", "elbow.axis_back.second",
        "elbow.position.x", "elbow.position.z", "upper.length",
        "shoulder.position.x", "shoulder.position.y", "shoulder.position.z",
        "shoulder.orientation.qw", "shoulder.orientation.qx", "shoulder.orientation.qy", "shoulder.orientation.qz",
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_a_baked_design_moves_the_same(seed: int) -> None:
    design = with_design(freed(plain_arm(), WORDS), seed)
    done = baked(design)
    assert {body.name for body in done.bodies} == {body.name for body in plain_arm().bodies}
    assert [joint.name for joint in done.joints] == [joint.name for joint in plain_arm().joints]
    controls = np.random.default_rng(seed).uniform(-2.0, 2.0, (6, 2))
    free, fixed = build_mechanism(design), build_mechanism(done)
    a, b = loop_kinematics(free, controls, free.design), loop_kinematics(fixed, controls)
    for body in done.bodies:
        assert np.max(np.abs(a.positions(body.name) - b.positions(body.name))) < 1e-12
        turns = np.sum(a.quaternions_wxyz(body.name) * b.quaternions_wxyz(body.name), axis=1)
        assert np.max(1.0 - np.abs(turns)) < 1e-12
    hand = [poses["lower"].apply(np.array(one.end_point("hand").frame.position))
            for one, poses in ((done, rest_poses(done)),)]  # fmt: skip
    place = design.end_point("hand")
    assert np.allclose(hand[0], rest_poses(design)[place.body].apply(np.array(place.frame.position)), atol=1e-12)


def test_a_loop_is_freed_and_baked() -> None:
    """The lengths of a planar four-bar keep its plane, so it closes with other lengths."""
    design = freed(four_bar(), ["coupler:length", "crank:length:0.05,0.1", "D:position:0.05,0.05,0"])
    set_to = {"coupler.length": 0.1, "crank.length": -0.03, "D.position.x": 0.02, "D.position.y": -0.01}
    joints = tuple(replace(one, configuration=(set_to[one.name],)) if one.name in set_to else one
                   for one in design.joints)  # fmt: skip
    design = replace(design, joints=joints)
    done = baked(design)
    assert len(done.bodies) == 4
    controls = np.linspace(0.0, 1.0, 5)[:, None]
    free = build_mechanism(design)
    a, b = loop_kinematics(free, controls, free.design), loop_kinematics(build_mechanism(done), controls)
    assert max(np.max(np.abs(a.positions(body.name) - b.positions(body.name))) for body in done.bodies) < 1e-12
    pins = {joint.name: joint for joint in done.joints}
    assert pins["B"].frame_parent.position == pytest.approx((0.37, 0.0, 0.0), abs=1e-15)


def test_a_design_between_two_real_bodies_leaves_a_fixed_joint() -> None:
    character = arm()
    real = replace(character, bodies=tuple(replace(body, mass=1.0) for body in character.bodies))
    assert baked(real).joint("mount").type == "fixed"
    assert baked(plain_arm()) == plain_arm()


def test_a_freed_length_is_found_again() -> None:
    """A hand that draws with a longer upper arm and an elbow tilted: both are found by the design."""
    character = freed(plain_arm(), ["upper:length:0.2", "elbow:axis:30"])
    mechanism = build_mechanism(character)
    wanted = dict.fromkeys(mechanism.design_names, 0.0) | {"upper.length": 0.08, "elbow.axis.first": 0.2}
    controls = np.stack([0.5 * np.sin(np.linspace(0, 6, 30)), 0.4 + 0.5 * np.cos(np.linspace(0, 4, 30))], axis=1)
    drawn = loop_kinematics(mechanism, controls, np.array([wanted[name] for name in mechanism.design_names]))
    target = TrackingTarget("lower", np.zeros(3), drawn.positions("lower"), drawn.quaternions_wxyz("lower"),
                            position_weights=np.full(3, 100.0))  # fmt: skip
    light = DesignWeights(control=1e-9, design=1e-9, limits=1e-9)
    solution = solve(build(character, TargetMotion((target,), 30.0), Options(weights=light)))
    assert solution.met
    assert solution.optimized.character.joint("upper.length").configuration[0] == pytest.approx(0.08, abs=2e-4)


def test_words() -> None:
    assert as_freedom("knee:axis") == Freedom("knee", "axis")
    assert as_freedom("a:b:length:0.1,0.2") == Freedom("a:b", "length", (0.1, 0.2))
    assert as_freedom("k:orientation:30").most[0] == pytest.approx(np.pi / 6)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("knee", "NAME:WHAT"),
        ("elbow:axis:x", "must be numbers"),
        ("elbow:axis:1,2", "is 1 numbers"),
        ("elbow:axis:95", "less than 90 degrees"),
        ("elbow:position:0,0,0", "above 0"),
        ("elbow:position:-1", "at least 0"),
        ("ground:position", "holds 'arm' in the world"),
        ("base:length", "has no length to change"),
        ("upper:length:2", "cannot become shorter"),
        (5, "NAME:WHAT"),
    ],
)
def test_wrong_words(word: str, message: str) -> None:
    bare = arm(configurable=False)
    with pytest.raises(OptionError, match=message):
        freed(bare, [word])


def test_unknown_names_and_joints_without_an_axis() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'elbow'"):
        freed(plain_arm(), "elbw:axis")
    ball = replace(plain_arm().joint("elbow"), type=JointType.SPHERICAL, stated_limits=(Limits(),))
    with pytest.raises(OptionError, match="no axis to tilt"):
        freed(replace(plain_arm(), joints=(*plain_arm().joints[:2], ball)), "elbow:axis")
    with pytest.raises(OptionError, match="one of axis"):
        Freedom("a", "colour")  # type: ignore[arg-type]
    assert Body("upper.end") in freed(plain_arm(), "upper:length").bodies


def test_only_some_joints_dissolve():
    """What was freed goes; what was configurable before stays so, and set as it was."""
    linkage = load_character("adjustable_four_bar")
    joints = tuple(
        replace(one, configuration=(0.004,)) if one.name == "crank_length" else one for one in linkage.joints
    )
    linkage = replace(linkage, joints=joints)
    free = freed(linkage, ["crank_axle:position:0.01", "rocker:length:0.01"])
    known = [joint.name for joint in linkage.joints]
    moved = tuple(
        replace(one, configuration=(0.003, 0.0, -0.002)) if one.name == "crank_axle.position" else one
        for one in free.joints
    )
    free = replace(free, joints=moved)
    built = baked(free, only=[one.name for one in free.joints if one.name not in known])
    assert [one.name for one in built.joints] == known
    assert [one.name for one in built.bodies] == [one.name for one in linkage.bodies]
    assert [one.role for one in built.joints] == [one.role for one in linkage.joints]
    assert [one.configuration for one in built.joints] == [one.configuration for one in linkage.joints]
    turns = np.linspace(0.0, 2.0 * np.pi, 20)[:, None]
    before, after = (loop_kinematics(build_mechanism(one), turns) for one in (free, built))
    for body in linkage.bodies:
        assert np.allclose(before.positions(body.name), after.positions(body.name), atol=1e-9)
