"""Bounds of splines between frames hold everywhere, and stretches of a curve are the curve."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline

from animato.fix.shape.spline_space import ORDERS, SplineSpace
from animato.motion import Clip


def uneven_clip(seed: int, frames: int, columns: int = 2) -> Clip:
    """Random frames at uneven times."""
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.01, 0.06, frames))
    return Clip(times, tuple(f"c{n}" for n in range(columns)), rng.normal(size=(frames, columns)))


def space_of(clip: Clip) -> SplineSpace:
    return SplineSpace(clip.spline.knots, clip.times)


@given(seed=st.integers(0, 10**6), frames=st.integers(8, 30))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_bounds_are_hulls(seed: int, frames: int) -> None:
    """Of each piece the curve and its derivatives stay between the coefficients of that piece."""
    clip = uneven_clip(seed, frames)
    space, controls = space_of(clip), clip.spline.control_points
    pieces = np.unique(space.knots)
    for kind, order in ORDERS.items():
        bounds = space.bounds[kind]
        values = bounds.of(controls)
        curve = BSpline(space.knots, controls, 3).derivative(order) if order else BSpline(space.knots, controls, 3)
        for left, right in pairwise(pieces):
            inside = (bounds.times >= left - 1e-12) & (bounds.times <= right + 1e-12)
            times = np.linspace(left, right, 40)[1:-1]
            found, room = curve(times), 1e-9 * (1.0 + np.abs(values).max())
            assert np.all(found <= values[inside].max(axis=0) + room)
            assert np.all(found >= values[inside].min(axis=0) - room)


def test_accelerations_and_jerks_are_held_exactly() -> None:
    """Their bounds are values of the curve itself: the hull has no room to spare."""
    clip = uneven_clip(3, 20)
    space, controls = space_of(clip), clip.spline.control_points
    bent = space.bounds["acceleration"]
    np.testing.assert_allclose(bent.of(controls), clip.acceleration(bent.times), rtol=1e-9, atol=1e-8)
    jerk = space.bounds["jerk"]  # in the middle of pieces
    np.testing.assert_allclose(jerk.of(controls), clip.jerk(jerk.times), rtol=1e-9, atol=1e-6)
    assert len(jerk) == len(np.unique(space.knots)) - 1


def test_velocities_and_positions_have_little_room_to_spare() -> None:
    """On a smooth curve the hull is larger than the curve by a share that falls with the square of the step."""
    spare = []
    for frames in (25, 50, 100):
        times = np.linspace(0.0, 1.0, frames + 1)
        clip = Clip(times, ("c",), np.sin(9.0 * times)[:, None])
        bounds, fine = space_of(clip).bounds, np.linspace(0.0, 1.0, 20001)
        for kind, curve in (("position", clip.spline(fine)), ("velocity", clip.velocity(fine))):
            spare.append(np.abs(bounds[kind].of(clip.spline.control_points)).max() / np.abs(curve).max() - 1.0)
    assert np.all(np.array(spare) > -1e-6)
    assert max(spare[4:]) < 0.3 * max(spare[2:4]) < 0.3**2 * max(spare[:2])
    assert max(spare[:2]) < 0.05


def test_values_are_those_of_the_clip() -> None:
    clip = uneven_clip(5, 15)
    times = np.linspace(clip.times[0], clip.times[-1], 97)
    curves = (clip.spline, clip.velocity, clip.acceleration)
    for order, curve in enumerate(curves):
        found = space_of(clip).at(times, order).of(clip.spline.control_points)
        np.testing.assert_allclose(found, curve(times), rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize(("begin", "end"), [(0, 20), (0, 9), (5, 14), (11, 20), (7, 11)])
def test_a_part_agrees_with_the_whole(begin: int, end: int) -> None:
    clip = uneven_clip(7, 20)
    whole, controls = space_of(clip), clip.spline.control_points
    part, own = whole.part(begin, end), controls[begin:end]
    assert part.count == end - begin
    assert set(part.frame_times) <= set(clip.times)
    low, high = part.knots[3], part.knots[-4]
    expected = clip.times[(clip.times >= low) & (clip.times <= high)]
    np.testing.assert_array_equal(part.frame_times, expected)
    times = np.linspace(low, high, 33)[1:-1]
    for order in range(3):
        np.testing.assert_allclose(part.at(times, order).of(own), whole.at(times, order).of(controls), atol=1e-9)
    for kind, bounds in part.bounds.items():
        known = whole.bounds[kind]
        rows = [int(np.argmin(np.abs(known.times - time))) for time in bounds.times]
        np.testing.assert_allclose(known.times[rows], bounds.times, atol=1e-12)
        np.testing.assert_allclose(bounds.of(own), known.of(controls)[rows], rtol=1e-9, atol=1e-6)


def test_some_stencils_are_some_of_the_numbers() -> None:
    clip = uneven_clip(9, 12)
    stencils, rows = space_of(clip).at(clip.times), np.array([1, 4, 11])
    found = stencils.chosen(rows)
    assert len(found) == 3
    np.testing.assert_allclose(found.of(clip.spline.control_points), clip.positions[rows], atol=1e-10)
