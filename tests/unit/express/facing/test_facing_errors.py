from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.express.facing.errors import ErrorWeights, bend_weights, facing_errors, orientation_error
from animato.mechanics.tree.chains import tip_orientations
from animato.spatial import quaternions
from tests.unit.express.chains import random_chain, random_positions, random_wxyz, skeleton


def test_the_posture_itself_has_no_error(rng: np.random.Generator) -> None:
    for seed in range(4):
        chain = random_chain(np.random.default_rng(seed), 5)
        positions = random_positions(rng, chain, 10)
        errors = facing_errors(chain, positions, positions, tip_orientations(chain, positions))
        for values in (errors.combined, errors.orientation, errors.posture, errors.shape):
            np.testing.assert_allclose(values, 0.0, atol=1e-12)


def test_weights_double_along_the_chain_and_leave_out_twisters() -> None:
    np.testing.assert_allclose(bend_weights(skeleton("c")), np.array([0, 4, 8, 16, 0]) / 28.0)
    np.testing.assert_allclose(bend_weights(skeleton("g")), np.array([0, 4, 8, 16, 0, 64, 128, 0]) / 220.0)


def test_known_posture_and_shape_errors() -> None:
    chain = skeleton("c")
    posture, turned = np.array([0, 0.5, 0, 0, 0]), np.array([0, -0.5, 0, 0, 0])
    target = tip_orientations(chain, turned[None])
    errors = facing_errors(chain, turned, posture, target)
    # a mirrored bend costs nothing by equation 21; by the chord it is as far as half a radian's sine
    np.testing.assert_allclose(errors.posture, 0.0, atol=1e-15)
    np.testing.assert_allclose(errors.shape, 4 / 28 * np.sin(0.5), atol=1e-12)
    straight = facing_errors(chain, np.zeros(5), posture, target)
    np.testing.assert_allclose(straight.posture, 4 / 28 * (1 - np.cos(0.5)) / 2, atol=1e-12)


def test_the_shape_error_is_the_chord_between_segments(rng: np.random.Generator) -> None:
    chain = random_chain(rng, 4, slides=False)
    q, psi = random_positions(rng, chain), random_positions(rng, chain)
    weights, arrays = bend_weights(chain), chain.arrays
    chords = [
        np.linalg.norm(
            quaternions.rotate(quaternions.quaternion_about(arrays.axis[i], q[i]), arrays.segment[i])
            - quaternions.rotate(quaternions.quaternion_about(arrays.axis[i], psi[i]), arrays.segment[i])
        )
        for i in range(4)
    ]
    found = facing_errors(chain, q, psi, random_wxyz(rng, 1))
    np.testing.assert_allclose(found.shape, weights @ np.array(chords) / 2, atol=1e-12)


def test_the_orientation_error_of_an_angle(rng: np.random.Generator) -> None:
    chain = random_chain(rng, 4)
    weights = ErrorWeights(symmetric=False)
    q = random_positions(rng, chain)
    tip = tip_orientations(chain, q[None])
    for angle in (1e-7, 0.1, 1.0, np.pi):
        axis = rng.standard_normal(3)
        target = quaternions.multiply(quaternions.quaternion_about(axis / np.linalg.norm(axis), angle), tip)
        found = facing_errors(chain, q, q, target, weights).orientation
        np.testing.assert_allclose(found, np.sqrt(2) * np.sin(angle / 4), atol=1e-12)


def test_symmetry_and_agreement_with_plain_numpy(rng: np.random.Generator) -> None:
    for symmetric in (False, True):
        for seed in range(3):
            chain = random_chain(np.random.default_rng(seed), 5)
            q, targets = random_positions(rng, chain, 20), random_wxyz(rng, 20)
            found = facing_errors(chain, q, q, targets, ErrorWeights(symmetric=symmetric)).orientation
            forward = np.array(chain.end_point.forward)
            wanted = orientation_error(tip_orientations(chain, q), targets, forward, symmetric=symmetric)
            np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_roll_that_costs_nothing(rng: np.random.Generator) -> None:
    chain = random_chain(rng, 5)
    q = random_positions(rng, chain)
    tip, forward = tip_orientations(chain, q[None]), chain.end_point.forward
    rolled = quaternions.multiply(tip, quaternions.quaternion_about(forward, 0.5))
    weights = ErrorWeights(symmetric=False)

    def error(tolerance: float) -> float:
        return float(facing_errors(chain, q, q, rolled, weights, roll_tolerance=tolerance).orientation[0])

    np.testing.assert_allclose(error(0.5), 0.0, atol=1e-12)
    np.testing.assert_allclose(error(np.pi), 0.0, atol=1e-12)
    np.testing.assert_allclose(error(0.2), np.sqrt(2) * np.sin(0.3 / 4), atol=1e-12)
    # the least over all rolls, by brute force
    target = random_wxyz(rng, 1)
    turns = np.linspace(-0.7, 0.7, 4001)
    all_tips = quaternions.multiply(tip, quaternions.quaternion_about(forward, turns))
    wanted = orientation_error(all_tips, target, np.array(forward), symmetric=False).min()
    found = facing_errors(chain, q, q, target, weights, roll_tolerance=0.7).orientation[0]
    np.testing.assert_allclose(found, wanted, atol=1e-6)  # the grid of rolls is this coarse


def test_the_combined_error_is_the_weighted_sum(rng: np.random.Generator) -> None:
    chain = skeleton("e")
    q, psi, target = random_positions(rng, chain, 6), random_positions(rng, chain), random_wxyz(rng, 6)
    found = facing_errors(chain, q, psi, target, ErrorWeights(0.7, 0.4))
    np.testing.assert_allclose(found.combined, 0.7 * found.orientation + 0.4 * found.posture, atol=1e-14)


def test_arrays_that_do_not_fit() -> None:
    chain = skeleton("c")
    with pytest.raises(MotionError, match=r"positions \[m, 5\].*given \(1, 4\)"):
        facing_errors(chain, np.zeros((1, 4)), np.zeros(5), np.ones((1, 4)))
    with pytest.raises(OptionError, match="weight 'posture' must be a number 0 or more, not -1"):
        facing_errors(chain, np.zeros((1, 5)), np.zeros(5), np.ones((1, 4)), ErrorWeights(posture=-1))
    with pytest.raises(OptionError, match="roll tolerance must be 0"):
        facing_errors(chain, np.zeros((1, 5)), np.zeros(5), np.ones((1, 4)), roll_tolerance=4.0)
