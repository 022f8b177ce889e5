"""Rotations split on given axes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from animato.motion.transfer.axis_angles import angles_about
from animato.spatial import quaternions


def product(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    total = np.tile((1.0, 0.0, 0.0, 0.0), (len(angles), 1))
    for axis, column in zip(axes, angles.T, strict=True):
        total = quaternions.multiply(total, quaternions.quaternion_about(axis, column))
    return total


def smooth(rng: np.random.Generator, frames: int, count: int, size: float) -> np.ndarray:
    t = np.linspace(0.0, 2.0 * np.pi, frames)[:, None]
    return size * np.sin(t * rng.uniform(0.5, 2.0, count)) * rng.uniform(0.5, 1.0, count)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_reachable_rotations_give_their_angles_back(count: int, rng: np.random.Generator) -> None:
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0][:count]
    angles = smooth(rng, 200, count, 1.2)
    found, left = angles_about(axes, product(axes, angles))
    np.testing.assert_allclose(found, angles, atol=1e-10)
    np.testing.assert_allclose(left, 0.0, atol=1e-10)


def test_axes_need_not_be_orthogonal(rng: np.random.Generator) -> None:
    axes = np.array([[0.0, 1.0, 0.0], [np.cos(0.17), 0.0, np.sin(0.17)], [0.0, 0.3, np.sqrt(1 - 0.09)]])
    angles = smooth(rng, 100, 3, 1.0)
    found, left = angles_about(axes, product(axes, angles))
    np.testing.assert_allclose(left, 0.0, atol=1e-10)
    np.testing.assert_allclose(product(axes, found), product(axes, angles), atol=1e-10)


def test_one_axis_turns_on_beyond_half_turns() -> None:
    angles = np.linspace(0.0, 15.0, 400)
    axis = np.array([[0.6, 0.0, 0.8]])
    found, _ = angles_about(axis, product(axis, angles[:, None]))
    steps = np.diff(found[:, 0])
    np.testing.assert_allclose(steps, np.diff(angles), atol=1e-10)


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_left_over_is_the_least_possible(count: int, rng: np.random.Generator) -> None:
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0][:count]
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(12, 3)) * 0.6)
    for turn in turns:
        _, left = angles_about(axes, turn[None])

        def error(angles: np.ndarray, turn: np.ndarray = turn) -> float:
            return float(quaternions.angle_between(product(axes, angles[None])[0], turn))

        starts = [np.zeros(count), *(np.eye(count) * 1.5), *(-np.eye(count) * 1.5)]
        least = min(
            minimize(error, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).fun
            for start in starts
        )
        assert left[0] <= least + 1e-7


def test_limits_choose_between_equal_solutions() -> None:
    """Turning by 200 degrees is turning by -160; the range of the joint says which it is."""
    axis = np.array([[0.0, 0.0, 1.0]])
    turn = product(axis, np.radians([[200.0], [205.0]]))
    assert np.degrees(angles_about(axis, turn)[0][0, 0]) == pytest.approx(-160.0)
    ranged = angles_about(axis, turn, np.radians([[0.0, 300.0]]))[0]
    np.testing.assert_allclose(np.degrees(ranged[:, 0]), [200.0, 205.0], atol=1e-9)
    axes = np.eye(3)[[1, 0, 2]]
    flipped = np.array([[2.8, 2.6, 2.9]])  # also reached by (2.8 - pi, pi - 2.6, 2.9 - pi)
    free, _ = angles_about(axes, product(axes, flipped))
    np.testing.assert_allclose(free, [[2.8 - np.pi, np.pi - 2.6, 2.9 - np.pi]], atol=1e-9)
    tight, _ = angles_about(axes, product(axes, flipped), np.array([[2.0, 3.0]] * 3))
    np.testing.assert_allclose(tight, flipped, atol=1e-9)


def test_more_axes_than_needed_still_reach(rng: np.random.Generator) -> None:
    axes = rng.normal(size=(5, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    turns = product(np.eye(3), smooth(rng, 50, 3, 1.0))
    found, left = angles_about(axes, turns)
    np.testing.assert_allclose(left, 0.0, atol=1e-9)
    assert np.abs(np.diff(found, axis=0)).max() < 0.5, "no jumps"
