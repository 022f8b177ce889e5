"""What is drawn live: outliers stay out, real jumps do not, lines get shorter, the pen lifts."""

from __future__ import annotations

import numpy as np
import pytest

from animato.trace.live.drawing.growing_line import GrowingLine
from animato.trace.live.drawing.live_stroke import LiveStroke
from animato.trace.live.drawing.reach_ball import ReachBall
from animato.trace.live.drawing.sample_gate import Sample, SampleGate
from animato.trace.live.drawing.shorter_lines import STRAIGHT, shorter_line

BALL = ReachBall(np.zeros(3), 1.0)


def _let_in(points: np.ndarray, times: np.ndarray) -> tuple[list[float], int]:
    """Times of the samples that a gate lets in, and how many it leaves out."""
    gate, seen = SampleGate(1.0), list[float]()
    for place, moment in zip(points, times, strict=True):
        seen += [one.moment for one in gate.let_in(Sample(place, float(moment), True))]
    gate.close()
    return seen, gate.outliers


def _circle(times: np.ndarray, speed: float = 2.0) -> np.ndarray:
    return 0.2 * np.column_stack([np.sin(speed * times), np.cos(speed * times), 0.0 * times])


@pytest.mark.parametrize("at", [5, 40, 99])
def test_one_bad_sample_is_left_out_and_all_others_are_kept(at: int) -> None:
    times = 0.008 * np.arange(100)
    points = _circle(times)
    points[at] += np.array([0.0, 0.15, 0.16])
    seen, outliers = _let_in(points, times)
    assert outliers == 1
    np.testing.assert_array_equal(seen, np.delete(times, at))


@pytest.mark.parametrize("rate", [10.0, 60.0, 125.0, 1000.0])
def test_a_hand_that_draws_fast_is_believed(rate: float) -> None:
    times = np.arange(0.0, 1.0, 1.0 / rate)
    seen, outliers = _let_in(_circle(times, 15.0), times)  # 45 m/s^2
    assert outliers == 0
    np.testing.assert_array_equal(seen, times)


def test_a_jump_that_stays_is_drawn_a_sample_later() -> None:
    times = 0.008 * np.arange(40)
    points = _circle(times)
    points[20:] += 0.2
    seen, outliers = _let_in(points, times)
    assert outliers == 0
    np.testing.assert_array_equal(seen, times)


def test_a_clock_that_leaps_for_one_sample_is_left_out() -> None:
    times = 0.008 * np.arange(20)
    times[10] = 1e9
    seen, outliers = _let_in(_circle(0.008 * np.arange(20)), times)
    assert outliers == 1
    np.testing.assert_array_equal(seen, np.delete(times, 10))


def _line(points: np.ndarray, times: np.ndarray) -> GrowingLine:
    line = GrowingLine(points.shape[1])
    for place, moment in zip(points, times, strict=True):
        line.append(place, float(moment))
    return line


def test_shorter_lines_are_shorter_and_keep_their_ends() -> None:
    times = np.linspace(0.0, 1.0, 300)
    points = np.column_stack([times, 0.1 * np.sin(40.0 * times), 0.0 * times])
    drawn = _line(points, times)
    begin = 0.3
    lines = [shorter_line(drawn, drawn, begin, level, -np.inf) for level in range(STRAIGHT + 1)]
    lengths = [line.length for line in lines]
    assert np.all(np.diff(lengths) < 0.0)
    assert lengths[0] == pytest.approx(drawn.length, rel=1e-3)  # a chord between two samples replaces none
    for line in lines:
        np.testing.assert_allclose(line.at(np.array([begin])), drawn.at(np.array([begin])), atol=1e-9)
        np.testing.assert_allclose(line.at(np.array([line.length]))[0], points[-1], atol=1e-9)
        assert line.time_of(np.array([line.length]))[0] == pytest.approx(1.0)


def test_places_far_outside_are_drawn_onto_the_ball() -> None:
    np.testing.assert_allclose(BALL.drawn_in(np.array([3e300, 4e300, 0.0])), [0.6, 0.8, 0.0])
    np.testing.assert_allclose(BALL.drawn_in(np.array([0.1, 0.2, 0.0])), [0.1, 0.2, 0.0])


def test_the_pen_lifts_before_it_travels_and_lowers_where_it_draws() -> None:
    stroke = LiveStroke(np.zeros((1, 3)), 1e-3, None, 0.5, (BALL,), np.array([0.0, 0.0, 0.05]))
    stroke.add([[0.0, 0.0, 0.0], [0.01, 0.0, 0.0], [0.02, 0.0, 0.0]], [0.0, 0.1, 0.2])
    stroke.add([[0.2, 0.0, 0.0], [0.3, 0.0, 0.0]], [0.5, 0.6], down=False)
    stroke.add([[0.4, 0.0, 0.0], [0.41, 0.0, 0.0]], [0.9, 1.0])
    places = stroke.drawn.after(-np.inf)[1]
    travels = (places[:, 0] > 0.021) & (places[:, 0] < 0.399)
    assert np.all(places[travels, 2] == 0.05)
    for x, height in ((0.02, 0.05), (0.02, 0.0), (0.4, 0.05), (0.4, 0.0)):
        assert np.any(np.all(np.isclose(places, [x, 0.0, height]), axis=1))
