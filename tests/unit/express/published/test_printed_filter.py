"""Negative control: equation 23 as printed, and with clamps."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.errors import OptionError
from animato.express.filter.motion_filter import follow
from animato.express.published.printed_filter import printed_recursion

RATE = 200.0
HEAD = Limits(lower=-3.0, upper=3.0, velocity=2.0, acceleration=10.0, jerk=100.0)
TIMES = np.arange(2000) / RATE
STEP = np.where(TIMES < 0.1, 0.0, 1.0)
SINE = 0.8 * np.sin(np.pi * TIMES)


def shares(positions: np.ndarray) -> np.ndarray:
    """Used shares of velocity, acceleration and jerk by differences of positions."""
    return np.array([np.abs(np.diff(positions, k)).max() * RATE**k / limit for k, limit in ((1, 2), (2, 10), (3, 100))])


@pytest.mark.parametrize("set_points", [STEP, SINE], ids=["step", "sine"])
def test_printed_equation_runs_away(set_points: np.ndarray) -> None:
    out = printed_recursion(HEAD, RATE, set_points)
    assert np.abs(out[-1]) > 100 * np.abs(set_points).max()
    assert shares(out)[0] > 50


@pytest.mark.parametrize("set_points", [STEP, SINE], ids=["step", "sine"])
def test_clamps_still_break_the_jerk_limit(set_points: np.ndarray) -> None:
    out = printed_recursion(HEAD, RATE, set_points, clamped=True)
    assert out.max() > set_points.max() + 0.2
    assert shares(out)[2] == pytest.approx(10.0, rel=1e-6)


@pytest.mark.parametrize("set_points", [STEP, SINE], ids=["step", "sine"])
def test_the_filter_does_neither(set_points: np.ndarray) -> None:
    out = follow((HEAD,), RATE, set_points[:, None], responsiveness=0.0).positions[:, 0]
    assert out.max() <= set_points.max() + 1e-12
    assert np.all(shares(out) <= 1.0 + 1e-7)  # third differences of rounded positions carry 1e-16 * 200^3 / 100


def test_smoothness_and_responsiveness_do_not_save_it() -> None:
    for sigma, rho in ((0.5, 0.0), (0.9, 0.5), (0.2, 0.9)):
        assert abs(printed_recursion(HEAD, RATE, STEP, smoothness=sigma, responsiveness=rho)[-1]) > 100


def test_it_needs_every_limit() -> None:
    with pytest.raises(OptionError, match="velocity, acceleration and jerk"):
        printed_recursion(Limits(-1, 1, 2.0), RATE, STEP)
