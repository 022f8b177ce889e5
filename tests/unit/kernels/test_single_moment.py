"""Kernels of lanes on rows of a single moment, and any eight neighbours as lanes."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.kernels.cosine_sine import cosine_sine
from animato.kernels.lanes import LANES, lanes, lanes_from, put_lanes, put_lanes_from, square_root, where_larger
from animato.kernels.vectors import cross, matrix_at, product, put_matrix, put_triple, triple_at, turned


@kernel
def some_algebra(given: np.ndarray, out: np.ndarray) -> None:
    R, v = matrix_at(given, 0), triple_at(given, 9)
    put_matrix(out, 0, product(R, R))
    put_triple(out, 9, cross(turned(R, v), (1.0, 2.0, 3.0)))
    c, s = cosine_sine(lanes(given, 0))
    put_lanes(out, 12, where_larger(c, s, c, 0.0) + square_root(s * s))


@kernel
def add_eight(numbers: np.ndarray, first: int) -> None:
    put_lanes_from(numbers, first, lanes_from(numbers, first) + 1.0)


def test_one_moment_is_a_lane_of_eight() -> None:
    given = np.random.default_rng(0).normal(size=(12, LANES))
    eight = np.empty((13, LANES))
    some_algebra(given, eight)
    for k in range(LANES):
        one = np.empty(13)
        some_algebra(np.ascontiguousarray(given[:, k]), one)
        np.testing.assert_allclose(one, eight[:, k], rtol=1e-14, atol=1e-14)


def test_eight_neighbours_from_any_place() -> None:
    numbers = np.zeros(13)
    add_eight(numbers, 3)
    np.testing.assert_array_equal(numbers, np.r_[np.zeros(3), np.ones(8), np.zeros(2)])
