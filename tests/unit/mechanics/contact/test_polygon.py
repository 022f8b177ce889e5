"""Hulls on the floor, and how far points are outside."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from animato.mechanics.contact import convex_hull, outside_distance, used_reach

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.4)])


def test_a_hull_goes_round_counter_clockwise(rng: np.random.Generator) -> None:
    points = rng.normal(size=(30, 2))
    hull, peer = convex_hull(points), ConvexHull(points)
    area = 0.5 * np.sum(hull[:, 0] * np.roll(hull[:, 1], -1) - hull[:, 1] * np.roll(hull[:, 0], -1))
    assert len(hull) == len(peer.vertices)
    assert area == pytest.approx(peer.volume, rel=1e-12)  # scipy's word for the area of a flat hull


@pytest.mark.parametrize("points", [[(1, 2)], [(1, 2), (1, 2)], [(0, 0), (2, 2), (1, 1)]])
def test_a_hull_without_area(points: list[tuple[float, float]]) -> None:
    assert len(convex_hull(points)) == len({points[0], points[len(points) // 2]})


@pytest.mark.parametrize(
    ("point", "distance"),
    [((0.5, 0.5), -0.5), ((0.5, 0.9), -0.1), ((0.5, 1.25), 0.25), ((2.0, 2.0), np.sqrt(2.0)), ((0.0, 0.3), 0.0)],
)
def test_distance_to_a_square(point: tuple[float, float], distance: float) -> None:
    found = outside_distance(np.array([point]), SQUARE[None], np.ones((1, 5), dtype=bool))
    assert found[0] == pytest.approx(distance, abs=1e-15)


def test_every_moment_has_its_own_corners() -> None:
    used = np.array([(1, 1, 1, 1, 0), (1, 1, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 0, 0), (1, 1, 1, 0, 0)], dtype=bool)
    points = np.tile((0.25, 0.5), (5, 1))
    found = outside_distance(points, np.tile(SQUARE, (5, 1, 1)), used)
    expected = [-0.25, 0.5, np.hypot(0.25, 0.5), np.nan, np.sqrt(0.5) * 0.25]
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_on_a_line_of_corners_there_is_no_inside() -> None:
    line = np.array([[(0.0, 0.0), (1.0, 0.0), (0.4, 0.0)]])
    used = np.ones((1, 3), dtype=bool)
    for point, distance in (((0.5, 0.0), 0.0), ((1.5, 0.0), 0.5), ((0.5, -0.2), 0.2)):
        assert outside_distance(np.array([point]), line, used)[0] == pytest.approx(distance, abs=1e-15)
    assert used_reach(np.array([(0.5, 0.0)]), line, used)[0] == 1.0
    assert used_reach(np.array([(0.5, 0.1)]), line, used)[0] == np.inf


def test_against_a_peer(rng: np.random.Generator) -> None:
    corners, points = rng.normal(size=(50, 8, 2)), 1.5 * rng.normal(size=(50, 2))
    used = rng.random((50, 8)) < 0.7
    used[:, :3] = True
    found = outside_distance(points, corners, used)
    reach = used_reach(points, corners, used)
    for t in range(50):
        planes = ConvexHull(corners[t, used[t]]).equations
        gaps = planes[:, :2] @ points[t] + planes[:, 2]
        if gaps.max() < 0.0:
            assert found[t] == pytest.approx(gaps.max(), abs=1e-12)
        else:
            assert found[t] >= gaps.max() - 1e-12
        assert (reach[t] > 1.0) == (found[t] > 0.0)


def test_reach_of_a_square() -> None:
    used = np.ones((3, 4), dtype=bool)
    points = np.array([(0.5, 0.5), (0.5, 0.75), (2.0, 0.5)])
    np.testing.assert_allclose(used_reach(points, np.tile(SQUARE[:4], (3, 1, 1)), used), [0.0, 0.5, 3.0])
    nowhere = np.full((1, 2), np.nan)
    assert np.isnan(used_reach(nowhere, SQUARE[None, :4], used[:1])[0])
