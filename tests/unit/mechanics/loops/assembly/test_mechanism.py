"""Building mechanisms: rows, counts, roles, assembly, and the errors that say what is wrong."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import WORLD, Coupling, Joint, JointRole, JointType
from animato.errors import MechanismError, OptionError, UnknownNameError
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.constraints.coordinates import joint_coordinates
from animato.mechanics.loops.constraints.values import constraint_values
from animato.mechanics.loops.kinematics import loop_kinematics
from tests import mechanism_builders as known
from tests.mechanism_builders import ACTUATED, Builder, four_bar

ROWS = {
    JointType.CARTESIAN: (3, 6),
    JointType.SPHERICAL: (3, 6),
    JointType.CYLINDRICAL: (4, 6),
    JointType.UNIVERSAL: (4, 6),
    JointType.PRISMATIC: (5, 6),
    JointType.REVOLUTE: (5, 6),
    JointType.FIXED: (6, 6),
}


@pytest.mark.parametrize("kind", ROWS)
def test_row_counts_are_those_of_the_table(kind: JointType) -> None:
    joints = (Joint("ground", JointType.GROUND, WORLD, "a"), Joint("j", kind, "a", "b"))
    character = Character("pair", (Body("a"), Body("b")), joints)
    passive = {} if kind is JointType.FIXED else {"j": JointRole.PASSIVE}
    units, ground = 2, 6
    for roles, rows in zip((passive, {}), ROWS[kind], strict=True):
        mechanism = build_mechanism(character, roles=roles, require_actuated=False)
        assert mechanism.counts.constraints == units + ground + rows
        assert mechanism.counts.mobility == 6 - ROWS[kind][0]
    assert not mechanism.free_bodies


@pytest.mark.parametrize("kind", [kind for kind in ROWS if kind is not JointType.FIXED])
def test_open_chain_does_what_its_joints_say(kind: JointType) -> None:
    """Rows vanish at the pose that the character's own joint motion gives, and Newton finds it."""
    rng = np.random.default_rng(5)
    frames = [Frame(tuple(rng.normal(size=3)), tuple(rng.normal(size=4))) for _ in range(3)]
    joints = (
        Joint("ground", JointType.GROUND, WORLD, "a", frame_parent=frames[2]),
        Joint("j", kind, "a", "b", None, frames[0], frames[1], tuple(rng.normal(size=3)), tuple(rng.normal(size=3))),
    )
    mechanism = build_mechanism(Character("pair", (Body("a"), Body("b")), joints))
    controls = mechanism.controls + np.linspace(0.0, 1.0, 20)[:, None] * rng.normal(size=len(mechanism.controls))
    for first in mechanism.control_quaternions:
        part = controls[:, first : first + 4]
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    motion = loop_kinematics(mechanism, controls)
    np.testing.assert_allclose(joint_coordinates(mechanism, motion.states).values, controls, atol=1e-10)
    assert not motion.flipped.any()
    assert motion.residual.max() < 1e-12


def test_row_order_and_names() -> None:
    mechanism = build_mechanism(four_bar())
    assert mechanism.row_names[0] == "ground base: its two sides meet along world x"
    assert mechanism.row_names[-5].startswith("A: the turned a_y")
    assert mechanism.row_names[-1] == "rocker: the quaternion has length one"
    assert mechanism.state_names[7:14] == tuple(f"crank.{end}" for end in ("x", "y", "z", "qw", "qx", "qy", "qz"))
    # Of the planar loop the closing hinge keeps what happens in the plane.
    assert [mechanism.rows[i].owner for i in mechanism.dropped] == ["C", "C", "C"]
    assert mechanism.counts.joint_count(JointType.REVOLUTE, JointRole.PASSIVE) == 3
    assert mechanism.counts.joint_count(JointType.REVOLUTE, JointRole.ACTUATED) == 1


def test_roles_can_be_changed() -> None:
    mechanism = build_mechanism(four_bar(), roles={"A": "passive", "D": "actuated"})
    assert mechanism.control_names == ("D",)
    with pytest.raises(UnknownNameError, match="Joint 'E' is not in 'four-bar'"):
        build_mechanism(four_bar(), roles={"E": "passive"})
    with pytest.raises(OptionError, match="rank tolerance"):
        build_mechanism(four_bar(), rank_tolerance=0.0)


