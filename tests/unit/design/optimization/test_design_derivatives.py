"""Every residual of a design problem against central differences."""

from __future__ import annotations

import numpy as np
import pytest

from animato.design.optimization.evaluation import DesignPoint, References, evaluated, normalized_point
from animato.design.optimization.program import ProgramBuilder
from animato.design.options import DesignWeights
from animato.design.problem.build import build
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms.barrier import Bounds, barrier
from animato.design.terms.clearance_rows import ClearanceRows
from animato.design.terms.singular_floor import SingularFloor, smallest_singular_vectors
from animato.design.terms.soft_rows import DroppedRows, SoftRows
from animato.design.terms.target import TrackingTarget
from animato.design.terms.tracking import packed_tracking
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.assembly.mobility import scaled_jacobian
from animato.mechanics.loops.constraints.mechanism import Mechanism
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.mechanics.loops.motion import LoopMotion
from tests.unit.design.small_robots import crank_slider, four_bar, two_legged_table

H = 1e-6


def _moved(mechanism: Mechanism, steps: int = 3) -> LoopMotion:
    wave = np.sin(np.linspace(0.1, 1.3, steps))[:, None]
    return loop_kinematics(mechanism, mechanism.controls + 0.3 * wave * np.ones(len(mechanism.controls)))


def _differences(rows: SoftRows, s: np.ndarray, u: np.ndarray, p: np.ndarray) -> list[np.ndarray]:
    """Central differences of soft rows with respect to states, controls and design, dense."""
    found = []
    for which, table in enumerate((s, u, np.tile(p, (len(s), 1)))):
        columns = []
        for n in range(table.shape[1]):
            ends = []
            for sign in (1.0, -1.0):
                moved = [s.copy(), u.copy(), p.copy()]
                moved[which][..., n] += sign * H
                ends.append(rows.evaluated(moved[0], moved[1], moved[2]).values)
            columns.append((ends[0] - ends[1]) / (2.0 * H))
        found.append(np.stack(columns, axis=2) if columns else np.zeros((len(s), len(rows.weights), 0)))
    return found


def test_barrier_is_smooth_and_convex() -> None:
    t = np.array([-1.0, -0.01, 0.0199, 0.0201, 0.3, 0.999, 1.0, 1.2])
    value, slope, bend = barrier(t)
    h = 1e-7
    assert np.allclose((barrier(t + h)[0] - barrier(t - h)[0]) / (2 * h), slope, rtol=1e-5, atol=1e-8)
    smooth = np.abs(t - 0.02) > 1e-3
    change = (barrier(t + h)[1] - barrier(t - h)[1]) / (2 * h)
    assert np.allclose(change[smooth], bend[smooth], rtol=1e-5, atol=1e-6)
    assert np.all(value >= 0.0) and np.all(bend >= 0.0) and value[-1] == 0.0
    assert barrier(np.array([0.5]))[0][0] == pytest.approx(-(np.log(0.5) ** 3), abs=1e-15)


def test_bounds_feel_a_limit_ahead() -> None:
    bounds = Bounds.between(np.array([-np.inf, -1.0]), np.array([2.0, 1.0]), np.array([0.1, 0.1]))
    x = np.array([[0.0, 0.5]])
    gradient, curvature = bounds.derivatives(x)
    assert np.all(gradient == 0.0) and np.all(curvature == 0.0)
    _, felt = bounds.derivatives(x, ahead=np.array([[0.0, 1.2]]))
    assert felt[0, 0] == 0.0 and felt[0, 1] > 1.0


def test_tracking_rows_and_their_curvature() -> None:
    mechanism = build_mechanism(four_bar())
    motion = _moved(mechanism)
    rng = np.random.default_rng(3)
    turns = rng.standard_normal((3, 4))
    target = TrackingTarget(
        "coupler", np.array([0.3, 0.2, 0.1]), rng.standard_normal((3, 3)), turns, (1.0, 2.0, 3.0), 0.5
    )
    tracking = packed_tracking(mechanism, [[target]])
    s = motion.states
    jacobian = np.zeros((3, tracking.row_count, s.shape[1]))
    jacobian[:, tracking.rows, tracking.cols] = tracking.jacobian(s)
    curvature = np.zeros((3, s.shape[1], s.shape[1]))
    q = 7 * mechanism.body_index("coupler") + np.arange(3, 7)
    curvature[:, q[:, None], q] = tracking.curvature(tracking.residuals(s))[:, 0]
    w = tracking.weights
    for n in range(s.shape[1]):
        ahead, back = s.copy(), s.copy()
        ahead[:, n] += H
        back[:, n] -= H
        difference = (tracking.residuals(ahead) - tracking.residuals(back)) / (2 * H)
        assert np.allclose(difference, jacobian[:, :, n], atol=1e-8)
        later, before = jacobian.copy(), jacobian.copy()
        later[:, tracking.rows, tracking.cols] = tracking.jacobian(ahead)
        before[:, tracking.rows, tracking.cols] = tracking.jacobian(back)
        bent = np.einsum("nrs,nr->ns", (later - before) / (2 * H), w * tracking.residuals(s))
        assert np.allclose(bent, curvature[:, :, n], atol=1e-7)


