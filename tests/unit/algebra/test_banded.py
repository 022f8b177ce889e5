"""Banded factors and steps within bounds, against dense algebra."""

from __future__ import annotations

import numpy as np
import pytest

from animato.algebra.banded import band_form, factor_band, solve_band
from animato.trace.path.assembly import box_step


def random_band(size: int, width: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A positive definite matrix as a band and as a dense array."""
    band = rng.normal(size=(size, width))
    band[:, -1] = 2.0 * width
    dense = np.zeros((size, size))
    for r in range(size):
        for c in range(max(0, r - width + 1), r + 1):
            dense[r, c] = dense[c, r] = band[r, width - 1 - r + c]
    return band, dense


@pytest.mark.parametrize(("size", "width"), [(1, 1), (3, 1), (7, 3), (40, 8), (41, 9), (33, 24), (6, 6), (5, 9)])
def test_solutions_and_forms(size: int, width: int, rng: np.random.Generator) -> None:
    band, dense = random_band(size, width, rng)
    right = rng.normal(size=(size, 3))
    factor, x = band.copy(), right.copy()
    assert factor_band(factor)
    solve_band(factor, x)
    np.testing.assert_allclose(dense @ x, right, atol=1e-11)
    v = rng.normal(size=size)
    assert band_form(band, v) == pytest.approx(v @ dense @ v, rel=1e-12)


def test_an_indefinite_matrix_is_refused(rng: np.random.Generator) -> None:
    band, _ = random_band(20, 5, rng)
    band[11, -1] = -1.0
    assert not factor_band(band)
    assert not factor_band(np.zeros((3, 2)))


def test_a_step_within_bounds_is_optimal_there(rng: np.random.Generator) -> None:
    """Free unknowns have no slope left where the first pass finds all that cross."""
    band, dense = random_band(30, 6, rng)
    gradient, x = 0.1 * rng.normal(size=(30, 1)), rng.uniform(-0.2, 0.2, 30)
    lower, upper = np.full(30, -0.6), np.full(30, 0.6)
    lower[4] = upper[4] = x[4]  # held on purpose
    gradient[[11, 12, 27], 0] = 20.0, -20.0, 15.0  # pushed across
    factor, step = np.empty_like(band), np.empty((30, 1))
    assert box_step(band, 0.0, gradient, x, lower, upper, factor, step)
    d = step[:, 0]
    assert d[4] == 0.0
    assert np.all(x + d >= lower - 1e-15)
    assert np.all(x + d <= upper + 1e-15)
    at_bound = (x + d <= lower + 1e-12) | (x + d >= upper - 1e-12)
    np.testing.assert_array_equal(np.flatnonzero(at_bound), [4, 11, 12, 27])
    slope = gradient[:, 0] + dense @ d
    np.testing.assert_allclose(slope[~at_bound], 0.0, atol=1e-10)


def test_without_bounds_it_is_newtons_step(rng: np.random.Generator) -> None:
    band, dense = random_band(25, 7, rng)
    gradient, x = rng.normal(size=(25, 1)), np.zeros(25)
    factor, step = np.empty_like(band), np.empty((25, 1))
    assert box_step(band, 0.5, gradient, x, np.full(25, -np.inf), np.full(25, np.inf), factor, step)
    np.testing.assert_allclose((dense + 0.5 * np.eye(25)) @ step, -gradient, atol=1e-11)
