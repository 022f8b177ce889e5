"""Laws of rotations and rigid transforms."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

numbers = st.floats(-4, 4, allow_subnormal=False)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
turns = vectors.map(quaternions.quaternion_from_rotation_vector)
transforms = st.builds(RigidTransform, vectors, turns)


@given(turns, turns, turns)
def test_product_is_associative(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    left = quaternions.multiply(quaternions.multiply(a, b), c)
    np.testing.assert_allclose(left, quaternions.multiply(a, quaternions.multiply(b, c)), atol=1e-12)


@given(turns)
def test_conjugate_is_the_inverse(a: np.ndarray) -> None:
    np.testing.assert_allclose(quaternions.multiply(a, quaternions.conjugate(a)), (1, 0, 0, 0), atol=1e-12)


@given(turns, vectors)
def test_turning_keeps_length(a: np.ndarray, v: np.ndarray) -> None:
    np.testing.assert_allclose(np.linalg.norm(quaternions.rotate(a, v)), np.linalg.norm(v), atol=1e-12)


@given(turns)
def test_exponential_undoes_logarithm(a: np.ndarray) -> None:
    again = quaternions.quaternion_from_rotation_vector(quaternions.rotation_vector_from_quaternion(a))
    np.testing.assert_allclose(abs(again @ a), 1.0, atol=1e-12)


@given(transforms, transforms, vectors)
def test_names_of_transforms_cancel(a: RigidTransform, b: RigidTransform, v: np.ndarray) -> None:
    np.testing.assert_allclose((a @ b).apply(v), a.apply(b.apply(v)), atol=1e-10)
    np.testing.assert_allclose((a @ b).matrix, a.matrix @ b.matrix, atol=1e-10)


@given(transforms, vectors)
def test_inverse_returns_the_point(a: RigidTransform, v: np.ndarray) -> None:
    np.testing.assert_allclose(a.inverse().apply(a.apply(v)), v, atol=1e-10)
    np.testing.assert_allclose(RigidTransform.from_matrix(a.matrix).matrix, a.matrix, atol=1e-10)
