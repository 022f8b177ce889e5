"""Solves with C_s at many steps against dense ones, also where the order of pivots does not serve."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import OptionError
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.constraints.factor import constraint_solver, factor_constraints
from animato.mechanics.loops.constraints.sensitivity import sensitivities, sensitivity_pattern
from animato.mechanics.loops.constraints.values import constraint_jacobians
from animato.mechanics.loops.kinematics import loop_kinematics
from tests import mechanism_builders as known


def test_factors_agree_with_dense_ones(rng: np.random.Generator) -> None:
    mechanism = build_mechanism(known.bennett()[0])
    motion = loop_kinematics(mechanism, np.linspace(0.0, 1.5, 13)[:, None])
    jacobians = constraint_jacobians(mechanism, motion.states, motion.controls)
    factors = factor_constraints(mechanism, jacobians.state)
    dense = jacobians.rows.state.dense(jacobians.state)
    right = rng.normal(size=(13, len(mechanism.kept), 3))
    np.testing.assert_allclose(factors.solve(right), np.linalg.solve(dense, right), rtol=1e-9, atol=1e-9)
    back = np.linalg.solve(dense.transpose(0, 2, 1), right)
    np.testing.assert_allclose(factors.solve_transposed(right), back, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(factors.determinant_sign, np.linalg.slogdet(dense)[0])
    last = factors.at(12)
    np.testing.assert_allclose(last.solve(right[12:]), factors.solve(right)[12:], rtol=1e-12)


def test_bad_pivots_are_replaced() -> None:
    """At each step another pivot is spoiled; where the matrix can still be solved with, the answer stays right."""
    mechanism = build_mechanism(known.four_bar(tilt=True))
    size = len(mechanism.kept)
    motion = loop_kinematics(mechanism, np.zeros((size, 1)))
    jacobians = constraint_jacobians(mechanism, motion.states, motion.controls)
    rows, symbolic = jacobians.rows, constraint_solver(mechanism).symbolic
    place = {pair: n for n, pair in enumerate(zip(rows.state.rows, rows.state.columns, strict=True))}
    for step, pair in enumerate(zip(symbolic.row_order, symbolic.col_order, strict=True)):
        if pair in place:
            jacobians.state[step, place[pair]] = 1e-11
    factors = factor_constraints(mechanism, jacobians.state)
    dense = rows.state.dense(jacobians.state)
    good = np.linalg.cond(dense) < 1e6
    assert any(good[step] for step in factors.factors.dense)
    right = np.concatenate([rows.control.dense(jacobians.control), rows.design.dense(jacobians.design)], axis=2)
    found = sensitivities(jacobians, factors)
    np.testing.assert_allclose(found[good], np.linalg.solve(dense[good], right[good]), rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(factors.determinant_sign[good], np.linalg.slogdet(dense[good])[0])


def test_sensitivities() -> None:
    mechanism = build_mechanism(known.four_bar(tilt=True))
    motion = loop_kinematics(mechanism, np.linspace(0.0, 1.0, 11)[:, None])
    jacobians = constraint_jacobians(mechanism, motion.states, motion.controls)
    factors = factor_constraints(mechanism, jacobians.state)
    found = sensitivities(jacobians, factors)
    dense = jacobians.rows.state.dense(jacobians.state)
    right = np.concatenate(
        [jacobians.rows.control.dense(jacobians.control), jacobians.rows.design.dense(jacobians.design)], axis=2
    )
    np.testing.assert_allclose(found, np.linalg.solve(dense, right), atol=1e-10)
    assert not np.any(found[:, ~sensitivity_pattern(mechanism)])
    again = sensitivities(jacobians, factors, out=found.copy())
    np.testing.assert_array_equal(again, found)
    with pytest.raises(OptionError, match="must be contiguous with the shape"):
        sensitivities(jacobians, factors, out=np.zeros((1, 2, 3)))


def test_sensitivities_are_slopes_of_the_motion() -> None:
    """Against differences of forward kinematics."""
    mechanism = build_mechanism(known.four_bar())
    step = 1e-5
    motion = loop_kinematics(mechanism, np.array([[0.3 - step], [0.3], [0.3 + step]]))
    jacobians = constraint_jacobians(mechanism, motion.states[1], motion.controls[1])
    slope = -sensitivities(jacobians, factor_constraints(mechanism, jacobians.state))[0, :, 0]
    np.testing.assert_allclose(slope, (motion.states[2] - motion.states[0]) / (2.0 * step), atol=1e-8)
