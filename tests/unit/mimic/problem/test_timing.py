"""Time that is stretched."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mimic.problem import knots_at_pace
from animato.mimic.problem.timing import flight_pace
from tests.mimic_solved import hopping_person, problem_of, standing_person

STEP = 1.0 / 30.0
TIMES = np.arange(61) * STEP


def test_the_persons_own_pace() -> None:
    knots = knots_at_pace(0.5, 1.5, TIMES, np.ones(61), STEP)
    np.testing.assert_allclose(knots, 0.5 + np.arange(31) * STEP, atol=1e-12)


@pytest.mark.parametrize("pace", [0.6, 1.25, 3.0])
def test_an_even_pace(pace: float) -> None:
    knots = knots_at_pace(0.0, 2.0, TIMES, np.full(61, pace), STEP)
    assert len(knots) == int(2.0 * pace / STEP + 1e-6) + 1
    np.testing.assert_allclose(np.diff(knots), STEP / pace, rtol=1e-9)


def test_a_pace_that_changes_goes_on_and_blends(rng: np.random.Generator) -> None:
    pace = np.where((TIMES > 0.8) & (TIMES < 1.2), 2.0, 1.0)
    knots = knots_at_pace(0.0, 2.0, TIMES, pace, STEP)
    assert knots[0] == 0.0 and 2.0 - 2.0 * STEP < knots[-1] <= 2.0
    steps = np.diff(knots)
    assert steps.min() > 0.49 * STEP and steps.max() < 1.01 * STEP
    assert np.abs(np.diff(steps)).max() < 0.3 * STEP  # never from one to two within a knot
    assert len(knots) * STEP == pytest.approx(2.4, abs=0.07)
    wild = knots_at_pace(0.0, 2.0, TIMES, rng.uniform(0.5, 4.0, 61), STEP)
    assert np.all(np.diff(wild) > 0.0)


def test_a_small_body_flies_as_long_as_it_falls() -> None:
    flight = np.array([False, True, True, False])
    np.testing.assert_allclose(flight_pace(flight, 0.25), [1.0, 0.5, 0.5, 1.0])
    person = hopping_person()
    problem = problem_of(person)
    assert problem.plan.flight.any() and problem.step == pytest.approx(1.0 / 60.0)
    inside = problem.plan.flight[1:] & problem.plan.flight[:-1]
    middle = np.flatnonzero(inside)[len(np.flatnonzero(inside)) // 2]
    assert np.diff(problem.source_times)[middle] == pytest.approx(problem.step / np.sqrt(problem.scale), rel=1e-3)
    assert problem.times[-1] < person.times[-1] - person.times[0] - 0.1
    assert problem_of(standing_person()).step == pytest.approx(STEP)  # nobody flies: as many knots as asked for
