from __future__ import annotations

import numpy as np
import pytest

from animato.character.limits import Limits, TorqueSpeedCurve
from animato.errors import MotionError
from animato.trace.options import Options
from animato.trace.sketch.drawn_timing import DrawnTiming
from animato.trace.timing.grid import build_timing_grid
from animato.trace.timing.limit_shares import shares_between
from animato.trace.timing.temporal_stage import solve_time_scaling
from tests.unit.trace.timing_cases import drawn, even, fitted, gantry, line, pendulum

LIMITS = Limits(velocity=1.0, acceleration=4.0)


def wave(s: np.ndarray) -> np.ndarray:
    return np.stack([s, 0.2 * np.sin(6 * s)], axis=1)


WAVE = fitted(("axis_0", "axis_1"), wave, pieces=12)


def swaying(s: np.ndarray) -> np.ndarray:
    return 1.0 + 0.5 * np.sin(9 * s)


def test_s_over_time_is_one_smooth_motion() -> None:
    answer = solve_time_scaling(
        gantry(LIMITS, LIMITS), WAVE, drawn(swaying, 4.0), Options(beta=5.0, gamma=0.1, segments=60, tempo_lock=False)
    )
    np.testing.assert_allclose(answer.s_at(answer.times), answer.s, atol=1e-9)
    np.testing.assert_allclose(answer.time_of(answer.s), answer.times, atol=1e-9)
    times = np.linspace(0.01, answer.duration - 0.01, 4001)
    s, rate, change = answer.rates_at(times)
    assert np.all(np.diff(s) > 0.0)
    np.testing.assert_allclose(answer.time_of(s), times, atol=1e-8)
    step = 1e-6
    ahead, behind = answer.rates_at(times + step), answer.rates_at(times - step)
    np.testing.assert_allclose((ahead[0] - behind[0]) / (2 * step), rate, atol=1e-5)
    same_segment = np.searchsorted(answer.times, times + step) == np.searchsorted(answer.times, times - step)
    slope = (ahead[1] - behind[1]) / (2 * step)
    np.testing.assert_allclose(slope[same_segment], change[same_segment], atol=1e-4)
    i = np.clip(np.searchsorted(answer.s, s) - 1, 0, 59)
    x = (s - answer.s[i]) / np.diff(answer.s)[i]
    b = (1 - x) * answer.b[i] + x * answer.b[i + 1] + 2 * x * (1 - x) * answer.bends[i]
    np.testing.assert_allclose(rate**2, b, rtol=1e-7, atol=1e-10)


def test_rest_before_and_after() -> None:
    answer = solve_time_scaling(gantry(LIMITS, LIMITS), WAVE, even(4.0), Options(segments=20, tempo_lock=False))
    s, rate, change = answer.rates_at([-1.0, answer.duration + 1.0])
    np.testing.assert_array_equal(s, [0.0, 1.0])
    np.testing.assert_array_equal(rate, 0.0)
    np.testing.assert_array_equal(change, 0.0)


def test_wanted_duration_is_met_and_shapes_like_the_drawing() -> None:
    robot, timing = gantry(LIMITS, LIMITS), drawn(swaying, 4.0)
    answer = solve_time_scaling(
        robot, WAVE, timing, Options(beta=100.0, duration_s=9.0, segments=100, tempo_lock=False)
    )
    assert answer.duration == pytest.approx(9.0, rel=1e-7)
    inner = np.linspace(0.1, 0.9, 50)
    np.testing.assert_allclose(answer.time_of(inner), timing.at(inner) * 9.0 / 4.0, atol=0.05)


def test_duration_that_is_too_short_names_the_shortest() -> None:
    robot = gantry(LIMITS, LIMITS)
    shortest = solve_time_scaling(
        robot, WAVE, even(4.0), Options(beta=0.0, gamma=1.0, segments=50, tempo_lock=False)
    ).duration
    with pytest.raises(MotionError, match=rf"at least {shortest:.2f}"):
        solve_time_scaling(robot, WAVE, even(4.0), Options(duration_s=0.5, segments=50, tempo_lock=False))


def test_pause_is_kept() -> None:
    """The robot stops where the drawing hand stopped, and waits about as long."""
    timing = DrawnTiming(np.array([0.0, 0.5, 0.5, 1.0]), np.array([0.0, 2.0, 3.5, 5.5]))
    robot = gantry(LIMITS, LIMITS)
    answer = solve_time_scaling(
        robot, WAVE, timing, Options(beta=100.0, gamma=0.01, timing="absolute", segments=100, tempo_lock=False)
    )
    stop = int(np.argmin(np.abs(answer.s - 0.5)))
    assert answer.b[stop] == 0.0
    assert answer.waits[stop] == pytest.approx(1.5, abs=0.4)
    middle = answer.times[stop] + 0.5 * answer.waits[stop]
    assert answer.s_at([middle])[0] == pytest.approx(0.5)
    assert answer.rates_at([middle])[1][0] == 0.0
    locked = solve_time_scaling(robot, WAVE, timing, Options(tempo_lock=True, segments=100))
    assert locked.waits[stop] >= 1.5


def test_accents_pull_the_error_elsewhere() -> None:
    s = np.linspace(0, 1, 400)
    base = drawn(lambda x: 1.0 + 0.8 * np.sin(12 * x), 1.2, 400)
    strict = DrawnTiming(base.s, base.times, np.where((s > 0.4) & (s < 0.6), 100.0, 1.0))
    robot = gantry(LIMITS, LIMITS)
    options = Options(beta=1.0, gamma=0.01, segments=100, tempo_lock=False)

    def error(timing: DrawnTiming) -> float:
        answer = solve_time_scaling(robot, WAVE, timing, options)
        inner = np.linspace(0.42, 0.58, 50)
        return float(np.mean((answer.time_of(inner) - timing.at(inner) * answer.duration / timing.duration) ** 2))

    assert error(strict) < 0.5 * error(base)


