"""Solves with dense factors, one right-hand side at a time."""

from __future__ import annotations

import numpy as np
import pytest

from animato.algebra.dense_lu import dense_factor
from animato.algebra.lu_vectors import solve_transposed_vector, solve_vector


@pytest.mark.parametrize("size", [1, 4, 7, 30])
def test_solves_and_transposed_solves(size: int, rng: np.random.Generator) -> None:
    A, right = rng.normal(size=(size, size)), rng.normal(size=size)
    LU, order = A.copy(), np.zeros(size, dtype=np.int64)
    dense_factor(LU, order)
    x, spare = np.zeros(size), np.zeros(size)
    solve_vector(LU, order, right, x)
    np.testing.assert_allclose(A @ x, right, atol=1e-10)
    solve_transposed_vector(LU, order, right, x, spare)
    np.testing.assert_allclose(A.T @ x, right, atol=1e-10)


def test_single_precision_stays_transposed(rng: np.random.Generator) -> None:
    A = rng.normal(size=(9, 9))
    LU, order = A.copy(), np.zeros(9, dtype=np.int64)
    dense_factor(LU, order)
    small = LU.astype(np.float32)
    b, c = rng.normal(size=(2, 9))
    x, y, spare = np.zeros(9), np.zeros(9), np.zeros(9)
    solve_vector(small, order, b, x)
    solve_transposed_vector(small, order, c, y, spare)
    assert x @ c == pytest.approx(b @ y, rel=1e-12)
    assert np.abs(A @ x - b).max() > 1e-9  # and it is rounded
