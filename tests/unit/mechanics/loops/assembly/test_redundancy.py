"""The choice of redundant rows does not depend on how the decomposition was made."""

from __future__ import annotations

import numpy as np

from animato.mechanics.loops.assembly.redundancy import find_redundancy


def _rows(rng: np.random.Generator) -> np.ndarray:
    """Twelve rows of rank nine."""
    free = rng.normal(size=(9, 15))
    return np.vstack([free, rng.normal(size=(3, 9)) @ free])[rng.permutation(12)]


def test_rest_spans_the_same_space(rng: np.random.Generator) -> None:
    rows = _rows(rng)
    found = find_redundancy(rows[None])
    rest = np.delete(rows, found.removed, axis=0)
    assert found.rank == 9
    assert len(rest) == 9
    assert np.linalg.matrix_rank(rest) == 9
    assert np.linalg.matrix_rank(np.vstack([rest, rows])) == 9


def test_choice_does_not_depend_on_the_basis(rng: np.random.Generator) -> None:
    """Turned variables and scaled rows, also by eigenvectors and by singular vectors, remove the same rows."""
    rows = _rows(rng)
    turn, _ = np.linalg.qr(rng.normal(size=(15, 15)))
    first = find_redundancy(rows[None])
    scaled = rows * rng.uniform(0.01, 100.0, size=(12, 1)) @ turn
    np.testing.assert_array_equal(find_redundancy(scaled[None]).removed, first.removed)
    np.testing.assert_array_equal(find_redundancy(rows[None], tolerance=1e-9).removed, first.removed)


def test_equal_rows_lose_the_later_one() -> None:
    rows = np.repeat(np.eye(4), 2, axis=0)
    np.testing.assert_array_equal(find_redundancy(rows[None]).removed, [1, 3, 5, 7])


def test_only_candidates_go(rng: np.random.Generator) -> None:
    rows = np.vstack([np.eye(5), rng.normal(size=(2, 5))])
    np.testing.assert_array_equal(find_redundancy(rows[None], np.array([5, 6])).removed, [5, 6])


def test_tolerance_is_relative_to_the_largest() -> None:
    rows = np.array([[1.0, 0.0, 0.0], [1.0, 1e-7, 0.0], [0.0, 0.0, 1.0]])
    assert find_redundancy(rows[None]).rank == 2
    assert find_redundancy(rows[None], tolerance=1e-8).rank == 3


def test_special_poses_do_not_count() -> None:
    special, generic = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]])
    found = find_redundancy(np.stack([special, generic]))
    assert (found.rank, found.pose) == (2, 1)
    np.testing.assert_array_equal(found.removed, [2])
