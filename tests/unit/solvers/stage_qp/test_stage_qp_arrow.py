from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.algebra.banded_arrow import factor_banded_arrow
from animato.algebra.sparse_lu import dense_matrix, factor
from animato.algebra.sparse_lu_analysis import SingularMatrixError, SymbolicLU
from animato.errors import OptionError, UnknownNameError
from animato.solvers.stage_qp.direction import analyse_program, search_direction
from animato.solvers.stage_qp.tangents import tangents
from benchmarks.design_synthetic import SMALL, problem
from tests.stage_program import Written, difference


def test_reported_inertia_is_that_of_the_reduced_hessian() -> None:
    for seed in (2, 3, 5):
        qp = problem(SMALL, 3, seed=seed)
        assert search_direction(qp).negative_pivots == Written(qp).negative_eigenvalues()


def test_convexify_shifts_until_the_program_is_convex_and_not_much_further() -> None:
    qp = problem(SMALL, 3, seed=3)
    bent = replace(qp, Huu=replace(qp.Huu, values=qp.Huu.values - 40.0 * (qp.Huu.rows == qp.Huu.cols)))
    plain = search_direction(bent)
    assert plain.negative_pivots > 0
    assert plain.shift == 0.0
    found = search_direction(bent, convexify=True)
    assert found.negative_pivots == plain.negative_pivots
    assert Written(bent, found.shift).negative_eigenvalues() == 0
    assert Written(bent, found.shift / 2.0).negative_eigenvalues() > 0
    assert difference(found, Written(bent, found.shift).solved()) < 1e-10


def test_a_convex_program_is_left_alone() -> None:
    qp = problem(SMALL, 6, seed=3, gauss_newton=True)
    found = search_direction(qp, convexify=True)
    assert found.shift == 0.0
    assert found.negative_pivots == 0
    assert found.residual < 1e-12


def test_an_analysis_serves_the_next_program() -> None:
    qp, rng = problem(SMALL, 6, seed=3), np.random.default_rng(0)
    moved = replace(
        qp,
        gs=rng.normal(size=qp.gs.shape),
        Cs=replace(qp.Cs, values=qp.Cs.values * rng.uniform(0.95, 1.05, qp.Cs.values.shape)),
        design_units=replace(qp.design_units, gradients=rng.normal(size=qp.design_units.gradients.shape)),
    )
    analysis = search_direction(qp).analysis
    again = search_direction(moved, analysis=analysis)
    assert again.analysis is analysis
    assert difference(again, Written(moved).solved()) < 1e-10


def spoiled(symbolic: SymbolicLU, values: np.ndarray) -> np.ndarray:
    """Entries of a matrix with an inverse as good as before, but with a pivot that vanishes."""
    for row, col in zip(symbolic.row_order, symbolic.col_order, strict=True):
        changed = np.where((symbolic.rows == row) & (symbolic.cols == col), 1e-13, values)
        good = np.linalg.cond(dense_matrix(symbolic, changed)) < 1e4
        if good and factor(symbolic, changed[None]).repivoted:
            return changed
    raise AssertionError("no pivot can be spared")


@pytest.mark.parametrize("gauss_newton", [False, True])
def test_a_stage_with_pivots_of_its_own_gives_the_same_answer(gauss_newton: bool) -> None:
    qp = problem(SMALL, 12, seed=3, gauss_newton=gauss_newton)
    analysis = analyse_program(qp)
    values = qp.Cs.values.copy()
    values[9] = spoiled(analysis.symbolic, values[9])
    broken = replace(qp, Cs=replace(qp.Cs, values=values))
    found = search_direction(broken, analysis=analysis)
    assert found.repivoted == (9,)
    assert difference(found, Written(broken).solved()) < 1e-9


