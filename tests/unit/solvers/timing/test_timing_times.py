from __future__ import annotations

import numba
import numpy as np
import pytest
from scipy.integrate import quad

from animato.solvers.timing.times import half_curvature, half_time


@numba.njit  # type: ignore[untyped-decorator]  # numba has no types
def time_and_slopes(width: float, near: float, far: float, bend: float) -> tuple[float, tuple[float, float, float]]:
    return half_time(width, near, far, bend)


@numba.njit  # type: ignore[untyped-decorator]  # numba has no types
def curvature(width: float, near: float, far: float, bend: float) -> tuple[float, float, float, float, float, float]:
    return half_curvature(width, near, far, bend)


CASES = [
    (0.3, 1.0, 2.0, 0.0),
    (0.3, 1.0, 2.0, 0.4),
    (0.3, 2.0, 1.0, -0.5),
    (0.1, 0.2, 0.9, 1e-4),
    (0.2, 0.5, 0.5, -0.3),
]


@pytest.mark.parametrize("case", [*CASES, (0.2, 0.0, 1.0, 0.1), (0.2, 0.0, 1.0, -0.2)])
def test_time_is_the_integral(case: tuple[float, float, float, float]) -> None:
    width, near, far, bend = case

    def pace(root: float) -> float:  # x = root^2 takes the infinite pace at rest away
        x = root * root
        return 2 * root * width / np.sqrt((1 - x) * near + x * far + 2 * x * (1 - x) * bend)

    assert time_and_slopes(*case)[0] == pytest.approx(quad(pace, 0, np.sqrt(0.5), epsrel=1e-12)[0], rel=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_derivatives(case: tuple[float, float, float, float]) -> None:
    step = 1e-6
    slopes, second = np.empty(3), np.empty((3, 3))
    for k in range(3):
        ahead, behind = list(case), list(case)
        ahead[1 + k] += step
        behind[1 + k] -= step
        (t1, g1), (t0, g0) = time_and_slopes(*ahead), time_and_slopes(*behind)
        slopes[k] = (t1 - t0) / (2 * step)
        second[k] = (np.array(g1) - np.array(g0)) / (2 * step)
    np.testing.assert_allclose(time_and_slopes(*case)[1], slopes, rtol=1e-6, atol=1e-9)
    nn, nf, ff, nk, fk, kk = curvature(*case)
    exact = np.array([[nn, nf, nk], [nf, ff, fk], [nk, fk, kk]])
    np.testing.assert_allclose(exact, second, rtol=1e-6, atol=1e-8)
    assert np.linalg.eigvalsh(exact).min() > -1e-12  # time is convex


def test_series_and_closed_form_meet() -> None:
    """The factor of a bend is a series for small bends; the two must agree where they change over."""
    for sign in (1.0, -1.0):
        sums = np.sqrt(1.0) + np.sqrt(1.0)
        bends = sign * 2.0 * sums**2 * np.array([0.01 - 1e-9, 0.01 + 1e-9])
        near = [time_and_slopes(1.0, 1.0, 1.0 - k, k) for k in bends]
        assert near[0][0] == pytest.approx(near[1][0], rel=1e-7)
