"""The quickest way along a joint's path has a closed form: full acceleration, full speed, full acceleration."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character, Joint, Limits
from animato.fix.pace import local_pace
from animato.motion import Clip

SPEED, ACCELERATION = 2.0, 8.0
FREE = {"tempo_change_per_s": np.inf, "ease_s": 0.0, "fastest": 1e3, "slowest": 1e-6, "looks": 0}
"""No cap of the tempo, no limit of its change, and the plan itself."""


def hinge(**limits: float) -> Character:
    turn = Joint("hinge", "revolute", "base", "arm", stated_limits=(Limits(**limits),))
    bodies = (Body("base", mass=1.0), Body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0)))
    return Character("one", bodies, (Joint("hold", "ground", "world", "base"), turn))


def step(way: float, frames: int) -> Clip:
    """From rest to rest in a second, as a minimum-jerk polynomial."""
    t = np.linspace(0.0, 1.0, frames)
    return Clip(t, ("hinge",), way * (10.0 * t**3 - 15.0 * t**4 + 6.0 * t**5)[:, None])


def least_time(way: float) -> float:
    if way * ACCELERATION > SPEED**2:
        return way / SPEED + SPEED / ACCELERATION
    return float(2.0 * np.sqrt(way / ACCELERATION))


@pytest.mark.parametrize("way", [0.3, 1.7])
def test_least_time_of_a_step(way: float) -> None:
    """First order in the frames, and never less than the closed form by more than that."""
    robot = hinge(velocity=SPEED, acceleration=ACCELERATION)
    errors = [local_pace(robot, step(way, n), **FREE).duration / least_time(way) - 1.0 for n in (101, 401, 1601)]
    assert max(np.abs(errors)) < 1e-2
    assert abs(errors[2]) < 1e-3
    assert abs(errors[2]) < 0.35 * abs(errors[1]) < 0.35**2 * abs(errors[0])


def test_torque_is_inertia_times_acceleration() -> None:
    by_torque = local_pace(hinge(velocity=SPEED, torque=0.1 * ACCELERATION), step(1.7, 401), **FREE)
    by_acceleration = local_pace(hinge(velocity=SPEED, acceleration=ACCELERATION), step(1.7, 401), **FREE)
    # the axis goes through the centre of mass: nothing to hold
    assert by_torque.duration == pytest.approx(by_acceleration.duration, rel=1e-9)


def test_a_tempo_that_may_change_little_takes_longer() -> None:
    robot, clip = hinge(velocity=SPEED, acceleration=ACCELERATION), step(1.7, 401)
    bound = local_pace(robot, clip, **{**FREE, "tempo_change_per_s": 2.0}).duration
    assert bound > 1.02 * least_time(1.7)


def test_speed_alone_is_a_ratio() -> None:
    """At full speed all the way: way / speed, where the artist is nowhere slower."""
    t = np.linspace(0.0, 1.0, 201)
    clip = Clip(t, ("hinge",), (3.0 * t)[:, None])
    pace = local_pace(hinge(velocity=SPEED), clip)
    assert pace.duration == pytest.approx(3.0 / SPEED, rel=1e-9)
