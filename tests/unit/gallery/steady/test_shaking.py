"""Played as they are, the animations shake their characters as much as those of Hoshyari et al. (2019)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import maximum_filter1d

from animato.formats import load_character
from animato.gallery.steady import DEMONSTRATORS
from animato.loading import load_clip
from animato.mechanics.simulation import Simulation, SimulationOptions, simulate

LEAST_PEAK_CM = {"drummer": 7.0, "boxer": 9.0}
"""5 for the others."""


def played(name: str) -> Simulation:
    """A demonstrator's clip, played as it is."""
    one = DEMONSTRATORS[name]
    character = load_character(one.character)
    options = SimulationOptions(step_s=2e-3, frame_rate_hz=50.0, tracked=tuple(body.body for body in one.tracked))
    return simulate(character, load_clip(one.clip, character), options)


@pytest.mark.parametrize("name", DEMONSTRATORS)
def test_it_shakes_as_much_as_it_should_and_no_motor_is_asked_for_far_too_much(name: str) -> None:
    run = played(name)
    least = LEAST_PEAK_CM.get(name, 5.0)
    assert least < 100.0 * run.peak_deviation_m < 25.0
    assert 100.0 * run.deviation[run.frame_times < 0.15].max() < 1e-3  # at rest before it begins
    stall = np.array([run.character.joint(motor).limits[0].torque for motor in run.system.motor_names])
    assert np.all(np.abs(run.torques).max(axis=0) < 1.1 * stall)


def test_the_drummers_sway_dies_away_and_comes_back() -> None:
    run = played("drummer")
    head = 100.0 * run.deviation[:, run.tracked.index("head")]
    swing = maximum_filter1d(head, round(0.68 * 50.0))  # over a swing of the legs
    early, calm, late = (
        swing[(run.frame_times > a) & (run.frame_times < b)] for a, b in ((0, 3.5), (3.5, 5.5), (5.5, 8))
    )
    assert early.max() > 6.0
    assert calm.min() < 0.25 * early.max()
    assert late.max() > 0.7 * early.max()
