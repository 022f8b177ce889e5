"""Laws of the motion filter: limits always hold, also between commands, and its character has a direction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.character.limits import Limits
from animato.errors import MotionError
from animato.express.filter.motion_filter import FilteredMotion, MotionFilter, follow
from animato.express.filter.report import filter_reports, step_response, worst_limit_share
from animato.spatial.cubic_spline import interpolate

HELD = 1e-9
HEAD = Limits(lower=-1.5, upper=1.5, velocity=2.0, acceleration=10.0, jerk=100.0)
KINDS = ("steps", "sine", "jumps", "random", "ramp", "walk")


def powers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda exponent: 10.0**exponent)


limits = st.builds(
    Limits,
    lower=powers(-3, 1.5).map(lambda value: -value) | st.none(),
    upper=powers(-3, 1.5) | st.none(),
    velocity=powers(-2, 2) | st.none(),
    acceleration=powers(-2, 4) | st.none(),
    jerk=powers(-2, 6) | st.none(),
)
rates = st.floats(50.0, 1000.0)
shares = st.sampled_from((0.0, 0.1, 0.5, 1.0))
manners = st.fixed_dictionaries(
    {
        "smoothness": shares,
        "responsiveness": shares,
        "softness": shares,
        "haste": shares,
        "overshoot": st.sampled_from((0.0, 0.1, 0.5, 0.9)),
    }
)


def recording(kind: str, bounds: Limits, rate: float, rng: np.random.Generator, frames: int = 300) -> np.ndarray:
    """Set-points of a kind that go beyond the range, [frame]."""
    low = -1.0 if bounds.lower is None else bounds.lower
    high = 1.0 if bounds.upper is None else bounds.upper
    speed = 1.0 if bounds.velocity is None else bounds.velocity
    times = np.arange(frames) / rate
    if kind == "steps":
        return np.repeat(rng.uniform(1.3 * low, 1.3 * high, frames // 50), 50)
    if kind == "sine":
        middle, half = (low + high) / 2, 0.6 * (high - low)
        return middle + half * np.sin(2 * np.pi * 10 ** rng.uniform(-1, 1) * times)
    if kind == "jumps":
        return np.repeat(rng.choice([2 * low, 2 * high], frames // 6), 6)
    if kind == "random":
        return rng.uniform(1.5 * low, 1.5 * high, frames)
    if kind == "ramp":
        return rng.choice([-1, 1]) * rng.uniform(0.1, 3) * speed * times
    return np.cumsum(rng.normal(size=frames)) * 3 * speed / rate


def assert_limits_hold(bounds: Limits, motion: FilteredMotion, start: float) -> None:
    """At the commands and, by extreme values of the cubics between them, everywhere."""
    assert worst_limit_share(bounds, motion, 0) <= 1.0 + HELD
    h, j = 1.0 / motion.rate_hz, motion.jerks[:, 0]
    x = np.concatenate([[start], motion.positions[:-1, 0]])
    v = np.concatenate([[0.0], motion.velocities[:-1, 0]])
    a = np.concatenate([[0.0], motion.accelerations[:-1, 0]])
    low, high = bounds.range
    assert np.all((motion.positions >= low) & (motion.positions <= high))
    for share in (0.2, 0.4, 0.6, 0.8):
        t = share * h
        between = x + t * v + t**2 / 2 * a + t**3 / 6 * j
        slack = 1e-14 * (1.0 + np.abs(between))
        assert np.all((between >= low - slack) & (between <= high + slack))
    if bounds.velocity is not None:
        peak = np.clip(np.divide(-a, j, out=np.zeros_like(a), where=j != 0.0), 0.0, h)
        assert np.abs(v + peak * a + peak**2 / 2 * j).max() <= bounds.velocity * (1.0 + HELD)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(limits, rates, manners, st.sampled_from(KINDS), st.integers(0, 2**32 - 1))
def test_limits_hold_on_everything(bounds: Limits, rate: float, manner: dict[str, float], kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    set_points = recording(kind, bounds, rate, rng)
    if seed % 3 == 0:
        set_points[rng.random(len(set_points)) < 0.2] = np.nan
    ends = [end for end in bounds.range if np.isfinite(end)]
    start = float(rng.choice([0.0, *ends]))
    motion = follow([bounds], rate, set_points[:, None], start=[start], **manner)
    assert np.all(np.isfinite(motion.positions))
    assert_limits_hold(bounds, motion, start)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(limits, rates, st.lists(manners, min_size=2, max_size=5), st.sampled_from(KINDS), st.integers(0, 2**32 - 1))
def test_limits_hold_while_the_character_changes(
    bounds: Limits, rate: float, turns: list[dict[str, float]], kind: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    set_points = recording(kind, bounds, rate, rng)
    live = MotionFilter([bounds], rate)
    rows = []
    for frame, set_point in enumerate(set_points):
        if frame % 60 == 20:
            live.tune(**turns[rng.integers(len(turns))])
        live.step([set_point])
        rows.append((live.positions, live.velocities, live.accelerations))
    positions, velocities, accelerations = np.array(rows).transpose(1, 0, 2)
    jerks = np.diff(accelerations, axis=0, prepend=np.zeros((1, 1))) * rate
    motion = FilteredMotion(rate, positions, velocities, accelerations, jerks, np.zeros(positions.shape, bool))
    assert_limits_hold(bounds, motion, min(max(0.0, bounds.range[0]), bounds.range[1]))


@pytest.mark.parametrize("kind", KINDS)
def test_limits_hold_in_seeded_numbers(kind: str, rng: np.random.Generator) -> None:
    for _ in range(100):
        velocity = 10 ** rng.uniform(-1, 1.5)
        acceleration = velocity * 10 ** rng.uniform(-1, 2)
        jerk = acceleration * 10 ** rng.uniform(-1, 3)
        bounds = Limits(-(10 ** rng.uniform(-2, 1)), 10 ** rng.uniform(-2, 1), velocity, acceleration, jerk)
        rate = 10 ** rng.uniform(np.log10(50), 3)
        set_points = recording(kind, bounds, rate, rng)[:, None]
        motion = follow([bounds], rate, set_points, responsiveness=rng.uniform(), start=[0.0])
        assert_limits_hold(bounds, motion, 0.0)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(limits, rates, st.floats(0, 1), st.floats(-1, 1), st.integers(0, 2**32 - 1))
def test_a_start_in_motion_is_refused_or_safe(
    bounds: Limits, rate: float, place: float, speed: float, seed: int
) -> None:
    low, high = (end if np.isfinite(end) else other for end, other in zip(bounds.range, (-1.0, 1.0), strict=True))
    start = min(max(low + place * (high - low), low), high)
    velocity = speed * (1.0 if bounds.velocity is None else bounds.velocity)
    motion_filter = MotionFilter([bounds], rate)
    try:
        motion_filter.reset([start], [velocity])
    except MotionError:
        return
    rng = np.random.default_rng(seed)
    for set_point in rng.choice([2 * low, 2 * high], 100):
        (position,) = motion_filter.step([set_point])
        assert bounds.range[0] <= position <= bounds.range[1]
        if bounds.velocity is not None:
            assert abs(motion_filter.velocities[0]) <= bounds.velocity * (1 + HELD)


def test_the_spline_through_the_commands_holds_them_too(rng: np.random.Generator) -> None:
    """A clip of commands is checked as the cubic spline through its frames: that is the filter's own motion."""
    rate = 100.0
    set_points = np.concatenate([np.zeros(5), np.repeat(rng.uniform(-2, 2, 20), 40), np.zeros(200)])
    motion = follow([HEAD], rate, set_points[:, None])
    spline = interpolate(motion.times, motion.positions)
    moments = np.linspace(motion.times[0], motion.times[-1], 10 * len(set_points))
    assert np.abs(spline(moments)).max() <= 1.5 + HELD
    for derivative, limit in ((1, 2.0), (2, 10.0), (3, 100.0)):
        assert np.abs(spline(moments, derivative=derivative)).max() <= limit * (1 + 1e-7)  # rounding times rate^3


