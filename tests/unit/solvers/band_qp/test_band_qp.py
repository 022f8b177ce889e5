"""The banded interior point: against another solver, and what it does where there is no answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.outcome import Status
from animato.solvers.band_qp import BandProgram, BandQpOptions, NarrowRows, WideRows, solve_band_qp
from tests.unit.solvers.band_qp.band_programs import SPAN, Written, random_program

SHARP = BandQpOptions(tolerance=1e-11, least_cost=1e-3)


def one_column(points: int, rows: NarrowRows, *, gradient: float = 0.0) -> BandProgram:
    """min 1/2 |x|^2 + gradient . x with some rows."""
    hessian = np.zeros((points, SPAN))
    hessian[:, -1] = 1.0
    return BandProgram(hessian, np.full(points, gradient), rows, WideRows.none(1), np.zeros(points, dtype=bool))


def single(at: int, value: float, upper: float, price: float) -> NarrowRows:
    """value x[at] <= upper."""
    coefficients = np.zeros((1, SPAN))
    first = max(0, at - SPAN + 1)
    coefficients[0, at - first] = value
    return NarrowRows(
        np.array([first]), np.zeros(1, dtype=np.int64), coefficients, np.array([upper]), np.array([price])
    )


def both(one: NarrowRows, other: NarrowRows) -> NarrowRows:
    parts = ("first", "column", "coefficients", "upper", "price")
    return NarrowRows(*(np.concatenate([getattr(one, part), getattr(other, part)]) for part in parts))


@pytest.mark.parametrize(("columns", "held", "rows"), [(1, False, 10), (1, True, 6), (2, True, 15), (5, True, 30)])
def test_the_answer_is_that_of_another_solver(columns: int, held: bool, rows: int) -> None:
    pytest.importorskip("clarabel")
    for seed in range(6):
        program, start = random_program(np.random.default_rng(seed), columns=columns, rows=rows, held=held)
        written = Written.of(program)
        ours, theirs = solve_band_qp(program, start, SHARP), written.by_clarabel(start)
        assert ours.outcome.usable
        np.testing.assert_allclose(ours.x, theirs, atol=1e-6)
        assert ours.cost == pytest.approx(written.cost(theirs), rel=1e-8)
        assert ours.cost == pytest.approx(written.cost(ours.x), rel=1e-8)
        np.testing.assert_array_equal(ours.x[program.held], start[program.held])


@given(seed=st.integers(0, 10**6), columns=st.integers(1, 3), rows=st.integers(0, 25), points=st.integers(4, 20))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_conditions_of_an_optimum(seed: int, columns: int, rows: int, points: int) -> None:
    """Balance, limits, signs and products: together they prove the answer of a convex program."""
    program, start = random_program(np.random.default_rng(seed), columns=columns, rows=rows, points=points)
    written, found = Written.of(program), solve_band_qp(program, start, BandQpOptions(tolerance=1e-10, least_cost=1e-3))
    assert found.outcome.status is Status.SOLVED
    z, e, x = found.multipliers, found.excess, found.x
    size = 1.0 + np.abs(written.g).max() + np.abs(z).max(initial=0.0)
    free = ~program.held
    np.testing.assert_allclose((written.H @ x + written.g + written.A.T @ z)[free], 0.0, atol=1e-7 * size)
    assert written.crossed(x) <= 1e-8
    assert np.all(z >= 0.0) and np.all(e >= 0.0) and np.all(z <= written.price + 1e-9)
    elastic = np.isfinite(written.price)
    assert np.all(e[~elastic] == 0.0)
    slack = written.upper - written.A @ x + e
    assert slack.min(initial=0.0) >= -1e-8
    assert np.abs(slack * z).max(initial=0.0) <= 1e-6 * size
    assert np.abs(e[elastic] * (written.price - z)[elastic]).max(initial=0.0) <= 1e-6 * size


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_no_answer_is_better_by_more_than_the_gap(seed: int) -> None:
    """Also where it stops early, as soon as its rows hold."""
    program, start = random_program(np.random.default_rng(seed))
    best = solve_band_qp(program, start, SHARP)
    for tolerance in (1e-1, 1e-2, 1e-3, 1e-5):
        found = solve_band_qp(program, start, BandQpOptions(tolerance=tolerance, least_cost=1e-3))
        assert found.outcome.usable
        # What rows are allowed to be beyond, 1e-9, may be worth this much.
        worth = 1e-9 * float(np.abs(best.multipliers).sum())
        assert found.cost - best.cost <= found.gap + worth + 1e-11 * abs(best.cost)
        assert found.gap <= 1e3 * tolerance * max(abs(found.cost), 1e-3)


def test_a_row_that_is_worth_its_price_pays_exactly_that() -> None:
    """min 1/2 x^2 with x >= 3: at a price of 2 a row gives way until x = 2, at 5 it holds."""
    for price, x, excess, cost in ((2.0, 2.0, 1.0, 4.0), (5.0, 3.0, 0.0, 4.5), (np.inf, 3.0, 0.0, 4.5)):
        found = solve_band_qp(one_column(6, single(4, -1.0, -3.0, price)), np.zeros(6), SHARP)
        assert found.outcome.usable
        np.testing.assert_allclose(found.x, [0.0, 0.0, 0.0, 0.0, x, 0.0], atol=1e-8)
        assert found.excess[0] == pytest.approx(excess, abs=1e-8)
        assert found.multipliers[0] == pytest.approx(min(price, 3.0), rel=1e-8)
        assert found.cost == pytest.approx(cost, rel=1e-9)


def test_elastic_rows_that_contradict_one_another() -> None:
    """x <= -1 and x >= 1: the dearer one wins, the other pays."""
    rows = both(single(0, 1.0, -1.0, 30.0), single(0, -1.0, -1.0, 20.0))
    found = solve_band_qp(one_column(4, rows), np.zeros(4), SHARP)
    assert found.outcome.usable
    assert found.x[0] == pytest.approx(-1.0, abs=1e-8)
    np.testing.assert_allclose(found.excess, [0.0, 2.0], atol=1e-8)
    assert found.cost == pytest.approx(0.5 + 40.0, rel=1e-9)


def test_without_rows_it_is_a_linear_solve() -> None:
    program, start = random_program(np.random.default_rng(4), rows=0)
    found, written = solve_band_qp(program, start, SHARP), Written.of(program)
    free = ~program.held
    right = written.g + written.H[:, program.held] @ start[program.held]
    np.testing.assert_allclose(found.x[free], np.linalg.solve(written.H[np.ix_(free, free)], -right[free]), atol=1e-10)


def test_a_start_at_nothing_is_no_answer() -> None:
    """At x = 0 nothing is crossed and no product is left, but the pull says that more is to be gained."""
    program = one_column(6, NarrowRows.none(), gradient=-2.0)
    for tolerance in (1e-1, 1e-2, 1e-8):
        found = solve_band_qp(program, np.zeros(6), BandQpOptions(tolerance=tolerance))
        np.testing.assert_allclose(found.x, 2.0, rtol=1e-9)


def test_rows_that_look_at_held_unknowns_only_are_idle() -> None:
    program, start = random_program(np.random.default_rng(8), columns=2)
    held = np.zeros(len(start), dtype=bool)
    held[:8] = True  # four control points of both columns
    narrow = both(program.narrow, replace(single(0, 1.0, -50.0, np.inf), column=np.array([1])))
    coefficients = np.zeros((2, 8))
    coefficients[0, :3] = 1.0
    coefficients[1, -1] = 1e-3
    more = WideRows(np.array([0, 1]), coefficients, np.array([-90.0, 50.0]), np.full(2, np.inf))
    parts = ("first", "coefficients", "upper", "price")
    wide = WideRows(*(np.concatenate([getattr(program.wide, part), getattr(more, part)]) for part in parts))
    whole = BandProgram(program.hessian, program.gradient, narrow, wide, held)
    working = whole.without_idle_rows()
    seen = np.abs(Written.of(whole).A[:, ~held]).max(axis=1) > 0.0
    np.testing.assert_array_equal(working.upper, whole.upper[seen])
    assert -50.0 not in working.upper and -90.0 not in working.upper and 50.0 in working.upper
    assert working.without_idle_rows() is working


@pytest.mark.parametrize("wide", [False, True])
def test_hard_rows_without_an_answer_end_with_a_reason(wide: bool) -> None:
    """x[2] <= -1 and x[2] >= 1, alone and among others."""
    rows = both(single(2, 1.0, -1.0, np.inf), single(2, -1.0, -1.0, np.inf))
    for seed in range(5):
        program, start = random_program(np.random.default_rng(seed), columns=1, held=False)
        if wide:
            own = WideRows(rows.first, rows.coefficients, rows.upper, rows.price)
            program = replace(program, narrow=NarrowRows.none(), wide=own)
        else:
            program = replace(program, narrow=both(program.narrow, rows))
        found = solve_band_qp(program, start)
        assert found.outcome.status in (Status.STALLED, Status.OUT_OF_ITERATIONS)
        assert found.outcome.reason and found.outcome.iterations <= BandQpOptions().iterations
        assert np.all(np.isfinite(found.x))


def test_a_hard_row_over_held_unknowns_ends_too() -> None:
    program = one_column(6, single(0, 1.0, -1.0, np.inf))
    held = np.zeros(6, dtype=bool)
    held[:2] = True
    found = solve_band_qp(replace(program, held=held), np.zeros(6))
    assert not found.outcome.usable
    np.testing.assert_array_equal(found.x[:2], 0.0)


def test_too_few_iterations_say_so() -> None:
    program, start = random_program(np.random.default_rng(1))
    found = solve_band_qp(program, start, replace(SHARP, iterations=3))
    assert found.outcome.status is Status.OUT_OF_ITERATIONS
    assert "3 iterations" in found.outcome.reason


def test_the_start_decides_nothing() -> None:
    """But what is held."""
    program, start = random_program(np.random.default_rng(2))
    near = solve_band_qp(program, start, SHARP)
    far = solve_band_qp(program, np.where(program.held, start, start + 1e3), SHARP)
    np.testing.assert_allclose(near.x, far.x, atol=1e-6)
    np.testing.assert_array_equal(start, random_program(np.random.default_rng(2))[1])  # inputs stay