def test_orientation_rows_carry_the_matrix_norm() -> None:
    from animato.spatial import quaternions

    mechanism = build_mechanism(four_bar())
    motion = _moved(mechanism)
    turns = np.random.default_rng(4).standard_normal((3, 4))
    target = TrackingTarget("coupler", np.zeros(3), None, turns, orientation_weight=1.0)
    rows = packed_tracking(mechanism, [[target]]).residuals(motion.states)
    apart = quaternions.matrix_from_quaternion(motion.quaternions_wxyz("coupler")) - quaternions.matrix_from_quaternion(
        target.orientations_wxyz
    )
    assert np.allclose(np.sum(rows**2, axis=1), np.sum(apart**2, axis=(1, 2)), atol=1e-12)


def test_dropped_rows_of_a_flat_linkage() -> None:
    mechanism = build_mechanism(four_bar())
    motion = _moved(mechanism)
    rows = DroppedRows.of(mechanism, DesignWeights())
    assert len(rows.weights) == 3
    _check(rows, motion.states, motion.controls, motion.design, 1e-8)


def test_surplus_rows_of_too_many_actuators() -> None:
    mechanism = build_mechanism(two_legged_table())
    assert mechanism.counts.redundant_active == 1
    motion = loop_kinematics(mechanism, np.array([[0.1, 0.1], [0.2, 0.2]]))
    rows = DroppedRows.of(mechanism, DesignWeights(actuators=7.0))
    assert 7.0 in rows.weights
    _check(rows, motion.states, motion.controls + 0.05, motion.design, 1e-8)


@pytest.mark.parametrize("robot", [crank_slider, two_legged_table])
def test_singular_value_and_its_slope(robot: object) -> None:
    mechanism = build_mechanism(robot())  # type: ignore[operator]
    motion = loop_kinematics(mechanism, mechanism.controls + np.array([[0.3], [0.5]]))
    value, _, _, _ = smallest_singular_vectors(mechanism, motion.states, motion.controls, motion.design)
    for k in range(2):
        chosen = np.concatenate([mechanism.kept, mechanism.row_indices("surplus")])
        whole = scaled_jacobian(mechanism, motion.states[k], motion.controls[k])[chosen]
        assert value[k] == pytest.approx(np.linalg.svd(whole)[1][-1], rel=1e-7)
    assert np.allclose(value, motion.smallest_singular_value, rtol=1e-3)  # which approaches from above
    floor = SingularFloor(mechanism, float(2.0 * value.max()), 1.0)
    _check(floor, motion.states, motion.controls, motion.design, 2e-5)
    calm = SingularFloor(mechanism, float(0.5 * value.min()), 1.0)
    assert np.all(calm.evaluated(motion.states, motion.controls, motion.design).values == 0.0)


def test_clearance_rows() -> None:
    pytest.importorskip("coal")
    mechanism = build_mechanism(crank_slider())
    motion = _moved(mechanism)
    rows = ClearanceRows(mechanism, (("slider", "crank"),), 2.0, 1.0)
    assert np.all(rows.evaluated(motion.states, motion.controls, motion.design).values > 0.0)
    # coal itself is good to some 1e-8, which differences of 1e-6 magnify
    _check(rows, motion.states, motion.controls, motion.design, 2e-4)


def _check(rows: SoftRows, s: np.ndarray, u: np.ndarray, p: np.ndarray, tolerance: float) -> None:
    found = rows.evaluated(s, u, p)
    for pattern, values, expected in zip(
        (rows.state, rows.control, rows.design),
        (found.state, found.control, found.design),
        _differences(rows, s, u, p),
        strict=True,
    ):
        assert np.allclose(pattern.dense(values), expected, atol=tolerance)


