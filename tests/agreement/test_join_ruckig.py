"""The shortest transition of one joint beside Ruckig's, which switches between frames and knows no range."""

from __future__ import annotations

import math

import numpy as np
import pytest

from animato.fix.joining.tracks import Pieces, Track, TrackBounds, TrackState, eased

ruckig = pytest.importorskip("ruckig")
H = 0.01


def ruckig_seconds(begin: TrackState, end: TrackState, bounds: TrackBounds) -> float:
    given, found = ruckig.InputParameter(1), ruckig.Trajectory(1)
    given.current_position, given.current_velocity, given.current_acceleration = ([one] for one in begin)
    given.target_position, given.target_velocity, given.target_acceleration = ([one] for one in end)
    given.max_velocity, given.max_acceleration, given.max_jerk = (
        [one] for one in (bounds.velocity, bounds.acceleration, bounds.jerk)
    )
    ruckig.Ruckig(1).calculate(given, found)
    return float(found.duration)


@pytest.mark.parametrize("seed", range(12))
def test_the_shortest_transition_is_within_three_frames_of_the_time_optimal_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bounds = TrackBounds(velocity=4.0, acceleration=20.0, jerk=300.0)
    begin, end = (TrackState(rng.normal(), rng.uniform(-2, 2), rng.uniform(-8, 8)) for _ in range(2))
    best = ruckig_seconds(begin, end, bounds)
    least = math.ceil(best / H - 1e-6)
    found = next(
        n
        for n in range(max(1, least - 3), least + 50)
        if eased(Track("a", begin, end, bounds), Pieces(np.full(n, H))) is not None
    )
    assert least <= found <= least + 3
