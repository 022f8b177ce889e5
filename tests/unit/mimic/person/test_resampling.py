"""A person at other times."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError
from animato.mimic.person import person_of, resampled
from tests.person_builders import stick_figure


def test_frames_come_back_exactly() -> None:
    person = person_of(stick_figure(frames=61))
    every_other = resampled(person, person.times[0] + np.arange(31) / 30)
    np.testing.assert_array_equal(every_other.positions, person.positions[::2])
    assert every_other.names == person.names and every_other.sources == person.sources


def test_between_frames_it_follows_a_smooth_motion_to_fourth_order() -> None:
    fine = person_of(stick_figure(frames=241, rate_hz=240.0))
    errors = []
    for frames in (31, 61):
        coarse = person_of(stick_figure(frames=frames, rate_hz=frames - 1.0))
        errors.append(np.abs(resampled(coarse, fine.times).positions - fine.positions).max())
    assert errors[0] < 5e-5
    assert 3.5 < np.log2(errors[0] / errors[1]) < 4.5  # not 0.1 at so few frames: the ends have an error of their own


def test_it_ends_where_the_capture_ends() -> None:
    person = person_of(stick_figure(frames=61))
    with pytest.raises(MotionError, match="can only be resampled between 0 s and 1 s"):
        resampled(person, [0.5, 1.5])
    with pytest.raises(MotionError, match="must rise"):
        resampled(person, [0.5, 0.5])