@settings(max_examples=100, deadline=None, derandomize=True)
@given(powers(-1, 1), powers(-1, 2), powers(-1, 3), rates, st.floats(-1, 1), shares, shares)
def test_a_set_point_that_stands_is_never_passed(
    velocity: float, acceleration: float, jerk: float, rate: float, goal: float, smoothness: float, share: float
) -> None:
    bounds = Limits(velocity=velocity, acceleration=acceleration, jerk=jerk)
    report = step_response(bounds, rate, end=goal, duration_s=400 / rate, smoothness=smoothness, responsiveness=share)
    assert report.overshoot <= 1e-12


def test_mirrored_set_points_give_mirrored_commands(rng: np.random.Generator) -> None:
    set_points = np.repeat(rng.uniform(-2, 2, (20, 1)), 15, axis=0)
    there = follow([HEAD], 100.0, set_points, start=[0.0])
    back = follow([HEAD], 100.0, -set_points, start=[0.0])
    np.testing.assert_allclose(back.positions, -there.positions, atol=1e-12)


def ramp_that_stops(smoothness: float, responsiveness: float) -> tuple[float, float]:
    """(lag while it runs, by how much its stop is passed) [rad]."""
    rate = 200.0
    goal = np.minimum(np.arange(1, 801) / rate * 1.2 - 1.4, 0.7)[:, None]
    motion = follow([HEAD], rate, goal, smoothness=smoothness, responsiveness=responsiveness)
    return float((goal - motion.positions)[340, 0]), float(motion.positions.max() - 0.7)


