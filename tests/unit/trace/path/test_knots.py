"""Knots by curvature."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.errors import OptionError
from animato.trace.path.knots import curvature_knots, curvature_step, knot_density, stroke_noise, sufficient_count
from animato.trace.sketch.sketch import Sketch
from tests.unit.trace.path_sketches import circle, line, loops

PLACES = np.linspace(0.0, 1.0, 501)


def corner() -> Sketch:
    """A right angle in the middle."""
    times = np.linspace(0.0, 2.0, 201)
    u = np.linspace(0.0, 2.0, 201)
    positions = np.stack([np.minimum(u, 1.0), np.maximum(u - 1.0, 0.0), np.zeros(201)], axis=1)
    return Sketch(("pen",), positions[:, None], times)


@pytest.mark.parametrize("sigma", [1e-4, 1e-3, 4e-3])
def test_jitter_is_measured(sigma: float) -> None:
    sketch = loops(centre=(0.0, 0.0, 0.0), length=3.68, noise=sigma)
    assert stroke_noise(sketch) == pytest.approx(sigma, rel=0.1)


def test_a_clean_stroke_has_none() -> None:
    assert stroke_noise(loops(centre=(0.0, 0.0, 0.0), length=3.68)) < 1e-6
    assert stroke_noise(line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))) < 1e-12


def test_the_step_grows_with_the_noise() -> None:
    sketch = loops(centre=(0.0, 0.0, 0.0), length=3.68)
    steps = [curvature_step(sketch, noise) for noise in (0.0, 1e-4, 1e-3, 1e-2)]
    assert steps == sorted(steps)
    assert steps[-1] <= 0.1
    # at least what the paper asks for
    assert steps[2] >= 2e-3 / sketch.length


def test_even_knots_for_epsilon_one_and_for_straight_lines() -> None:
    even = np.linspace(0.0, 1.0, 18)
    for sketch, epsilon in ((loops(centre=(0.0, 0.0, 0.0), length=2.0), 1.0), (circle(1.0), 0.0)):
        knots = curvature_knots(knot_density(sketch, epsilon=epsilon, step=0.01), 20)
        np.testing.assert_allclose(knots[3:-3], even, atol=2e-3)
    straight = knot_density(line((0.0, 0.0, 0.0), (1.0, 2.0, 0.0)), epsilon=0.0, step=0.01)
    np.testing.assert_allclose(curvature_knots(straight, 20)[3:-3], even, atol=1e-6)


def test_corners_draw_knots() -> None:
    density = knot_density(corner(), epsilon=0.3, step=0.01)
    breaks = curvature_knots(density, 23)[3:-3]
    near = np.sum(np.abs(breaks - 0.5) < 0.02)
    assert near >= 0.5 * len(breaks)
    assert np.all(np.diff(breaks) > 0.0)
    even = curvature_knots(knot_density(corner(), epsilon=1.0, step=0.01), 23)[3:-3]
    assert np.sum(np.abs(even - 0.5) < 0.02) <= 1


def test_parts_are_equal() -> None:
    s, g = knot_density(loops(centre=(0.0, 0.0, 0.0), length=2.0), epsilon=0.2, step=0.01)
    assert np.trapezoid(g, s) == pytest.approx(1.0, abs=1e-9)
    breaks = curvature_knots((s, g), 30)[3:-3]
    cumulated = np.concatenate([[0.0], np.cumsum(0.5 * (g[1:] + g[:-1]) * np.diff(s))])
    np.testing.assert_allclose(np.diff(np.interp(breaks, s, cumulated)), 1.0 / 27.0, atol=1e-6)


def test_the_unit_of_length_does_not_matter() -> None:
    sketch = loops(centre=(0.0, 0.0, 0.0), length=2.0)
    large = replace(sketch, positions=1000.0 * sketch.positions)
    a, b = (curvature_knots(knot_density(one, epsilon=0.3, step=0.01), 40) for one in (sketch, large))
    np.testing.assert_allclose(a, b, atol=1e-12)


def test_detail_asks_for_control_points() -> None:
    counts = []
    for sketch in (line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), circle(1.0), loops(centre=(0.0, 0.0, 0.0), length=2.0)):
        noise = stroke_noise(sketch)
        density = knot_density(sketch, epsilon=0.3, step=curvature_step(sketch, noise))
        counts.append(sufficient_count(sketch, density, noise, PLACES, 160))
    assert counts == sorted(counts)
    assert counts[0] < 10
    assert 30 < counts[2] < 125


def test_noise_is_not_taken_for_detail() -> None:
    counts = []
    for noise in (0.0, 2e-3):
        sketch = loops(centre=(0.0, 0.0, 0.0), length=3.68, noise=noise)
        seen = stroke_noise(sketch)
        density = knot_density(sketch, epsilon=0.3, step=curvature_step(sketch, seen))
        counts.append(sufficient_count(sketch, density, seen, PLACES, 160))
    assert counts[1] < 1.5 * counts[0]
    # told that there is no noise, it would follow all of it
    assert sufficient_count(sketch, density, 0.0, PLACES, 160) > 1.5 * counts[0]


def test_options_out_of_range() -> None:
    with pytest.raises(OptionError, match="epsilon"):
        knot_density(circle(1.0), epsilon=1.5, step=0.01)
    with pytest.raises(OptionError, match="control points"):
        curvature_knots(knot_density(circle(1.0), epsilon=0.5, step=0.01), 3)
