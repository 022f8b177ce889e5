"""The augmented Lagrangian on problems with known answers, and against Clarabel; bounds one by one; steps held back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.outcome import Iteration, Status
from animato.solvers import AugmentedOptions, solve_augmented
from animato.solvers.block_models import BlockModel
from animato.solvers.blocks import Limits, LinearBlock, Residuals
from animato.solvers.interior_model import InteriorConstants, InteriorOptions
from animato.solvers.interior_point import InteriorPoint
from tests.unit.solvers.block_problems import CircleBlock, RosenbrockBlock, pairs
from tests.unit.solvers.test_interior_point import clarabel_answer

TIGHT = AugmentedOptions(mu=1e-9, rounds=60, steps=40, tolerance=1e-12, settled=1e-9)
EVERY = np.zeros((1, 1), dtype=np.int64)


class Stiff(BlockModel):
    """Blocks whose rows also have a stiffness."""

    def stiffened(self, stiffness: float = 100.0, band: float = 0.01, tolerance: float = 1e-7) -> Stiff:
        count = len(self.row_lower)
        self.row_stiffness, self.row_band = np.full(count, stiffness), np.full(count, band)
        self.row_tolerance = np.full(count, tolerance)
        return self


def nearest(target: float, price: float = np.inf) -> Stiff:
    """(x - target)^2 with x <= 1, at a price."""
    limit = Limits(LinearBlock(EVERY, np.eye(1)), upper=1.0, price=price)
    return Stiff(1, [Residuals(LinearBlock(EVERY, np.eye(1), target))], [limit])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("equalities", [0, 3])
def test_convex_programs_as_clarabel_solves_them(seed: int, equalities: int) -> None:
    """Random least squares with two-sided rows and equalities; stiffness times shift is the multiplier."""
    rng = np.random.default_rng(seed)
    size, every = 10, np.arange(10)[None]
    F, target = rng.normal(size=(14, size)), 3.0 * rng.normal(size=14)
    A, inside = rng.normal(size=(16, size)), 0.3 * rng.normal(size=size)
    lower, upper = A @ inside - rng.uniform(0.05, 0.4, 16), A @ inside + rng.uniform(0.05, 0.4, 16)
    lower[:equalities] = upper[:equalities] = (A @ inside)[:equalities]
    model = Stiff(size, [Residuals(LinearBlock(every, F, target))], [Limits(LinearBlock(every, A), lower, upper)])
    found = solve_augmented(model.stiffened(3e3), np.zeros(size), TIGHT)
    assert found.outcome.solved, found.outcome
    rows = np.vstack([A, -A[equalities:]])
    right = np.concatenate([upper, -lower[equalities:]])
    wanted = clarabel_answer(2.0 * F.T @ F, -2.0 * F.T @ target, rows, right, equalities)
    np.testing.assert_allclose(found.x, wanted, atol=1e-6)
    multipliers = model.row_stiffness * found.shift
    assert np.sum(np.abs(multipliers) > 1e-3) >= 2
    slope = 2.0 * F.T @ (F @ found.x - target)
    np.testing.assert_allclose(slope, -A.T @ multipliers, atol=1e-5 * np.abs(F.T @ target).max())
    np.testing.assert_allclose(found.miss, 0.0, atol=1e-6)


def test_a_multiplier_that_is_known() -> None:
    """(x - 3)^2 with x <= 1: the multiplier is 4, whatever the stiffness, and a solve goes on from it."""
    for stiffness in (1.0, 100.0):
        model = nearest(3.0).stiffened(stiffness)
        found = solve_augmented(model, np.zeros(1), TIGHT)
        assert found.outcome.solved
        assert found.x[0] == pytest.approx(1.0, abs=1e-6)
        assert stiffness * found.shift[0] == pytest.approx(4.0, rel=1e-5)
        again = solve_augmented(model, found.x, TIGHT, shift=found.shift)
        assert again.outcome.iterations <= 6 and again.x[0] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("price", [0.5, 2.0, 10.0])
@pytest.mark.parametrize("stiffness", [0.3, 3.0])
def test_a_price_caps_multipliers(price: float, stiffness: float) -> None:
    """(x - 3)^2 with x <= 1: beyond the limit 2 (3 - x) = price, and the limit itself where that is more than 4."""
    model = nearest(3.0, price).stiffened(stiffness)
    found = solve_augmented(model, np.zeros(1), replace(TIGHT, rounds=300))
    assert found.x[0] == pytest.approx(max(1.0, 3.0 - 0.5 * price), abs=1e-5)
    assert stiffness * found.shift[0] == pytest.approx(min(price, 4.0), rel=1e-4)
    assert found.outcome.solved


def test_rows_that_contradict_one_another() -> None:
    """x >= 1 and x <= -1: with prices what else is wanted decides between them; without, the rounds run out."""
    both = LinearBlock(EVERY, np.eye(1))
    smooth = [Residuals(LinearBlock(np.tile(EVERY, (2, 1)), np.eye(1), np.array([[0.1], [0.5]])))]

    def found(price: float) -> tuple[float, Status]:
        limits = [Limits(both, lower=1.0, price=price), Limits(both, upper=-1.0, price=price)]
        answer = solve_augmented(Stiff(1, smooth, limits).stiffened(), np.array([3.0]), TIGHT)
        return float(answer.x[0]), answer.outcome.status

    x, status = found(5.0)
    assert x == pytest.approx(0.3, abs=1e-3) and status is Status.SOLVED
    assert found(np.inf)[1] is Status.OUT_OF_ITERATIONS


def test_bounds_are_the_interior_points() -> None:
    """Unknowns stay within their bounds, and those that are held stay."""
    block = LinearBlock(np.arange(3)[None], np.eye(3), 5.0)
    rows = Limits(LinearBlock(np.array([[0, 1]]), np.ones((1, 2))), upper=4.0)
    model = Stiff(3, [Residuals(block)], [rows], lower=0.0, upper=np.array([1.0, 9.0, 9.0])).stiffened()
    model.free[2] = False
    told: list[Iteration] = []
    found = solve_augmented(model, np.array([0.5, 0.5, 0.25]), TIGHT, progress=told.append)
    assert found.outcome.solved
    np.testing.assert_allclose(found.x, [1.0, 3.0, 0.25], atol=1e-4)
    assert found.x[0] <= 1.0
    assert [one.number for one in told] == list(range(1, len(told) + 1))


def test_a_row_that_bends() -> None:
    """Rosenbrock's function in the unit disc."""
    model = Stiff(2, [Residuals(RosenbrockBlock(pairs(2)))], [Limits(CircleBlock(pairs(2)), upper=1.0)]).stiffened(30.0)
    for start in ((0.1, 0.2), (-3.0, 2.0)):
        found = solve_augmented(model, np.array(start), TIGHT)
        assert found.outcome.solved
        np.testing.assert_allclose(found.x, [0.78641515, 0.61769831], atol=1e-5)


