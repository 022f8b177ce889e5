from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.stage.playing.streaming import Guard
from tests.stage_builders import rig_of_two

_SPEED, _ACCELERATION = 3.0, 20.0
_ROUNDING = 1.0 + 2e-3  # the guard allows a thousandth more than the limit, as the check does


def _steps(guard: Guard, wanted: list[float], steps: list[float]) -> np.ndarray:
    return np.array([guard.step(np.full(2, one), dt) for one, dt in zip(wanted, steps, strict=True)])


def test_a_motion_inside_the_limits_comes_out_as_it_went_in() -> None:
    guard = Guard(rig_of_two(_SPEED, _ACCELERATION))
    times = np.arange(1, 301) * 0.01
    wanted = 0.6 * (1.0 - np.cos(2.5 * times))
    guard.begin(np.zeros(2))
    told = np.array([guard.step(np.full(2, one), 0.01) for one in wanted])
    assert np.abs(told - wanted[:, None]).max() < 1e-12
    assert guard.held_back == 0


def test_a_motion_at_the_limits_of_acceleration_and_range_comes_out_as_it_went_in() -> None:
    # out to the end of the range and to a stop there, at full acceleration: 2 sqrt(2/a) s, at 0.63 of the top speed
    guard = Guard(rig_of_two(np.inf, _ACCELERATION))
    half = np.sqrt(2.0 / _ACCELERATION)
    times = np.arange(1, 101) * 0.0103
    speeding = 0.5 * _ACCELERATION * times**2
    slowing = 2.0 - 0.5 * _ACCELERATION * np.maximum(2.0 * half - times, 0.0) ** 2
    wanted = np.where(times < half, speeding, slowing)
    told = np.array([guard.step(np.full(2, one), 0.0103) for one in wanted])
    assert np.abs(told - wanted[:, None]).max() < 1e-4


@given(
    st.lists(st.floats(-10.0, 10.0), min_size=5, max_size=120),
    st.floats(0.5, 6.0),
    st.floats(2.0, 100.0),
    st.integers(0, 2**31),
)
@settings(max_examples=60, deadline=None)
def test_limits_hold_whatever_is_wanted(wanted: list[float], speed: float, acceleration: float, seed: int) -> None:
    guard = Guard(rig_of_two(speed, acceleration))
    steps = np.random.default_rng(seed).uniform(0.006, 0.02, len(wanted)).tolist()
    told = _steps(guard, wanted, steps)
    path = np.vstack([np.zeros(2), told])
    rates = np.diff(path, axis=0) / np.array(steps)[:, None]
    between = 0.5 * (np.array(steps)[1:] + np.array(steps)[:-1])[:, None]
    assert np.abs(told).max() <= 2.0 + 1e-12
    assert np.abs(rates).max() <= speed * _ROUNDING
    # steps of uneven length leave a rest of half a step's change where it stops at the end of its range
    assert (np.abs(np.diff(rates, axis=0)) / between).max(initial=0.0) <= 2.0 * acceleration


@given(st.lists(st.floats(-10.0, 10.0), min_size=5, max_size=120), st.floats(0.5, 6.0), st.floats(2.0, 100.0))
@settings(max_examples=60, deadline=None)
def test_acceleration_holds_at_even_steps(wanted: list[float], speed: float, acceleration: float) -> None:
    guard = Guard(rig_of_two(speed, acceleration))
    path = np.vstack([np.zeros(2), _steps(guard, wanted, [0.01] * len(wanted))])
    assert np.abs(np.diff(path, n=2, axis=0)).max(initial=0.0) / 1e-4 <= acceleration * _ROUNDING


def test_where_it_stands_outside_it_only_comes_back_in() -> None:
    guard = Guard(rig_of_two(_SPEED, _ACCELERATION))
    guard.begin(np.array([2.5, -2.2]))
    told = np.array([guard.step(np.array([5.0, -5.0]), 0.01) for _ in range(200)])
    assert np.all(np.diff(told[:, 0]) <= 1e-12)
    assert np.all(np.diff(told[:, 1]) >= -1e-12)
    assert np.abs(told[-1] - np.array([2.0, -2.0])).max() < 1e-6


def test_what_was_held_back_arrives_without_overshoot() -> None:
    guard = Guard(rig_of_two(_SPEED, _ACCELERATION))
    told = np.array([guard.step(np.full(2, 1.0), 0.01) for _ in range(150)])
    assert told.max() <= 1.0 + 1e-9
    assert abs(told[-1, 0] - 1.0) < 1e-6
    assert guard.held_back > 10
