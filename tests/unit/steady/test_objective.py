"""Pieces of the objective: barriers and orientations."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from animato.steady.optimization.barrier import Barrier
from animato.steady.optimization.orientation import rates, rotation_vectors


def test_the_barrier_is_smooth_where_it_changes_its_form() -> None:
    barrier = Barrier(2.0, 0.1)
    y = np.linspace(-1.5, 1.5, 3001)
    value = np.array([barrier.value(one) for one in y])
    first, second = barrier.derivatives(y)
    assert np.gradient(value, y, edge_order=2) == pytest.approx(first, abs=0.02)
    assert np.all(second > 0.0)
    assert np.abs(np.diff(first)).max() < 2.0 * second.max() * (y[1] - y[0])


def test_a_rotation_vector_sees_every_turn() -> None:
    rng = np.random.default_rng(1)
    e = rng.normal(size=(50, 3))
    e *= np.minimum(1.0, 3.0 / np.linalg.norm(e, axis=1))[:, None]  # longer ones wrap
    e[0], e[1] = (0.0, 0.0, 2.5), 1e-6
    target = Rotation.random(50, rng=rng).as_matrix()
    R = Rotation.from_rotvec(e).as_matrix() @ target
    assert rotation_vectors(R, target) == pytest.approx(e, abs=1e-9)


def test_rates_are_derivatives() -> None:
    rng = np.random.default_rng(2)
    e, w, h = 0.7 * rng.normal(size=3), rng.normal(size=3), 1e-6
    R, one = Rotation.from_rotvec(e), np.eye(3)
    ahead = rotation_vectors((Rotation.from_rotvec(h * w) * R).as_matrix(), one)
    behind = rotation_vectors((Rotation.from_rotvec(-h * w) * R).as_matrix(), one)
    assert (ahead - behind) / (2.0 * h) == pytest.approx(rates(e) @ w, rel=1e-7)