def test_what_is_held_still_in_a_round_is_looked_at_after_it() -> None:
    """A target that is half of where the last round ended: it goes on as long as that is said to be due."""
    calls: list[float] = []

    def refresh(x: np.ndarray, _: object, shift: np.ndarray) -> tuple[Stiff, np.ndarray, bool]:
        calls.append(float(x[0]))
        stale = len(calls) < 2 or abs(calls[-1] - calls[-2]) > 1e-6
        return nearest(0.5 * float(x[0])).stiffened(), shift, stale

    found = solve_augmented(nearest(0.8).stiffened(), np.array([0.5]), TIGHT, refresh=refresh)
    assert calls[:3] == pytest.approx([0.8, 0.4, 0.2], abs=1e-5)
    assert found.outcome.solved and abs(found.x[0]) < 1e-5
    again = solve_augmented(nearest(0.8).stiffened(), np.array([0.5]), replace(TIGHT, rounds=3), refresh=refresh)
    assert again.x[0] == pytest.approx(0.2, abs=1e-5)


def test_too_few_rounds_are_said() -> None:
    found = solve_augmented(nearest(3.0).stiffened(1.0), np.zeros(1), replace(TIGHT, rounds=2))
    assert found.outcome.status is Status.OUT_OF_ITERATIONS and "2 rounds" in found.outcome.reason
    assert found.miss[0] > 1e-3


def many_bounds(size: int) -> tuple[BlockModel, np.ndarray]:
    """A chain that wants to leave its bounds nearly everywhere, and begins a hair from them."""
    wish = 3.0 * np.sin(np.arange(size))
    smooth = LinearBlock(pairs(size), np.array([[-1.0, 1.0]]))
    track = LinearBlock(np.arange(size)[:, None], np.eye(1), wish[:, None])
    model = BlockModel(size, [Residuals(track), Residuals(smooth, 3.0)], lower=0.0, upper=1.0)
    return model, np.where(wish > 0.0, 1e-4, 1.0 - 1e-4)


