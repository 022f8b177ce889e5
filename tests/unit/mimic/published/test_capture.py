"""Captured markers made ready for the published method."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError
from animato.mimic.published import planted_feet, ready_markers
from animato.motion import MarkerMotion

NAMES = ("a", "b", "c", "d", "e")
TIMES = np.linspace(0.0, 2.0, 201)


def capture(gaps: dict[str, tuple[float, float]]) -> MarkerMotion:
    positions = np.sin(TIMES)[:, None, None] + np.arange(15.0).reshape(5, 3)
    for name, (start, end) in gaps.items():
        positions[(start <= TIMES) & (end >= TIMES), NAMES.index(name)] = np.nan
    return MarkerMotion(TIMES, NAMES, positions)


def test_short_gaps_are_filled_and_long_ones_left_out_and_both_are_said() -> None:
    motion, moments = capture({"b": (0.5, 0.7), "c": (0.3, 1.2)}), np.linspace(0.2, 1.8, 9)
    ready = ready_markers(motion, (*NAMES, "tail"), moments)
    assert ready.names == ("a", "b", "d", "e")
    np.testing.assert_allclose(ready.positions[:, 1, 0], np.sin(moments) + 3.0, atol=2e-3)
    told = "; ".join(ready.notes)
    assert "marker c is unseen for 0.92 s" in told
    assert "tail is not in the capture" in told
    assert "the longest of each marker: b 0.2" in told


def test_gaps_at_the_ends_count() -> None:
    ready = ready_markers(capture({"a": (0.0, 0.3), "b": (1.2, 2.0)}), NAMES, np.linspace(0.0, 1.0, 5))
    assert ready.names == ("a", "c", "d", "e")
    assert ready.positions[0, 0, 0] == pytest.approx(np.sin(0.31))


def test_too_little_is_refused() -> None:
    with pytest.raises(MotionError, match="Only 3 of the robot's markers"):
        ready_markers(capture({"a": (0.0, 2.0), "b": (0.0, 1.0)}), NAMES, np.linspace(0.0, 1.0, 5))
    with pytest.raises(MotionError, match="between 0 s and 2 s"):
        ready_markers(capture({}), NAMES, np.linspace(0.0, 3.0, 5))


def test_a_foot_that_swings_is_not_planted_and_one_always_is() -> None:
    still = np.zeros((len(TIMES), 3))
    swing = still.copy()
    moving = (TIMES > 0.5) & (TIMES < 1.0)
    swing[:, 0] = np.clip(2.0 * (TIMES - 0.5), 0.0, 1.0)
    swing[:, 2] = np.where(moving, 0.1 * np.sin(2.0 * np.pi * (TIMES - 0.5)), 0.0)
    planted = planted_feet([swing, still], TIMES)
    assert not planted[moving, 0][2:-2].any()
    assert planted[~moving, 0][5:-5].mean() > 0.95
    assert planted[:, 1].all()
