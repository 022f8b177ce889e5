"""Mechanisms with too few motors, held by springs and gravity: known answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from animato.character import Body, Character, Frame, Joint, Limits
from animato.design.study.settling import Spring, settle
from animato.errors import MechanismError, MotionError, OptionError
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import joint_coordinates
from tests.unit.design.small_robots import four_bar, two_legged_table

WEIGHT, LEVER = 2.0 * 9.81, 0.3


def pendulum(limits: tuple[Limits, ...] = ()) -> Character:
    """A hinge about y with 2 kg at 0.3 m along x: it begins level, and a positive turn lowers it."""
    hinge = Joint("hinge", "revolute", "base", "bob", "passive", axis=(0, 1, 0), stated_limits=limits)  # type: ignore[arg-type]
    bob = Body("bob", 2.0, (LEVER, 0.0, 0.0), (0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    ground = Joint("ground", "ground", "world", "base")  # type: ignore[arg-type]
    return Character("pendulum", (Body("base"), bob), (ground, hinge))


def test_a_pendulum_hangs() -> None:
    found = settle(pendulum())
    assert found.outcome.solved and found.left_open == ("hinge",)
    assert found.coordinates[0, 0] == pytest.approx(np.pi / 2, abs=1e-7)
    assert found.energy[0] == pytest.approx(-WEIGHT * LEVER, abs=1e-9)


def test_a_spring_holds_a_pendulum_where_torques_balance() -> None:
    stiff = 4.0
    angle = brentq(lambda q: stiff * q - WEIGHT * LEVER * np.cos(q), 0.0, 2.0)
    found = settle(pendulum(), springs={"hinge": Spring(stiff)})
    assert found.coordinates[0, 0] == pytest.approx(angle, abs=1e-8)


def test_a_pendulum_on_its_head_falls() -> None:
    """Upside down the slope is zero too, but it is no minimum: broken would be an answer of -pi/2."""
    upright = replace(pendulum(), joints=(pendulum().joints[0], replace(
        pendulum().joints[1], frame_parent=Frame((0, 0, 0), (np.sqrt(0.5), 0, -np.sqrt(0.5), 0)))))  # fmt: skip
    found = settle(upright)
    assert found.outcome.solved and found.energy[0] == pytest.approx(-WEIGHT * LEVER, abs=1e-9)


def test_a_stop_holds_a_pendulum() -> None:
    found = settle(pendulum((Limits(-0.5, 0.7),)))
    assert found.outcome.solved and found.coordinates[0, 0] == pytest.approx(0.7, abs=1e-9)


def test_springs_hold_a_four_bar_where_their_energies_are_least() -> None:
    """All hinges passive, springs at crank and coupler; beside it, the least of many cranks that are driven."""
    linkage = four_bar()
    springs = {"A": Spring(3.0, 0.9), "C": Spring(2.0, -0.4)}
    idle = replace(linkage, joints=tuple(
        replace(one, role="passive") if one.name == "A" else one for one in linkage.joints))  # type: ignore[arg-type] # fmt: skip
    found = settle(idle, springs=springs)
    driven = build_mechanism(linkage)
    cranks = np.linspace(0.0, 1.8, 1801)
    read = joint_coordinates(driven, loop_kinematics(driven, cranks[:, None]).states).columns(("A", "C"))
    energy = sum(0.5 * one.stiffness * (read[:, n] - one.rest) ** 2 for n, one in enumerate(springs.values()))
    assert found.outcome.solved and found.coordinates[0, 0] == pytest.approx(cranks[np.argmin(energy)], abs=1e-3)
    assert found.energy[0] <= np.min(energy) + 1e-9
    assert found.energy[0] == pytest.approx(np.min(energy), abs=1e-5)


def test_a_table_hangs_straight_under_its_cranks() -> None:
    """A parallelogram whose legs are free and whose top is heavy hangs below its hinges."""
    table = two_legged_table()
    heavy = tuple(Body(body.name, 1.0, (0.5, 0.0, 0.0)) if body.name == "top" else body for body in table.bodies)
    idle = replace(table, bodies=heavy, gravity=(0.0, -9.81, 0.0), joints=tuple(
        replace(one, role="passive") if one.name in ("left", "right") else one for one in table.joints))  # type: ignore[arg-type] # fmt: skip
    found = settle(idle)
    assert found.outcome.solved
    assert np.cos(found.coordinates[0, 0]) == pytest.approx(-1.0, abs=1e-9)


def test_a_motor_that_is_left_is_followed() -> None:
    """The upper arm is driven, the lower one hangs from it: it points down whatever the motor does."""
    arm = Character(
        "arm",
        (Body("base"), Body("upper"), Body("lower", 1.0, (0.2, 0.0, 0.0), (0.01, 0.01, 0.01, 0.0, 0.0, 0.0))),
        (
            Joint("ground", "ground", "world", "base"),  # type: ignore[arg-type]
            Joint("motor", "revolute", "base", "upper", "actuated", axis=(0, 1, 0)),  # type: ignore[arg-type]
            Joint("knee", "revolute", "upper", "lower", "passive", Frame((0.4, 0, 0)), axis=(0, 1, 0)),  # type: ignore[arg-type]
        ),
    )
    controls = np.linspace(0.0, 1.0, 4)[:, None]
    found = settle(arm, controls)
    np.testing.assert_allclose(controls[:, 0] + found.coordinates[:, 0], np.pi / 2, atol=1e-7)
    with pytest.raises(MotionError, match=r"\[step, 1\]"):
        settle(arm, np.zeros((3, 2)))


def test_what_cannot_be_settled_is_said() -> None:
    ball = replace(pendulum(), joints=(pendulum().joints[0], Joint("ball", "spherical", "base", "bob", "passive")))  # type: ignore[arg-type]
    with pytest.raises(MechanismError, match="no passive hinge or slide says how"):
        settle(ball)
    with pytest.raises(OptionError, match="joints of one axis"):
        settle(ball, springs={"ball": Spring(1.0)})
    with pytest.raises(OptionError, match="stiffness"):
        Spring(-1.0)
