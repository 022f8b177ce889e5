"""The least slow-down: only where it is needed, without jumps, whatever the clip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Character, Joint, Limits
from animato.errors import OptionError
from animato.fix.pace import local_pace, slowing
from animato.fix.pace.tempo import PaceRules
from animato.formats import load_character
from animato.library import LIBRARY
from animato.loading import load_clip
from animato.mechanics.limits import limit_usage
from animato.motion import Clip

CHANGE = 2.0  # [1/s], the default


def hinge(**limits: float) -> Character:
    """A heavy arm on one level axis."""
    arm = Body("arm", mass=1.0, centre=(0.1, 0.0, 0.0), inertia=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    turn = Joint("hinge", "revolute", "base", "arm", axis=(0.0, 1.0, 0.0), stated_limits=(Limits(**limits),))
    return Character("one", (Body("base", mass=1.0), arm), (Joint("hold", "ground", "world", "base"), turn))


def waves(speed: float = 1.0, frames: int = 301) -> Clip:
    """Calm, then too fast around 3 s, then calm."""
    t = np.arange(frames) / 50.0
    return Clip(t, ("hinge",), (0.4 * np.sin(speed * (t + np.tanh(4.0 * (t - 3.0)))))[:, None])


def faster(clip: Clip, times: float) -> Clip:
    return Clip(clip.times / times, clip.names, clip.positions, clip.base_positions, clip.base_quaternions_wxyz)


def steepest(tempo: np.ndarray, times: np.ndarray) -> float:
    return float(np.abs(np.diff(tempo) / np.diff(times)).max())


def test_what_holds_keeps_its_time() -> None:
    clip = waves()
    pace = local_pace(hinge(velocity=10.0, acceleration=100.0, jerk=5000.0, torque=10.0), clip)
    assert pace.is_identity
    assert pace.performed(clip) is clip
    assert pace.notes == ()


def test_slow_only_where_it_is_too_fast() -> None:
    clip, robot = waves(), hinge(velocity=0.8)
    pace = local_pace(robot, clip)
    assert pace.slowness[:120] == pytest.approx(np.ones(120), abs=1e-9)
    assert pace.slowness[180:] == pytest.approx(np.ones(120), abs=1e-9)
    assert pace.slowness.min() >= 1.0 - 1e-9
    assert limit_usage(robot, pace.performed(clip)).peak("velocity") <= 1.001
    assert limit_usage(robot, pace.performed(clip)).peak("velocity") > 0.98
    assert steepest(pace.tempo, pace.robot_times) <= 1.05 * CHANGE


def test_a_calmer_change_of_tempo_takes_longer() -> None:
    clip, robot = waves(), hinge(velocity=0.8)
    calm = local_pace(robot, clip, tempo_change_per_s=0.3)
    assert steepest(calm.tempo, calm.robot_times) <= 1.05 * 0.3
    assert calm.duration > local_pace(robot, clip).duration


@pytest.mark.parametrize("limits", [{"acceleration": 2.0}, {"jerk": 15.0}, {"torque": 1.06}], ids=str)
def test_every_kind_of_limit(limits: dict[str, float]) -> None:
    clip, robot = waves(), hinge(**limits)
    (kind,) = limits
    assert limit_usage(robot, clip).peak(kind) > 1.02
    pace = local_pace(robot, clip)
    assert limit_usage(robot, pace.performed(clip)).peak(kind) <= 1.003  # frames and middles are looked at
    assert pace.duration < 1.5 * clip.duration


def test_pico_says_hello_in_time() -> None:
    pico, clip = load_character("pico"), load_clip(str(LIBRARY / "clips" / "pico_hello.csv"))
    pace = local_pace(pico, clip)
    usage = limit_usage(pico, pace.performed(clip), oversampling=10)
    assert max(usage.peak(kind) for kind in ("velocity", "acceleration", "jerk", "torque")) <= 1.001
    assert pace.duration < 1.025 * clip.duration  # all of it slower would take 1.43 times as long
    assert steepest(pace.tempo, pace.robot_times) <= 1.05 * CHANGE


def test_a_motor_that_cannot_hold_does_not_make_it_crawl() -> None:
    """The arm weighs 0.98 N m on its axis when it is level."""
    clip, weak = waves(), hinge(torque=0.9)
    pace = local_pace(weak, clip)
    assert "109 % of the motor of 'hinge'" in pace.notes[0]
    assert pace.duration < 1.5 * clip.duration
    assert local_pace(hinge(torque=0.3), clip).duration == pytest.approx(clip.duration, rel=1e-3)


def test_never_slower_than_the_slowest() -> None:
    pace = local_pace(hinge(velocity=1e-3), waves(), slowest=0.2)
    assert pace.slowness.max() <= 5.0 + 1e-9
    assert any("slowest tempo, 0.2" in note for note in pace.notes)


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 5])
def test_few_frames(frames: int) -> None:
    clip = Clip(np.arange(frames) / 50.0, ("hinge",), np.linspace(0.0, 1.0, frames)[:, None])
    pace = local_pace(hinge(velocity=10.0, acceleration=100.0, jerk=1e4, torque=5.0), clip)
    assert np.all(np.isfinite(pace.robot_times))
    assert pace.performed(clip).frame_count >= frames
    assert pace.is_identity == (frames == 1)


def test_rest_and_a_leap() -> None:
    rest = Clip(np.arange(100) / 50.0, ("hinge",), np.full((100, 1), 0.3))
    robot = hinge(velocity=2.0, acceleration=20.0, jerk=500.0, torque=5.0)
    assert local_pace(robot, rest).is_identity
    leap = Clip(rest.times, rest.names, rest.positions + (np.arange(100) >= 50)[:, None] * 0.4)
    pace = local_pace(robot, leap)
    usage = limit_usage(robot, pace.performed(leap))
    assert max(usage.peak(kind) for kind in ("velocity", "acceleration", "jerk", "torque")) <= 1.003


def test_uneven_frames() -> None:
    even = waves(3.0)
    times = np.sort(np.random.default_rng(5).uniform(0.0, 6.0, 250))
    clip, robot = even.resampled(times), hinge(velocity=1.2)
    pace = local_pace(robot, clip)
    assert np.array_equal(pace.artist_times, clip.times)
    assert limit_usage(robot, pace.performed(clip)).peak("velocity") <= 1.005


def test_windows_agree_with_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    clip, robot = waves(4.0, 1601), hinge(velocity=1.1, acceleration=9.0, torque=1.2)
    whole = local_pace(robot, clip)
    assert len(slowing._windows(clip, PaceRules(2.0, 0.1, 0.05, 1.0, 1.0, 10))) == 1
    monkeypatch.setattr(slowing, "_WINDOW_FRAMES", 500)
    parts = local_pace(robot, clip)
    assert len(slowing._windows(clip, PaceRules(2.0, 0.1, 0.05, 1.0, 1.0, 10))) > 2
    assert parts.duration == pytest.approx(whole.duration, rel=1e-3)
    assert steepest(parts.tempo, parts.robot_times) <= 1.05 * CHANGE


def test_closed_loops() -> None:
    four_bar = load_character("four_bar")
    name = four_bar.coordinate_names[0]
    crank = next(joint for joint in four_bar.joints if joint.name == name)
    limited = replace(crank, stated_limits=(replace(crank.limits[0], velocity=1.0),), actuator=None)
    robot = replace(four_bar, joints=tuple(limited if joint is crank else joint for joint in four_bar.joints))
    t = np.arange(101) / 50.0
    clip = Clip(t, (name,), (0.3 * np.sin(5.0 * t))[:, None])
    assert limit_usage(robot, clip).peak("velocity") > 1.4
    pace = local_pace(robot, clip)
    assert limit_usage(robot, pace.performed(clip)).peak("velocity") <= 1.001
    assert local_pace(robot, faster(clip, 0.5)).is_identity


def test_headroom_says_what_limits_leave() -> None:
    clip, robot = waves(), hinge(velocity=0.8)
    pace = local_pace(robot, clip, headroom=1.5)
    assert pace.duration == pytest.approx(local_pace(robot, clip).duration, rel=1e-9)
    assert pace.quickest is not None
    assert pace.quickest.min() == pytest.approx(1.0 / 1.5, rel=1e-9)
    calm = local_pace(robot, faster(clip, 0.3), headroom=1.5)
    assert calm.is_identity
    assert calm.fitted(0.8 * calm.duration).slowness == pytest.approx(np.full(300, 0.8), abs=0.02)
    on_time = pace.fitted(clip.duration)
    assert limit_usage(robot, on_time.performed(clip)).peak("velocity") <= 1.001


@pytest.mark.parametrize(
    "options", [{"tempo_change_per_s": 0.0}, {"ease_s": -1.0}, {"slowest": 0.0}, {"slowest": 2.0}, {"headroom": np.nan}]
)
def test_options_out_of_range(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=f"`{next(iter(options))}`"):
        local_pace(hinge(velocity=1.0), waves(), **options)