@pytest.mark.parametrize("stage", [0, 5])
def test_singular_kinematics_name_the_stage(stage: int) -> None:
    qp = problem(SMALL, 12, seed=3)
    values = qp.Cs.values.copy()
    values[stage, qp.Cs.rows == 0] = 0.0
    broken = replace(qp, Cs=replace(qp.Cs, values=values))
    for analysis in (None, analyse_program(qp)):
        with pytest.raises(SingularMatrixError, match=f"at stage {stage}:"):
            search_direction(broken, analysis=analysis)


def test_kinematics_that_are_never_solvable_are_an_error() -> None:
    qp = problem(SMALL, 4, seed=3)
    values = np.where(qp.Cs.rows == 0, 0.0, qp.Cs.values)
    with pytest.raises(SingularMatrixError, match="no inverse"):
        search_direction(replace(qp, Cs=replace(qp.Cs, values=values)))


def test_between_motions_nothing_is_linked() -> None:
    qp = problem(SMALL, 6, seed=3, starts=(0, 3))
    loud = replace(qp, velocity=qp.velocity.copy(), gv=qp.gv.copy())
    loud.velocity[2], loud.gv[2] = 1e3, 1e3
    found, quiet = search_direction(loud), search_direction(qp)
    assert difference(found, quiet) == 0.0
    assert np.all(found.dv[2] == 0.0)


def test_bad_input_is_named() -> None:
    qp = problem(SMALL, 5, seed=3)
    with pytest.raises(OptionError, match="Hvv of a stage program"):
        replace(qp, Hvv=qp.Hvv[1:])
    with pytest.raises(OptionError, match="Cu of a stage program"):
        replace(qp, Cu=qp.Cp)
    with pytest.raises(OptionError, match="Motions start at"):
        replace(qp, starts=(1,))
    tracked = problem(SMALL, 5, seed=3, gauss_newton=True).tracked
    with pytest.raises(OptionError, match="not both"):
        replace(qp, tracked=tracked)
    with pytest.raises(UnknownNameError, match="Did you mean 'riccati'"):
        search_direction(qp, method="ricati")  # type: ignore[arg-type]


def test_tangents_are_orthonormal_and_solve_the_unit_rows() -> None:
    qp = problem(SMALL, 5, seed=3)
    units = qp.control_units
    base = tangents(units, qp.control_count)
    Z = base.dense()
    rows = np.zeros((5, units.count, qp.control_count))
    for i, columns in enumerate(units.columns):
        rows[:, i, columns] = units.gradients[:, i]
    assert np.abs(Z.transpose(0, 2, 1) @ Z - np.eye(base.count)).max() < 1e-14
    assert np.abs(rows @ Z).max() < 1e-14
    assert np.abs((rows @ base.special[:, :, None])[:, :, 0] + units.residuals).max() < 1e-14


@pytest.mark.parametrize("border", [0, 3, 20])
def test_bordered_band(border: int) -> None:
    rng = np.random.default_rng(0)
    n, width = 30, 4
    full = np.zeros((n + border, n + border))
    full[:n, :n] = np.tril(np.triu(rng.normal(size=(n, n)), -width))
    full[:n, n:] = 0.0
    full[n:] = rng.normal(size=(border, n + border))
    full = np.tril(full) + np.tril(full, -1).T + 12.0 * np.diag(rng.choice([-1.0, 1.0, 1.0], n + border))
    band = np.zeros((n, width + 1))
    for d in range(width + 1):
        band[d:, width - d] = np.diagonal(full[:n, :n], -d)
    arrow = factor_banded_arrow(band, full[:n, n:], full[n:, n:])
    assert arrow.negative == (np.linalg.eigvalsh(full) < 0.0).sum()
    rhs = rng.normal(size=n + border)
    assert np.abs(full @ np.concatenate(arrow.solve(rhs[:n], rhs[n:])) - rhs).max() < 1e-9
    convex = factor_banded_arrow(band, full[:n, n:], full[n:, n:], 60.0, 60.0)
    assert convex.convex
    shifted = full + 60.0 * np.eye(n + border)
    assert np.abs(shifted @ np.concatenate(convex.solve(rhs[:n], rhs[n:])) - rhs).max() < 1e-10
