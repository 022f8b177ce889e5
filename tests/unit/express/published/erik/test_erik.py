"""ERIK as a whole: answers, limits, hyper-parameters, published figures."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.errors import MotionError, OptionError, UnknownNameError
from animato.express.facing.errors import ErrorWeights, facing_errors
from animato.express.published.erik.algebra import quaternion, rotate
from animato.express.published.erik.descent import bwcd_posture, bwcd_solution, ccd
from animato.express.published.erik.hyper_parameters import ErikHyperParameters
from animato.express.published.erik.pose import Pose, direction, set_angles
from animato.express.published.erik.solver import (
    ErikBatch,
    ErikModel,
    ErikStatus,
    build_erik,
    solve_erik,
    solve_erik_batch,
)
from animato.express.sweep.samples import build_sweep, random_samples
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.chains import Chain, build_chain, tip_orientations
from animato.spatial import quaternions

SKELETONS = "abcdefg"


@functools.cache
def chain_of(skeleton: str) -> Chain:
    return build_chain(load_character(f"skeleton_{skeleton}"), "tip")


@functools.cache
def sample_of(skeleton: str, count: int = 300, seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    part = random_samples(build_sweep(chain_of(skeleton)), count, seed)
    return part.postures, part.targets_wxyz


def solved(skeleton: str, **hyper_parameters: float | bool) -> ErikBatch:
    return solve_erik_batch(build_erik(chain_of(skeleton), **hyper_parameters), *sample_of(skeleton))


def pose_at(model: ErikModel, positions: np.ndarray) -> Pose:
    count = len(positions)
    pose = Pose(np.zeros(count), np.zeros((count + 1, 4)))
    set_angles(model.joints, pose, positions)
    return pose


@pytest.mark.parametrize("skeleton", SKELETONS)
def test_answers_are_within_limits_and_their_errors_are_true(skeleton: str) -> None:
    chain = chain_of(skeleton)
    postures, targets = sample_of(skeleton)
    batch = solved(skeleton)
    assert np.all(batch.positions >= chain.arrays.lower) and np.all(batch.positions <= chain.arrays.upper)
    measured = facing_errors(chain, batch.positions, postures, targets)
    for name in ("combined", "orientation", "posture", "shape"):
        np.testing.assert_allclose(getattr(batch, name), getattr(measured, name), atol=1e-7)
    assert np.array_equal(batch.within_threshold, batch.combined <= 0.04)


@pytest.mark.parametrize("skeleton", SKELETONS)
def test_a_target_that_the_posture_faces_already_costs_nothing(skeleton: str, rng: np.random.Generator) -> None:
    chain = chain_of(skeleton)
    postures = 0.9 * rng.uniform(chain.arrays.lower, chain.arrays.upper, (100, len(chain.names)))
    targets = tip_orientations(chain, postures)
    batch = solve_erik_batch(build_erik(chain, lalut_step=1e-3), postures, targets)
    # the linear latitude table is off by up to a quarter of its step where a joint is straight
    assert np.max(batch.combined) < 2e-3
    assert np.all(batch.iterations == 1)


def test_the_published_error_of_skeleton_c_is_reached() -> None:
    postures, targets = sample_of("c", 2000)
    batch = solve_erik_batch(build_erik(chain_of("c")), postures, targets)
    assert np.mean(batch.combined) < 1.15 * 0.026614
    assert np.std(batch.combined) == pytest.approx(0.0213, rel=0.15)
    assert np.mean(batch.iterations) == pytest.approx(2.31, rel=0.1)


def test_more_joints_hold_a_posture_better_as_published() -> None:
    mean = {skeleton: np.mean(solved(skeleton).combined) for skeleton in SKELETONS}
    assert mean["a"] > mean["b"] > mean["c"] > mean["e"] > mean["d"] > mean["f"] > mean["g"]


def test_the_same_arguments_give_the_same_answer() -> None:
    first, again = solved("g"), solved("g")
    assert np.array_equal(first.positions, again.positions)
    postures, targets = sample_of("g")
    one = solve_erik(build_erik(chain_of("g")), postures[5], targets[5])
    assert np.array_equal(one.positions, first.positions[5])
    assert one.errors.combined == first.combined[5] and one.iterations == first.iterations[5]


CHANGES: dict[str, float | bool] = {
    "orientation_error_weight": 3.0,
    "posture_error_weight": 1.0,
    "error_aggravation": 1.0,
    "threshold_epsilon": 0.01,
    "max_erik_iterations": 1,
    "max_ccd_iterations": 1,
    "ccd_precision": 1e-3,
    "precision": 0.02,
    "nonconv_patience": 1,
    "disturbance_theta": 0.1,
    "lalut_step": 0.1,
    "symmetric_endpoint": False,
    "avoid_joint_edges": False,
    "nonconv_offset_trick": False,
    "nonconv_ccd_trick": False,
    "posture_twists_target": True,
    "shape_error": True,
}


def test_every_hyper_parameter_is_tried() -> None:
    assert set(CHANGES) == set(ErikHyperParameters._fields)


@pytest.mark.parametrize("name", CHANGES)
def test_a_hyper_parameter_has_an_effect(name: str) -> None:
    chain = chain_of("c")
    postures, targets = sample_of("c")
    postures = postures.copy()
    postures[:, -1] = 0.3
    usual = solve_erik_batch(build_erik(chain), postures, targets)
    changed = solve_erik_batch(build_erik(chain, **{name: CHANGES[name]}), postures, targets)
    assert not np.array_equal(usual.positions, changed.positions)


def test_the_extensions_lower_the_error() -> None:
    usual = np.mean(solved("c").combined)
    for name in ("symmetric_endpoint", "avoid_joint_edges", "nonconv_ccd_trick"):
        assert np.mean(solved("c", **{name: False}).combined) > usual


def test_weights_are_those_of_the_error() -> None:
    postures, targets = sample_of("c")
    batch = solved("c", orientation_error_weight=2.0, posture_error_weight=0.5, error_aggravation=1.5)
    measured = facing_errors(chain_of("c"), batch.positions, postures, targets, ErrorWeights(2.0, 0.5, 1.5, True))
    np.testing.assert_allclose(batch.combined, measured.combined, atol=1e-7)


@pytest.mark.parametrize("skeleton", "bcdefg")
def test_bwcd_turns_a_posture_to_its_target(skeleton: str, rng: np.random.Generator) -> None:
    chain = chain_of(skeleton)
    model = build_erik(chain, max_ccd_iterations=100)
    for _ in range(50):
        pose = pose_at(model, rng.uniform(-1.2, 1.2, len(chain.names)))
        target = rng.normal(size=3)
        aim = tuple(float(x) for x in target / np.linalg.norm(target))
        bwcd_posture(model.joints, model.hyper_parameters, pose, aim)
        facing = direction(quaternion(pose.basis[-1]))
        # ccd_precision bounds (1 - cos) / 2
        assert np.dot(facing, aim) >= 1.0 - 2.0 * model.hyper_parameters.ccd_precision - 1e-12
        again = pose_at(model, pose.angle)
        assert np.allclose(np.abs(np.sum(again.basis * pose.basis, axis=1)), 1.0, atol=1e-10)


def test_descents_on_solutions_never_break_limits(rng: np.random.Generator) -> None:
    chain = chain_of("e")
    model = build_erik(chain)
    nearer = 0
    for n in range(60):
        start = rng.uniform(chain.arrays.lower, chain.arrays.upper)
        pose = pose_at(model, start)
        q = rng.normal(size=4)
        target = tuple(float(x) for x in q / np.linalg.norm(q))
        wanted = rotate((0.0, 0.0, 1.0), target)
        before = np.dot(direction(quaternion(pose.basis[-1])), wanted)
        (bwcd_solution if n % 2 else ccd)(model.joints, model.hyper_parameters, pose, target)
        assert np.all(pose.angle >= chain.arrays.lower) and np.all(pose.angle <= chain.arrays.upper)
        nearer += np.dot(direction(quaternion(pose.basis[-1])), wanted) >= before - 1e-9
    assert nearer == 60


def test_the_previous_solution_is_the_start() -> None:
    postures, targets = sample_of("c")
    model = build_erik(chain_of("c"))
    fresh = solve_erik_batch(model, postures, targets)
    again = solve_erik_batch(model, postures, targets, fresh.positions)
    assert np.all(again.combined <= fresh.combined + 1e-7)  # a square root of rounding
    first = solve_erik(model, postures[0], targets[0], previous=np.full(5, 9.0))
    assert np.all(first.positions <= chain_of("c").arrays.upper)


def test_a_status_says_how_good_the_answer_is() -> None:
    postures, targets = sample_of("a")
    model = build_erik(chain_of("a"))
    batch = solve_erik_batch(model, postures, targets)
    good, bad = int(np.argmin(batch.combined)), int(np.argmax(batch.combined))
    assert solve_erik(model, postures[good], targets[good]).status is ErikStatus.WITHIN_THRESHOLD
    worst = solve_erik(model, postures[bad], targets[bad])
    assert worst.status is ErikStatus.BEST_FOUND and worst.errors.combined > 0.04
    assert "best" in worst.status.value


@pytest.mark.parametrize("trouble", ["nan target", "zero target", "nan posture", "infinite posture"])
def test_values_that_are_no_numbers_give_the_previous_solution(trouble: str) -> None:
    model = build_erik(chain_of("c"))
    posture, target = np.zeros(5), np.array([1.0, 0.0, 0.0, 0.0])
    if "target" in trouble:
        target = np.full(4, math.nan) if "nan" in trouble else np.zeros(4)
    else:
        posture[2] = math.nan if "nan" in trouble else math.inf
    previous = np.array([0.1, -0.2, 0.3, 0.4, 9.0])
    solution = solve_erik(model, posture, target, previous)
    assert solution.status is ErikStatus.INVALID_INPUT
    assert math.isnan(solution.errors.combined)
    np.testing.assert_allclose(solution.positions, [0.1, -0.2, 0.3, 0.4, math.pi / 2])
    lost = solve_erik(model, np.zeros(5), [1.0, 0.0, 0.0, 0.0], previous=np.full(5, math.nan))
    assert lost.status is ErikStatus.WITHIN_THRESHOLD


@settings(max_examples=60, deadline=None)
@given(
    limits=st.lists(st.tuples(st.floats(-3.0, 3.0), st.floats(0.0, 3.0)), min_size=5, max_size=5),
    posture=st.lists(st.floats(-4.0, 4.0), min_size=5, max_size=5),
    target=st.lists(st.floats(-2.0, 2.0), min_size=4, max_size=4),
)
def test_any_limits_are_held_for_any_input(
    limits: list[tuple[float, float]], posture: list[float], target: list[float]
) -> None:
    chain = chain_of("c")
    lower = np.array([middle - half for middle, half in limits])
    upper = np.array([middle + half for middle, half in limits])
    narrow = replace(chain, arrays=chain.arrays._replace(lower=lower, upper=upper))
    solution = solve_erik(build_erik(narrow, lalut_step=0.1), posture, target)
    assert np.all(solution.positions >= lower) and np.all(solution.positions <= upper)


def test_a_chain_that_is_bent_at_zero_faces_its_targets(rng: np.random.Generator) -> None:
    chain = chain_of("g")
    bend = quaternions.matrix_from_quaternion(quaternions.quaternion_about((0.6, 0.8, 0.0), 0.5))
    rotation, position = chain.arrays.rotation.copy(), chain.arrays.position.copy()
    rotation[3] = bend @ rotation[3]
    position[5] += [0.02, 0.0, 0.03]
    arrays = chain.arrays._replace(rotation=rotation, position=position)
    bent = replace(chain, arrays=arrays)
    postures = rng.uniform(-1.2, 1.2, (200, 8))
    targets = quaternions.normalized(rng.normal(size=(200, 4)))
    batch = solve_erik_batch(build_erik(bent), postures, targets)
    measured = facing_errors(bent, batch.positions, postures, targets)
    np.testing.assert_allclose(batch.orientation, measured.orientation, atol=1e-7)
    assert np.mean(batch.within_threshold) > 0.95


def test_wrong_options_and_shapes_are_named() -> None:
    chain = chain_of("a")
    with pytest.raises(UnknownNameError, match="max_ccd_iterations"):
        build_erik(chain, max_ccd_iteration=3)
    with pytest.raises(OptionError, match="'threshold_epsilon' must be a number, 0 or more, given -1"):
        build_erik(chain, threshold_epsilon=-1)
    with pytest.raises(OptionError, match="'max_erik_iterations' must be a whole number"):
        build_erik(chain, max_erik_iterations=2.5)
    with pytest.raises(OptionError, match="true or false"):
        build_erik(chain, avoid_joint_edges=1)
    model = build_erik(chain)
    with pytest.raises(MotionError, match=r"\[m, 3\]"):
        solve_erik(model, [0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
    with pytest.raises(MotionError, match="Previous"):
        solve_erik(model, np.zeros(3), [1.0, 0.0, 0.0, 0.0], previous=np.zeros(2))
