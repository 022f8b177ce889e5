"""Streams made whole: knots at even times, and what is wrong is mended and said."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mimic.online.landmark_stream import LandmarkStream

NAMES = ("pelvis", "left_ankle", "right_ankle")
FIRST = np.array([[0.0, 0.0, 0.9], [0.0, 0.1, 0.08], [0.0, -0.1, 0.08]])
STEP = 0.1


def stream() -> LandmarkStream:
    return LandmarkStream(NAMES, STEP, gap_s=0.25)


def walking(time: float) -> np.ndarray:
    """The whole person moves along x at 1 m/s."""
    return FIRST + np.array([time, 0.0, 0.0])


def test_knots_are_even_whatever_the_rate_of_the_frames() -> None:
    for period in (0.013, 0.03, 0.07, 0.1, 0.23):
        whole, knots = stream(), []
        for time in np.arange(0.0, 1.0001, period):
            knots += whole.accepted(float(time), walking(time))
        expected = [walking(STEP * n) for n in range(len(knots))]
        assert len(knots) == int(np.floor(np.arange(0.0, 1.0001, period)[-1] / STEP + 1e-9)) + 1
        np.testing.assert_allclose(knots, expected, atol=1e-12)
        assert not whole.flags


def test_a_stream_begins_when_every_landmark_was_seen() -> None:
    whole, partial = stream(), FIRST.copy()
    partial[2] = np.nan
    assert whole.accepted(0.0, partial) == []
    assert whole.flags == ["not yet seen: right_ankle"]
    assert len(whole.accepted(0.1, FIRST)) == 1


def test_missing_landmarks_go_along_with_the_pelvis() -> None:
    whole = stream()
    whole.accepted(0.0, walking(0.0))
    partial = walking(0.1)
    partial[1] = np.nan
    (knot,) = whole.accepted(0.1, partial)
    assert whole.flags == ["missing: left_ankle"]
    np.testing.assert_allclose(knot, walking(0.1), atol=1e-12)
    hidden = walking(0.2)
    hidden[0] = np.nan
    (knot,) = whole.accepted(0.2, hidden)
    np.testing.assert_allclose(knot, walking(0.2), atol=1e-12)  # as the others moved


def test_nothing_seen_holds_the_person() -> None:
    whole = stream()
    whole.accepted(0.0, FIRST)
    for rubbish in (np.full((3, 3), np.nan), np.zeros(3), "nothing", None):
        (knot,) = whole.accepted(whole.time + STEP, rubbish)  # type: ignore[arg-type]
        np.testing.assert_array_equal(knot, FIRST)
        assert "no landmark was seen" in whole.flags


@pytest.mark.parametrize(("jump", "said"), [(5.0, "a gap"), (-5.0, "a clock that went back")])
def test_time_that_jumps_is_cut_out(jump: float, said: str) -> None:
    whole = stream()
    for time in (0.0, 0.1):
        whole.accepted(time, FIRST)
    assert len(whole.accepted(0.2 + jump, FIRST)) == 1
    assert whole.flags == [said]
    assert len(whole.accepted(0.3 + jump, FIRST)) == 1
    assert not whole.flags and whole.time == pytest.approx(0.3 + jump)


def test_frames_out_of_order_are_left_out() -> None:
    whole = stream()
    whole.accepted(0.0, FIRST)
    whole.accepted(0.1, FIRST)
    assert whole.accepted(0.05, walking(3.0)) == []
    assert whole.flags == ["a frame out of order"]
    (knot,) = whole.accepted(0.2, FIRST)
    np.testing.assert_array_equal(knot, FIRST)


def test_times_that_are_none_are_taken_to_be_the_next() -> None:
    whole = stream()
    whole.accepted(0.0, FIRST)
    whole.accepted(0.1, FIRST)
    assert len(whole.accepted(float("nan"), FIRST)) == 1
    assert whole.flags == ["a time that is no number"]


def test_a_person_that_leaps_stays_where_it_is_on_the_floor() -> None:
    whole = stream()
    whole.accepted(0.0, FIRST)
    (knot,) = whole.accepted(0.1, FIRST + np.array([3.0, 0.0, 0.0]))
    assert whole.flags == ["the person leapt"]
    np.testing.assert_allclose(knot, FIRST, atol=1e-12)
    (knot,) = whole.accepted(0.2, FIRST + np.array([3.1, 0.0, 0.0]))
    np.testing.assert_allclose(knot, walking(0.1), atol=1e-12)


def test_a_landmark_that_leaps_is_held_back_and_found_again() -> None:
    whole, swapped = LandmarkStream(NAMES, 0.01, gap_s=0.25), FIRST.copy()
    swapped[1] += 2.0
    whole.accepted(0.0, FIRST)
    (knot,) = whole.accepted(0.01, swapped)
    assert whole.flags == ["leapt: left_ankle"]
    assert np.linalg.norm(knot[1] - FIRST[1]) < 0.25
    for n in range(2, 40):
        (knot,) = whole.accepted(0.01 * n, swapped)
    np.testing.assert_allclose(knot, swapped, atol=1e-9)
