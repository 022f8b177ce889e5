"""Keyframes are reached as they say, and corners take their time."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, UnknownNameError
from animato.gallery.keyframes import Ease, Key, held, keyed, keyed_clip


@pytest.mark.parametrize("ease", Ease)
def test_every_ease_begins_and_ends_at_its_keys(ease: Ease) -> None:
    times = np.linspace(0.0, 3.0, 301)
    values = held((Key(1.0, {"a": 10.0}), Key(2.0, {"a": -20.0}, ease)), "a", times)
    np.testing.assert_array_equal(values[times <= 1.0], 10.0)
    np.testing.assert_allclose(values[times >= 2.0], -20.0, atol=1e-12)
    assert np.all(np.diff(values) <= 1e-12)


def test_a_snap_stops_fast_and_a_launch_starts_fast() -> None:
    times = np.array([0.0, 0.01, 0.99, 1.0])
    snap, launch = (
        held((Key(0.0, {"a": 0.0}), Key(1.0, {"a": 1.0}, ease)), "a", times) for ease in Ease if ease in "snap launch"
    )
    assert snap[3] - snap[2] > 100.0 * (snap[1] - snap[0])
    assert launch[1] - launch[0] > 100.0 * (launch[3] - launch[2])


def test_corners_are_rounded_within_the_time_that_is_given() -> None:
    keys = (Key(1.0, {"a": 0.0}), Key(2.0, {"a": 50.0}, Ease.EVEN))
    times, values = keyed(keys, ("a",), duration_s=3.0, rate_hz=1000.0, rounding_s=0.08)
    sharp = np.clip(50.0 * (times - 1.0), 0.0, 50.0)
    away = np.minimum(np.abs(times - 1.0), np.abs(times - 2.0)) > 0.045
    np.testing.assert_allclose(values[away, 0], sharp[away], atol=1e-9)
    acceleration = np.diff(values[:, 0], 2) * 1e6
    assert np.abs(acceleration).max() < 1.02 * 50.0 / 0.04
    _, kept = keyed(keys, ("a",), duration_s=3.0, rate_hz=1000.0, rounding_s=0.0)
    np.testing.assert_allclose(kept[:, 0], sharp, atol=1e-9)
    assert np.abs(np.diff(kept[:, 0], 2) * 1e6).max() > 10.0 * np.abs(acceleration).max()


def test_a_clip_is_in_radians_and_what_no_key_names_rests() -> None:
    clip = keyed_clip((Key(0.0, {"a": 90.0}),), ("a", "b"), duration_s=1.0, source="a test")
    np.testing.assert_allclose(clip.positions, np.tile([0.5 * np.pi, 0.0], (51, 1)), atol=1e-6)


def test_a_channel_that_is_not_there_and_keys_out_of_order_are_named() -> None:
    with pytest.raises(UnknownNameError, match="elbw"):
        keyed((Key(0.0, {"elbw": 1.0}),), ("elbow",), duration_s=1.0)
    with pytest.raises(UnknownNameError, match="elbow"):
        held((Key(0.0, {"wrist": 1.0}),), "elbow", np.zeros(1))
    with pytest.raises(MotionError, match="'a' do not stand in the order"):
        held((Key(1.0, {"a": 1.0}), Key(0.5, {"a": 2.0})), "a", np.zeros(1))
