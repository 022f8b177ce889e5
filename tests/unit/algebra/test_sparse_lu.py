from __future__ import annotations

import numpy as np
import pytest

from animato.algebra import sparse_lu
from animato.algebra.sparse_lu import factor, solve, solve_transposed
from animato.algebra.sparse_lu_analysis import SingularMatrixError, analyse


def pattern(rng: np.random.Generator, size: int, density: float = 0.08) -> tuple[np.ndarray, np.ndarray]:
    """A random pattern with a full diagonal, hidden by a permutation of the rows, and some entries listed twice."""
    mask = rng.random((size, size)) < density
    np.fill_diagonal(mask, True)
    rows, cols = np.nonzero(mask[rng.permutation(size)])
    return np.concatenate([rows, rows[:5]]), np.concatenate([cols, cols[:5]])


@pytest.mark.parametrize("steps", [1, 8, 21])
def test_solutions_are_those_of_the_dense_matrices(steps: int) -> None:
    rng = np.random.default_rng(0)
    rows, cols = pattern(rng, 40)
    base = rng.normal(size=len(rows))
    values = base + 0.1 * rng.normal(size=(steps, len(rows)))
    symbolic = analyse(rows, cols, 40, values[:4])
    factors = factor(symbolic, values)
    rhs = rng.normal(size=(steps, 40, 3))
    x, y = solve(factors, rhs), solve_transposed(factors, rhs)
    for k in range(steps):
        A = sparse_lu.dense_matrix(symbolic, values[k])
        size = np.linalg.norm(np.linalg.inv(A), 2)
        assert np.abs(x[k] - np.linalg.solve(A, rhs[k])).max() < 1e-10 * size
        assert np.abs(y[k] - np.linalg.solve(A.T, rhs[k])).max() < 1e-10 * size
    assert np.array_equal(solve(factors, rhs[:, :, 1]), x[:, :, 1])


def test_a_step_that_the_order_does_not_fit_gets_pivots_of_its_own() -> None:
    rng = np.random.default_rng(1)
    rows, cols = pattern(rng, 30)
    values = np.tile(rng.normal(size=len(rows)), (10, 1))
    symbolic = analyse(rows, cols, 30, values[0])
    many = symbolic.l_start[1:] > symbolic.l_start[:-1]
    k = int(np.flatnonzero(many)[0])
    first = (symbolic.rows == symbolic.row_order[k]) & (symbolic.cols == symbolic.col_order[k])
    values[3, first] = 1e-12
    factors = factor(symbolic, values)
    assert factors.repivoted == (3,)
    assert factors.singular == ()
    rhs = rng.normal(size=(10, 30))
    x, y = solve(factors, rhs), solve_transposed(factors, rhs)
    A = sparse_lu.dense_matrix(symbolic, values[3])
    assert np.abs(A @ x[3] - rhs[3]).max() < 1e-10
    assert np.abs(A.T @ y[3] - rhs[3]).max() < 1e-10
    assert np.abs(sparse_lu.dense_matrix(symbolic, values[4]) @ x[4] - rhs[4]).max() < 1e-10


def test_samples_from_several_points_keep_the_order_good_at_all_of_them() -> None:
    """A rotation by 0 and by 90 degrees: either alone picks a pivot that is zero at the other."""
    rows, cols = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    angles = np.array([0.0, np.pi / 2, np.pi / 4])
    values = np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], axis=1)
    assert factor(analyse(rows, cols, 2, values[0]), values).repivoted == (1,)
    slanted = values[2:]
    assert factor(analyse(rows, cols, 2, slanted), slanted).repivoted == ()
    rhs = np.tile([1.0, 2.0], (3, 1))
    x = solve(factor(analyse(rows, cols, 2, values[0]), values), rhs)
    assert np.abs(values.reshape(3, 2, 2) @ x[:, :, None] - rhs[:, :, None]).max() < 1e-14


def test_a_singular_matrix_is_said_so() -> None:
    rows, cols = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    with pytest.raises(SingularMatrixError, match="has no inverse"):
        analyse(rows, cols, 2, np.array([1.0, 2.0, 2.0, 4.0]))
    good = np.array([1.0, 2.0, 2.0, 5.0])
    factors = factor(analyse(rows, cols, 2, good), np.stack([good, [1.0, 2.0, 2.0, 4.0]]))
    assert factors.singular == (1,)
    x = solve(factors, np.ones((2, 2)))
    assert np.isfinite(x[0]).all()
    assert np.isnan(x[1]).all()


def test_the_order_is_the_same_every_time() -> None:
    rng = np.random.default_rng(3)
    rows, cols = pattern(rng, 30)
    values = rng.normal(size=len(rows))
    first, second = analyse(rows, cols, 30, values), analyse(rows, cols, 30, values)
    assert np.array_equal(first.row_order, second.row_order)
    assert np.array_equal(first.col_order, second.col_order)


def test_a_chain_fills_in_nothing() -> None:
    """A tridiagonal matrix in a shuffled order is eliminated without new entries."""
    rng = np.random.default_rng(4)
    size = 50
    i = np.arange(size)
    rows, cols = np.concatenate([i, i[1:], i[:-1]]), np.concatenate([i, i[:-1], i[1:]])
    shuffle = rng.permutation(size)
    values = np.concatenate([np.full(size, 4.0), np.ones(2 * size - 2)])
    symbolic = analyse(shuffle[rows], shuffle[cols], size, values)
    assert symbolic.slot_count == len(rows)


def test_no_steps_are_fine() -> None:
    rows, cols = np.array([0, 1]), np.array([0, 1])
    factors = factor(analyse(rows, cols, 2, np.ones(2)), np.empty((0, 2)))
    assert solve(factors, np.empty((0, 2))).shape == (0, 2)
