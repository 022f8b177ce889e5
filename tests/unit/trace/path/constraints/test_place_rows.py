"""Rows at places of a path as penalties."""

from __future__ import annotations

import numpy as np

from animato.algebra.banded import BandedMatrix
from animato.spatial.basis import ORDER, basis_rows
from animato.trace.path.constraints import PlaceRows, add_rows, put_missing

KNOTS = np.concatenate([np.zeros(3), np.linspace(0.0, 1.0, 6), np.ones(3)])


def some_rows(count: int = 12, joints: int = 3) -> tuple[PlaceRows, np.ndarray]:
    rng = np.random.default_rng(4)
    first, values = basis_rows(KNOTS, rng.uniform(0.0, 1.0, count))
    equal = (np.arange(count) % 3 == 0).astype(np.int64)
    rows = PlaceRows(
        first,
        values,
        rng.normal(size=(count, joints)),
        rng.normal(size=count),
        equal,
        rng.uniform(1.0, 3.0, count),
        0.1 * rng.normal(size=count),
    )
    return rows, rng.normal(size=(len(KNOTS) - ORDER, joints))


def test_gradient_is_that_of_the_cost() -> None:
    rows, points = some_rows()
    missing, unused = np.empty(len(rows.first)), np.empty(len(rows.first))
    put_missing(rows, points, missing)
    band, gradient = np.zeros((points.size, ORDER * points.shape[1])), np.zeros(points.size)
    add_rows(rows, missing, band, gradient)
    step = 1e-6
    for i in range(points.size):
        moved = np.zeros(points.size)
        moved[i] = step
        high, low = (put_missing(rows, points + sign * moved.reshape(points.shape), unused) for sign in (1.0, -1.0))
        np.testing.assert_allclose((high - low) / (2.0 * step), gradient[i], atol=1e-6)


def test_second_derivatives_are_those_of_equalities() -> None:
    rows, points = some_rows()
    rows = rows._replace(equal=np.ones_like(rows.equal))
    missing, gradients = np.empty(len(rows.first)), []
    direction = np.random.default_rng(7).normal(size=points.size)
    for sign in (1.0, -1.0):
        put_missing(rows, points + 1e-4 * sign * direction.reshape(points.shape), missing)
        band, gradient = np.zeros((points.size, ORDER * points.shape[1])), np.zeros(points.size)
        add_rows(rows, missing, band, gradient)
        gradients.append(gradient)
    change = (gradients[0] - gradients[1]) / 2e-4
    np.testing.assert_allclose(BandedMatrix(band).product(direction), change, rtol=1e-8, atol=1e-8)


def test_rows_with_room_cost_nothing() -> None:
    rows, points = some_rows()
    rows = rows._replace(equal=np.zeros_like(rows.equal), bounds=np.full(len(rows.first), -1e3))
    missing = np.empty(len(rows.first))
    assert put_missing(rows, points, missing) == 0.0
    band, gradient = np.zeros((points.size, ORDER * points.shape[1])), np.zeros(points.size)
    add_rows(rows, missing, band, gradient)
    assert not band.any() and not gradient.any()
