"""Timings with closed forms beyond those of switching accelerations: jerk, effort, limits by direction and pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from animato.character.limits import Limits
from animato.errors import MotionError, OptionError, UnknownNameError
from animato.trace.options import Options
from animato.trace.timing.limit_shares import shares_between
from animato.trace.timing.settling import settled_clip
from animato.trace.timing.temporal_stage import solve_time_scaling
from animato.trace.warp import solve_timing
from tests.unit.trace.timing_cases import even, gantry, line, pendulum

FASTEST = Options(beta=0.0, gamma=1.0, segments=100, tempo_lock=False)
JERK = replace(FASTEST, jerk=True)


@pytest.mark.parametrize(("way", "most"), [(2.0, 30.0), (0.01, 1.0)])
def test_jerk_alone(way: float, most: float) -> None:
    """Full jerk up, down, down and up, a quarter of the time each: (32 D / J)^(1/3)."""
    answer = solve_timing(gantry(Limits(acceleration=1e4, jerk=most)), line(("axis_0",), [0.0], [way]), even(), JERK)
    exact = (32.0 * way / most) ** (1.0 / 3.0)
    assert answer.outcome.solved
    assert exact < answer.duration < 1.015 * exact  # 0.2 % of room, and what 120 pieces miss
    assert 0.98 < answer.worst_shares["jerk"] <= 1.0


def test_jerk_and_acceleration() -> None:
    """Ramps of A / J at every change of the acceleration: T = A / J + sqrt((A / J)^2 + 4 D / A)."""
    way, most, jerk = 2.0, 3.0, 30.0
    robot, path = gantry(Limits(acceleration=most, jerk=jerk)), line(("axis_0",), [0.0], [way])
    answer = solve_timing(robot, path, even(), JERK)
    exact = most / jerk + np.sqrt((most / jerk) ** 2 + 4.0 * way / most)
    assert exact < answer.duration < 1.006 * exact
    settled = settled_clip(robot, path, answer, JERK)
    assert settled.peaks["jerk"] <= 1.0
    assert settled.slowed < 1.01
    # negative control: frames of the motion that switches its accelerations break the limit many times over
    switching = solve_time_scaling(robot, path, even(), FASTEST)
    slowed = settled_clip(robot, path, switching, JERK)
    assert slowed.clip.duration > 1.2 * settled.clip.duration


def test_least_effort_in_a_given_time() -> None:
    """A mass moved in T with the least square of its force: s = 3 x^2 - 2 x^3, and 12 m^2 D^2 / (F^2 T^3)."""
    robot = gantry(Limits(torque=50.0), mass=2.0)
    options = Options(beta=0.0, gamma=0.0, effort=1.0, duration_s=3.0, tempo_lock=False, segments=100)
    answer = solve_timing(robot, line(("axis_0",), [0.0], [2.0]), even(), options)
    exact = 12.0 * (2.0 * 2.0 / 50.0) ** 2 / 27.0
    assert answer.duration == pytest.approx(3.0, rel=1e-9)
    assert exact * (1.0 - 1e-6) < answer.objective < 1.001 * exact
    x = np.linspace(0.0, 1.0, 21)
    np.testing.assert_allclose(answer.s_at(3.0 * x), 3.0 * x**2 - 2.0 * x**3, atol=2e-3)


def test_effort_against_haste() -> None:
    """gamma T + w C / T^3 is least where T^4 = 3 w C / gamma."""
    robot = gantry(Limits(torque=50.0), mass=2.0)
    options = replace(FASTEST, effort=100.0)
    answer = solve_timing(robot, line(("axis_0",), [0.0], [2.0]), even(), options)
    assert answer.duration == pytest.approx((3.0 * 100.0 * 12.0 * 0.08**2) ** 0.25, rel=5e-3)


@pytest.mark.parametrize("kind", ["acceleration", "torque"])
def test_different_limits_up_and_down(kind: str) -> None:
    """Faster with A, slower with B: a peak of v^2 = 2 D / (1 / A + 1 / B), in v / A + v / B."""
    robot = gantry(Limits(**{kind: 50.0}), mass=1.0)  # type: ignore[arg-type]
    options = replace(FASTEST, bounds=(f"axis_0 {kind} -2 6",))
    peak = np.sqrt(2.0 * 2.0 / (1.0 / 6.0 + 1.0 / 2.0))
    for start, end in ((0.0, 2.0), (2.0, 0.0)):
        path = line(("axis_0",), [start], [end])
        answer = solve_time_scaling(robot, path, even(), options)
        assert answer.duration == pytest.approx(peak / 6.0 + peak / 2.0, rel=1e-6)
        assert shares_between(robot, path, answer, bounds=options.bounds)[kind] <= 1.0 + 1e-9
        # the robot's own limits leave much: what was looked at is the bound
        assert shares_between(robot, path, answer)[kind] < 0.2


def test_different_speeds_up_and_down() -> None:
    robot = gantry(Limits(acceleration=20.0))
    options = replace(FASTEST, bounds=("axis_0 velocity -0.5 2",), segments=400)
    up = solve_time_scaling(robot, line(("axis_0",), [0.0], [2.0]), even(), options)
    down = solve_time_scaling(robot, line(("axis_0",), [2.0], [0.0]), even(), options)
    assert up.duration == pytest.approx(2.0 / 2.0 + 2.0 / 20.0, rel=1e-3)
    assert down.duration == pytest.approx(2.0 / 0.5 + 0.5 / 20.0, rel=1e-3)


def test_a_torque_limit_that_changes_along_the_way() -> None:
    """A lever that gets longer: F = 2 + 2 q forward, 4 back. By energy, with the switch where both speeds agree."""
    way, mass, brake = 2.0, 1.0, 4.0
    robot = gantry(Limits(torque=50.0), mass=mass)
    options = replace(FASTEST, bounds=("axis_0 torque -4 2 at 0", "axis_0 torque -4 6 at 2"), segments=200)
    answer = solve_time_scaling(robot, line(("axis_0",), [0.0], [way]), even(), options)

    def rising(q: float) -> float:
        return 2.0 / mass * (2.0 * q + q * q)

    def falling(q: float) -> float:
        return 2.0 / mass * brake * (way - q)

    switch = brentq(lambda q: rising(q) - falling(q), 1e-9, way - 1e-9)
    first = quad(lambda x: 2 * x / np.sqrt(rising(x * x)), 0, np.sqrt(switch))[0]
    last = quad(lambda x: 2 * x / np.sqrt(falling(way - x * x)), 0, np.sqrt(way - switch))[0]
    assert answer.duration == pytest.approx(first + last, rel=2e-4)
    assert answer.worst_shares["torque"] <= 1.0 + 1e-9


def test_a_pendulum_that_is_held_one_way_only() -> None:
    """Holding the pendulum takes torque in one direction: a weak motor the other way is no obstacle, this way it is."""
    robot, path = pendulum(Limits(torque=15.0)), line(("pivot",), [0.2], [1.2], pieces=1)
    weak = 0.9 * 2.0 * 9.81 * 0.5 * np.sin(1.2)  # of what it takes at the end of the path
    refused = []
    for bound in (f"pivot torque -15 {weak}", f"pivot torque {-weak} 15"):
        try:
            assert solve_time_scaling(robot, path, even(), replace(FASTEST, bounds=(bound,))).outcome.solved
        except MotionError as error:
            assert "Gravity alone" in str(error)
            refused.append(bound)
    assert len(refused) == 1


@pytest.mark.parametrize(
    "word",
    ["", "elbow", "elbow torque 5 3", "elbow torque -3", "elbow jerk -3 3", "elbow velocity -1 1 at 2", "x torque a b"],
)
def test_bounds_that_say_nothing(word: str) -> None:
    with pytest.raises(OptionError):
        Options(bounds=(word,))
    with pytest.raises(OptionError):
        Options(bounds=("elbow torque -3 3",), method="coupled")


def test_a_bound_of_nobody() -> None:
    robot, path = gantry(Limits(acceleration=3.0)), line(("axis_0",), [0.0], [1.0])
    with pytest.raises(UnknownNameError, match="axis_0"):
        solve_time_scaling(robot, path, even(), replace(FASTEST, bounds=("axis_O velocity -1 1",)))
