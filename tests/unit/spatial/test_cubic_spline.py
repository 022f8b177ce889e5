from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline, make_interp_spline, make_lsq_spline

from animato.errors import SplineError
from animato.spatial import cubic_spline
from animato.spatial.basis import basis_matrix, clamped_knots


@pytest.fixture
def points(rng: np.random.Generator) -> np.ndarray:
    return np.sort(rng.uniform(0, 10, 40))


@pytest.mark.parametrize("derivative", range(4))
def test_basis_matrix_agrees_with_scipy(derivative: int, points: np.ndarray) -> None:
    knots = clamped_knots(np.array([0.0, 1.0, 1.5, 4.0, 4.1, 9.0, 10.0]))
    ours = basis_matrix(knots, points, derivative=derivative)
    theirs = np.column_stack([BSpline(knots, one, 3)(points, nu=derivative) for one in np.eye(len(knots) - 4)])
    np.testing.assert_allclose(ours.toarray(), theirs, atol=1e-10 * max(1.0, np.abs(theirs).max()))
    assert ours.nnz == 4 * len(points)


@pytest.mark.parametrize("count", range(1, 9))
def test_interpolation_passes_through_all_samples(count: int, rng: np.random.Generator) -> None:
    x, y = np.sort(rng.uniform(0, 3, count)), rng.normal(size=(count, 2))
    np.testing.assert_allclose(cubic_spline.interpolate(x, y)(x), y, atol=1e-10)


def test_interpolation_is_not_a_knot(points: np.ndarray, rng: np.random.Generator) -> None:
    y = rng.normal(size=(40, 3))
    fine = np.linspace(points[0], points[-1], 500)
    ours, theirs = cubic_spline.interpolate(points, y), make_interp_spline(points, y, k=3)
    for derivative in range(3):
        expected = theirs(fine, nu=derivative)
        np.testing.assert_allclose(
            ours(fine, derivative=derivative), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max()
        )


def test_few_samples_make_a_line_and_a_parabola() -> None:
    line = cubic_spline.interpolate([1.0, 3.0], [2.0, 6.0])
    np.testing.assert_allclose(line([1.0, 2.0, 3.0], derivative=1)[:, 0], 2.0, atol=1e-12)
    parabola = cubic_spline.interpolate([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    np.testing.assert_allclose(parabola([0.5, 1.5], derivative=2)[:, 0], 2.0, atol=1e-12)


def test_cubics_are_reproduced_with_their_jerk() -> None:
    x = np.array([0.0, 0.3, 1.0, 1.7, 2.0, 3.0])
    spline = cubic_spline.interpolate(x, 2 * x**3 - x)
    np.testing.assert_allclose(spline.third_derivative(x)[:, 0], 12.0, atol=1e-9)


def test_jerk_is_second_order_accurate() -> None:
    errors = []
    for count in (101, 201, 401):
        x = np.linspace(0, 3, count)
        inner = slice(count // 4, -count // 4)
        jerk = cubic_spline.interpolate(x, np.sin(x)).third_derivative(x)[:, 0]
        errors.append(np.abs(jerk + np.cos(x))[inner].max())
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(order, 2.0, atol=0.1)


def test_fit_agrees_with_scipy_and_weights_count(points: np.ndarray, rng: np.random.Generator) -> None:
    y, w = rng.normal(size=(40, 2)), rng.uniform(0.5, 2, 40)
    breaks = np.linspace(points[0], points[-1], 6)
    ours = cubic_spline.fit(points, y, breaks, weights=w)
    theirs = make_lsq_spline(points, y, clamped_knots(breaks), k=3, w=np.sqrt(w))
    np.testing.assert_allclose(ours.control_points, theirs.c, atol=1e-9)


def test_smoothing_minimizes_its_objective(points: np.ndarray, rng: np.random.Generator) -> None:
    y, breaks, alpha = rng.normal(size=40), np.linspace(points[0], points[-1], 9), 0.3

    def objective(spline: cubic_spline.CubicSpline) -> float:
        x = np.linspace(points[0], points[-1], 20001)
        bend = np.trapezoid(spline(x, derivative=2)[:, 0] ** 2, x)
        return float(np.sum((spline(points)[:, 0] - y) ** 2) + alpha * bend)

    best = cubic_spline.fit(points, y, breaks, smoothing=alpha)
    for _ in range(20):
        nudged = cubic_spline.CubicSpline(
            best.knots, best.control_points + 1e-3 * rng.normal(size=best.control_points.shape)
        )
        assert objective(nudged) > objective(best)


def test_it_holds_still_outside_its_domain() -> None:
    spline = cubic_spline.interpolate([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 5.0])
    np.testing.assert_allclose(spline([-9.0, 9.0])[:, 0], [0.0, 5.0], atol=1e-12)
    assert spline.domain == (0.0, 3.0)


def test_resampling_a_cubic_changes_nothing() -> None:
    spline = cubic_spline.interpolate([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 8.0, 27.0])
    again = spline.resampled(np.linspace(0, 3, 9))
    np.testing.assert_allclose(again([0.1, 2.9]), spline([0.1, 2.9]), atol=1e-10)


def test_bad_samples_are_refused() -> None:
    with pytest.raises(SplineError, match="strictly rise"):
        cubic_spline.interpolate([0.0, 1.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0])
    with pytest.raises(SplineError, match="not finite"):
        cubic_spline.interpolate([0.0, 1.0], [0.0, np.nan])
    with pytest.raises(SplineError, match="too few samples"):
        cubic_spline.fit([0.0, 1.0], [0.0, 1.0], np.linspace(0, 1, 9))
    with pytest.raises(SplineError, match="at least 2"):
        clamped_knots(np.array([1.0]))
    with pytest.raises(SplineError, match="derivatives 0 to 3"):
        cubic_spline.interpolate([0.0, 1.0], [0.0, 1.0])([0.5], derivative=4)
