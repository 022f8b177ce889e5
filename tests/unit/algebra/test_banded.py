"""Banded factors, forms and products, in our kernels and in LAPACK, against dense algebra and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solveh_banded

from animato.algebra.banded import WIDE, BandedMatrix, band_form, factor_band, solve_band
from animato.algebra.lapack import factor_wide_band, solve_wide_band
from tests.unit.algebra.matrices import random_band

SHAPES = [(1, 1), (3, 1), (7, 3), (40, 8), (41, 9), (33, 24), (6, 6), (5, 9), (200, WIDE - 1), (200, WIDE), (90, 60)]


@pytest.mark.parametrize(("size", "width"), SHAPES)
def test_kernels_against_dense_algebra(size: int, width: int, rng: np.random.Generator) -> None:
    band, dense = random_band(size, width, rng)
    right = rng.normal(size=(size, 3))
    factor, x = band.copy(), right.copy()
    assert factor_band(factor)
    solve_band(factor, x)
    np.testing.assert_allclose(dense @ x, right, atol=1e-11)
    v = rng.normal(size=size)
    assert band_form(band, v) == pytest.approx(v @ dense @ v, rel=1e-12)


@pytest.mark.parametrize(("size", "width"), SHAPES)
def test_lapack_factors_the_same_memory_alike(size: int, width: int, rng: np.random.Generator) -> None:
    band, dense = random_band(size, width, rng)
    ours, theirs = band.copy(), band.copy()
    assert factor_band(ours)
    assert factor_wide_band(theirs)
    for r in range(size):
        first = max(0, width - 1 - r)  # places before the first column are nobody's
        np.testing.assert_allclose(theirs[r, first:], ours[r, first:], atol=1e-12)
    x = rng.normal(size=(2, size))
    right = x.copy()
    solve_wide_band(theirs, x)
    np.testing.assert_allclose(x @ dense, right, atol=1e-11)


@pytest.mark.parametrize(("size", "width"), SHAPES)
def test_a_matrix_solves_as_scipy_does(size: int, width: int, rng: np.random.Generator) -> None:
    band, dense = random_band(size, width, rng)
    matrix, right, added = BandedMatrix(band), rng.normal(size=size), rng.uniform(0.0, 2.0, size)
    np.testing.assert_allclose(matrix.product(right), dense @ right, atol=1e-11)
    factor = matrix.factored(added, np.zeros(size, bool))
    assert factor is not None
    upper = np.zeros((width, size))
    for r in range(size):
        for c in range(max(0, r - width + 1), r + 1):
            upper[width - 1 - r + c, r] = dense[r, c] + (added[r] if r == c else 0.0)
    width_used = min(width, size)
    np.testing.assert_allclose(factor.solve(right), solveh_banded(upper[-width_used:], right), atol=1e-11)


@pytest.mark.parametrize("width", [5, WIDE + 3])
def test_an_indefinite_matrix_is_refused(width: int, rng: np.random.Generator) -> None:
    band, _ = random_band(60, width, rng)
    assert BandedMatrix(band).factored(0.0, np.zeros(60, bool)) is not None
    band[11, -1] = -1.0
    assert BandedMatrix(band).factored(0.0, np.zeros(60, bool)) is None
    assert not factor_band(np.zeros((3, 2)))


def test_lapack_is_not_handed_what_it_would_misread() -> None:
    with pytest.raises(TypeError, match="row-major"):
        factor_wide_band(np.eye(4)[:, ::2])
    with pytest.raises(TypeError, match="float64"):
        factor_wide_band(np.eye(4, dtype=np.float32))
