from __future__ import annotations

import math

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.errors import AnimatoError, MotionError, OptionError
from animato.express.filter.motion_filter import MotionFilter, follow
from animato.express.filter.report import filter_reports, step_response, worst_limit_share

HEAD = Limits(lower=-1.5, upper=1.5, velocity=2.0, acceleration=10.0, jerk=100.0)


def settle(motion_filter: MotionFilter, set_points: list[float], samples: int = 2000) -> np.ndarray:
    return np.array([motion_filter.step(set_points) for _ in range(samples)])


def test_it_starts_at_rest_in_range_and_arrives_exactly() -> None:
    motion_filter = MotionFilter([HEAD, Limits(lower=0.5, upper=2.0, velocity=1.0)], 500.0)
    assert motion_filter.positions.tolist() == [0.0, 0.5]
    settle(motion_filter, [1.0, 0.7])
    assert motion_filter.positions.tolist() == [1.0, 0.7]
    assert motion_filter.velocities.tolist() == [0.0, 0.0]
    assert motion_filter.accelerations.tolist() == [0.0, 0.0]


def test_one_by_one_is_the_same_as_all_at_once(rng: np.random.Generator) -> None:
    set_points = np.repeat(rng.uniform(-2, 2, (30, 3)), 20, axis=0)
    set_points[rng.random(set_points.shape) < 0.1] = np.nan
    options = {"smoothness": [0.0, 0.1, 0.5], "responsiveness": [0.0, 1.0, 0.5]}
    batch = follow([HEAD] * 3, 200.0, set_points, start=np.zeros(3), **options)
    live = MotionFilter([HEAD] * 3, 200.0, **options)
    for frame, row in enumerate(set_points):
        assert live.step(row).tolist() == batch.positions[frame].tolist()
        assert live.velocities.tolist() == batch.velocities[frame].tolist()
        assert live.held.tolist() == batch.held[frame].tolist()
    assert batch.times[0] == pytest.approx(1 / 200.0)


