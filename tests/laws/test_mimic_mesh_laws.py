"""Laws of the interaction mesh: what its energy does not see, and what it turns along with."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from animato.mimic.mesh import mesh_of

SEEDS = st.integers(0, 2**32 - 1)


def points(seed: int) -> tuple[np.ndarray, np.random.Generator]:
    generator = np.random.default_rng(seed)
    return generator.standard_normal((int(generator.integers(4, 25)), 3)), generator


@given(SEEDS)
def test_the_energy_is_zero_for_the_source_wherever_it_is(seed: int) -> None:
    source, generator = points(seed)
    mesh = mesh_of(source)
    assert mesh.energy(source) == 0.0
    assert mesh.energy(source + 10.0 * generator.standard_normal(3)) < 1e-24


@given(SEEDS)
def test_the_energy_is_invariant_to_translation(seed: int) -> None:
    source, generator = points(seed)
    mesh, other = mesh_of(source), generator.standard_normal(source.shape)
    np.testing.assert_allclose(mesh.energy(other + generator.standard_normal(3)), mesh.energy(other), rtol=1e-10)


@given(SEEDS)
def test_laplacian_coordinates_turn_and_grow_along(seed: int) -> None:
    source, generator = points(seed)
    mesh, scale = mesh_of(source), float(generator.uniform(0.2, 3.0))
    turn = np.linalg.qr(generator.standard_normal((3, 3)))[0]
    np.testing.assert_allclose(mesh.laplacian(scale * source @ turn), scale * mesh.laplacian(source) @ turn, atol=1e-12)
    there = mesh_of(scale * source @ turn)  # neighbours and weights of a turned set are the same
    np.testing.assert_allclose(there.dense, mesh.dense, atol=1e-9)


@given(SEEDS)
def test_the_energy_sees_a_turn(seed: int) -> None:
    """It is covariant, not invariant: the control of the laws above."""
    source, _ = points(seed)
    half_turn = np.diag([-1.0, -1.0, 1.0])
    assert mesh_of(source).energy(source @ half_turn) > 1e-3
