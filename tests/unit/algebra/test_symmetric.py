"""What solvers ask of a matrix holds in every storage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from animato.algebra.banded import BandedMatrix
from animato.algebra.conjugate_gradients import OperatorMatrix
from animato.algebra.symmetric import DenseMatrix, SymmetricMatrix
from tests.unit.algebra.matrices import random_band

Storage = Callable[[np.ndarray, np.ndarray], SymmetricMatrix]


def in_full(band: np.ndarray, dense: np.ndarray) -> SymmetricMatrix:
    nonsense = np.triu(np.full_like(dense, np.nan), 1)  # the upper triangle must not be read
    return DenseMatrix(np.where(np.isnan(nonsense), np.nan, dense))


def as_band(band: np.ndarray, dense: np.ndarray) -> SymmetricMatrix:
    return BandedMatrix(band)


def as_products(band: np.ndarray, dense: np.ndarray) -> SymmetricMatrix:
    return OperatorMatrix(lambda x: dense @ x, np.diagonal(dense), tolerance=1e-13, most_products=400)


def preconditioned(band: np.ndarray, dense: np.ndarray) -> SymmetricMatrix:
    near = BandedMatrix(np.ascontiguousarray(band[:, -2:]))
    return OperatorMatrix(lambda x: dense @ x, np.diagonal(dense), near, tolerance=1e-13, most_products=400)


@pytest.mark.parametrize("storage", [in_full, as_band, as_products, preconditioned])
@pytest.mark.parametrize(("size", "width"), [(1, 1), (12, 4), (60, 30)])
def test_every_storage_answers_alike(storage: Storage, size: int, width: int, rng: np.random.Generator) -> None:
    band, dense = random_band(size, max(width, 2), rng)
    matrix, x = storage(band, dense), rng.normal(size=size)
    np.testing.assert_allclose(matrix.diagonal, np.diagonal(dense))
    np.testing.assert_allclose(matrix.product(x), dense @ x, atol=1e-11)
    assert matrix.form(x) == pytest.approx(x @ dense @ x, rel=1e-12)
    held, added = rng.random(size) < 0.3, rng.uniform(0.0, 3.0, size)
    factor = matrix.factored(added, held)
    assert factor is not None
    full = dense + np.diag(added)
    full[held, :] = full[:, held] = 0.0
    full[held, held] = 1.0
    np.testing.assert_allclose(full @ factor.solve(x), x, atol=1e-10)


def test_a_dense_matrix_that_is_not_definite_is_refused(rng: np.random.Generator) -> None:
    dense = np.diag(rng.uniform(1.0, 2.0, 8))
    dense[5, 5] = -0.5
    assert DenseMatrix(dense).factored(0.0, np.zeros(8, bool)) is None
    assert DenseMatrix(dense).factored(0.0, np.arange(8) == 5) is not None
    assert DenseMatrix(dense).factored(1.0, np.zeros(8, bool)) is not None


def test_many_right_hand_sides_at_once(rng: np.random.Generator) -> None:
    _, dense = random_band(20, 6, rng)
    factor = DenseMatrix(dense).factored(0.0, np.zeros(20, bool))
    assert factor is not None
    right = rng.normal(size=(5, 20))
    np.testing.assert_allclose(factor.solve(right) @ dense, right, atol=1e-11)


def test_conjugate_gradients_stop_at_negative_curvature() -> None:
    """What has been found by then goes downhill."""
    matrix = OperatorMatrix(lambda x: np.array([1.0, -1.0]) * x, np.ones(2))
    factor = matrix.factored(0.0, np.zeros(2, bool))
    assert factor is not None
    right = np.array([0.1, 1.0])
    assert factor.solve(right) @ right > 0.0


def test_conjugate_gradients_need_no_more_products_than_the_preconditioner_leaves(rng: np.random.Generator) -> None:
    """A preconditioner that is the matrix itself leaves one; the diagonal alone does not get there with one."""
    band, dense = random_band(50, 6, rng)
    right, errors = rng.normal(size=50), []
    for near in (BandedMatrix(band), None):
        factor = OperatorMatrix(lambda x: dense @ x, np.diagonal(dense), near, most_products=1).factored(
            0.0, np.zeros(50, bool)
        )
        assert factor is not None
        errors.append(float(np.abs(dense @ factor.solve(right) - right).max()))
    assert errors[0] < 1e-10
    assert errors[1] > 1e-3
