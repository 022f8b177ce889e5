"""The interior point on problems with known answers, and against Clarabel."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy import sparse

from animato.outcome import Iteration, Status
from animato.solvers.block_models import BlockModel
from animato.solvers.blocks import Limits, LinearBlock, Residuals
from animato.solvers.interior_model import ELASTIC, InteriorOptions
from animato.solvers.interior_point import InteriorPoint
from animato.solvers.losses import SmoothDistance
from tests.unit.solvers.block_problems import CircleBlock, RosenbrockBlock, pairs

TIGHT = InteriorOptions(tolerance=1e-11, iterations=300)


def clarabel_answer(P: np.ndarray, q: np.ndarray, A: np.ndarray, b: np.ndarray, equalities: int = 0) -> np.ndarray:
    """The x of min x^T P x / 2 + q x with A x <= b, the first rows being equalities."""
    import clarabel

    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    cones = [clarabel.ZeroConeT(equalities), clarabel.NonnegativeConeT(len(b) - equalities)]
    solver = clarabel.DefaultSolver(sparse.csc_matrix(np.triu(P)), q, sparse.csc_matrix(A), b, cones, settings)
    return np.array(solver.solve().x)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("equalities", [0, 3])
def test_convex_programs_as_clarabel_solves_them(seed: int, equalities: int) -> None:
    """Random least squares with two-sided rows and bounds, from a start that holds none of the rows."""
    rng = np.random.default_rng(seed)
    size, every = 14, np.arange(14)[None]
    F, target = rng.normal(size=(20, size)), 3.0 * rng.normal(size=20)
    A, inside = rng.normal(size=(25, size)), 0.3 * rng.normal(size=size)
    lower, upper = A @ inside - rng.uniform(0.05, 0.4, 25), A @ inside + rng.uniform(0.05, 0.4, 25)
    lower[equalities : equalities + 5] = -np.inf
    lower[:equalities] = upper[:equalities]
    model = BlockModel(
        size,
        [Residuals(LinearBlock(every, F, target))],
        [Limits(LinearBlock(every, A), lower, upper)],
        lower=-1.0,
        upper=1.0,
    )
    found = InteriorPoint(model, TIGHT).solve(np.full(size, 0.9))
    assert found.outcome.solved, found.outcome
    one_sided = np.isfinite(lower) & (np.arange(25) >= equalities)
    rows = np.vstack([A, -A[one_sided], np.eye(size), -np.eye(size)])
    right = np.concatenate([upper, -lower[one_sided], np.ones(2 * size)])
    wanted = clarabel_answer(2.0 * F.T @ F, -2.0 * F.T @ target, rows, right, equalities)
    np.testing.assert_allclose(found.x, wanted, atol=1e-6)
    active = np.abs(found.weights.multiplier) > 1e-3
    assert active.sum() >= 3
    # what the active rows pull back is what the objective pulls
    slack_bounds = np.abs(found.x) < 1.0 - 1e-6
    slope = 2.0 * F.T @ (F @ found.x - target) + A.T @ found.weights.multiplier
    np.testing.assert_allclose(slope[slack_bounds], 0.0, atol=1e-5)


def test_a_banded_program_is_solved_as_a_band() -> None:
    """A long chain of tracking with bounded differences; Clarabel agrees, and a longer chain takes as many steps."""
    used = []
    for size in (40, 400):
        wish = np.sign(np.sin(np.linspace(0.0, 12.0, size))) * 2.0
        model = BlockModel(
            size,
            [Residuals(LinearBlock(np.arange(size)[:, None], np.eye(1), wish[:, None]))],
            [Limits(LinearBlock(pairs(size), np.array([[-1.0, 1.0]])), -0.1, 0.1)],
        )
        found = InteriorPoint(model, TIGHT).solve(np.zeros(size))
        assert found.outcome.solved
        used.append(found.outcome.iterations)
        if size == 40:
            D = np.diff(np.eye(size), axis=0)
            wanted = clarabel_answer(2.0 * np.eye(size), -2.0 * wish, np.vstack([D, -D]), np.full(2 * len(D), 0.1))
            np.testing.assert_allclose(found.x, wanted, atol=1e-6)
    assert used[1] <= used[0] + 10


@pytest.mark.parametrize("start", [(0.1, 0.2), (-3.0, 2.0), (4.0, 4.0)])
def test_a_problem_that_is_not_convex(start: tuple[float, float]) -> None:
    """Rosenbrock's function in the unit disc, whose curvature is negative along the way: x = (0.7864, 0.6177)."""
    model = BlockModel(2, [Residuals(RosenbrockBlock(pairs(2)))], [Limits(CircleBlock(pairs(2)), upper=1.0)])
    found = InteriorPoint(model, TIGHT).solve(np.array(start))
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, [0.78641515, 0.61769831], atol=1e-6)
    # without the disc the answer is elsewhere, so the disc does it
    assert np.abs(InteriorPoint(BlockModel(2, model.residuals), TIGHT).solve(np.array(start)).x - 1.0).max() < 1e-5


