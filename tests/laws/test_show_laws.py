"""Whatever the cue and whatever the clock, servos stay inside range, speed and acceleration."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.show_builders import EVENING, Stand, score_of

LED = """animato: 1
name: led
clips: {look: lamp_look}
inputs: {net: {kind: osc, port: 9001}}
clock: {kind: osc, input: net, lost: LOST}
timeline: [{pose: rest}, {wait: 1 s}, {play: look}, {wait: 1 s}, {play: look, speed: 0.9}]
"""
HOLDS, GOES_ON = score_of(LED.replace("LOST", "hold")), score_of(LED.replace("LOST", "go_on"))

orders = st.sampled_from(["go", "go", "pause", "goto look", "goto idle", "goto nowhere", "bow", "stop"])
storms = st.lists(st.tuples(st.floats(0.0, 0.6), orders), min_size=1, max_size=40)
ROUNDING = 1.0 + 1e-6


def _inside(stand: Stand) -> None:
    in_range, speed, change = stand.use()
    assert in_range <= ROUNDING
    assert speed <= 1.001 * ROUNDING  # the guard lets pass what a check lets pass, 0.1 %
    assert change <= 1.001 * ROUNDING


@settings(max_examples=40, deadline=None)
@given(storm=storms)
def test_any_storm_of_cues_stays_inside(storm: list[tuple[float, str]]) -> None:
    stand = Stand(score_of(EVENING))
    for wait, order in storm:
        stand.run(wait)
        stand.conductor.order(order)
    goes_on = stand.run(1.5)
    _inside(stand)
    assert stand.guard.held_back == 0  # the conductor itself asks for nothing that is too much
    if any(order == "stop" for _, order in storm):
        assert not goes_on
        assert np.abs(stand.guard.velocity).max() < 1e-6


@settings(max_examples=30, deadline=None)
@given(
    moves=st.lists(st.tuples(st.floats(0.05, 2.0), st.floats(-3.0, 18.0), st.booleans()), min_size=1, max_size=8),
    speed=st.floats(0.9, 1.1),
    holds=st.booleans(),
    seed=st.integers(0, 2**31),
)
def test_any_clock_stays_inside(moves: list[tuple[float, float, bool]], speed: float, holds: bool, seed: int) -> None:
    stand, jitter = Stand(HOLDS if holds else GOES_ON, clocked=True), np.random.default_rng(seed)
    assert stand.clock is not None
    for seconds, start, silent in moves:
        began = stand.time_s

        def tick(now: float, start: float = start, began: float = began, silent: bool = silent) -> None:
            if not silent and stand.clock is not None and jitter.random() < 0.4:
                stand.clock.hear(start + speed * (now - began) + jitter.normal(0.0, 0.003))

        if not stand.run(seconds, tick):
            break
    _inside(stand)
    assert stand.guard.held_back <= 3  # a pace that changes on a clip at its limit


def test_a_guard_alone_would_be_needed_without_the_conductor() -> None:
    """The control: jumping from place to place as cues say breaks the limits, as the measure shows."""
    score = score_of(EVENING)
    stand = Stand(score)
    clip = score.stretches[0].clip
    stand.told += [clip.positions[n] for n in (0, 50, 100, 10)]
    assert stand.use()[1] > 1.0
    assert stand.use()[2] > 1.0
