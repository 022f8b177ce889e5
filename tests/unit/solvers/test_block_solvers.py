"""Every solver on every problem that both can state, and what blocks are made into."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from animato.algebra.banded import BandedMatrix
from animato.algebra.conjugate_gradients import OperatorMatrix
from animato.algebra.symmetric import DenseMatrix, SymmetricMatrix
from animato.outcome import Outcome
from animato.solvers.block_models import BlockModel, BlockPoint, BlockSystem
from animato.solvers.blocks import Limits, LinearBlock, Residuals
from animato.solvers.interior_point import InteriorPoint
from animato.solvers.interior_rows import RowWeights
from animato.solvers.least_squares import LeastSquaresOptions, solve_least_squares
from tests.unit.solvers.block_problems import CASES, CircleBlock, RosenbrockBlock, pairs

OPTIONS = LeastSquaresOptions(iterations=400, least_cost=1e-14)  # costs begin at 1 to 1000


@dataclass(frozen=True, eq=False)
class ByProducts:
    """A model whose matrix is never written down."""

    model: BlockModel
    has_curvature: bool = False

    @property
    def lower(self) -> np.ndarray:
        return self.model.lower

    @property
    def upper(self) -> np.ndarray:
        return self.model.upper

    def evaluate(self, x: np.ndarray) -> BlockPoint:
        return self.model.evaluate(x)

    def assemble(self, point: BlockPoint, *, exact: bool) -> tuple[np.ndarray, SymmetricMatrix]:
        gradient, matrix = self.model.assemble(point, exact=False)
        return gradient, OperatorMatrix(matrix.product, matrix.diagonal, tolerance=1e-8, most_products=200)


def gauss_newton(model: BlockModel, x: np.ndarray) -> tuple[np.ndarray, Outcome]:
    model.has_curvature = False
    found = solve_least_squares(model, x, OPTIONS)
    return found.x, found.outcome


def curved(model: BlockModel, x: np.ndarray) -> tuple[np.ndarray, Outcome]:
    found = solve_least_squares(model, x, OPTIONS)
    return found.x, found.outcome


def matrix_free(model: BlockModel, x: np.ndarray) -> tuple[np.ndarray, Outcome]:
    found = solve_least_squares(ByProducts(model), x, OPTIONS)
    return found.x, found.outcome


def interior(model: BlockModel, x: np.ndarray) -> tuple[np.ndarray, Outcome]:
    found = InteriorPoint(model).solve(x)
    return found.x, found.outcome


@pytest.mark.parametrize("solver", [gauss_newton, curved, matrix_free, interior])
@pytest.mark.parametrize("name", list(CASES))
def test_every_solver_finds_the_answer(solver, name: str) -> None:  # type: ignore[no-untyped-def]
    case = CASES[name]
    x, outcome = solver(case.model(), case.start)
    assert outcome.solved, outcome
    np.testing.assert_allclose(x, case.answer, atol=case.near)


@pytest.mark.parametrize("name", list(CASES))
def test_gradients_and_matrices_against_differences(name: str, rng: np.random.Generator) -> None:
    case = CASES[name]
    model = case.model()
    x = case.start + 0.1 * rng.normal(size=len(case.start))
    gradient, matrix = model.assemble(model.at(x), exact=True)
    step, slope, square = 1e-6, np.empty(len(x)), np.empty((len(x), len(x)))
    for i in range(len(x)):
        away = np.where(np.arange(len(x)) == i, step, 0.0)
        slope[i] = (model.at(x + away).cost - model.at(x - away).cost) / (2.0 * step)
        ahead, behind = (model.assemble(model.at(x + sign * away), exact=True)[0] for sign in (1.0, -1.0))
        square[i] = (ahead - behind) / (2.0 * step)
    np.testing.assert_allclose(gradient, slope, rtol=1e-6, atol=1e-6 * np.abs(slope).max())
    if name != "outliers":  # of a loss, the second derivative is left out
        written = np.stack([matrix.product(row) for row in np.eye(len(x))])
        np.testing.assert_allclose(written, square, rtol=1e-6, atol=1e-6 * np.abs(square).max())


def test_storage_follows_what_blocks_touch() -> None:
    """Neighbours make a band; one block that touches both ends makes it dense, with the same numbers."""
    x = np.linspace(-1.0, 1.0, 30)
    chain = Residuals(RosenbrockBlock(pairs(30)))
    nothing = Residuals(LinearBlock(np.array([[0, 29]]), np.zeros((1, 2))))
    first, second = (BlockModel(30, terms) for terms in ([chain], [chain, nothing]))
    band, dense = (model.assemble(model.at(x), exact=True)[1] for model in (first, second))
    assert isinstance(band, BandedMatrix)
    assert band.band.shape == (30, 2)
    assert isinstance(dense, DenseMatrix)
    np.testing.assert_allclose(band.product(x), dense.product(x), atol=1e-10)


def test_columns_need_no_order(rng: np.random.Generator) -> None:
    matrix, x = rng.normal(size=(4, 3)), rng.normal(size=3)
    straight = BlockModel(3, [Residuals(LinearBlock(np.array([[0, 1, 2]]), matrix))])
    turned = BlockModel(3, [Residuals(LinearBlock(np.array([[2, 0, 1]]), matrix[:, [2, 0, 1]]))])
    (slope, square), (turned_slope, turned_square) = (
        model.assemble(model.at(x), exact=False) for model in (straight, turned)
    )
    np.testing.assert_allclose(turned_slope, slope, atol=1e-12)
    np.testing.assert_allclose(turned_square.product(x), square.product(x), atol=1e-12)


def test_limits_in_the_newton_system_against_differences(rng: np.random.Generator) -> None:
    """J^T force, J dx, and the second derivatives of the rows with their multipliers."""
    limits = [Limits(CircleBlock(pairs(5)), upper=1.0), Limits(LinearBlock(pairs(5), rng.normal(size=(3, 2))))]
    model = BlockModel(5, [Residuals(RosenbrockBlock(pairs(5)))], limits)
    x, rows = rng.normal(size=5), len(model.row_lower)
    dual, stiffness = rng.normal(size=rows), rng.uniform(0.0, 2.0, rows)
    weights = RowWeights(stiffness, dual, dual, 0.0)
    system, step = model.newton_system(model.at(x), weights), 1e-6
    J = np.stack([(model.at(x + d).rows - model.at(x - d).rows) / (2.0 * step) for d in step * np.eye(5)], axis=1)
    np.testing.assert_allclose(system.pressed, J.T @ dual, atol=1e-6)
    np.testing.assert_allclose(system.change(x), J @ x, atol=1e-6)

    def slope(at: np.ndarray) -> np.ndarray:
        there = model.newton_system(model.at(at), weights)
        return there.gradient + there.pressed

    curved = np.stack([(slope(x + d) - slope(x - d)) / (2.0 * step) for d in step * np.eye(5)])
    wanted = curved + J.T @ (stiffness[:, None] * J)
    written = np.stack([system.matrix.product(row) for row in np.eye(5)])
    np.testing.assert_allclose(written, wanted, atol=1e-5 * np.abs(wanted).max())


def forces_and_postures(frames: int, *, by_frame: bool) -> BlockModel:
    """A point mass on a line: a posture x_t and two forces a frame, which push up and down and must carry it.

    x_t-1 - 2 x_t + x_t+1 = up - down - 0.05 with 0 <= up, down <= 0.08, and x follows a wish that is too quick.
    Unknowns stand frame by frame, or postures before all forces.
    """
    every = np.arange(frames)
    x, up, down = (3 * every + k for k in range(3)) if by_frame else (every, frames + 2 * every, frames + 2 * every + 1)
    balance = LinearBlock(
        np.stack([x[:-2], x[1:-1], x[2:], up[1:-1], down[1:-1]], axis=1), np.array([[1.0, -2.0, 1.0, -1.0, 1.0]]), -0.05
    )
    wish = np.where(np.sin(0.3 * every) > 0.0, 1.0, 0.0)
    lower = np.full(3 * frames, -np.inf)
    lower[up] = lower[down] = 0.0
    return BlockModel(
        3 * frames,
        [
            Residuals(LinearBlock(x[:, None], np.eye(1), wish[:, None])),
            Residuals(LinearBlock(np.stack([up, down], axis=1), np.eye(2)), 1e-3),
        ],
        [Limits(balance, 0.0, 0.0)],
        lower=lower,
        upper=np.where(np.isfinite(lower), 0.08, np.inf),
    )


def test_the_order_of_unknowns_decides_the_band_and_not_the_answer() -> None:
    found = {}
    for by_frame in (True, False):
        model = forces_and_postures(40, by_frame=by_frame)
        matrix = model.assemble(model.at(np.zeros(120)), exact=False)[1]
        assert isinstance(matrix, BandedMatrix if by_frame else DenseMatrix)
        found[by_frame] = InteriorPoint(model).solve(np.full(120, 0.02))
        assert found[by_frame].outcome.solved
    x, pushes = found[False].x[:40], found[False].x[40:].reshape(40, 2)
    np.testing.assert_allclose(found[True].x.reshape(40, 3), np.column_stack([x, pushes]), atol=1e-7)
    np.testing.assert_allclose(np.diff(x, 2), (pushes[:, 0] - pushes[:, 1])[1:-1] - 0.05, atol=1e-7)
    assert np.sum(pushes > 0.0799) >= 4  # the limits count


def test_an_interior_point_by_products_alone() -> None:
    """Residuals that are only known by products, limits as a band that preconditions: nothing dense is written."""

    class Swept(BlockModel):
        def newton_system(self, point: BlockPoint, weights: RowWeights) -> BlockSystem:
            system = super().newton_system(point, weights)
            near = BlockModel(self.size, self.residuals, self.limits, curved=False).newton_system(point, weights).matrix
            matrix = OperatorMatrix(system.matrix.product, system.matrix.diagonal, near, tolerance=1e-3)
            return replace(system, matrix=matrix)

    wish = np.sign(np.sin(np.linspace(0.0, 12.0, 60))) * 2.0
    residuals = [Residuals(LinearBlock(np.arange(60)[:, None], np.eye(1), wish[:, None]))]
    limits = [
        Limits(LinearBlock(pairs(60), np.array([[-1.0, 1.0]])), -0.1, 0.1),
        Limits(CircleBlock(pairs(60)), upper=1.0),
    ]
    swept, written = (
        InteriorPoint(kind(60, residuals, limits)).solve(np.full(60, 0.1)) for kind in (Swept, BlockModel)
    )
    assert swept.outcome.solved
    np.testing.assert_allclose(swept.x, written.x, atol=1e-6)
