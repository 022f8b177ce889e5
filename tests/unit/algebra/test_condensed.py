"""A band with local unknowns eliminated first, against dense algebra."""

from __future__ import annotations

import numpy as np
import pytest

from animato.algebra.condensed import CondensedMatrix
from tests.unit.algebra.matrices import random_band


def random_condensed(rng: np.random.Generator, groups: int, local: int) -> tuple[CondensedMatrix, np.ndarray]:
    """A positive definite matrix, and the same in full."""
    size, window = 5 * groups, 7
    band, dense = random_band(size, 9, rng)
    band[:, -1] += 60.0
    dense[np.diag_indices(size)] += 60.0
    D = rng.normal(size=(groups, local, local))
    D = D @ D.transpose(0, 2, 1) + 3.0 * np.eye(local)
    B = rng.normal(size=(groups, local, window))
    starts = np.minimum(5 * np.arange(groups), size - window)
    full = np.zeros((size + groups * local,) * 2)
    full[:size, :size] = dense
    for g, first in enumerate(starts):
        own, there = slice(size + g * local, size + (g + 1) * local), slice(first, first + window)
        full[own, own], full[own, there], full[there, own] = D[g], B[g], B[g].T
    return CondensedMatrix(band, D, B, starts), full


@pytest.mark.parametrize(("groups", "local"), [(2, 1), (6, 4), (9, 12)])
def test_it_is_the_dense_matrix(groups: int, local: int, rng: np.random.Generator) -> None:
    matrix, full = random_condensed(rng, groups, local)
    x, added = rng.normal(size=len(full)), rng.uniform(0.0, 2.0, len(full))
    np.testing.assert_allclose(matrix.diagonal, np.diagonal(full))
    np.testing.assert_allclose(matrix.product(x), full @ x, atol=1e-10)
    assert matrix.form(x) == pytest.approx(x @ full @ x, rel=1e-12)
    held = rng.random(len(full)) < 0.3
    factor = matrix.factored(added, held)
    assert factor is not None
    wanted = full + np.diag(added)
    wanted[held, :] = wanted[:, held] = 0.0
    wanted[held, held] = 1.0
    np.testing.assert_allclose(wanted @ factor.solve(x), x, atol=1e-10)


def test_what_is_not_definite_is_refused(rng: np.random.Generator) -> None:
    """In a group, or in what is left when the groups are gone, which no diagonal shows."""
    matrix, _ = random_condensed(rng, 4, 3)
    free = np.zeros(len(matrix.diagonal), bool)
    assert matrix.factored(0.0, free) is not None
    bad = matrix.groups.copy()
    bad[2, 1, 1] = -1.0
    assert CondensedMatrix(matrix.band, bad, matrix.coupling, matrix.starts).factored(0.0, free) is None
    assert (
        CondensedMatrix(matrix.band, matrix.groups, 30.0 * matrix.coupling, matrix.starts).factored(0.0, free) is None
    )
