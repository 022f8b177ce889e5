"""A hand that hesitates: near-pauses become pauses, and the timing is found on every stroke."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.character.limits import Limits
from animato.motion.stroke import Stroke
from animato.trace.options import Options
from animato.trace.sketch.drawn_timing import DrawnTiming
from animato.trace.sketch.near_pauses import held_still
from animato.trace.sketch.sketch import build_sketch
from animato.trace.timing.temporal_stage import solve_time_scaling
from tests.unit.trace.timing_cases import fitted, gantry

RATE = 125.0


def hesitating(seed: int, noise: float, hold: float, where: float, creep: float) -> Stroke:
    """Straight lines at 0.25 m/s with corners, and one place at which the hand stays for a while [m]."""
    rng = np.random.default_rng(seed)
    corners = np.cumsum(np.vstack([np.zeros(3), 0.12 * rng.normal(size=(4, 3))]), axis=0)
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    along = np.append(0.0, np.cumsum(lengths))
    lasts = along[-1] / 0.25
    times = np.arange(0.0, lasts + hold, 1.0 / RATE)
    stop = where * lasts
    clock = np.where(times < stop, times, np.where(times < stop + hold, stop + creep * (times - stop), times - hold))
    way = np.clip(np.maximum.accumulate(clock), 0.0, lasts) * 0.25
    points = np.stack([np.interp(way, along, column) for column in corners.T], axis=1)
    return Stroke(points + noise * rng.normal(size=points.shape), times)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    noise=st.sampled_from([0.0, 1e-5, 1e-4, 1e-3]),
    hold=st.floats(0.3, 5.0),
    where=st.sampled_from([0.0, 0.3, 0.62, 1.0]),
    creep=st.sampled_from([0.0, 1e-3, 0.02]),
)
def test_the_timing_is_found(seed: int, noise: float, hold: float, where: float, creep: float) -> None:
    sketch = build_sketch({"pen": hesitating(seed, noise, hold, where, creep)})
    drawn = DrawnTiming.from_sketch(sketch)
    limits = Limits(velocity=2.0, acceleration=10.0)
    path = fitted(("axis_0", "axis_1"), lambda s: sketch.x_of_s(s)[:, 0, :2], pieces=20)
    answer = solve_time_scaling(gantry(limits, limits), path, drawn, Options(segments=80))
    assert answer.outcome.solved, answer.outcome
    assert np.all(np.isfinite(answer.times))
    assert answer.gap < 0.02


@pytest.mark.parametrize("noise", [0.0, 1e-5, 1e-4, 1e-3])
@pytest.mark.parametrize("hold", [0.4, 2.0, 5.0])
def test_a_hold_is_one_pause(noise: float, hold: float) -> None:
    stroke = hesitating(3, noise, hold, 0.4, 1e-3)
    pauses = [pause for pause in build_sketch({"pen": stroke}).pauses if 0.0 < pause.s < 1.0]
    assert len(pauses) == 1
    assert pauses[0].duration == pytest.approx(hold, abs=0.15)


@pytest.mark.parametrize("noise", [0.0, 3e-4])
@pytest.mark.parametrize("slower", [1.0, 20.0])
def test_steady_drawing_has_no_pauses(noise: float, slower: float) -> None:
    """Negative control: a hand that draws slowly, all the time, does not hesitate."""
    stroke = hesitating(5, noise, 0.0, 0.5, 0.0)
    slow = Stroke(stroke.points, slower * np.asarray(stroke.times))
    assert [pause for pause in build_sketch({"pen": slow}).pauses if 0.0 < pause.s < 1.0] == []


def test_what_is_no_hold_stays_as_it_is() -> None:
    stroke = hesitating(5, 0.0, 0.0, 0.5, 0.0)
    assert held_still(stroke, 0.0) is stroke
