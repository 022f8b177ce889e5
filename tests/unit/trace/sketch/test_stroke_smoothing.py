"""Noise is seen, and taken out."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.formats.strokes.reader import read_stroke
from animato.motion.stroke import Stroke
from animato.trace.sketch.stroke_smoothing import is_noisy, noise_of, smoothed_stroke


@pytest.mark.parametrize("sigma", [2e-4, 1e-3, 5e-3])
def test_noise_is_measured(sigma: float) -> None:
    hello = read_stroke("hello")
    shaky = Stroke(hello.points + sigma * np.random.default_rng(1).normal(size=hello.points.shape), hello.times)
    assert noise_of(shaky) == pytest.approx(sigma, rel=0.08)
    assert is_noisy(shaky)


def test_a_clean_stroke_is_left_alone() -> None:
    for name in ("hello", "hammer", "flourish"):
        assert not is_noisy(read_stroke(name))
    assert noise_of(Stroke(np.zeros((3, 2)))) == 0.0


def test_smoothing_takes_noise_out_and_leaves_the_word() -> None:
    hello = read_stroke("hello")
    shaky = Stroke(hello.points + 1e-3 * np.random.default_rng(1).normal(size=hello.points.shape), hello.times)
    smooth = smoothed_stroke(shaky)
    off = np.linalg.norm(smooth.points - hello.points, axis=1)
    assert np.sqrt(np.mean(off**2)) < 0.6e-3 and off.max() < 4e-3
    assert shaky.length > 4.3 and smooth.length == pytest.approx(3.68, rel=5e-3)
    np.testing.assert_array_equal(smooth.times, hello.times)


def test_a_slow_motion_passes_unchanged() -> None:
    times = np.linspace(0.0, 4.0, 501)
    slow = Stroke(np.column_stack([np.sin(times), np.cos(times)]), times)
    np.testing.assert_allclose(smoothed_stroke(slow).points, slow.points, atol=1e-5)


def test_bad_input() -> None:
    with pytest.raises(MotionError, match="no frequencies"):
        smoothed_stroke(Stroke(np.eye(2)))
    with pytest.raises(OptionError, match="above 0 Hz"):
        smoothed_stroke(read_stroke("hello"), 0.0)
    coarse = Stroke(np.eye(3), np.arange(3.0))
    assert smoothed_stroke(coarse) is coarse
