"""Both ways to split a rotation."""

from __future__ import annotations

import numpy as np
import pytest

from animato.motion.transfer.turn_splits import axes_seen, product_of_turns, splits_of
from animato.spatial import quaternions


def test_both_ways_on_three_axes_make_the_rotation(rng: np.random.Generator) -> None:
    axes = np.eye(3)[[1, 0, 2]]
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(50, 3)))
    splits = splits_of(axes, turns)
    assert splits is not None
    for way in (0, 1):
        off = quaternions.angle_between(product_of_turns(axes, splits.angles[:, way]), turns)
        np.testing.assert_allclose(off, 0.0, atol=1e-7)  # the angle between equal rotations is an arc cosine of 1
    np.testing.assert_allclose(splits.errors, 0.0, atol=1e-12)
    first, second = np.cos(splits.angles[:, 0, 1]), np.cos(splits.angles[:, 1, 1])
    np.testing.assert_allclose(first, -second, atol=1e-12)  # q and pi - q


def test_the_second_way_of_two_axes_is_where_the_error_is_stationary(rng: np.random.Generator) -> None:
    axes = np.array([[0.0, 1.0, 0.0], [0.8, 0.6, 0.0]])
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(20, 3)))
    splits = splits_of(axes, turns)
    assert splits is not None and (splits.errors[:, 0] <= splits.errors[:, 1] + 1e-12).all()
    for way in (0, 1):
        for axis in (0, 1):
            moved = [np.array(splits.angles[:, way]) for _ in range(2)]
            moved[0][:, axis] += 1e-5
            moved[1][:, axis] -= 1e-5
            inner = [np.sum(product_of_turns(axes, angles) * turns, axis=1) for angles in moved]
            np.testing.assert_allclose(inner[0], inner[1], atol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_distance_to_a_lock_is_zero_where_both_ways_are_one(count: int) -> None:
    axes = np.eye(3)[[1, 0, 2]][:count]
    over = {1: (0, 0, np.pi), 2: (0, 0, 0.5 * np.pi), 3: (0.5 * np.pi, 0, 0)}[count]
    turn = quaternions.quaternion_from_rotation_vector(np.array([over], dtype=float))
    splits = splits_of(axes, turn)
    assert splits is not None
    np.testing.assert_allclose(splits.lock_distances, 0.0, atol=1e-7)


def test_axes_seen_are_the_slopes_of_the_product(rng: np.random.Generator) -> None:
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    angles = rng.normal(size=(1, 3))
    seen = axes_seen(axes, angles)[0]
    for k in range(3):
        moved = angles + 1e-6 * np.eye(3)[k]
        step = quaternions.multiply(
            quaternions.conjugate(product_of_turns(axes, angles)), product_of_turns(axes, moved)
        )
        np.testing.assert_allclose(quaternions.rotation_vector_from_quaternion(step)[0] / 1e-6, seen[k], atol=1e-5)


def test_parallel_neighbours_and_many_axes_have_ways_without_number() -> None:
    turn = np.array([[1.0, 0.0, 0.0, 0.0]])
    assert splits_of(np.eye(3)[[0, 0, 1]], turn) is None
    assert splits_of(np.eye(3)[[0, 1, 2, 0]], turn) is None