@pytest.mark.parametrize("smoothness", [0.0, 0.2])
def test_responsiveness_trades_lag_for_overshoot(smoothness: float) -> None:
    figures = np.array([ramp_that_stops(smoothness, share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)])
    assert np.all(np.diff(figures[:, 0]) < 0.0)
    assert np.all(np.diff(figures[:, 1]) > -1e-12)
    assert abs(figures[-1, 0]) < (1e-9 if smoothness == 0.0 else 1e-3)  # easing ends like an exponential
    assert figures[0, 1] <= 1e-12


def test_smoothness_calms_and_delays(rng: np.random.Generator) -> None:
    rate = 200.0
    slow = 0.5 * np.sin(np.arange(1600) / rate * 2)[:, None]
    noisy = slow + rng.normal(scale=0.02, size=slow.shape)
    jerks, behind, settling = [], [], []
    for smoothness in (0.0, 0.05, 0.1, 0.2, 0.5, 1.0):
        motion = follow([HEAD], rate, noisy, smoothness=smoothness, responsiveness=0.0)
        jerks.append(np.sqrt(np.mean(motion.jerks**2)))
        motion = follow([HEAD], rate, slow, smoothness=smoothness, responsiveness=0.0)
        behind.append(filter_reports([HEAD], motion, slow)[0].lag_s)
        settling.append(step_response(HEAD, rate, end=0.5, smoothness=smoothness).settling_s)
    assert np.all(np.diff(jerks) < 0.0)
    assert np.all(np.diff(behind) > 0.0)
    assert np.all(np.diff(settling) > 0.0)
    assert settling[-1] > 3 * settling[0]


def test_lag_of_easing_is_what_is_documented() -> None:
    """Half a second times the smoothness, on a target slow enough for the limits."""
    rate = 200.0
    goal = (0.2 * np.arange(1600) / rate - 0.8)[:, None]
    free = Limits()
    for smoothness in (0.2, 0.6):
        motion = follow([free], rate, goal, smoothness=smoothness, responsiveness=0.0)
        behind = (goal - motion.positions)[-1, 0] / 0.2
        assert behind == pytest.approx(0.5 * smoothness + 1 / rate, abs=1e-6)
        (report,) = filter_reports([free], motion, goal)
        assert report.lag_s == pytest.approx(behind, rel=0.1)