def test_floating_characters_are_held() -> None:
    character = four_bar()
    floating = replace(character, joints=character.joints[1:])
    mechanism = build_mechanism(floating)
    assert mechanism.counts.joint_count(JointType.GROUND) == 1
    np.testing.assert_allclose(mechanism.state[:7], [0, 0, 0, 1, 0, 0, 0], atol=1e-15)


def test_flat_rest_pose_does_not_hide_redundancy() -> None:
    """A parallelogram folded flat has a lower rank than a moment later."""
    build = Builder("flat")
    build.body("base")
    build.ground("base")
    for name, place in (("crank", 0.0), ("coupler", 0.3), ("rocker", 1.0)):
        build.body(name, (place, 0.0, 0.0))
    build.revolute("A", "base", "crank", (0.0, 0.0, 0.0), role=ACTUATED)
    build.revolute("B", "crank", "coupler", (0.3, 0.0, 0.0))
    build.revolute("C", "coupler", "rocker", (1.3, 0.0, 0.0))
    build.revolute("D", "base", "rocker", (1.0, 0.0, 0.0))
    mechanism = build_mechanism(build.character())
    assert (mechanism.counts.redundant_passive, mechanism.counts.mobility) == (3, 1)
    # From the flat pose no direction is the right one, so the motion is found from a pose beside it.
    motion = loop_kinematics(mechanism, np.array([[0.3], [0.5]]))
    assert motion.residual.max() < 1e-12


def test_loops_that_are_open_at_rest_are_closed() -> None:
    """Frames that state lengths only: the tree lays the bars out straight, assembly closes the loop."""
    joints = [Joint("ground", JointType.GROUND, WORLD, "base")]
    bars = (("crank", 0.4), ("coupler", 1.0), ("rocker", 0.8))
    before, end = "base", 0.0
    for n, (name, length) in enumerate(bars):
        role = ACTUATED if n == 0 else JointRole.PASSIVE
        joints.append(
            Joint("ABC"[n], JointType.REVOLUTE, before, name, role, Frame((end, 0.0, 0.0)), axis=(0.0, 0.0, 1.0))
        )
        before, end = name, length
    joints.append(
        Joint(
            "D",
            JointType.REVOLUTE,
            "rocker",
            "base",
            JointRole.PASSIVE,
            Frame((end, 0.0, 0.0)),
            Frame((0.9, 0.0, 0.0)),
            (0.0, 0.0, 1.0),
        )
    )
    mechanism = build_mechanism(
        Character("laid out", tuple(map(Body, ("base", "crank", "coupler", "rocker"))), tuple(joints))
    )
    values = constraint_values(mechanism, mechanism.state, mechanism.controls, rows="all")
    assert np.abs(values).max() < 1e-10
    assert mechanism.controls[0] == 0.0


def test_loop_that_cannot_close_is_named() -> None:
    build = Builder("short")
    build.body("base")
    build.ground("base")
    build.body("crank")
    build.body("rocker", (2.0, 0.0, 0.0))
    build.revolute("A", "base", "crank", (0.0, 0.0, 0.0), role=ACTUATED)
    build.revolute("D", "base", "rocker", (2.0, 0.0, 0.0))
    character = build.character()
    link = Joint(
        "B", JointType.REVOLUTE, "crank", "rocker", JointRole.PASSIVE, Frame((0.5, 0, 0)), Frame((0.7, 0, 0)), (0, 0, 1)
    )
    with pytest.raises(MechanismError) as caught:
        build_mechanism(replace(character, joints=(*character.joints, link)))
    assert "'short' cannot be assembled: the loop B - A - D stays open by 800 mm at 'B'" in str(caught.value)


