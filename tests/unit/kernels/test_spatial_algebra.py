"""The spatial algebra of kernels against matrices of six by six."""

from __future__ import annotations

import numpy as np

from animato.kernels.spatial_algebra import force_cross, inertia_of, inertia_times, motion_cross, six_dot
from animato.mechanics.tree.coriolis_algebra import coriolis_of, coriolis_times, coriolis_transposed_times


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def cross_matrix(x: np.ndarray) -> np.ndarray:
    """x x as a matrix on motions."""
    return np.block([[skew(x[:3]), np.zeros((3, 3))], [skew(x[3:]), skew(x[:3])]])


def body(rng: np.random.Generator) -> tuple[tuple[float, ...], np.ndarray]:
    """An inertia as the kernels take it, and as a matrix."""
    mass, c = 1.7, rng.normal(size=3)
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    root = rng.normal(size=(3, 3))
    moments = root @ root.T
    numbers = inertia_of(mass, tuple(c), tuple(moments.ravel()), tuple(R.ravel()))
    about = R @ moments @ R.T + mass * skew(c) @ skew(c).T
    return numbers, np.block([[about, mass * skew(c)], [mass * skew(c).T, mass * np.eye(3)]])


def test_products(rng: np.random.Generator) -> None:
    x, y = rng.normal(size=(2, 6))
    numbers, matrix = body(rng)
    np.testing.assert_allclose(motion_cross(tuple(x), tuple(y)), cross_matrix(x) @ y, atol=1e-12)
    np.testing.assert_allclose(force_cross(tuple(x), tuple(y)), -cross_matrix(x).T @ y, atol=1e-12)
    np.testing.assert_allclose(inertia_times(numbers, tuple(x)), matrix @ x, atol=1e-12)
    assert abs(six_dot(tuple(x), tuple(y)) - x @ y) < 1e-12


def test_twelve_numbers_say_how_the_force_changes_with_velocity(rng: np.random.Generator) -> None:
    """C psi = I (psi x V) + psi x* I V + V x* I psi, of which the linear half of psi is no part."""
    V, psi, x = rng.normal(size=(3, 6))
    numbers, inertia = body(rng)
    C = coriolis_of(numbers, tuple(inertia @ V), tuple(V))
    expected = inertia @ cross_matrix(psi) @ V - cross_matrix(psi).T @ inertia @ V - cross_matrix(V).T @ inertia @ psi
    np.testing.assert_allclose(coriolis_times(C, tuple(psi[:3])), expected, atol=1e-11)
    transposed = coriolis_transposed_times(C, tuple(x))
    assert abs(np.array(transposed) @ psi[:3] - x @ expected) < 1e-11
    other = coriolis_of(numbers, tuple(inertia @ -V), tuple(-V))
    assert np.abs(np.array(coriolis_times(other, tuple(psi[:3]))) - expected).max() > 0.1  # negative control
