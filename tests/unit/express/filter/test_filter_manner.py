"""Softness, haste, overshoot, and a character that changes while it runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import MANNER_WORDS, MOST_OVERSHOOT, Limits, Manner
from animato.errors import OptionError
from animato.express.filter import CHARACTERS_SMOOTHNESS, FilterManner, MotionFilter, follow, manner_of, step_response
from animato.express.options import Options
from animato.formats import load_character

HEAD = Limits(lower=-1.5, upper=1.5, velocity=2.0, acceleration=10.0, jerk=100.0)
FREE_RANGE = Limits(velocity=2.0, acceleration=10.0, jerk=100.0)
QUICK = {
    "acceleration": Limits(acceleration=10.0),
    "jerk": Limits(jerk=100.0),
    "both": Limits(acceleration=10.0, jerk=300.0),
}


def swings(positions: np.ndarray, goal: float) -> list[float]:
    """Largest distances from the goal between one crossing and the next, from the first crossing on."""
    off = positions - goal
    ends = np.flatnonzero(np.diff(np.sign(off)) != 0) + 1
    parts = np.split(off, ends)[1:]
    return [float(np.abs(part).max()) for part in parts if np.abs(part).max() > 0.0]


@pytest.mark.parametrize("limits", QUICK.values(), ids=QUICK)
@pytest.mark.parametrize("overshoot", [0.1, 0.3, 0.6])
def test_a_way_is_passed_by_its_share_and_back_again(limits: Limits, overshoot: float) -> None:
    motion = follow([limits], 1000.0, np.full((8000, 1), 1.0), start=[0.0], overshoot=overshoot)
    first, second, *_ = swings(motion.positions[:, 0], 1.0)
    assert first == pytest.approx(overshoot, rel=0.03)  # control points of a spline, samples apart
    assert second == pytest.approx(overshoot**2, rel=0.03)
    assert np.all(motion.positions[-1000:] == 1.0)  # settled: nothing moves
    assert np.all(motion.velocities[-1000:] == 0.0)


@pytest.mark.parametrize("overshoot", [0.1, 0.5, MOST_OVERSHOOT])
@pytest.mark.parametrize("rate", [50.0, 1000.0])
def test_every_overshoot_comes_to_rest_and_stays_there(overshoot: float, rate: float) -> None:
    for limits in (HEAD, FREE_RANGE, *QUICK.values()):
        for goal in (0.003, 0.2, 1.4):
            set_points = np.full((int(35 * rate), 1), goal)
            motion = follow([limits], rate, set_points, start=[0.0], overshoot=overshoot, smoothness=0.1)
            last = motion.positions[int(30 * rate) :]
            assert np.ptp(last) == 0.0
            assert last[-1, 0] == pytest.approx(goal, abs=1e-12)


def test_at_top_speed_it_is_the_stopping_way_that_is_passed() -> None:
    """A long way is not passed by more than a way on which the joint just reaches its top speed."""
    by = [step_response(FREE_RANGE, 500.0, end=end, overshoot=0.2).overshoot for end in (0.5, 1.0, 4.0, 20.0)]
    assert by[1] == pytest.approx(by[3], rel=0.02)
    assert by[0] == pytest.approx(0.2 * 0.5, rel=0.03)
    assert by[3] < 0.2


def test_a_steady_target_is_followed_without_lag_whatever_the_overshoot() -> None:
    ramp = (np.arange(1, 301) / 100.0 * 0.8 - 1.4)[:, None]
    motion = follow([HEAD], 100.0, ramp, overshoot=0.5)
    np.testing.assert_allclose(motion.positions[200:], ramp[200:], atol=1e-9)


def test_overshoot_stays_in_the_range() -> None:
    motion = follow([HEAD], 200.0, np.full((4000, 1), 1.45), start=[-1.5], overshoot=0.9)
    assert motion.positions.max() <= 1.5
    assert motion.positions[-1, 0] == 1.45


def test_softness_slows_down_towards_the_ends_only() -> None:
    """1 - x^(2 beta) of the largest velocity, beta = 1 / softness, x in half ranges from the middle."""
    for softness in (0.25, 0.5, 1.0):
        motion = follow([HEAD], 500.0, np.full((6000, 1), 1.5), start=[-1.5], softness=softness)
        x, v = motion.positions[:, 0], motion.velocities[:, 0]
        outward = x > 0.3
        bound = 2.0 * np.maximum(1.0 - (x / 1.5) ** (2.0 / softness), 0.02)
        assert np.all(v[outward] <= bound[outward] + 1e-9)
        assert np.all(x[1:] >= x[:-1] - 1e-15)
        assert x[-1] == 1.5
        away = follow([HEAD], 500.0, np.full((1000, 1), 0.0), start=[-1.5], softness=softness)
        hard = follow([HEAD], 500.0, np.full((1000, 1), 0.0), start=[-1.5])
        np.testing.assert_array_equal(away.positions, hard.positions)  # on the way to the middle nothing is soft


def test_more_softness_is_later_at_the_end_of_the_range() -> None:
    times = [
        step_response(HEAD, 200.0, start=0.0, end=1.45, softness=softness).settling_s
        for softness in (0.0, 0.1, 0.3, 0.6, 1.0)
    ]
    assert np.all(np.diff(times) >= 0.0)  # a little of it asks for no more than braking does anyway
    assert np.all(np.diff(times[1:]) > 0.0)


def test_softness_works_without_a_limit_of_velocity_and_rests_without_a_range() -> None:
    geared = Limits(lower=-1.0, upper=1.0, acceleration=10.0)
    soft, hard = (step_response(geared, 200.0, end=0.99, softness=softness) for softness in (1.0, 0.0))
    assert soft.settling_s > hard.settling_s
    assert step_response(FREE_RANGE, 200.0, softness=1.0) == step_response(FREE_RANGE, 200.0)


def test_haste_takes_the_delay_out_of_the_ease_and_leaves_it_soft() -> None:
    reports, jerks = [], []
    for haste in (0.0, 0.3, 0.6, 1.0):
        reports.append(step_response(HEAD, 200.0, end=0.05, smoothness=0.5, haste=haste))
        motion = follow([HEAD], 200.0, np.full((800, 1), 1.0), start=[0.0], smoothness=0.5, haste=haste)
        jerks.append(np.abs(motion.jerks).max())
    assert np.all(np.diff([one.settling_s for one in reports]) < 0.0)
    assert np.all(np.diff([one.lag_s for one in reports]) < 0.0)
    assert max(jerks) <= 100.0 / 2.0**3 * (1.0 + 1e-9)  # starts and stops stay stretched twofold


def test_haste_without_smoothness_changes_nothing() -> None:
    assert step_response(HEAD, 200.0, haste=1.0) == step_response(HEAD, 200.0)


def test_tuning_in_motion_never_jumps() -> None:
    live = MotionFilter([HEAD], 200.0, overshoot=0.3)
    before = np.zeros(3)
    for frame in range(1200):
        if frame % 37 == 5:
            live.tune(smoothness=(frame % 3) / 2.0, softness=(frame % 2) / 1.0, overshoot=0.1 * (frame % 5))
        live.step([1.4 if frame // 60 % 2 else -1.4])
        now = np.array([live.positions[0], live.velocities[0], live.accelerations[0]])
        assert abs(now[0] - before[0]) <= 2.0 / 200.0 * (1 + 1e-9)
        assert abs(now[1] - before[1]) <= 10.0 / 200.0 * (1 + 1e-9)
        assert abs(now[2] - before[2]) <= 100.0 / 200.0 * (1 + 1e-9)
        before = now


def test_a_smoother_character_is_taken_on_in_full_motion() -> None:
    """Set-points that never stand must not put it off for ever."""
    live = MotionFilter([HEAD], 200.0)
    for frame in range(400):
        live.step([1.4 if frame // 80 % 2 else -1.4])
    live.tune(smoothness=1.0, haste=1.0)
    peaks = []
    for frame in range(1600):
        live.step([1.4 if frame // 80 % 2 else -1.4])
        peaks.append(abs(live.accelerations[0]))
    assert max(peaks[800:]) <= 10.0 / 9.0 * (1.0 + 1e-9)


def test_tuning_there_and_back_is_as_if_nothing_was() -> None:
    live, other = MotionFilter([HEAD], 200.0), MotionFilter([HEAD], 200.0)
    live.tune(smoothness=0.7, overshoot=0.5)
    live.tune(smoothness=0.0, overshoot=0.0)
    assert live.manner == other.manner == FilterManner()
    for _ in range(100):
        assert live.step([1.0]).tolist() == other.step([1.0]).tolist()


def test_what_is_refused_changes_nothing() -> None:
    live = MotionFilter([HEAD, HEAD], 200.0, smoothness=[0.1, 0.2])
    for bad in ({"smoothness": 2.0}, {"overshoot": 0.95}, {"haste": [0.1] * 3}, {"softness": "very"}):
        with pytest.raises(OptionError, match=f"`{next(iter(bad))}` must be"):
            live.tune(responsiveness=0.5, **bad)
    assert live.manner.responsiveness == 1.0


def test_reset_takes_a_new_character_at_once() -> None:
    live, slow = MotionFilter([HEAD], 200.0), MotionFilter([HEAD], 200.0, smoothness=1.0)
    live.tune(smoothness=1.0)
    live.reset([0.2])
    slow.reset([0.2])
    for _ in range(50):
        assert live.step([1.0]).tolist() == slow.step([1.0]).tolist()


def test_joints_have_their_own_manner_and_options_come_first() -> None:
    lamp = load_character("lamp")
    first = lamp.free_joints[0]
    stated = tuple(
        replace(one, manner=Manner(smoothness=0.4, overshoot=0.2)) if one is first else one for one in lamp.joints
    )
    character, names = replace(lamp, joints=stated), lamp.coordinate_names[:3]
    found = manner_of(character, names, Options(haste=0.5))
    assert found["smoothness"].tolist() == [0.4, CHARACTERS_SMOOTHNESS, CHARACTERS_SMOOTHNESS]
    assert found["overshoot"].tolist() == [0.2, 0.0, 0.0]
    assert found["responsiveness"].tolist() == [1.0] * 3
    assert found["haste"] == 0.5
    assert manner_of(character, names, Options(smoothness=0.0))["smoothness"] == 0.0
    MotionFilter([HEAD] * 3, 100.0, **found)


def test_words_are_the_same_everywhere() -> None:
    assert FilterManner._fields == MANNER_WORDS
    for word in MANNER_WORDS:
        most = MOST_OVERSHOOT if word == "overshoot" else 1.0
        assert getattr(Options(**{word: most}), word) == most  # type: ignore[arg-type]
        with pytest.raises(OptionError):
            Options(**{word: most + 0.01})  # type: ignore[arg-type]
