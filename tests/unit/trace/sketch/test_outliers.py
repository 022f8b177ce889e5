"""Leaps are found, and nothing that a hand does is one."""

from __future__ import annotations

import numpy as np
import pytest

from animato.formats.strokes.reader import read_stroke, read_strokes
from animato.motion.stroke import Stroke
from animato.trace.sketch.outliers import leaps, without_leaps


def sampled(name: str, hz: float, noise: float, seed: int) -> Stroke:
    """A shipped stroke at another rate, with noise [m]."""
    stroke = read_stroke(name)
    assert stroke.times is not None
    times = np.arange(0.0, stroke.times[-1], 1.0 / hz)
    points = np.stack([np.interp(times, stroke.times, column) for column in stroke.points.T], axis=1)
    return Stroke(points + np.random.default_rng(seed).normal(scale=noise, size=points.shape), times)


def with_leap(stroke: Stroke, first: int, count: int, by: float) -> Stroke:
    points = np.array(stroke.points)
    points[first : first + count, 0] += by
    return Stroke(points, stroke.times)


@pytest.mark.parametrize("hz", [60.0, 125.0, 240.0])
@pytest.mark.parametrize("noise", [0.0, 5e-4])
@pytest.mark.parametrize("count", [1, 2])
def test_leaps_are_found_wherever_they_are(hz: float, noise: float, count: int) -> None:
    stroke = sampled("hello", hz, noise, seed=3)
    for first in range(2, len(stroke.points) - 4, 211):
        bad = leaps(with_leap(stroke, first, count, 0.221))
        assert bad[first : first + count].all() and bad.sum() == count


def test_the_first_sample_may_be_somewhere_else() -> None:
    stroke = sampled("hello", 125.0, 0.0, seed=0)
    assert list(np.flatnonzero(leaps(with_leap(stroke, 0, 1, -0.5)))) == [0]


def test_what_was_drawn_stays() -> None:
    for name in ("hello", "hammer", "flourish", "golf"):
        assert not any(leaps(stroke).any() for stroke in read_strokes(name).values())
    corners = Stroke(np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.01]] * 4), np.arange(12.0))
    assert not leaps(corners).any()  # corners of a line, not a recording
    assert not leaps(Stroke(np.random.default_rng(0).normal(size=(50, 2)))).any()  # no times, no speeds


def test_a_tablet_with_a_coarse_grid_does_not_leap() -> None:
    stroke = sampled("hello", 125.0, 0.0, seed=0)
    assert not leaps(Stroke(np.round(stroke.points / 2e-3) * 2e-3, stroke.times)).any()


def test_what_is_left_out_is_told() -> None:
    stroke = sampled("hello", 125.0, 0.0, seed=0)
    kept, odd = without_leaps("pen", with_leap(stroke, 400, 1, 0.221))
    assert len(kept.points) == len(stroke.points) - 1 and kept.length == pytest.approx(stroke.length, rel=1e-3)
    assert len(odd) == 1 and odd[0].time == pytest.approx(400 / 125.0) and odd[0].off == pytest.approx(0.221, rel=0.01)
    assert without_leaps("pen", stroke) == (stroke, ())
