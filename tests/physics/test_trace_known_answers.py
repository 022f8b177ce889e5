"""Time scalings with closed forms: how long a motion takes at least, and what governs it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from animato.character.limits import Limits
from animato.trace.options import Options
from animato.trace.timing.temporal_stage import solve_time_scaling
from tests.unit.trace.timing_cases import even, fitted, gantry, line, pendulum

FASTEST = Options(beta=0.0, gamma=1.0, segments=100, tempo_lock=False)


def fastest(segments: int) -> Options:
    return Options(beta=0.0, gamma=1.0, segments=segments, tempo_lock=False)


@pytest.mark.parametrize(("way", "most"), [(2.0, 3.0), (0.01, 50.0), (300.0, 0.2)])
def test_bang_bang(way: float, most: float) -> None:
    """Half of the way faster, half of it slower: 2 sqrt(D / A)."""
    robot = gantry(Limits(acceleration=most))
    answer = solve_time_scaling(robot, line(("axis_0",), [0.0], [way]), even(), FASTEST)
    assert answer.outcome.solved
    assert answer.duration == pytest.approx(2 * np.sqrt(way / most), rel=1e-7)
    np.testing.assert_allclose(answer.b[:51], 2 * most / way * answer.s[:51], rtol=1e-5, atol=1e-12)


def test_bang_bang_under_a_torque_limit() -> None:
    """Force over mass is an acceleration, and the rotor is a mass."""
    robot = gantry(Limits(torque=6.0), mass=2.0)
    answer = solve_time_scaling(robot, line(("axis_0",), [0.0], [2.0]), even(), FASTEST)
    assert answer.duration == pytest.approx(2 * np.sqrt(2.0 / 3.0), rel=1e-7)


def test_bang_cruise_bang() -> None:
    """With a speed limit: D / V + V / A."""
    robot = gantry(Limits(velocity=1.0, acceleration=2.0))
    answer = solve_time_scaling(robot, line(("axis_0",), [0.0], [2.0]), even(), FASTEST)
    assert answer.duration == pytest.approx(2.0 / 1.0 + 1.0 / 2.0, rel=1e-4)
    assert np.sqrt(answer.b.max()) * 2.0 == pytest.approx(1.0, rel=1e-4)


def test_slowest_joint_governs_a_line() -> None:
    quick, slow = Limits(velocity=5.0, acceleration=50.0), Limits(velocity=0.5, acceleration=1.0)
    robot = gantry(quick, slow)
    both = solve_time_scaling(robot, line(("axis_0", "axis_1"), [0, 0], [1.0, 1.0]), even(), FASTEST)
    assert both.duration == pytest.approx(1.0 / 0.5 + 0.5 / 1.0, rel=1e-4)
    # the same line at a tenth of the slope: now the slow joint has little to do
    flat = solve_time_scaling(robot, line(("axis_0", "axis_1"), [0, 0], [1.0, 0.01]), even(), FASTEST)
    assert flat.duration == pytest.approx(1.0 / 5.0 + 5.0 / 50.0, rel=1e-3)


def test_speed_limit_of_a_circle() -> None:
    """Where a circle crosses an axis one joint alone turns the motion: v^2 / r = A."""
    radius, most, turns = 0.3, 2.0, 3
    robot = gantry(Limits(acceleration=most), Limits(acceleration=most))

    def circle(s: np.ndarray) -> np.ndarray:
        return radius * np.stack([np.cos(2 * np.pi * turns * s), np.sin(2 * np.pi * turns * s)], axis=1)

    path = fitted(("axis_0", "axis_1"), circle, pieces=120)
    answer = solve_time_scaling(robot, path, even(), fastest(720))
    speed = np.sqrt(answer.b) * 2 * np.pi * turns * radius
    crossings = [int(np.argmin(np.abs(answer.s - k / 4 / turns))) for k in range(3, 4 * turns - 2)]
    np.testing.assert_allclose(speed[crossings], np.sqrt(most * radius), rtol=2e-3)
    assert speed.max() > 1.05 * np.sqrt(most * radius)  # between the axes two joints share the turn


def swing_time(torque: float, end: float) -> float:
    """Shortest swing of the pendulum from 0 to `end`, by energy: full torque up to a switch, then against it."""
    inertia, weight = 2.0 * 0.25 + 0.1, 2.0 * 9.81 * 0.5

    def rising(q: float) -> float:
        return 2 / inertia * (torque * q - weight * (1 - np.cos(q)))

    def falling(q: float) -> float:
        return 2 / inertia * (torque * (end - q) + weight * (np.cos(q) - np.cos(end)))

    switch = brentq(lambda q: rising(q) - falling(q), 1e-6, end - 1e-6)
    # with q = x^2 the integrand 1 / sqrt stays finite at rest
    first = quad(lambda x: 2 * x / np.sqrt(rising(x * x)), 0, np.sqrt(switch), epsabs=1e-12, epsrel=1e-12)[0]
    last = quad(lambda x: 2 * x / np.sqrt(falling(end - x * x)), 0, np.sqrt(end - switch), epsabs=1e-12)[0]
    return float(first + last)


def test_pendulum_under_gravity_with_second_order() -> None:
    robot, path = pendulum(Limits(torque=15.0)), line(("pivot",), [0.0], [2.5], pieces=1)
    exact = swing_time(15.0, 2.5)
    errors = [abs(solve_time_scaling(robot, path, even(), fastest(n)).duration - exact) for n in (20, 40, 80, 160)]
    assert errors[-1] < 2e-4 * exact
    order = np.log2(errors[0] / errors[-1]) / 3
    assert order == pytest.approx(2.0, abs=0.25)  # the switch falls anywhere inside a segment, which makes it uneven


def test_gravity_matters() -> None:
    """Negative control: without gravity the same swing is the bang-bang one."""
    robot = pendulum(Limits(torque=15.0))
    path = line(("pivot",), [0.0], [2.5], pieces=1)
    with_gravity = solve_time_scaling(robot, path, even(), FASTEST).duration
    assert abs(with_gravity / (2 * np.sqrt(2.5 * 0.6 / 15.0)) - 1) > 0.01


def test_friction_is_a_smaller_torque() -> None:
    """Dry friction takes from the drive and helps the brake: D = v^2 / 2 (1 / a + 1 / b)."""
    robot = pendulum(Limits(torque=15.0), friction=3.0)
    level = robot.__class__(robot.name, robot.bodies, robot.joints, gravity=(0, 0, 0))
    answer = solve_time_scaling(level, line(("pivot",), [0.0], [2.0], pieces=1), even(), fastest(400))
    drive, brake = (15.0 - 3.0) / 0.6, (15.0 + 3.0) / 0.6
    peak = np.sqrt(2 * 2.0 / (1 / drive + 1 / brake))
    # on the last segment friction is not counted on, because it stops with the motion
    assert 1.0 - 1e-9 < answer.duration / (peak / drive + peak / brake) < 1.015


def test_damping_is_on_the_safe_side_and_close() -> None:
    """Against a separate integration of the full drive with viscous damping, then the full brake without its help."""
    robot = pendulum(Limits(torque=15.0), damping=1.0)
    level = robot.__class__(robot.name, robot.bodies, robot.joints, gravity=(0, 0, 0))
    answer = solve_time_scaling(level, line(("pivot",), [0.0], [2.0], pieces=1), even(), fastest(400))
    inertia, step = 0.6, 1e-5
    exact = _damped_time(inertia, 15.0, 1.0, 2.0, step)
    assert exact * (1 - 1e-3) < answer.duration < exact * 1.06
    assert answer.worst_shares["torque"] <= 1 + 1e-9


def _damped_time(inertia: float, torque: float, damping: float, way: float, step: float) -> float:
    """Drive until braking must begin, both in closed form of first-order lag."""

    def driven(t: float) -> tuple[float, float]:
        top, lag = torque / damping, inertia / damping
        return top * (t - lag * (1 - np.exp(-t / lag))), top * (1 - np.exp(-t / lag))

    def braking(speed: float) -> tuple[float, float]:
        lag, top = inertia / damping, torque / damping
        time = lag * np.log(1 + speed / top)
        return time, (speed + top) * lag * (1 - np.exp(-time / lag)) - top * time

    switch = brentq(lambda t: driven(t)[0] + braking(driven(t)[1])[1] - way, step, 10.0)
    return float(switch + braking(driven(switch)[1])[0])
