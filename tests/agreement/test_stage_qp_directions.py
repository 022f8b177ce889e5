"""Three ways to a search direction, one answer: variables and all multipliers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.solvers.stage_qp.direction import METHODS, Method, search_direction
from animato.solvers.stage_qp.program import StageQP
from benchmarks.design_synthetic import BIKER, KICKBOT, SMALL, Sizes, problem
from tests.stage_program import Written, difference

TREE = Sizes(bodies=8, controls=3, design_balls=0, design_hinges=3, loops=0)
"""No quaternion among design and controls."""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("gauss_newton", [False, True])
@pytest.mark.parametrize("starts", [(0,), (0, 3, 4)])
@pytest.mark.parametrize("sizes", [SMALL, TREE])
def test_every_method_solves_the_program_as_written(
    method: Method, gauss_newton: bool, starts: tuple[int, ...], sizes: Sizes
) -> None:
    qp = problem(sizes, 6, gauss_newton=gauss_newton, seed=2, starts=starts)
    for shift in (0.0, 0.5):
        assert difference(search_direction(qp, method=method, shift=shift), Written(qp, shift).solved()) < 1e-10


@pytest.mark.parametrize("gauss_newton", [False, True])
@pytest.mark.parametrize(("sizes", "steps"), [(BIKER, 20), (KICKBOT, 20)])
def test_methods_agree_at_full_size(sizes: Sizes, steps: int, gauss_newton: bool) -> None:
    qp = problem(sizes, steps, gauss_newton=gauss_newton, seed=1)
    arrow = search_direction(qp)
    assert difference(search_direction(qp, method="ldlt"), arrow) < 1e-9
    assert difference(search_direction(qp, method="riccati"), arrow) < 1e-9


def test_methods_agree_over_a_long_motion() -> None:
    """The recursion as printed loses 20 % after 60 steps; with a symmetric cost-to-go it does not."""
    qp = problem(SMALL, 700, seed=2, starts=(0, 300))
    arrow = search_direction(qp)
    assert difference(search_direction(qp, method="ldlt"), arrow) < 1e-9
    assert difference(search_direction(qp, method="riccati"), arrow) < 1e-9


def test_methods_agree_where_bodies_make_whole_turns() -> None:
    """No fixed order of pivots suits a body at every angle; some stages must take their own."""
    qp = problem(SMALL, 41, seed=2, turns=2.0)
    arrow = search_direction(qp)
    assert arrow.repivoted
    assert difference(search_direction(qp, method="ldlt"), arrow) < 1e-9
    assert difference(search_direction(qp, method="riccati"), arrow) < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_mixed_curvature_of_design_and_controls(method: Method) -> None:
    qp = problem(SMALL, 6, seed=3)
    rng = np.random.default_rng(0)
    p, u = qp.design_count, qp.control_count
    rows, cols = np.divmod(np.arange(p * u), u)
    Hpu = replace(qp.Hpu, rows=rows, cols=cols, values=0.01 * rng.normal(size=(6, p * u)))
    mixed = replace(qp, Hpu=Hpu, dt=rng.uniform(0.02, 0.05, size=5))
    assert difference(search_direction(mixed, method=method), Written(mixed).solved()) < 1e-10


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_sign_is_noticed(method: Method) -> None:
    qp = problem(SMALL, 5, seed=3)
    found, wrong = search_direction(qp, method=method), Written(replace(qp, velocity=-qp.velocity)).solved()
    assert difference(found, wrong) > 1e-3


def shrunk(qp: StageQP, keep: slice) -> StageQP:
    """The same program with only some of its stages."""
    n = len(np.arange(qp.step_count)[keep])
    cut = {name: replace(getattr(qp, name), values=getattr(qp, name).values[keep]) for name in MATRICES}
    units = qp.control_units
    return replace(
        qp, **cut, Hvv=qp.Hvv[: n - 1], gv=qp.gv[: n - 1], velocity=qp.velocity[: n - 1],
        gp=qp.gp[keep], gu=qp.gu[keep], gs=qp.gs[keep], C=qp.C[keep],
        control_units=replace(units, gradients=units.gradients[keep], residuals=units.residuals[keep]),
    )  # fmt: skip


MATRICES = ("Hpp", "Hpu", "Hps", "Huu", "Hus", "Hss", "Cs", "Cu", "Cp")


@pytest.mark.parametrize("method", METHODS)
def test_one_stage_is_enough(method: Method) -> None:
    qp = shrunk(problem(SMALL, 4, seed=3), slice(0, 1))
    assert difference(search_direction(qp, method=method), Written(qp).solved()) < 1e-10


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "sizes",
    [
        Sizes(bodies=5, controls=2, design_balls=0, design_hinges=0, loops=0),
        Sizes(bodies=5, controls=0, design_balls=1, design_hinges=1, loops=0),
    ],
    ids=["no design", "no controls"],
)
def test_a_group_of_variables_may_be_empty(method: Method, sizes: Sizes) -> None:
    for gauss_newton in (False, True):
        qp = problem(sizes, 5, seed=4, gauss_newton=gauss_newton)
        assert difference(search_direction(qp, method=method), Written(qp).solved()) < 1e-10