def test_the_outside_of_a_disc_is_held() -> None:
    """Nearest point to (0.3, 0.1) outside the unit disc: a limit that bends the wrong way."""
    wish = np.array([0.3, 0.1])
    model = BlockModel(
        2, [Residuals(LinearBlock(pairs(2), np.eye(2), wish))], [Limits(CircleBlock(pairs(2)), lower=1.0)]
    )
    found = InteriorPoint(model, TIGHT).solve(np.array([2.0, -1.0]))
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, wish / np.linalg.norm(wish), atol=1e-6)


@pytest.mark.parametrize("start", [(1.0, 0.5), (-0.2, 3.0), (0.4, 0.3)])
def test_an_equality_that_bends(start: tuple[float, float]) -> None:
    """On the unit circle, nearest to (2, 2); the multiplier is that of the Lagrangian, sqrt(8) - 1."""
    model = BlockModel(
        2,
        [Residuals(LinearBlock(pairs(2), np.eye(2), np.array([2.0, 2.0])))],
        [Limits(CircleBlock(pairs(2)), 1.0, 1.0)],
    )
    found = InteriorPoint(model, TIGHT).solve(np.array(start))
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, np.sqrt(0.5), atol=1e-7)
    assert found.weights.multiplier[0] == pytest.approx(np.sqrt(8.0) - 1.0, rel=1e-5)


@pytest.mark.parametrize("price", [0.5, 10.0])
def test_an_elastic_limit_gives_way_where_its_price_is_low(price: float) -> None:
    """(x - 3)^2 with x <= 1 at a price: 2 (3 - x) = price beyond the limit, and the limit itself where that is 4."""
    every = np.zeros((1, 1), dtype=np.int64)
    model = BlockModel(
        1,
        [Residuals(LinearBlock(every, np.eye(1), 3.0))],
        [Limits(LinearBlock(every, np.eye(1)), upper=1.0, price=price)],
    )
    found = InteriorPoint(model, TIGHT).solve(np.array([2.5]))
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, max(1.0, 3.0 - 0.5 * price), atol=1e-6)
    assert found.weights.multiplier[0] == pytest.approx(min(price, 4.0), rel=1e-5)


def test_elastic_limits_that_contradict_one_another_share_what_is_missing() -> None:
    """A chain that must climb 3 in 20 steps of at most 0.1: hard rows have no answer, elastic ones do."""
    size = 21
    ends = LinearBlock(np.array([[0], [20]]), np.eye(1), np.array([[0.0], [3.0]]))
    steps = LinearBlock(pairs(size), np.array([[-1.0, 1.0]]))
    smooth = Residuals(LinearBlock(pairs(size), np.array([[-1.0, 1.0]])), 1e-4)

    def solved(price: float) -> tuple[np.ndarray, Status]:
        model = BlockModel(size, [smooth], [Limits(ends, 0.0, 0.0), Limits(steps, -0.1, 0.1, price)])
        found = InteriorPoint(model, replace(TIGHT, iterations=100)).solve(np.zeros(size))
        return found.x, found.outcome.status

    x, status = solved(1.0)
    assert status is Status.SOLVED
    np.testing.assert_allclose(np.diff(x), 3.0 / 20.0, atol=1e-5)
    assert solved(np.inf)[1] is not Status.SOLVED


def test_unknowns_that_are_held_stay_and_bounds_are_kept() -> None:
    model = BlockModel(3, [Residuals(LinearBlock(np.arange(3)[None], np.eye(3), 5.0))], upper=np.array([1.0, 9.0, 2.0]))
    model.free[2] = False
    told: list[Iteration] = []
    found = InteriorPoint(model, TIGHT).solve(np.array([4.0, 0.0, 0.25]), progress=told.append)
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, [1.0, 5.0, 0.25], atol=1e-6)
    assert found.x[0] <= 1.0
    assert [one.number for one in told] == list(range(1, found.outcome.iterations + 1))


