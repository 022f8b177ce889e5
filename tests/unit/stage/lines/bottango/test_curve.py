"""Curves through positions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from animato.stage.emulated.bottango_board import BoardCurve
from animato.stage.lines.bottango.curve import Curve, fitted


def test_the_command_counts_from_the_last_sync() -> None:
    curve = Curve(1234, 50, 10, 17, 20, 30, -17, -40)
    assert curve.command("9", 1000) == "sC,9,234,50,10,17,20,30,-17,-40"
    assert curve.end_ms == 1284


def test_a_smooth_motion_is_met_to_less_than_half_a_unit() -> None:
    """Twelve tenths of a turn a second over most of the range, gathered over five frames of 10 ms."""
    for start in np.arange(0.0, 1000.0, 50.0):
        times = start + np.arange(6) * 10.0
        heights = 4096.0 + 3000.0 * np.sin(2.0 * np.pi * times / 1000.0)
        curve = fitted(list(times), list(heights))
        met = [curve.at(time) for time in times]
        np.testing.assert_allclose(met, heights, atol=1.0)  # ends and control points are whole units
        inner = np.abs(np.array(met) - heights)[1:-1]
        assert inner.mean() < 0.5


def test_curves_join_to_the_unit() -> None:
    times = np.arange(101) * 10.0
    heights = 4000.0 + 900.3 * np.sin(times / 130.0)
    curves = [fitted(list(times[n : n + 6]), list(heights[n : n + 6])) for n in range(0, 95, 5)]
    for before, after in pairwise(curves):
        assert before.y1 == after.y0
        assert before.end_ms == after.start_ms


def test_two_positions_make_a_straight_line() -> None:
    curve = fitted([100.0, 110.0], [1000.0, 2000.0])
    np.testing.assert_allclose([curve.at(100.0 + t) for t in range(11)], np.linspace(1000.0, 2000.0, 11), atol=1.5)


def test_heights_stay_in_their_range() -> None:
    curve = fitted([0.0, 10.0, 20.0], [-50.0, 4000.0, 9000.0])
    assert (curve.y0, curve.y1) == (0, 8192)


def test_before_and_after_it_a_curve_stands() -> None:
    curve = fitted([100.0, 110.0], [1000.0, 2000.0])
    assert curve.at(0.0) == 1000.0
    assert curve.at(500.0) == 2000.0


@pytest.mark.parametrize("duration", [1, 2, 10, 50, 101])
def test_a_board_plays_the_same_curve(duration: int) -> None:
    """As far as its millisecond goes."""
    curve = fitted([0.0, 0.4 * duration, float(duration)], [3000.0, 3300.0, 3200.0])
    heights = (curve.y0, curve.y0 + curve.cy0, curve.y1 + curve.cy1, curve.y1)
    places = (0, curve.cx0, curve.duration_ms + curve.cx1, curve.duration_ms)
    board = BoardCurve(0, curve.duration_ms, heights, places)
    for time in range(curve.duration_ms + 1):
        near = [curve.at(time + off) for off in np.linspace(-1.0, 1.0, 21)]
        assert min(near) - 1.0 <= board.at(time) * 8192 <= max(near) + 1.0
