"""Friction cones, and sharing a wrench among points that push."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from animato.mechanics.contact import REGULARIZATION, friction_cone, shared_wrench


def test_edges_are_on_the_cone_and_what_is_between_them_is_inside(rng: np.random.Generator) -> None:
    edges = friction_cone(0.7)
    assert edges.shape == (8, 3)
    np.testing.assert_allclose(np.linalg.norm(edges, axis=1), 1.0)
    np.testing.assert_allclose(np.hypot(edges[:, 0], edges[:, 1]) / edges[:, 2], 0.7)
    forces = rng.random((100, 8)) @ edges
    slopes = np.hypot(forces[:, 0], forces[:, 1]) / forces[:, 2]
    assert slopes.max() <= 0.7
    halfway = edges[0] + edges[1]
    assert np.hypot(*halfway[:2]) / halfway[2] == pytest.approx(0.7 * np.cos(np.pi / 8))


def pushes(rng: np.random.Generator, moments: int) -> np.ndarray:
    """Columns of eight corners 0.7 m below, some of which are off the floor, [time, 6, 64]."""
    places = rng.normal(size=(moments, 8, 3)) * (0.2, 0.15, 0.01) - (0.0, 0.0, 0.7)
    edges = friction_cone(0.7)
    force = np.broadcast_to(edges, (moments, 8, 8, 3))
    columns = np.concatenate([force, np.cross(places[:, :, None], force)], axis=-1)
    columns[rng.random((moments, 8)) < 0.4] = 0.0
    return np.moveaxis(columns.reshape(moments, 64, 6), 1, 2)


@pytest.mark.parametrize("moment", [5.0, 100.0])
def test_weights_are_the_least_squares_answer(moment: float, rng: np.random.Generator) -> None:
    """First-order conditions, and never worse than the method of Lawson and Hanson."""
    columns = pushes(rng, 60)
    wrench = rng.normal(size=(60, 6)) * (50.0, 50.0, 30.0, moment, moment, moment) + (0, 0, 330.0, 0, 0, 0)
    wrench[:2] = 0.0
    weights = shared_wrench(columns, wrench)
    assert weights.min() >= 0.0
    off = np.einsum("trc,tc->tr", columns, weights) - wrench
    slope = np.einsum("trc,tr->tc", columns, off) + REGULARIZATION**2 * weights
    assert np.abs(np.where(weights > 0.0, slope, np.minimum(slope, 0.0))).max() < 1e-6  # N m of loads of 300 N
    cost = np.sum(off**2, axis=1) + REGULARIZATION**2 * np.sum(weights**2, axis=1)
    for t in range(60):
        stacked, wanted = np.vstack([columns[t], REGULARIZATION * np.eye(64)]), np.append(wrench[t], np.zeros(64))
        peer = np.sum((stacked @ nnls(stacked, wanted, maxiter=3000)[0] - wanted) ** 2)
        assert cost[t] <= peer * (1 + 1e-9)


def test_columns_of_nothing_are_not_used(rng: np.random.Generator) -> None:
    columns = pushes(rng, 20)
    weights = shared_wrench(columns, np.tile((0.0, 0.0, 300.0, 0.0, 0.0, 0.0), (20, 1)))
    assert np.all(weights[np.all(columns == 0.0, axis=1)] == 0.0)
    assert shared_wrench(np.zeros((3, 6, 0)), np.ones((3, 6))).shape == (3, 0)
