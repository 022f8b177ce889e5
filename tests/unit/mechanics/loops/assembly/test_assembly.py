"""Idle spins, gears led by their motor, several starts, modes, and rests that are singular."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Character, Coupling, Frame, Joint, JointRole, JointType
from animato.errors import MechanismError
from animato.mechanics.loops import clip_with_loops, loop_kinematics
from animato.mechanics.loops.assembly import assembly_modes, build_mechanism, in_mode, led_by_motors
from animato.mechanics.loops.constraints import joint_coordinates
from animato.motion import Clip

Z = (0.0, 0.0, 1.0)
UNTURNED = (1.0, 0.0, 0.0, 0.0)
HALF_TURN = (0.0, 0.0, 0.0, 1.0)


def hinge(name: str, before: str, after: str, role: str, start: float, end: float = 0.0, turn=UNTURNED) -> Joint:
    return Joint(name, "revolute", before, after, role, Frame((start, 0, 0), turn), Frame((end, 0, 0)), axis=Z)


def four_bar(crank: float, coupler: float, rocker: float, base: float, turn=UNTURNED) -> Character:
    joints = (
        Joint("ground", "ground", "world", "base"),
        hinge("A", "base", "crank", "actuated", 0.0),
        hinge("B", "crank", "coupler", "passive", crank),
        hinge("C", "coupler", "rocker", "passive", coupler, turn=turn),
        hinge("D", "rocker", "base", "passive", rocker, base),
    )
    return Character("four-bar", tuple(map(Body, ("base", "crank", "coupler", "rocker"))), joints)


def spatial_four_bar() -> Character:
    """RSSR, drawn closed: the crank turns about z at the origin, the rocker about y at x = 1."""
    ball = np.array((0.3, 0.0, 0.0))
    far = np.array((1.0, 0.0, 0.6))
    rod = float(np.linalg.norm(far - ball))
    # The rod's x axis points from ball to ball.
    angle = float(np.arctan2(-(far - ball)[2], (far - ball)[0]))
    turn = (float(np.cos(angle / 2)), 0.0, float(np.sin(angle / 2)), 0.0)
    joints = (
        Joint("ground", "ground", "world", "base"),
        Joint("A", "revolute", "base", "crank", "actuated", axis=Z),
        Joint("B", "spherical", "crank", "rod", "passive", Frame(tuple(ball), turn)),
        Joint("D", "revolute", "base", "rocker", "passive", Frame((1.0, 0.0, 0.0)), axis=(0.0, 1.0, 0.0)),
        Joint("C", "spherical", "rod", "rocker", "passive", Frame((rod, 0, 0)), Frame((0.0, 0.0, 0.6), turn)),
    )
    return Character("RSSR", tuple(map(Body, ("base", "crank", "rod", "rocker"))), joints)


def pinned_four_bar(hair: float) -> Character:
    """RSSR whose first ball has a pin in it: a hinge square to the rod that misses the ball's centre by a hair [m]."""
    plain = spatial_four_bar()
    ball = plain.joint("B")
    pin = Joint(
        "pin", "revolute", "pin", "rod", "passive", Frame((hair, 0, 0)), Frame((hair, 0, 0)), axis=(0.0, 1.0, 0.0)
    )
    joints = [replace(ball, child="pin") if joint is ball else joint for joint in plain.joints]
    return Character("pinned", (*plain.bodies, Body("pin")), (*joints, pin))


@pytest.mark.parametrize("hair", [0.0, 1e-5, 1e-4, 1e-3])
def test_a_spin_that_drags_others_by_a_hair_is_held_and_said(hair: float) -> None:
    mechanism = build_mechanism(pinned_four_bar(hair))
    assert mechanism.counts.idle == 2
    assert mechanism.counts.mobility == 1
    drags = [spin.drags for spin in mechanism.idle]
    assert min(drags) == 0.0
    assert (max(drags) > 0.0) == (hair > 0.0)
    assert any("almost without moving anything else" in note for note in mechanism.notes) == (hair > 0.0)
    motion = loop_kinematics(mechanism, np.linspace(0.0, 0.5, 20)[:, None])
    assert motion.residual.max() < 1e-9


def test_a_spin_that_drags_others_far_lacks_an_actuator() -> None:
    with pytest.raises(MechanismError, match="under-actuated"):
        build_mechanism(pinned_four_bar(0.1))


def test_a_rod_between_balls_spins_idly_and_is_held() -> None:
    mechanism = build_mechanism(spatial_four_bar())
    (spin,) = mechanism.idle
    assert (spin.bodies, spin.joints) == (("rod",), ("B", "C"))
    assert mechanism.counts.idle == 1
    assert mechanism.counts.mobility == 1
    assert any("'rod' can spin between 'B' and 'C'" in note for note in mechanism.notes)
    motion = loop_kinematics(mechanism, np.linspace(0.0, 0.8, 30)[:, None])
    assert motion.residual.max() < 1e-10
    ends = motion.positions("rod")
    np.testing.assert_allclose(np.linalg.norm(ends[:, :2], axis=1), 0.3, atol=1e-10)


def test_a_ball_made_of_hinges_spins_as_one() -> None:
    rssr = spatial_four_bar()
    ball = rssr.joint("B")
    x, y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    hinges = (
        Joint("B1", "revolute", "crank", "one", "passive", ball.frame_parent, axis=x),
        Joint("B2", "revolute", "one", "two", "passive", axis=y),
        Joint("B3", "revolute", "two", "rod", "passive", axis=Z),
    )
    joints = tuple(joint for joint in rssr.joints if joint.name != "B") + hinges
    mechanism = build_mechanism(Character("RSSR", (*rssr.bodies, Body("one"), Body("two")), joints))
    assert [set(spin.joints) for spin in mechanism.idle] == [{"B1", "C"}]
    assert mechanism.counts.mobility == 1


