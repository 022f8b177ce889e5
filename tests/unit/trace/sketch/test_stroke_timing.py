"""Times for paths that have none."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.motion.stroke import Stroke
from animato.trace.sketch.stroke_timing import USUAL_SPEED, timed


def ellipse(a: float, b: float, count: int = 4001) -> Stroke:
    turn = np.linspace(0.0, 2.0 * np.pi, count)
    return Stroke(np.column_stack([a * np.cos(turn), b * np.sin(turn)]))


def speeds(stroke: Stroke) -> np.ndarray:
    assert stroke.times is not None
    return np.linalg.norm(np.diff(stroke.points, axis=0), axis=1) / np.diff(stroke.times)


def test_constant_speed_is_constant() -> None:
    stroke = timed(ellipse(1.0, 0.5), law="constant", duration_s=4.0)
    assert stroke.times is not None and stroke.times[-1] == 4.0 and len(stroke.times) == 501
    np.testing.assert_allclose(speeds(stroke), stroke.length / 4.0, rtol=1e-4)


def test_duration_follows_from_speed() -> None:
    path = ellipse(1.0, 1.0)
    assert timed(path, speed=0.5).times[-1] == pytest.approx(path.length / 0.5, rel=1e-12)  # type: ignore[index]
    assert timed(path).times[-1] == pytest.approx(path.length / USUAL_SPEED, rel=1e-12)  # type: ignore[index]


def test_the_hand_follows_the_power_law_on_an_ellipse() -> None:
    a, b = 1.0, 0.6
    stroke = timed(ellipse(a, b), duration_s=20.0, rate_hz=500.0)
    middle = 0.5 * (stroke.points[1:] + stroke.points[:-1])
    turn = np.arctan2(middle[:, 1] / b, middle[:, 0] / a)
    curvature = a * b / (a**2 * np.sin(turn) ** 2 + b**2 * np.cos(turn) ** 2) ** 1.5
    inner = slice(2500, -2500)  # away from the start and the end, where the hand rests
    slope = np.polyfit(np.log(curvature[inner]), np.log(speeds(stroke)[inner]), 1)[0]
    # -1/3 where bends are sharp against the gentlest bend that still counts; half as steep where they are not
    assert -1.0 / 3.0 < slope < -0.2
    assert speeds(stroke)[0] < 0.1 * speeds(stroke).mean() > speeds(stroke)[-1]


def test_a_corner_is_slow_and_a_straight_is_fast() -> None:
    corner = Stroke(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]))
    stroke = timed(corner, duration_s=2.0, rate_hz=1000.0)
    speed = speeds(stroke)
    at_corner = int(np.argmin(np.linalg.norm(stroke.points - [1.0, 0.0], axis=1)))
    assert speed[at_corner] < 0.5 * speed.max()
    assert stroke.length == pytest.approx(2.0, rel=1e-3)


def test_pressure_and_source_stay_with_their_place() -> None:
    path = Stroke(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), None, np.array([0.0, 1.0, 0.0]), "mine")
    stroke = timed(path, law="constant", duration_s=1.0)
    assert stroke.pressure is not None and stroke.source == "mine"
    np.testing.assert_allclose(stroke.pressure, 1.0 - np.abs(stroke.points[:, 0] - 1.0), atol=1e-12)


def test_repeated_points_do_not_matter() -> None:
    once = Stroke(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]]))
    twice = Stroke(np.repeat(once.points, 3, axis=0))
    np.testing.assert_allclose(timed(once).points, timed(twice).points, atol=1e-12)


def test_size_does_not_matter() -> None:
    path = ellipse(1.0, 0.3)
    large = Stroke(1e4 * path.points)
    np.testing.assert_allclose(1e4 * timed(path, duration_s=3.0).points, timed(large, duration_s=3.0).points, rtol=1e-6)


def test_dots_and_bad_options_are_refused() -> None:
    with pytest.raises(MotionError, match="not a dot"):
        timed(Stroke(np.ones((5, 2))))
    path = ellipse(1.0, 1.0, 33)
    with pytest.raises(OptionError, match="curvature, constant; given 'fast'"):
        timed(path, law="fast")
    with pytest.raises(OptionError, match="not both"):
        timed(path, duration_s=1.0, speed=1.0)
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(OptionError, match="above 0"):
            timed(path, duration_s=bad)
