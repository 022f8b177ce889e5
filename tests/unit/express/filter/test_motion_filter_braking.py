"""The closed forms of braking against braking itself, sample by sample."""

from __future__ import annotations

import math

import numpy as np
import pytest

from animato.express.filter.braking import braking, left_after, quantity_of_sum, stopping_distance, turning_distance


def brake(v: float, a: float, acceleration: float, jerk: float) -> np.ndarray:
    """Control points of the hardest braking from 0 until rest."""
    p, points = 0.0, [0.0]
    small = 1e-13 * (abs(v) + abs(a))
    while abs(v) > small or abs(a) > small:
        new = braking(v, a, acceleration, jerk)
        assert abs(new - a) <= jerk * (1 + 1e-12)
        assert abs(new) <= acceleration
        a, v = new, v + new
        p += v
        points.append(p)
        assert len(points) < 100_000
    return np.array(points)


def test_sums_are_sums() -> None:
    assert left_after(4.0) == 3 + 2 + 1
    assert left_after(4.25) == pytest.approx(3.25 + 2.25 + 1.25 + 0.25, abs=1e-14)
    assert quantity_of_sum(4 + 3 + 2 + 1) == 4.0
    assert quantity_of_sum(2.5 + 1.5 + 0.5) == pytest.approx(2.5, abs=1e-14)
    assert quantity_of_sum(-1.0) == 0.0
    assert quantity_of_sum(math.inf) == math.inf


@pytest.mark.parametrize("kind", ["three orders", "no acceleration limit", "no jerk limit", "whole samples"])
def test_closed_forms_are_what_braking_does(kind: str, rng: np.random.Generator) -> None:
    for _ in range(300):
        jerk = 10.0 ** rng.uniform(-2, 2)
        acceleration = math.inf if kind == "no acceleration limit" else jerk * 10.0 ** rng.uniform(-1, 1.5)
        a = min(acceleration, 30 * jerk) * rng.uniform(-1, 1)
        v = jerk * rng.uniform(-1, 1) * 10.0 ** rng.uniform(-1, 2.5)
        if kind == "no jerk limit":
            jerk, a = math.inf, 0.0
        if kind == "whole samples":
            acceleration, a, v = jerk * 7, jerk * int(rng.integers(-7, 8)), jerk * int(rng.integers(-300, 300))
        points = brake(v, a, acceleration, jerk)
        distance = stopping_distance(v, a, acceleration, jerk)
        size = np.abs(points).max() + abs(v)
        assert distance == pytest.approx(points[-1], abs=1e-11 * size)
        turn = turning_distance(v, a, jerk)
        ends = sorted((0.0, turn, distance))
        np.testing.assert_allclose((points.min(), points.max()), (ends[0], ends[2]), atol=1e-11 * size)


def test_braking_keeps_its_own_promise(rng: np.random.Generator) -> None:
    """One sample of braking moves on by exactly what it takes off the distance left."""
    for _ in range(300):
        v, a = rng.uniform(-50, 50), rng.uniform(-5, 5)
        new = braking(v, a, 5.0, 1.0)
        left = stopping_distance(v + new, new, 5.0, 1.0)
        assert v + new + left == pytest.approx(stopping_distance(v, a, 5.0, 1.0), abs=1e-10)


def test_more_push_never_stops_shorter(rng: np.random.Generator) -> None:
    for _ in range(100):
        v, a = rng.uniform(-20, 20), np.sort(rng.uniform(-5, 5, 40))
        rest = np.array([v + one + stopping_distance(v + one, one, 5.0, 1.0) for one in a])
        assert np.all(np.diff(rest) >= np.diff(a) * (1 - 1e-9))
