"""Damped least squares: bounds, progress, how it ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from animato.algebra.banded import BandedMatrix
from animato.algebra.symmetric import DenseMatrix
from animato.outcome import Iteration, Status
from animato.solvers.block_models import BlockModel
from animato.solvers.blocks import LinearBlock, Residuals
from animato.solvers.box_step import box_step
from animato.solvers.least_squares import LeastSquaresOptions, solve_least_squares
from animato.solvers.losses import Cauchy, SmoothDistance, Square
from tests.unit.algebra.matrices import random_band
from tests.unit.solvers.block_problems import CASES, CircleBlock, RosenbrockBlock, pairs


@pytest.mark.parametrize("seed", range(6))
def test_bounded_linear_problems_as_scipy_solves_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, b = rng.normal(size=(30, 12)), rng.normal(size=30)
    lower, upper = -0.1 - 0.1 * rng.random(12), 0.1 * rng.random(12)
    upper[3] = lower[3]
    model = BlockModel(12, [Residuals(LinearBlock(np.arange(12)[None], A, b))], lower=lower, upper=upper)
    found = solve_least_squares(model, np.zeros(12), LeastSquaresOptions(tolerance=1e-13))
    upper[3] += 1e-12  # scipy wants room
    wanted = lsq_linear(A, b, (lower, upper), tol=1e-14)
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, wanted.x, atol=1e-6)
    at_bound = (found.x <= lower) | (found.x >= model.upper)
    assert 2 <= at_bound.sum() < 12


def test_curvature_is_switched_on_where_gauss_and_newton_foretell_badly() -> None:
    """Far out of reach the residual's own curvature decides; without it many more steps are needed."""
    options = LeastSquaresOptions(iterations=400, tolerance=1e-12)
    used = []
    for curved in (True, False):
        model = BlockModel(
            2,
            [
                Residuals(CircleBlock(pairs(2), -30.0)),
                Residuals(LinearBlock(pairs(2), np.eye(2), np.array([50.0, 0.0]))),
            ],
            curved=curved,
        )
        found = solve_least_squares(model, np.array([2.0, 1.5]), options)
        assert found.outcome.solved
        used.append(found.outcome.iterations)
    assert used[0] < 0.5 * used[1]


def test_costs_fall_and_progress_is_told_of_each() -> None:
    told: list[Iteration] = []
    case = CASES["a chain of them"]
    found = solve_least_squares(case.model(), case.start, LeastSquaresOptions(stage="chain"), progress=told.append)
    assert np.all(np.diff(found.costs) < 0.0)
    assert [one.objective for one in told] == list(found.costs[1:])
    assert {one.stage for one in told} == {"chain"}
    assert told[-1].seconds > 0.0


def test_too_few_iterations_are_said() -> None:
    case = CASES["rosenbrock"]
    found = solve_least_squares(case.model(), case.start, LeastSquaresOptions(iterations=3))
    assert found.outcome.status is Status.OUT_OF_ITERATIONS
    assert found.outcome.iterations == 3


@dataclass(frozen=True, eq=False)
class BrittleBlock(RosenbrockBlock):
    """Has no value beyond x = 1.05, as a simulation that comes to nothing."""

    def values(self, x: np.ndarray) -> np.ndarray:
        return np.where(x[:, :1] > 1.05, np.nan, super().values(x))


def test_trials_without_a_value_are_not_taken() -> None:
    model = BlockModel(2, [Residuals(BrittleBlock(pairs(2)))], curved=False)
    found = solve_least_squares(model, np.array([-1.2, 1.0]))
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, 1.0, atol=1e-6)
    nowhere = solve_least_squares(model, np.array([2.0, 1.0]))
    assert nowhere.outcome.status is Status.STALLED


def test_no_step_is_longer_than_asked() -> None:
    case, seen = CASES["rosenbrock"], [np.array([-1.2, 1.0])]

    class Watched(BlockModel):
        def evaluate(self, x: np.ndarray):  # type: ignore[no-untyped-def]
            assert np.abs(x - seen[-1]).max() <= 0.05 + 1e-12
            found = super().evaluate(x)
            seen.append(x)
            return found

    model = Watched(2, case.model().residuals)
    # Gauss and Newton's first steps here are 4 long
    assert solve_least_squares(model, seen[0], LeastSquaresOptions(iterations=20, longest_step=0.05)).x[0] > -1.2


def test_a_wrong_gradient_is_not_called_solved() -> None:
    """The negative control: with the sign of one derivative turned, the answer is not found."""

    @dataclass(frozen=True, eq=False)
    class Wrong(RosenbrockBlock):
        def jacobians(self, x: np.ndarray) -> np.ndarray:
            J = super().jacobians(x)
            J[:, 0, 1] *= -1.0
            return J

    found = solve_least_squares(BlockModel(2, [Residuals(Wrong(pairs(2)))], curved=False), np.array([-1.2, 1.0]))
    assert not found.outcome.solved
    assert np.abs(found.x - 1.0).max() > 0.1


@pytest.mark.parametrize("loss", [Square(), SmoothDistance(0.3), Cauchy(0.3)])
def test_slopes_of_losses(loss: Square | SmoothDistance | Cauchy) -> None:
    s, step = np.linspace(1e-3, 4.0, 30), 1e-6
    slopes = (loss.values(s + step) - loss.values(s - step)) / (2.0 * step)
    np.testing.assert_allclose(loss.slopes(s), slopes, rtol=1e-6)
    assert loss.values(np.zeros(1))[0] == 0.0
    assert loss.slopes(np.zeros(1))[0] == 1.0


@pytest.mark.parametrize("dense_storage", [False, True])
def test_a_step_within_bounds_is_optimal_there(dense_storage: bool, rng: np.random.Generator) -> None:
    """Free unknowns have no slope left where the first pass finds all that cross."""
    band, dense = random_band(30, 6, rng)
    gradient, x = 0.1 * rng.normal(size=30), rng.uniform(-0.2, 0.2, 30)
    lower, upper = np.full(30, -0.6), np.full(30, 0.6)
    lower[4] = upper[4] = x[4]  # held on purpose
    gradient[[11, 12, 27]] = 20.0, -20.0, 15.0  # pushed across
    d = box_step(DenseMatrix(dense) if dense_storage else BandedMatrix(band), 0.0, gradient, x, lower, upper)
    assert d is not None
    assert d[4] == 0.0
    assert np.all(x + d >= lower - 1e-15)
    assert np.all(x + d <= upper + 1e-15)
    at_bound = (x + d <= lower + 1e-12) | (x + d >= upper - 1e-12)
    np.testing.assert_array_equal(np.flatnonzero(at_bound), [4, 11, 12, 27])
    slope = gradient + dense @ d
    np.testing.assert_allclose(slope[~at_bound], 0.0, atol=1e-10)


def test_without_bounds_it_is_newtons_step(rng: np.random.Generator) -> None:
    band, dense = random_band(25, 7, rng)
    gradient, far = rng.normal(size=25), np.full(25, np.inf)
    step = box_step(BandedMatrix(band), 0.5, gradient, np.zeros(25), -far, far)
    np.testing.assert_allclose((dense + 0.5 * np.eye(25)) @ step, -gradient, atol=1e-11)
    assert box_step(BandedMatrix(-band), 0.5, gradient, np.zeros(25), -far, far) is None
