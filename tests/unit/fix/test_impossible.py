"""Why no motion exists: a heavy arm whose torque is known by hand, protections that break limits, balance."""

from __future__ import annotations

import math

import numpy as np
import pytest

import animato as an
from animato.character import SERVOS, Body, Character, Joint, JointType, Limits
from animato.fix import obstacles_of
from animato.outcome import Status

MASS, LEVER, GRAVITY = 2.0, 0.3, 9.81


def heavy_arm(torque: float, reach: float = 0.5) -> Character:
    """An arm that lies along x and may only be lifted or lowered a little: it weighs m g l cos(q) on its joint."""
    base = Body("base", mass=1.0)
    arm = Body("arm", mass=MASS, centre=(LEVER, 0.0, 0.0), inertia=(0.01,) * 3 + (0.0,) * 3)
    limits = Limits(lower=-reach, upper=reach, velocity=5.0, acceleration=50.0, torque=torque)
    ground = Joint("ground", JointType.GROUND, "world", "base")
    shoulder = Joint(
        "shoulder", JointType.REVOLUTE, parent="base", child="arm", axis=(0.0, -1.0, 0.0), stated_limits=(limits,)
    )
    return Character("crane", (base, arm), (ground, shoulder))


def lift(amplitude: float = 0.3) -> an.Clip:
    times = np.linspace(0.0, 2.0, 41)
    return an.Clip(times, ("shoulder",), amplitude * np.sin(np.pi * times)[:, None])


def test_gravity_alone_is_named_with_the_torque_that_it_takes() -> None:
    needed = MASS * GRAVITY * LEVER
    solution = an.fix.solve(an.fix.build(heavy_arm(0.6 * needed), lift()))
    assert solution.outcome.status is Status.INFEASIBLE
    obstacle = obstacles_of(solution.problem, solution.clip)[0]
    assert (obstacle.cause, obstacle.axis, obstacle.kind) == ("gravity", "shoulder", "torque")
    angle = float(solution.problem.clip.resampled([obstacle.time_s]).positions[0, 0])
    told = float(obstacle.reason.split("needs ")[1].split(" N m")[0])
    assert told == pytest.approx(needed * math.cos(angle), rel=5e-3)  # three digits are told
    assert f"gives {0.6 * needed:.3g} N m" in obstacle.reason
    least = float(obstacle.reason.split("less than ")[1].split(" N m")[0])
    assert least == pytest.approx(needed * math.cos(0.5), rel=5e-3)
    assert obstacle.reason in solution.outcome.reason


def test_what_would_do_is_a_motor_of_that_torque_or_a_lighter_load() -> None:
    needed = MASS * GRAVITY * LEVER
    solution = an.fix.solve(an.fix.build(heavy_arm(0.5 * needed), lift()))
    advice = obstacles_of(solution.problem, solution.clip)[0].advice
    assert "2 kg" in advice
    lighter = float(advice.split("lighter by ")[1].split(" %")[0])
    assert lighter == pytest.approx(50.0, abs=0.5)  # the arm is stretched out at some moment
    named = advice.split("another servo: ")[1].split(" (")[0]
    assert SERVOS[named].stall_torque > needed


def test_a_motor_that_is_just_strong_enough_is_no_obstacle() -> None:
    solution = an.fix.solve(an.fix.build(heavy_arm(1.02 * MASS * GRAVITY * LEVER), lift(0.05)))
    assert solution.outcome.usable
    assert obstacles_of(solution.problem, solution.clip) == ()


def test_a_protected_moment_that_breaks_a_limit_is_named() -> None:
    options = an.fix.Options(protect=("0.4-0.6",))
    solution = an.fix.solve(an.fix.build(heavy_arm(50.0, reach=0.2), lift(0.3), options))
    assert solution.outcome.status is Status.INFEASIBLE
    obstacle = obstacles_of(solution.problem, solution.clip)[0]
    assert (obstacle.cause, obstacle.kind) == ("protected", "position")
    assert "0.4-0.6 s is protected" in obstacle.reason
    assert "rotect less" in obstacle.advice


def test_without_the_protection_it_can_be_done() -> None:
    solution = an.fix.solve(an.fix.build(heavy_arm(50.0, reach=0.2), lift(0.3)))
    assert solution.outcome.usable
