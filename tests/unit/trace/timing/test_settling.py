"""Frames whose spline holds the limits: what `animato check` says about what `animato trace` wrote."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_strokes
from animato.mechanics.limits import limit_usage
from animato.motion.clip import Clip
from animato.trace.options import Options
from animato.trace.problem import build
from animato.trace.sketch.loading import load_strokes
from animato.trace.solution import Solution
from animato.trace.timing.settling import settled_clip
from animato.trace.tracing import retimed, solve


@pytest.fixture(scope="module")
def flourish() -> Solution:
    return solve(build(load_character("planar_arm"), read_strokes("flourish"), Options(start="ready")))


def peak(traced: Solution, clip: Clip) -> float:
    usage = limit_usage(traced.problem.character, clip)
    return max(usage.peak(kind) for kind in ("position", "velocity", "acceleration", "torque"))


def test_plain_frames_break_limits_and_settled_ones_do_not(flourish: Solution) -> None:
    times = np.linspace(0.0, flourish.scaling.duration, round(250.0 * flourish.scaling.duration) + 1)
    plain = Clip(times, flourish.path.names, flourish.path.at(flourish.scaling.s_at(times)))
    assert peak(flourish, plain) > 1.03  # the negative control: the scaling holds, the spline through it does not
    assert peak(flourish, flourish.clip) <= 1.0 + 1e-6
    assert flourish.outcome.usable and flourish.settled.slowed < 1.03


@pytest.mark.parametrize("rate_hz", [100.0, 500.0])
def test_it_holds_at_other_rates(flourish: Solution, rate_hz: float) -> None:
    settled = settled_clip(flourish.problem.character, flourish.path, flourish.scaling, Options(rate_hz=rate_hz))
    assert peak(flourish, settled.clip) <= 1.0 + 1e-6
    np.testing.assert_allclose(np.diff(settled.clip.times), 1.0 / rate_hz, rtol=0.01)


def test_the_path_is_not_left_and_both_ends_are_at_rest(flourish: Solution) -> None:
    clip = flourish.clip
    moving = list(flourish.path.names)
    np.testing.assert_allclose(clip.positions[0, : len(moving)], flourish.path.at(0.0), atol=1e-12)
    np.testing.assert_allclose(clip.positions[-1, : len(moving)], flourish.path.at(1.0), atol=1e-12)
    on_path = flourish.path.at(np.linspace(0.0, 1.0, 20001))
    for frame in clip.positions[::50, : len(moving)]:
        assert np.abs(on_path - frame).max(axis=1).min() < 1e-3
    velocity = clip.spline(clip.times[[0, -1]], derivative=1)
    assert np.abs(velocity).max() < 0.05


def test_what_uses_little_is_not_slowed(flourish: Solution) -> None:
    slow = retimed(flourish, replace(flourish.problem.options, duration_s=60.0, tempo_lock=False))
    frames = slow.clip.frame_count
    assert slow.scaling.duration == pytest.approx(60.0, rel=1e-6)
    # only the window over which s is averaged comes on top
    assert slow.clip.duration - slow.scaling.duration == pytest.approx(2.0 * 60.0 / (frames - 3), rel=1e-3)


def test_jerk_holds_where_it_is_asked_for() -> None:
    arm = load_character("arm6")
    hello = load_strokes("hello", arm, start="board")
    assert_jerk_holds(solve(build(arm, hello, Options(start="board", jerk=True, tempo_lock=False))))


@pytest.mark.slow
def test_jerk_holds_for_29_joints() -> None:
    strokes = {"left_hand": read_strokes("golf")["left_hand"]}
    assert_jerk_holds(solve(build(load_character("torso29"), strokes, Options(start="address", jerk=True))))


def assert_jerk_holds(traced: Solution) -> None:
    usage = limit_usage(traced.problem.character, traced.clip)
    assert max(usage.peak(kind) for kind in ("velocity", "acceleration", "torque", "jerk")) <= 1.01


def test_where_slowing_moments_does_not_end_all_is_slowed() -> None:
    """Every moment counts: the arm leaves as hard as it can, and what one frame gives up the next one takes."""
    arm = load_character("arm6")
    hello = solve(build(arm, load_strokes("hello", arm, start="board"), Options(start="board", certificate=False)))
    wanted = Options(timing="absolute", tempo_lock=False, beta=10.0, certificate=False)
    late = retimed(hello, wanted)
    assert late.outcome.usable and late.settled.slowed < 1.01
    assert peak(late, late.clip) <= 1.0 + 1e-6
