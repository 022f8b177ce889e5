"""The condensed Newton system of a clip against a dense one."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mimic.optimization.newton import CondensedMatrix, DynamicsRows

DOFS, KNOTS, ROWS, FORCES = 8, 6, 11, 12
SIZE = (KNOTS + 2) * DOFS


def random_matrix(rng: np.random.Generator, dynamics: bool = True) -> CondensedMatrix:
    """A band that is positive definite, and rows of very different stiffness; some forces do not act."""
    half = rng.normal(size=(SIZE, SIZE))
    near = np.abs(np.subtract.outer(np.arange(SIZE), np.arange(SIZE))) < 2 * DOFS
    full = np.where(near, half, 0.0)
    full = full @ full.T + 10.0 * np.eye(SIZE)
    band = np.zeros((SIZE, 4 * DOFS))
    for r in range(SIZE):
        for c in range(max(0, r - 4 * DOFS + 1), r + 1):
            band[r, 4 * DOFS - 1 - r + c] = full[r, c]
    if not dynamics:
        return CondensedMatrix(band, None)
    rows = DynamicsRows(
        rng.normal(size=(KNOTS, ROWS, 3 * DOFS)),
        rng.normal(size=(KNOTS, ROWS, FORCES)),
        10.0 ** rng.uniform(-3.0, 4.0, (KNOTS, ROWS)),
        rng.uniform(size=(KNOTS, FORCES)) < 0.7,
        0.3,
    )
    return CondensedMatrix(band, rows)


def dense(matrix: CondensedMatrix, held: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Built from what the fields mean; held unknowns and forces that do not act have rows of the identity."""
    total = SIZE if matrix.dynamics is None else SIZE + KNOTS * FORCES
    out = np.zeros((total, total))
    for r in range(SIZE):
        for c in range(max(0, r - 4 * DOFS + 1), r + 1):
            out[r, c] = out[c, r] = matrix.band[r, 4 * DOFS - 1 - r + c]
    dynamics = matrix.dynamics
    if dynamics is not None:
        for t in range(KNOTS):
            J = np.zeros((ROWS, total))
            J[:, t * DOFS : (t + 3) * DOFS] = dynamics.rows[t]
            begin = SIZE + t * FORCES
            J[:, begin : begin + FORCES] = dynamics.gains[t] * dynamics.active[t]
            out += J.T @ (dynamics.stiffness[t][:, None] * J)
        acting = dynamics.active.ravel()
        out[SIZE:, SIZE:] += np.diag(np.where(acting, dynamics.spread, 0.0))
        held = held | np.concatenate([np.zeros(SIZE, dtype=bool), ~acting])
    out += np.diag(added)
    out[held], out[:, held] = 0.0, 0.0
    out[held, held] = 1.0
    return out


@pytest.mark.parametrize("dynamics", [True, False])
@pytest.mark.parametrize("fixed", [0, 2])
def test_the_factor_solves_what_the_dense_matrix_is(dynamics: bool, fixed: int, rng: np.random.Generator) -> None:
    matrix = random_matrix(rng, dynamics)
    total = len(matrix.diagonal)
    added = rng.uniform(0.0, 2.0, total)
    held = np.arange(total) < fixed * DOFS
    if dynamics:
        assert matrix.dynamics is not None
        held[SIZE:] = ~matrix.dynamics.active.ravel()
        held[SIZE + 1] = True
    factor = matrix.factored(added, held)
    assert factor is not None
    right = np.where(held, 0.0, rng.normal(size=total))
    A = dense(matrix, held, added)
    wanted = np.linalg.solve(A, right)
    np.testing.assert_allclose(factor.solve(right), wanted, rtol=1e-7, atol=1e-8 * np.abs(wanted).max())


@pytest.mark.parametrize("dynamics", [True, False])
def test_products_and_forms(dynamics: bool, rng: np.random.Generator) -> None:
    matrix = random_matrix(rng, dynamics)
    total = len(matrix.diagonal)
    nothing = np.zeros(total, dtype=bool)
    moves = np.ones(total, dtype=bool)
    if matrix.dynamics is not None:
        moves[SIZE:] = matrix.dynamics.active.ravel()
    x = np.where(moves, rng.normal(size=total), 0.0)
    A = dense(matrix, nothing, np.zeros(total))
    np.testing.assert_allclose(matrix.product(x)[moves], (A @ x)[moves], rtol=1e-10)
    assert matrix.form(x) == pytest.approx(x @ A @ x, rel=1e-10)
    assert np.all(matrix.diagonal[moves] <= np.diag(A)[moves] * (1.0 + 1e-12))


def test_a_band_that_is_not_positive_is_not_factored(rng: np.random.Generator) -> None:
    matrix = random_matrix(rng)
    matrix.band[5, -1] = -1e9
    total = len(matrix.diagonal)
    assert matrix.factored(0.0, np.zeros(total, dtype=bool)) is None