def test_a_pendulum_is_not_idle() -> None:
    rssr = spatial_four_bar()
    swing = Joint("swing", "revolute", "rocker", "pendulum", "passive", axis=(0.0, 1.0, 0.0))
    character = Character("swinging", (*rssr.bodies, Body("pendulum")), (*rssr.joints, swing))
    with pytest.raises(MechanismError, match="move freely: pendulum"):
        build_mechanism(character)


def geared() -> Character:
    joints = (
        Joint("ground", "ground", "world", "a"),
        Joint("lead", "revolute", "a", "b", "passive"),
        Joint("motor", "revolute", "a", "c", "actuated", coupling=Coupling("lead", 2.0, 0.1)),
        Joint("other", "revolute", "a", "d", "passive", coupling=Coupling("lead", -3.0, 0.4)),
    )
    return Character("geared", tuple(map(Body, "abcd")), joints)


def test_a_motor_on_the_following_side_of_a_gear_leads() -> None:
    lead, motor, other = led_by_motors(geared().joints)[1:]
    assert motor.coupling is None
    assert lead.coupling == Coupling("motor", 0.5, -0.05)
    assert other.coupling is not None
    assert (other.coupling.leader, other.coupling.ratio) == ("motor", -1.5)
    assert other.coupling.offset == pytest.approx(0.55, abs=1e-15)
    mechanism = build_mechanism(geared())
    assert mechanism.control_names == ("motor",)
    motion = loop_kinematics(mechanism, [[0.9]])
    values = joint_coordinates(mechanism, motion.states).columns(("lead", "motor", "other"))[0]
    np.testing.assert_allclose(values, (0.4, 0.9, -0.8), atol=1e-12)


def test_a_clip_of_the_leader_moves_the_motor() -> None:
    clip = Clip(np.array([0.0, 1.0]), ("lead",), np.array([[0.0], [0.4]]))
    filled = clip_with_loops(geared(), clip)
    np.testing.assert_allclose(filled.positions[:, filled.column("lead")], (0.0, 0.4), atol=1e-12)


@pytest.mark.parametrize("lengths", [(0.3, 1.2, 1.1, 0.7), (1.2, 0.4, 1.3, 0.8), (0.9, 0.2, 1.0, 1.4)])
def test_a_four_bar_drawn_along_a_line_is_assembled(lengths: tuple[float, float, float, float]) -> None:
    assert build_mechanism(four_bar(*lengths)).counts.mobility == 1


def test_lengths_that_cannot_meet_are_proven_so() -> None:
    with pytest.raises(MechanismError, match=r"No pose can close it: 'A' and 'D' are 3000 mm apart and .* 1500 mm"):
        build_mechanism(four_bar(0.5, 0.5, 0.5, 3.0))


def test_what_was_only_not_found_is_not_called_impossible() -> None:
    """The hinge B lies 0.1 m out of the plane of the others: lengths alone do not tell."""
    flat = four_bar(0.4, 1.0, 0.8, 0.9)
    joints = list(flat.joints)
    lifted = Joint("B", "revolute", "crank", "coupler", "passive", Frame((0.4, 0.0, 0.1)), axis=Z)
    joints[2] = lifted
    with pytest.raises(MechanismError, match=r"no closed pose was found from \d+ starts") as caught:
        build_mechanism(Character("lifted", flat.bodies, tuple(joints)))
    assert "No pose can close it" not in str(caught.value)


def test_a_four_bar_has_two_modes_and_can_be_drawn_in_either() -> None:
    character = four_bar(0.4, 0.9, 0.5, 1.0)
    modes = assembly_modes(character, starts=30)
    assert len(modes) == 2
    first, second = (mode.coordinates["D"][0] for mode in modes)
    assert first == pytest.approx(-second, abs=1e-9)
    assert all(mode.coordinates["A"][0] == pytest.approx(0.0, abs=1e-9) for mode in modes)
    other = build_mechanism(in_mode(character, modes[1]))
    np.testing.assert_allclose(other.state, modes[1].state, atol=1e-9)


@pytest.mark.parametrize("end", [1.0, -1.0])
def test_a_flat_parallelogram_stays_one_whichever_way_it_leaves(end: float) -> None:
    mechanism = build_mechanism(four_bar(0.4, 1.0, 0.4, 1.0, HALF_TURN))
    assert mechanism.rest_is_singular
    assert any("rest pose is singular" in note for note in mechanism.notes)
    motion = loop_kinematics(mechanism, np.linspace(0.0, end, 30)[:, None])
    assert motion.residual.max() < 1e-9
    # The coupler of a parallelogram does not turn; that of one crossed over does.
    turned = np.abs(motion.quaternions_wxyz("coupler")[:, 3])
    assert turned.max() < 1e-4


def test_a_singular_part_that_does_not_move_holds_up_nothing() -> None:
    flat = four_bar(0.4, 1.0, 0.4, 1.0, HALF_TURN)
    arm = Joint("arm", JointType.REVOLUTE, "base", "arm", JointRole.ACTUATED, Frame((0, 1, 0)), axis=Z)
    mechanism = build_mechanism(Character("two", (*flat.bodies, Body("arm")), (*flat.joints, arm)))
    controls = np.column_stack([np.zeros(6), np.linspace(0.0, 0.6, 6)])
    motion = loop_kinematics(mechanism, controls)
    assert motion.residual.max() < 1e-9
    values = joint_coordinates(mechanism, motion.states).columns(("arm",))[:, 0]
    np.testing.assert_allclose(values, controls[:, 1], atol=1e-9)