def test_loops_that_contradict_one_another_are_named() -> None:
    """Two couplers of different lengths between the same cranks, each fine alone, and the cranks' base fixed."""
    build = Builder("double")
    build.body("base")
    build.ground("base")
    build.body("crank")
    build.revolute("A", "base", "crank", (0.0, 0.0, 0.0), role=ACTUATED)
    for name, anchor in (("one", (1.0, 0.0, 0.0)), ("two", (3.0, 0.0, 0.0))):
        build.body(name, anchor)
        build.revolute(f"base {name}", "base", name, anchor)
    character = build.character()
    # Rod one reaches points of the crank's circle near x = +0.5 only, rod two near x = -0.5 only.
    reach = {"one": 0.52, "two": 3.48}
    ties = tuple(
        Joint(
            f"tip {name}",
            JointType.REVOLUTE,
            "crank",
            name,
            JointRole.PASSIVE,
            Frame((0.5, 0, 0)),
            Frame((length, 0, 0)),
            (0, 0, 1),
        )
        for name, length in reach.items()
    )
    with pytest.raises(MechanismError, match="each loop closes alone, but no closed pose was found") as caught:
        build_mechanism(replace(character, joints=character.joints + ties))
    assert "tip one - A - base one" in str(caught.value)


def test_under_actuated_mechanism_names_what_moves() -> None:
    """A five-bar needs two motors."""
    build = Builder("five-bar")
    points = [(0.0, 0.0), (-0.3, 0.6), (0.4, 1.1), (1.0, 0.7), (0.8, 0.0)]
    names = ["base", "left", "left arm", "right arm", "right"]
    for name, point in zip(names, [(0.0, 0.0), *points[:4]], strict=True):
        build.body(name, (*point, 0.0))
    build.ground("base")
    for n in range(5):
        role = ACTUATED if n == 0 else JointRole.PASSIVE
        build.revolute("ABCDE"[n], names[n], names[(n + 1) % 5], (*points[n], 0.0), role=role)
    character = build.character()
    with pytest.raises(MechanismError) as caught:
        build_mechanism(character)
    text = str(caught.value)
    assert "can move in 2 ways and its actuators determine 1, so 1 degree of freedom is left" in text
    assert "move freely: left arm, right arm, right." in text
    assert text.endswith("B, C, D, E.")
    loose = build_mechanism(character, require_actuated=False)
    assert loose.free_bodies == ("left arm", "right arm", "right")
    with pytest.raises(MechanismError, match="cannot be solved"):
        loop_kinematics(loose, np.zeros((1, 1)))
    assert build_mechanism(character, roles={"E": "actuated"}).counts.mobility == 2


def test_gears_follow_actuators_only() -> None:
    joints = (
        Joint("ground", JointType.GROUND, WORLD, "a"),
        Joint("lead", JointType.REVOLUTE, "a", "b"),
        Joint(
            "follow", JointType.REVOLUTE, "b", "c", frame_parent=Frame((1, 0, 0)), coupling=Coupling("lead", 2.0, 0.1)
        ),
    )
    character = Character("geared", (Body("a"), Body("b"), Body("c")), joints)
    mechanism = build_mechanism(character)
    assert mechanism.control_names == ("lead",)
    motion = loop_kinematics(mechanism, [[0.0], [0.4]])
    coordinates = joint_coordinates(mechanism, motion.states)
    np.testing.assert_allclose(coordinates.columns(("follow",))[:, 0], [0.1, 0.9], atol=1e-12)
    with pytest.raises(MechanismError, match="geared to 'lead', which no actuator drives"):
        build_mechanism(character, roles={"lead": "passive", "follow": "passive"}, require_actuated=False)


def test_configurable_joints_are_design_parameters() -> None:
    mechanism = build_mechanism(known.four_bar(tilt=True))
    assert mechanism.design_names == ("tilt",)
    assert mechanism.counts.design_variables == 1
    ball = Joint("ball", JointType.SPHERICAL, "a", "b", JointRole.CONFIGURABLE)
    pair = Character("pair", (Body("a"), Body("b")), (Joint("ground", JointType.GROUND, WORLD, "a"), ball))
    mechanism = build_mechanism(pair)
    assert mechanism.design_names == ("ball.qw", "ball.qx", "ball.qy", "ball.qz")
    assert mechanism.design_quaternions == (0,)
    turn = (math.cos(0.3), 0.0, math.sin(0.3), 0.0)
    motion = loop_kinematics(mechanism, np.zeros((1, 0)), turn)
    np.testing.assert_allclose(motion.quaternions_wxyz("b")[0], turn, atol=1e-12)
