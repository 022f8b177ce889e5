"""How far predictions are believed in: as far as they proved right."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express.tracking.constants import TRACKING
from animato.express.tracking.prediction import Prediction

STEP, HORIZON = 0.02, 12.0


def seen(azimuths: np.ndarray, height: float = 0.0) -> Prediction:
    """After a direction went along azimuths [rad]."""
    prediction = Prediction(STEP, HORIZON)
    for azimuth in azimuths:
        away = np.array([np.cos(azimuth), np.sin(azimuth), height])
        prediction.see(away / np.linalg.norm(away), np.array([0.0, 0.0, 1.0]))
    return prediction


def test_trust_grows_while_a_target_circles_steadily() -> None:
    azimuths = 0.5 * STEP * np.arange(1500)
    trusts = [seen(azimuths[:count]).trusted_s for count in (10, 100, 400, 1500)]
    assert trusts[0] == TRACKING.first_trust_s
    assert np.all(np.diff(trusts) > 0.0)
    assert trusts[-1] == HORIZON
    np.testing.assert_allclose(seen(azimuths).spin, [0.0, 0.0, 0.5], atol=1e-9)


def test_trust_falls_when_the_target_turns_at_random() -> None:
    rng = np.random.default_rng(4)
    steady = 0.5 * STEP * np.arange(1500)
    turns = np.repeat(rng.choice([-0.8, 0.8], 40), 25)  # another way twice a second, or not
    assert seen(steady).trusted_s == HORIZON
    assert seen(np.concatenate([steady, steady[-1] + np.cumsum(turns) * STEP])).trusted_s <= 1.0


def test_what_trembles_is_not_thought_to_turn() -> None:
    rng = np.random.default_rng(5)
    assert np.linalg.norm(seen(0.01 * rng.standard_normal(500)).spin) < 0.1  # its speeds are 0.7 rad/s


def test_a_jump_says_nothing_about_how_it_goes_on() -> None:
    prediction = seen(np.concatenate([np.zeros(200), np.ones(1)]))
    assert np.linalg.norm(prediction.spin) < 1e-9


def test_standing_is_noticed_and_counted() -> None:
    assert seen(0.5 * STEP * np.arange(100)).still_s == 0.0
    assert seen(np.concatenate([0.5 * STEP * np.arange(100), np.full(100, 0.99)])).still_s == pytest.approx(2.0)


def test_a_point_has_one_direction_only() -> None:
    """What is given twice the same has no roll, and turns by the shortest way."""
    prediction = Prediction(STEP, HORIZON)
    for azimuth in 0.5 * STEP * np.arange(1000):
        away = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        prediction.see(away, away)
    np.testing.assert_allclose(prediction.spin, [0.0, 0.0, 0.5], atol=1e-9)
    assert prediction.trusted_s >= 4.0