def test_commands_are_a_motion_of_constant_jerk(rng: np.random.Generator) -> None:
    h = 0.01
    motion = follow([HEAD], 1 / h, np.repeat(rng.uniform(-2, 2, (20, 1)), 20, axis=0), start=[0.3])
    x = np.vstack([[[0.3]], motion.positions])[:-1]
    v, a = (np.vstack([[[0.0]], values])[:-1] for values in (motion.velocities, motion.accelerations))
    j = motion.jerks
    np.testing.assert_allclose(motion.positions, x + h * v + h**2 / 2 * a + h**3 / 6 * j, atol=1e-13)
    np.testing.assert_allclose(motion.velocities, v + h * a + h**2 / 2 * j, atol=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_a_number_keeps_the_last_set_point(bad: float) -> None:
    motion_filter = MotionFilter([HEAD, HEAD], 100.0)
    motion_filter.step([0.5, 0.5])
    assert not motion_filter.held.any()
    out = settle(motion_filter, [bad, 0.2], 300)
    assert motion_filter.held.tolist() == [True, False]
    assert out[-1].tolist() == [0.5, 0.2]


def test_nan_before_the_first_set_point_keeps_still() -> None:
    motion = follow([HEAD], 100.0, np.full((50, 1), np.nan), start=[0.4])
    assert np.all(motion.positions == 0.4)
    assert motion.held.all()


@pytest.mark.parametrize(
    "limits",
    [
        Limits(-1, 1),
        Limits(-1, 1, velocity=2.0),
        Limits(-1, 1, velocity=2.0, acceleration=10.0),
        Limits(-1, 1, velocity=2.0, jerk=100.0),
        Limits(-1, 1, acceleration=10.0, jerk=100.0),
        Limits(-1, 1, jerk=100.0),
        Limits(upper=1.0, velocity=2.0, acceleration=10.0, jerk=100.0),
        Limits(),
        Limits(1.0, 1.0, velocity=2.0),
    ],
    ids=repr,
)
@pytest.mark.parametrize("responsiveness", [0.0, 1.0])
def test_missing_limits_are_infinite(limits: Limits, responsiveness: float) -> None:
    goal = np.full((600, 1), 1.0)
    goal[300:] = -0.5
    start = [1.0] if limits.lower == 1.0 else [0.0]
    motion = follow([limits], 100.0, goal, responsiveness=responsiveness, start=start)
    low, high = limits.range
    assert motion.positions[299, 0] == pytest.approx(1.0, abs=1e-12)
    assert motion.positions[-1, 0] == pytest.approx(min(max(-0.5, low), high), abs=1e-12)
    assert motion.positions.max() <= 1.0
    assert worst_limit_share(limits, motion, 0) <= 1.0 + 1e-9


def test_no_limits_follow_within_two_samples() -> None:
    motion = follow([Limits()], 100.0, np.array([[0.0], [1.0], [1.0], [1.0], [1.0]]))
    assert motion.positions[:, 0].tolist() == pytest.approx([0.0, 1 / 6, 5 / 6, 1.0, 1.0], abs=1e-12)


def test_set_points_outside_are_brought_to_the_edge() -> None:
    motion = follow([HEAD], 200.0, np.full((800, 1), 9.0), start=[0.0])
    assert motion.positions.max() == motion.positions[-1, 0] == 1.5


def test_it_can_start_in_motion_if_it_can_stop() -> None:
    motion_filter = MotionFilter([HEAD], 200.0)
    motion_filter.reset([1.2], velocities=[0.9])
    out = settle(motion_filter, [9.0], 400)[:, 0]
    assert out[0] > 1.2
    assert out.max() == out[-1] == 1.5
    with pytest.raises(MotionError, match="cannot stop before the end"):
        motion_filter.reset([1.5], velocities=[0.1])
    motion_filter.reset([1.5], velocities=[-0.1])
    with pytest.raises(MotionError, match="its limit is 2"):
        motion_filter.reset([0.0], velocities=[2.5])


def test_a_ramp_is_followed_without_lag_and_without_ripple() -> None:
    ramp = (np.arange(1, 301) / 100.0 * 0.8 - 1.4)[:, None]
    eager = follow([HEAD], 100.0, ramp, responsiveness=1.0)
    np.testing.assert_allclose(eager.positions[150:250], ramp[150:250], atol=1e-12)
    calm = follow([HEAD], 100.0, ramp, responsiveness=0.0)
    lag = ramp[150:250] - calm.positions[150:250]
    assert np.ptp(lag) < 1e-4
    assert lag.min() > 0.05
    assert np.abs(calm.jerks[150:250]).max() < 0.02 * 100.0


def test_held_set_points_of_a_slow_source_are_carried_on() -> None:
    rate, every = 500, 25
    fine = np.arange(1, 2 * rate + 1) / rate * 0.8
    held = np.repeat(fine[every - 1 :: every], every)[: len(fine)] - 0.8
    motion = follow([HEAD], rate, held[:, None])
    newest = held + 0.8 / rate * (np.arange(len(held)) % every)
    np.testing.assert_allclose(motion.positions[600:, 0], newest[600:], atol=1e-9)


def test_step_response_reports() -> None:
    report = step_response(HEAD, 1000.0, end=1.0)
    assert report.overshoot == 0.0
    assert report.settling_s == pytest.approx(0.8, abs=0.005)  # 1 / 2 + 2 / 10 + 10 / 100 s
    assert report.lag_s == pytest.approx(0.4, abs=0.002)
    assert report.worst_limit_share == pytest.approx(1.0, abs=1e-9)
    assert math.isinf(step_response(HEAD, 1000.0, duration_s=0.1).settling_s)
    assert step_response(HEAD, 100.0, start=0.5, end=0.5).settling_s == 0.0


def test_reports_measure_a_known_delay() -> None:
    goal = np.sin(np.arange(2000) / 100.0)[:, None]
    motion = follow([Limits()], 100.0, goal, responsiveness=0.0)
    (report,) = filter_reports([Limits()], motion, goal)
    assert report.lag_s == pytest.approx(0.01, abs=1e-4)  # without limits, one sample
    assert report.worst_limit_share == 0.0
    goal[::7] = np.nan
    assert filter_reports([Limits()], motion, goal)[0].lag_s == pytest.approx(0.01, abs=5e-3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limits": []}, "at least one joint"),
        ({"limits": [None]}, "at least one joint"),
        ({"rate_hz": 0.0}, "greater than 0"),
        ({"rate_hz": math.nan}, "greater than 0"),
        ({"rate_hz": "fast"}, "greater than 0"),
        ({"smoothness": -0.1}, "`smoothness` must be from 0 to 1"),
        ({"smoothness": math.nan}, "`smoothness` must be from 0 to 1"),
        ({"responsiveness": 1.1}, "`responsiveness` must be from 0 to 1"),
        ({"responsiveness": [0.1, 0.2, 0.3]}, "one for each of 2 joints"),
        ({"smoothness": "very"}, "one for each of 2 joints"),
    ],
)
def test_bad_options_are_told_at_construction(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        MotionFilter(**{"limits": [HEAD, HEAD], "rate_hz": 100.0, **arguments})  # type: ignore[arg-type]


def test_bad_shapes_and_starts_are_told() -> None:
    motion_filter = MotionFilter([HEAD], 100.0)
    with pytest.raises(MotionError, match="1 set-points, one a joint"):
        motion_filter.step([1.0, 2.0])
    with pytest.raises(MotionError, match="must be numbers"):
        motion_filter.step(["far"])
    with pytest.raises(MotionError, match=r"cannot start at 2: its range is -1.5 to 1.5"):
        motion_filter.reset([2.0])
    with pytest.raises(AnimatoError, match="finite"):
        motion_filter.reset([math.nan])
    with pytest.raises(MotionError, match="frames x 1 joints"):
        follow([HEAD], 100.0, np.zeros(10))
    with pytest.raises(OptionError, match="duration"):
        step_response(HEAD, 100.0, duration_s=-1.0)
