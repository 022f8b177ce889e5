from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from animato.spatial import quaternions


def theirs(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q[..., [1, 2, 3, 0]])


@pytest.fixture
def turns(rng: np.random.Generator) -> np.ndarray:
    return quaternions.quaternion_from_rotation_vector(rng.normal(size=(50, 3)) * 2.0)


def test_product_turns_by_the_right_factor_first(turns: np.ndarray) -> None:
    product = quaternions.multiply(turns[:25], turns[25:])
    expected = theirs(turns[:25]) * theirs(turns[25:])
    np.testing.assert_allclose(theirs(product).as_matrix(), expected.as_matrix(), atol=1e-12)


def test_rotating_vectors_agrees_with_the_matrix(turns: np.ndarray, rng: np.random.Generator) -> None:
    vectors = rng.normal(size=(50, 3))
    matrices = quaternions.matrix_from_quaternion(turns)
    np.testing.assert_allclose(
        quaternions.rotate(turns, vectors), np.einsum("nij,nj->ni", matrices, vectors), atol=1e-12
    )
    np.testing.assert_allclose(matrices, theirs(turns).as_matrix(), atol=1e-12)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (1, 1, 0), (1, -2, 3)])
@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-5, 1.0, np.pi - 1e-9, np.pi])
def test_matrix_and_logarithm_return_the_turn(axis: tuple[float, ...], angle: float) -> None:
    vector = np.array(axis) / np.linalg.norm(axis) * angle
    q = quaternions.quaternion_from_rotation_vector(vector)
    back = quaternions.quaternion_from_matrix(quaternions.matrix_from_quaternion(q))
    np.testing.assert_allclose(np.abs(back @ q), 1.0, atol=1e-12)
    log = quaternions.rotation_vector_from_quaternion(q)
    np.testing.assert_allclose(
        quaternions.matrix_from_quaternion(quaternions.quaternion_from_rotation_vector(log)),
        quaternions.matrix_from_quaternion(q),
        atol=1e-12,
    )
    if angle < np.pi:
        np.testing.assert_allclose(log, vector, atol=1e-12)


def test_broadcasting_keeps_leading_axes(turns: np.ndarray) -> None:
    grid = turns[:12].reshape(3, 4, 4)
    assert quaternions.multiply(grid, turns[0]).shape == (3, 4, 4)
    assert quaternions.rotate(turns[0], np.ones((5, 3))).shape == (5, 3)
    with pytest.raises(ValueError, match="last axes"):
        quaternions.matrix_from_quaternion(np.ones((3, 3)))


def test_continuous_never_turns_the_long_way(turns: np.ndarray) -> None:
    path = quaternions.slerp(turns[0], turns[1], np.linspace(0, 1, 40))
    broken = path * np.where(np.arange(40) % 3 == 0, -1.0, 1.0)[:, None]
    mended = quaternions.continuous(broken)
    assert np.all(np.sum(mended[1:] * mended[:-1], axis=1) > 0.9)
    np.testing.assert_allclose(np.abs(np.sum(mended * path, axis=1)), 1.0, atol=1e-12)


@pytest.mark.parametrize("order", ["xyz", "zyx", "zxy", "yxz", "z", "yx", "zyz"])
def test_euler_angles_turn_about_the_moving_axes(order: str, rng: np.random.Generator) -> None:
    angles = rng.uniform(-3, 3, (20, len(order)))
    expected = Rotation.from_euler(order.upper(), angles)
    ours = quaternions.quaternion_from_euler(angles, order)
    np.testing.assert_allclose(theirs(ours).as_matrix(), expected.as_matrix(), atol=1e-12)


def test_slerp_goes_at_constant_rate(turns: np.ndarray) -> None:
    path = quaternions.slerp(turns[0], turns[1], np.linspace(0, 1, 11))
    steps = quaternions.angle_between(path[:-1], path[1:])
    np.testing.assert_allclose(steps, steps[0], atol=1e-12)
    np.testing.assert_allclose(np.abs(path[-1] @ turns[1]), 1.0, atol=1e-12)


def test_shortest_turn_takes_one_direction_to_another(rng: np.random.Generator) -> None:
    start, end = rng.normal(size=(2, 30, 3))
    end[0] = -start[0]
    end[1] = start[1]
    turned = quaternions.rotate(quaternions.shortest_turn(start, end), start / np.linalg.norm(start, axis=1)[:, None])
    np.testing.assert_allclose(turned, end / np.linalg.norm(end, axis=1)[:, None], atol=1e-12)


def test_normalized_mends_zero() -> None:
    np.testing.assert_array_equal(quaternions.normalized([[0, 0, 0, 0], [0, 0, 3, 0]]), [[1, 0, 0, 0], [0, 0, 1, 0]])