def test_gravity_that_is_too_much_names_joint_and_pose() -> None:
    weak = pendulum(Limits(torque=9.0))  # holding level takes 9.81 N m
    with pytest.raises(MotionError, match=r"joint 'pivot' of 'pendulum' at s = 0\.\d+.*9\.8\d* of 9.*pivot 1\.5"):
        solve_time_scaling(weak, line(("pivot",), [0.0], [2.0]), even(), Options(segments=40, tempo_lock=False))


def test_a_grid_that_is_too_coarse_for_the_torques_is_refined() -> None:
    """Two segments of 6 rad each: no cubic follows gravity along them, but the motor is strong enough."""
    robot, path = pendulum(Limits(torque=12.0)), line(("pivot",), [0.0], [12.0], pieces=1)
    answer = solve_time_scaling(robot, path, even(), Options(beta=0.0, gamma=1.0, segments=2, tempo_lock=False))
    assert len(answer.s) > 8 and answer.outcome.solved
    assert 0.9 < max(shares_between(robot, path, answer).values()) <= 1 + 1e-9


def test_gravity_between_the_places_of_a_coarse_grid_is_found() -> None:
    """Holding level takes 9.81 N m, more than the motor has, in a band of 0.2 rad only."""
    robot, path = pendulum(Limits(torque=9.75)), line(("pivot",), [0.0], [12.0], pieces=1)
    with pytest.raises(MotionError, match="Gravity alone is too much for joint 'pivot'"):
        solve_time_scaling(robot, path, even(), Options(beta=0.0, gamma=1.0, segments=2, tempo_lock=False))


@pytest.mark.parametrize("torque", [10.0, 10.5, 15.0])
def test_the_answer_was_checked_by_inverse_dynamics_between_grid_points(torque: float) -> None:
    robot, path = pendulum(Limits(torque=torque), damping=0.2), line(("pivot",), [0.0], [5.0], pieces=2)
    answer = solve_time_scaling(robot, path, even(), Options(beta=0.0, gamma=1.0, segments=12, tempo_lock=False))
    assert answer.checked_places == 12 * (len(answer.s) - 1) + 1
    finer = shares_between(robot, path, answer)
    assert max(finer.values()) <= 1 + 1e-9
    assert finer["torque"] == pytest.approx(answer.worst_shares["torque"], abs=0.02)


def test_a_duration_that_only_the_tempo_lock_forbids_says_so() -> None:
    with pytest.raises(
        MotionError, match=r"`duration_s` of 3 is too short under the tempo lock.*at least 4\..*off the `tempo_lock`"
    ):
        solve_time_scaling(
            gantry(LIMITS, LIMITS), WAVE, even(4.0), Options(duration_s=3.0, tempo_lock=True, segments=50)
        )


def test_a_feasible_stroke_from_rest_to_rest_is_reproduced_under_tempo_lock() -> None:
    """Drawn as a robot would, with constant acceleration at both ends: nothing is lost there either."""
    times = np.linspace(0.0, 6.0, 1501)
    speed = np.minimum(np.minimum(times, 6.0 - times), 1.0)
    s = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]))])
    timing = DrawnTiming(s / s[-1], times)
    path = line(("axis_0",), [0.0], [1.0])
    answer = solve_time_scaling(gantry(LIMITS), path, timing, Options(tempo_lock=True, segments=200))
    assert 6.0 <= answer.duration < 6.02
    assert np.abs(answer.time_of(timing.s) - timing.times).max() < 0.015


def test_nothing_limits_the_speed() -> None:
    with pytest.raises(MotionError, match="Nothing limits"):
        solve_time_scaling(
            gantry(Limits()), line(("axis_0",), [0.0], [1.0]), even(), Options(beta=0.0, gamma=1.0, tempo_lock=False)
        )


def test_tempo_lock_alone_limits_too() -> None:
    answer = solve_time_scaling(
        gantry(Limits()), line(("axis_0",), [0.0], [1.0]), even(2.0), Options(tempo_lock=True, segments=50)
    )
    assert answer.duration >= 2.0


def test_grid_has_every_knot(rng: np.random.Generator) -> None:
    knots, pauses = np.sort(rng.uniform(size=30)), np.array([0.25, 0.5])
    grid = build_timing_grid(knots, pauses, 200)
    assert grid[0] == 0.0 and grid[-1] == 1.0 and np.all(np.diff(grid) > 0.0)
    for place in [*knots, *pauses]:
        assert np.abs(grid - place).min() < 1e-8
    assert 200 <= len(grid) - 1 <= 235


def test_torque_speed_curve_is_held_and_costs_time() -> None:
    """A motor that gives less the faster it turns: slower than with its full torque, and inside the curve."""
    plain = Limits(torque=15.0, velocity=8.0)
    falling = Limits(torque=15.0, velocity=8.0, curve=TorqueSpeedCurve((0.0, 8.0), (15.0, 0.0)))
    path = line(("pivot",), [0.0], [2.0])
    fastest = Options(beta=0.0, gamma=1.0, segments=200, tempo_lock=False)
    full = solve_time_scaling(pendulum(plain), path, even(), fastest)
    real = solve_time_scaling(pendulum(falling), path, even(), fastest)
    assert real.duration > 1.03 * full.duration
    share = shares_between(pendulum(falling), path, real, finer=20)["torque"]
    assert 0.98 < share <= 1.0 + 1e-9
    assert shares_between(pendulum(falling), path, full, finer=20)["torque"] > 1.1  # the check can fail