def test_centring_stays_at_its_barrier() -> None:
    """x^2 with x >= 1 and a barrier mu: 2 x = mu / (x - 1)."""
    every, mu = np.zeros((1, 1), dtype=np.int64), 0.3
    model = BlockModel(1, [Residuals(LinearBlock(every, np.eye(1)))], [Limits(LinearBlock(every, np.eye(1)), 1.0)])
    found = InteriorPoint(model).centre(np.array([2.0]), mu, iterations=60, tolerance=1e-14)
    x = found.x[0]
    assert 2.0 * x == pytest.approx(mu / (x - 1.0), rel=1e-6)
    assert found.merit == pytest.approx(x**2 - mu * np.log(x - 1.0), rel=1e-10)
    assert -found.weights.force[0] == pytest.approx(mu / (x - 1.0), rel=1e-10)


def test_a_wrong_jacobian_is_not_called_solved() -> None:
    """The negative control: with the limit's derivative turned the answer is not claimed."""

    @dataclass(frozen=True, eq=False)
    class Wrong(CircleBlock):
        def jacobians(self, x: np.ndarray) -> np.ndarray:
            return -super().jacobians(x)

    model = BlockModel(2, [Residuals(RosenbrockBlock(pairs(2)))], [Limits(Wrong(pairs(2)), upper=1.0)])
    found = InteriorPoint(model, TIGHT).solve(np.array([0.1, 0.2]))
    assert not found.outcome.solved


def test_a_start_without_a_value_is_said() -> None:
    model = BlockModel(1, [Residuals(LinearBlock(np.zeros((1, 1), dtype=np.int64), np.eye(1), np.nan))])
    assert InteriorPoint(model).solve(np.zeros(1)).outcome.status is Status.STALLED


def around_a_disc(frames: int) -> tuple[BlockModel, np.ndarray]:
    """A point that should go in steps straight through a disc, with little acceleration, and must not enter it."""
    xy, s = np.arange(2 * frames).reshape(frames, 2), np.linspace(0.0, 1.0, frames)
    wish = np.stack([6.0 * s - 3.0, 0.05 + 0.3 * np.sign(np.sin(9.0 * s))], axis=1)
    three = np.concatenate([xy[:-2], xy[1:-1], xy[2:]], axis=1)
    bends = LinearBlock(three, 50.0 * (frames / 50.0) ** 2 * np.kron([[1.0, -2.0, 1.0]], np.eye(2)))
    ends = LinearBlock(xy[[0, -1]], np.eye(2), wish[[0, -1]])
    model = BlockModel(
        2 * frames,
        [Residuals(LinearBlock(xy, np.eye(2), wish), loss=SmoothDistance(0.05)), Residuals(bends, 1e-4)],
        [
            Limits(bends, -1.0, 1.0, price=100.0),
            Limits(CircleBlock(xy), lower=1.0, price=100.0),
            Limits(ends, 0.0, 0.0),
        ],
    )
    return model, wish.ravel()


def test_a_long_curve_from_starts_that_hold_nothing(rng: np.random.Generator) -> None:
    """Starts miss limits by factors of 100; the same optimum, which holds all of them, is found from each."""
    model, wish = around_a_disc(120)
    costs = []
    for spread in (0.0, 0.5):
        start = wish + spread * rng.normal(size=len(wish))
        assert np.abs(model.at(start).rows).max() > 30.0
        found = InteriorPoint(model, InteriorOptions(tolerance=1e-7, constants=ELASTIC)).solve(start)
        assert found.outcome.solved
        bends, distances, ends = np.split(found.point.rows, [236, 356])
        assert np.abs(bends).max() < 1.0 + 1e-6
        assert distances.min() > 1.0 - 1e-6
        np.testing.assert_allclose(ends, 0.0, atol=1e-7)
        assert np.sum(np.abs(found.weights.multiplier[:356]) > 1e-3) > 10  # they are not held by chance
        costs.append(found.point.cost)
    assert costs[0] == pytest.approx(costs[1], rel=1e-6)
