"""No corner, zig-zag or dash of a hand is taken for a leap, and no leap for one of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.motion.stroke import Stroke
from animato.trace.sketch.outliers import leaps

RATES = st.sampled_from([60.0, 90.0, 125.0, 240.0])
NOISES = st.sampled_from([0.0, 2e-4, 5e-4])


def zigzag(rate: float, speeds: list[float], seed: int, *, smooth: bool) -> Stroke:
    """Legs between random corners, each at a speed of its own [m/s]: cusps, or rests at the corners."""
    corners = np.random.default_rng(seed).uniform(-0.3, 0.3, (len(speeds) + 1, 2))
    legs = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    # shorter than three samples there is no leg in a recording
    ends = np.concatenate([[0.0], np.cumsum(np.maximum(legs / speeds, 3.0 / rate))])
    times = np.arange(0.0, ends[-1], 1.0 / rate)
    leg = np.clip(np.searchsorted(ends, times, side="right") - 1, 0, len(speeds) - 1)
    share = (times - ends[leg]) / (ends[leg + 1] - ends[leg])
    share = share**3 * (10.0 - 15.0 * share + 6.0 * share**2) if smooth else share
    return Stroke(corners[leg] + share[:, None] * (corners[leg + 1] - corners[leg]), times)


def shaken(stroke: Stroke, noise: float, seed: int) -> Stroke:
    shake = np.random.default_rng(seed).normal(scale=noise, size=stroke.points.shape)
    return Stroke(stroke.points + shake, stroke.times)


SPEEDS = st.lists(st.floats(0.1, 4.0), min_size=2, max_size=12)


@settings(max_examples=150, deadline=None)
@given(RATES, SPEEDS, NOISES, st.booleans(), st.integers(0, 10_000))
def test_what_a_hand_draws_stays(rate: float, speeds: list[float], noise: float, smooth: bool, seed: int) -> None:
    stroke = shaken(zigzag(rate, speeds, seed, smooth=smooth), noise, seed + 1)
    assert not leaps(stroke).any()


@settings(max_examples=100, deadline=None)
@given(
    RATES, st.lists(st.floats(0.1, 1.0), min_size=3, max_size=8), NOISES, st.integers(0, 10_000), st.floats(0.1, 0.9)
)
def test_a_leap_is_found(rate: float, speeds: list[float], noise: float, seed: int, where: float) -> None:
    stroke = shaken(zigzag(rate, speeds, seed, smooth=True), noise, seed + 1)
    bad = int(where * len(stroke.points))
    angle = 0.37 * seed
    points = np.array(stroke.points)
    points[bad] += 0.25 * np.array([np.cos(angle), np.sin(angle)])
    assert list(np.flatnonzero(leaps(Stroke(points, stroke.times)))) == [bad]
