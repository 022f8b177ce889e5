"""Choices, tolerances, editing and clearance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character.joint import JointRole
from animato.design.optimization.solve import solve
from animato.design.options import DesignWeights, Options
from animato.design.problem.build import build
from animato.design.problem.target_motion import TargetMotion
from animato.design.study.choices import candidates, solve_choices
from animato.design.study.editing import hermite_offsets, mean_orientation, run_design
from animato.design.study.tolerances import design_tolerances
from animato.design.terms.clearance import clearances, colliding_pairs
from animato.design.terms.target import TrackingTarget
from animato.errors import MotionError, OptionError, UnknownNameError
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.spatial import quaternions
from tests.unit.design.small_robots import arm, crank_slider, four_bar


def test_choices_are_all_combinations_and_the_best_comes_first() -> None:
    """Two slow servos and two fast ones; only the fast follow a quick motion."""
    character = arm(configurable=False)
    options = {
        "shoulder": [{"servo": "XM540-W270"}, {"servo": "XL330-M077"}],
        "elbow": [{"servo": "XM540-W270"}, {"servo": "XL330-M077"}],
    }
    chosen = candidates(character, options)
    assert len(chosen) == 4 and chosen[0].label == "shoulder: XM540-W270; elbow: XM540-W270"
    assert chosen[0].servo_mass == pytest.approx(0.33)
    fast = 0.6 * np.sin(np.linspace(0, 12, 40))[:, None] * np.array([1.0, 0.5])
    path = loop_kinematics(build_mechanism(character), fast).positions("lower")
    target = TrackingTarget("lower", np.zeros(3), path, position_weights=(100.0, 100.0, 100.0))
    results = solve_choices(chosen, TargetMotion((target,), 20.0), Options(optimize="control", iterations=15))
    assert results[0].candidate.label.startswith("shoulder: XL330-M077")
    assert results[0].cost < 0.5 * results[-1].cost
    assert all(result.solution is not None for result in results)


def test_an_actuator_fewer() -> None:
    fewer = candidates(arm(configurable=False), {"elbow": [{}, {"role": "configurable"}]})
    assert [one.actuator_count for one in fewer] == [2, 1]
    assert fewer[1].character.joint("elbow").role is JointRole.CONFIGURABLE
    target = TrackingTarget("lower", np.zeros(3), np.zeros((3, 3)))
    failed = solve_choices(fewer[:1], [target], Options(optimize="design"))  # nothing is configurable there
    assert failed[0].solution is None and "configurable" in failed[0].reason and failed[0].cost == float("inf")
    with pytest.raises(OptionError, match="colour"):
        candidates(arm(), {"elbow": [{"colour": "red"}]})
    with pytest.raises(UnknownNameError, match="elbow"):
        candidates(arm(), {"elbw": [{}]})
    with pytest.raises(UnknownNameError, match="universal"):
        candidates(arm(), {"elbow": [{"type": "univeral"}]})


def test_tolerances_follow_first_order() -> None:
    """An arm of one metre: a frame that is off by an angle a moves the tip by a times its lever."""
    character = arm(configurable=False)
    controls = np.zeros((4, 2))
    tip = np.array([0.5, 0.0, 0.0])
    target = TrackingTarget("lower", tip, np.tile([1.0, 0.0, 0.0], (4, 1)))
    options = Options(optimize="control", iterations=0)
    exact = solve(build(character, TargetMotion((target,), controls=controls), options)).optimized
    none = design_tolerances(exact, length_m=0.0, angle_rad=0.0, samples=2)
    assert np.max(none.positions) < 1e-12 and none.stuck == 0
    report = design_tolerances(exact, length_m=0.0, angle_rad=1e-3, samples=120, seed=1)
    # two frames at the shoulder with a lever of 1 m, two at the elbow with 0.5 m; of the turns, those about the two
    # axes across the arm count
    expected = np.sqrt(2 * 2 * (1.0 + 0.25)) * 1e-3
    assert np.sqrt(np.mean(report.positions**2)) == pytest.approx(expected, rel=0.15)
    assert report.position_quantile_mm()[0] < 1e3 * 3 * expected
    double = design_tolerances(exact, length_m=0.0, angle_rad=2e-3, samples=120, seed=1)
    assert np.mean(double.positions) == pytest.approx(2 * np.mean(report.positions), rel=0.01)


def test_a_flat_loop_needs_play() -> None:
    controls = np.linspace(0.1, 0.5, 3)[:, None]
    character = four_bar()
    motion = loop_kinematics(build_mechanism(character), controls)
    target = TrackingTarget("rocker", np.zeros(3), motion.positions("rocker"))
    options = Options(optimize="control", iterations=0)
    solution = solve(build(character, TargetMotion((target,), controls=controls), options))
    report = design_tolerances(solution.optimized, samples=5)
    assert report.play.shape == (5,) and np.all(report.play > 1e-5)
    assert np.all(report.orientation_quantile_deg() > 0.0)
    with pytest.raises(OptionError, match="sample"):
        design_tolerances(solution.optimized, samples=0)


def test_editing_asks_for_what_was_edited() -> None:
    """Fig. 9 in small: run, pull at the path, find the design that does it with the same controls."""
    character = four_bar(configurable=True)
    controls = np.linspace(0.0, 2.0 * np.pi, 40)[:, None]
    made = run_design(replace(character, joints=tuple(_set(j, 0.06) for j in character.joints)), controls)
    before = run_design(character, controls, {"pin": ("coupler", (0.5, 0.0, 0.0))})["pin"]
    assert set(made) == {body.name for body in character.bodies}
    wanted = made["coupler"].target(orientation_weight=1.0)
    weights = DesignWeights(control=100.0, design=1e-9)
    solution = solve(build(character, TargetMotion((wanted,), controls=controls), Options(weights=weights)))
    assert solution.improvement_percent > 99.9
    assert solution.optimized.point.design[0] == pytest.approx(0.06, abs=1e-3)
    pulled = before.with_handles([0, 20], [[0, 0, 0], [0, 0.1, 0]], closed=True)
    assert np.allclose(pulled.positions[[0, 20]] - before.positions[[0, 20]], [[0, 0, 0], [0, 0.1, 0]], atol=1e-12)
    twice = before.transformed(2.0 * np.eye(3), (0.0, 0.0, 1.0))
    assert np.allclose(np.ptp(twice.positions, axis=0), 2.0 * np.ptp(before.positions, axis=0))
    assert np.allclose(twice.positions.mean(axis=0), before.positions.mean(axis=0) + np.array([0, 0, 1]))


def _set(joint: object, value: float) -> object:
    return replace(joint, configuration=(value,)) if joint.name == "length" else joint  # type: ignore[type-var, attr-defined]


def test_hermite_splines_meet_their_handles_smoothly() -> None:
    offsets = np.array([[0.0, 0, 0], [1.0, 0, 0], [0.0, 1, 0]])
    found = hermite_offsets(100, [10, 40, 90], offsets)
    assert np.allclose(found[[0, 10, 40, 90, 99]], offsets[[0, 0, 1, 2, 2]], atol=1e-12)
    assert np.max(np.abs(np.diff(found, 2, axis=0))) < 0.01
    tangents = np.tile([0.01, 0, 0], (3, 1))
    sloped = hermite_offsets(100, [10, 40, 90], np.zeros((3, 3)), tangents)
    assert (sloped[41, 0] - sloped[39, 0]) / 2 == pytest.approx(0.01, rel=0.1)  # over two steps of a curve
    closed = hermite_offsets(60, [10, 30, 50], offsets, closed=True)
    assert np.max(np.abs(closed[0] - closed[-1])) < 0.08  # no more than from any step to the next
    assert np.allclose(hermite_offsets(5, [2], [[1, 2, 3]]), [1, 2, 3])
    for steps in ([40, 10, 90], [10, 40, 100]):
        with pytest.raises(MotionError, match="Handles"):
            hermite_offsets(100, steps, offsets)


def test_orientations_are_amplified_about_their_mean() -> None:
    swing = 0.3 * np.sin(np.linspace(0, 2 * np.pi, 50, endpoint=False))
    turns = quaternions.quaternion_about((1.0, 0.0, 0.0), swing)
    character = four_bar()
    base = run_design(character, np.zeros((50, 1)))["crank"]
    made = replace(base, orientations_wxyz=turns)
    larger = made.amplified((2.0, 1.0, 1.0)).orientations_wxyz
    angles = quaternions.rotation_vector_from_quaternion(larger)[:, 0]
    assert np.allclose(angles, 2.0 * swing, atol=1e-9)
    assert np.allclose(np.abs(mean_orientation(turns)), [1, 0, 0, 0], atol=1e-12)
    lean = made.turned((0.0, 0.2, 0.0)).orientations_wxyz
    assert np.allclose(quaternions.angle_between(lean, turns), 0.2, atol=1e-9)


def test_clearance_between_a_box_and_a_capsule() -> None:
    pytest.importorskip("coal")
    mechanism = build_mechanism(crank_slider())
    assert colliding_pairs(mechanism, apart=1) == (("crank", "slider"),)
    turns = np.array([[0.0], [0.5]])
    states = loop_kinematics(mechanism, turns).states
    found = clearances(mechanism, states, far=5.0)
    assert found.pairs == ()  # two joints apart
    found = clearances(mechanism, states, pairs=[("crank", "slider")], far=5.0)
    # the capsule stands along z about the crank's origin, the box is 0.1 m wide about the slider's
    assert found.distances[0, 0] == pytest.approx(1.3 - 0.05 - 0.03, abs=1e-6)
    assert found.worst == (("crank", "slider"), 1) and found.smallest < found.distances[0, 0]
    bounded = clearances(mechanism, states, pairs=[("crank", "slider")], far=0.1)
    assert np.all(bounded.distances <= found.distances)


def test_bodies_keep_their_distance() -> None:
    pytest.importorskip("coal")
    character = crank_slider()
    mechanism = build_mechanism(character)
    wanted = loop_kinematics(mechanism, np.linspace(0.3, 1.0, 8)[:, None])
    target = TrackingTarget("slider", np.zeros(3), wanted.positions("slider"))
    from animato.design.terms.clearance_rows import ClearanceRows

    measured = clearances(mechanism, wanted.states, pairs=[("crank", "slider")], far=5.0).smallest
    rows = ClearanceRows(mechanism, (("crank", "slider"),), measured + 0.02, 1e4)
    problem = build(
        character, TargetMotion((target,), controls=wanted.controls), Options(optimize="control"), terms=[rows]
    )
    found = solve(problem).optimized
    after = clearances(mechanism, found.point.states, pairs=[("crank", "slider")], far=5.0).smallest
    assert after > measured + 0.019