def test_the_program_is_the_taylor_series_of_the_objective() -> None:
    """Gradients against differences of the objective, and the exact Hessian against differences of gradients."""
    character = four_bar(configurable=True)
    mechanism = build_mechanism(character)
    motion = _moved(mechanism, 4)
    target = TrackingTarget("coupler", np.array([0.3, 0.2, 0.0]), motion.positions("coupler") + 0.1)
    problem = build(character, TargetMotion((target,), 10.0, motion.controls + 0.01))
    point = DesignPoint(motion.design, motion.controls, motion.states)
    references = References(motion.design + 0.1, motion.controls + 0.2, 0.3)
    builder = ProgramBuilder(problem)
    rng = np.random.default_rng(0)
    multipliers = rng.standard_normal((4, builder.size))

    def gradient(p: np.ndarray, u: np.ndarray, s: np.ndarray) -> tuple[float, np.ndarray]:
        """Objective, and the derivative of f - lambda^T c along (dp, du, ds)."""
        at = evaluated(problem, DesignPoint(p, u, s), references)
        qp = builder.program(at, references)
        n = builder.states
        soft = at.soft[0].values
        lagrangian = at.objective.total - np.sum(multipliers[:, :n] * at.jacobians.values)
        # the soft states e follow r, so their part of f is in the objective already and their rows hold
        lagrangian += np.sum(multipliers[:, n:] * soft) - 0.5 * np.sum(builder.soft_weights * soft**2)
        return float(lagrangian), np.array([np.sum(qp.gv * np.diff(du, axis=0)) * 10.0 + np.sum(qp.gu * du)])

    dp, du, ds = (rng.standard_normal(part.shape) for part in (point.design, point.controls, point.states))
    at = evaluated(problem, point, references)
    qp = builder.program(at, references, multipliers=multipliers)
    n = builder.states
    h = 1e-4
    values = [
        gradient(point.design + k * h * dp, point.controls + k * h * du, point.states + k * h * ds)[0]
        for k in (-1, 0, 1)
    ]
    second = (values[0] - 2.0 * values[1] + values[2]) / h**2
    dv = np.diff(du, axis=0) * 10.0
    full = np.hstack([ds, np.zeros((4, builder.size - n))])
    expected = np.sum(qp.Hvv * dv**2)
    for matrices, left, right, times in (
        (qp.Hpp, np.tile(dp, (4, 1)), np.tile(dp, (4, 1)), 1.0),
        (qp.Huu, du, du, 1.0),
        (qp.Hss, full, full, 1.0),
        (qp.Hpu, np.tile(dp, (4, 1)), du, 2.0),
        (qp.Hps, np.tile(dp, (4, 1)), full, 2.0),
        (qp.Hus, du, full, 2.0),
    ):
        expected += times * np.einsum("ni,nij,nj->", left, matrices.dense(), right)
    assert second == pytest.approx(expected, rel=1e-6)
    first = (values[2] - values[0]) / (2.0 * h)
    slope = np.sum(qp.gv * dv) + np.sum(qp.gu * du) + np.sum(qp.gp * dp) + np.sum(qp.gs[:, :n] * ds)
    found = at.jacobians
    rows = found.rows
    for pattern, entries, change in (
        (rows.state, found.state, ds),
        (rows.control, found.control, du),
        (rows.design, found.design, np.tile(dp, (4, 1))),
    ):
        slope -= np.einsum("nr,nrs,ns->", multipliers[:, :n], pattern.dense(entries), change)
    soft_rows, soft = problem.terms[0], at.soft[0]
    for pattern, entries, change in (
        (soft_rows.state, soft.state, ds),
        (soft_rows.control, soft.control, du),
        (soft_rows.design, soft.design, np.tile(dp, (4, 1))),
    ):
        slope += np.einsum("nr,nrs,ns->", multipliers[:, n:], pattern.dense(entries), change)
    assert first == pytest.approx(slope, rel=1e-6)


def test_normalizing_keeps_the_direction() -> None:
    mechanism = build_mechanism(four_bar())
    stretched = 1.5 * mechanism.state[None]
    back = normalized_point(mechanism, DesignPoint(mechanism.design, mechanism.controls[None], stretched)).states
    turns = back.reshape(1, -1, 7)[..., 3:]
    assert np.allclose(np.linalg.norm(turns, axis=2), 1.0, atol=1e-15)