@pytest.mark.parametrize("one_by_one", [True, False])
def test_bounds_one_by_one_have_the_same_answer(one_by_one: bool) -> None:
    model, start = many_bounds(60)
    options = InteriorOptions(tolerance=1e-10, constants=InteriorConstants(bound_by_bound=one_by_one))
    found = InteriorPoint(model, options).solve(start)
    assert found.outcome.solved
    assert found.x.min() >= 0.0 and found.x.max() <= 1.0
    D, size = np.diff(np.eye(60), axis=0), 60
    P = 2.0 * (np.eye(size) + 3.0 * D.T @ D)
    rows, right = np.vstack([np.eye(size), -np.eye(size)]), np.concatenate([np.ones(size), np.zeros(size)])
    wanted = clarabel_answer(P, -6.0 * np.sin(np.arange(size)), rows, right)
    np.testing.assert_allclose(found.x, wanted, atol=1e-5)


def test_a_bound_does_not_cut_the_step_of_the_rest() -> None:
    """One unknown hard at its bound, pulled outward: the other arrives in one step of one mu."""
    target = np.array([-10.0, 5.0])
    model = BlockModel(
        2, [Residuals(LinearBlock(np.arange(2)[None], np.eye(2), target))], lower=np.array([0.0, -np.inf])
    )
    start = np.array([1e-6, 0.0])
    after = {}
    for one_by_one in (True, False):
        options = InteriorOptions(constants=InteriorConstants(bound_by_bound=one_by_one))
        after[one_by_one] = InteriorPoint(model, options).centre(start, 1e-6, iterations=1).x
    assert after[True][1] == pytest.approx(5.0, abs=1e-6) and after[True][0] > 0.0
    assert after[False][1] < 1.0


@pytest.mark.parametrize("weight", [None, 0.1, 100.0])
def test_steps_that_are_held_back_arrive_all_the_same(weight: float | None) -> None:
    """Rosenbrock's function, whose Newton steps are wild at first."""
    model = BlockModel(2, [Residuals(RosenbrockBlock(pairs(2)))])
    options = InteriorOptions(tolerance=1e-12, proximal=None if weight is None else np.full(2, weight), iterations=400)
    found = InteriorPoint(model, options).solve(np.array([-1.2, 1.0]))
    near = 1e-6 if weight is None else 1e-2  # steps that are held back gain little near the answer, and that ends it
    np.testing.assert_allclose(found.x, 1.0, atol=near)


def first_step(weight: float) -> float:
    """How far one step goes along a direction that nearly nothing depends on."""
    model = BlockModel(2, [Residuals(LinearBlock(pairs(2), np.diag([1.0, 1e-4]), np.array([1.0, 1.0])))])
    options = InteriorOptions(proximal=np.full(2, weight))
    return float(InteriorPoint(model, options).centre(np.zeros(2), 1e-9, iterations=1).x[1])


def test_a_step_is_held_back_where_nothing_depends_on_it() -> None:
    assert first_step(0.0) == pytest.approx(1e4, rel=1e-3)
    assert first_step(0.1) < 1e-2


def test_what_holds_steps_back_falls_after_whole_ones_and_grows_after_short_ones() -> None:
    model = BlockModel(2, [Residuals(LinearBlock(pairs(2), np.eye(2), np.ones(2)))])
    solver = InteriorPoint(model, InteriorOptions(proximal=np.ones(2)))
    solver.centre(np.zeros(2), 1e-9, iterations=4, tolerance=0.0)
    assert solver.proximity < 1.0

    class Wrong(RosenbrockBlock):
        def jacobians(self, x: np.ndarray) -> np.ndarray:
            return -super().jacobians(x)

    stuck = InteriorPoint(BlockModel(2, [Residuals(Wrong(pairs(2)))]), InteriorOptions(proximal=np.ones(2)))
    stuck.centre(np.array([-1.2, 1.0]), 1e-9, iterations=3)
    assert stuck.proximity > 1.0


def test_a_wrong_jacobian_is_not_called_solved() -> None:
    """Negative control."""

    class Wrong(CircleBlock):
        def jacobians(self, x: np.ndarray) -> np.ndarray:
            return -super().jacobians(x)

    def build(block: type[CircleBlock]) -> Stiff:
        limits = [Limits(block(pairs(2)), upper=1.0)]
        return Stiff(2, [Residuals(RosenbrockBlock(pairs(2)))], limits).stiffened(30.0)

    assert solve_augmented(build(CircleBlock), np.array([0.1, 0.2]), TIGHT).outcome.solved
    assert not solve_augmented(build(Wrong), np.array([0.1, 0.2]), TIGHT).outcome.solved
