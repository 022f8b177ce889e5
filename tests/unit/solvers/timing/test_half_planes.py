from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from animato.solvers.timing.half_planes import MAX_EDGES, cut, start_box


def polygon(rows: np.ndarray, box: float = 10.0) -> tuple[np.ndarray, np.ndarray]:
    corners, edges = np.empty((MAX_EDGES + 2, 2)), np.empty((MAX_EDGES + 2, 4))
    count = start_box(box, box, corners, edges)
    for k, (alpha, beta, h) in enumerate(rows):
        count = cut(corners, edges, count, alpha, beta, h, float(k))
    return corners[:count], edges[:count]


def test_corners_are_those_of_the_linear_programs(rng: np.random.Generator) -> None:
    for _ in range(20):
        rows = np.column_stack([rng.normal(size=(30, 2)), rng.uniform(0.5, 2.0, size=30)])
        corners, edges = polygon(rows)
        for direction in rng.normal(size=(8, 2)):
            best = linprog(-direction, A_ub=rows[:, :2], b_ub=rows[:, 2], bounds=[(0, 10), (0, 10)])
            assert (corners @ direction).max() == pytest.approx(-best.fun, abs=1e-9)
        assert len(edges) < 30  # most rows do not count
        for k in range(len(corners)):
            ends = corners[[k, (k + 1) % len(corners)]]
            np.testing.assert_allclose(ends @ edges[k, :2], edges[k, 2], atol=1e-9)


def test_nothing_left() -> None:
    corners, _ = polygon(np.array([[1.0, 0.0, -1.0]]))
    assert len(corners) == 0


def test_a_crowded_polygon_only_shrinks() -> None:
    angles = np.linspace(0.0, np.pi / 2, 2000)
    rows = np.column_stack([np.cos(angles), np.sin(angles), np.ones(2000)])
    corners, _ = polygon(rows)
    assert len(corners) <= MAX_EDGES
    assert (corners @ rows[:, :2].T).max() <= 1.0 + 1e-12
    assert (corners @ rows[:, :2].T).max() > 0.99
