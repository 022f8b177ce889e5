"""The 3 x 3 system of a step, also where all free joints turn about one axis."""

from __future__ import annotations

import numpy as np

from animato.express.facing.step import solve_symmetric


def solved(K: np.ndarray, r: np.ndarray) -> np.ndarray:
    upper = tuple(float(K[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))
    return np.array(solve_symmetric(upper, tuple(r.tolist())))


def test_full_rank_is_solved(rng: np.random.Generator) -> None:
    for _ in range(200):
        root = rng.normal(size=(3, 4))
        K, r = root @ root.T, rng.normal(size=3)
        expected = np.linalg.solve(K, r)
        np.testing.assert_allclose(solved(K, r), expected, rtol=1e-9 * np.linalg.cond(K))


def test_what_joints_about_one_axis_turn_is_solved(rng: np.random.Generator) -> None:
    """K = w a a^T + slack I: the pull a . x along the axis is what moves the joints."""
    for _ in range(200):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        weight = 10.0 ** rng.uniform(-1.0, 3.0)
        K = weight * np.outer(axis, axis) + 1e-9 * np.eye(3)
        turn = rng.normal()
        assert abs(axis @ solved(K, turn * axis) * weight - turn) < 1e-5 * abs(turn)
