"""Markers brought into a robot's proportions."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.mimic.mesh import Link, MeshSequence, meshes_of, presolve


@pytest.fixture
def meshes(rng: np.random.Generator) -> MeshSequence:
    body, sway = 0.4 * rng.standard_normal((10, 3)), rng.standard_normal((10, 3))
    return meshes_of(body + 0.1 * np.linspace(0.0, 1.0, 6)[:, None, None] * sway)


def chain(meshes: MeshSequence, share: float) -> list[Link]:
    """Links along the vertices, of a share of the first frame's lengths."""
    lengths = np.linalg.norm(np.diff(meshes.source[0], axis=0), axis=1)
    return [Link(k, k + 1, share * float(length)) for k, length in enumerate(lengths)]


def test_without_links_the_source_is_the_answer(meshes: MeshSequence) -> None:
    found = presolve(meshes, [])
    np.testing.assert_allclose(found.positions, meshes.source, atol=1e-9)


def test_links_get_their_lengths_and_held_markers_stay(meshes: MeshSequence) -> None:
    held = np.full(meshes.source.shape, np.nan)
    held[:, 0] = meshes.source[0, 0]
    found = presolve(meshes, chain(meshes, 0.8), held=held)
    assert found.outcome.solved
    assert found.length_error < 1e-7
    np.testing.assert_array_equal(found.positions[:, 0], held[:, 0])
    assert found.laplacian.sum() > 0.0


def test_links_between_held_markers_are_not_asked_for(meshes: MeshSequence) -> None:
    held = np.full(meshes.source.shape, np.nan)
    held[:, :2] = meshes.source[0, :2]
    found = presolve(meshes, [Link(0, 1, 9.0), Link(2, 3, 0.2)], held=held)
    assert found.outcome.solved


def test_alpha_smooths(meshes: MeshSequence, rng: np.random.Generator) -> None:
    shaky = meshes_of(meshes.source + 0.02 * rng.standard_normal(meshes.source.shape))
    links = chain(meshes, 0.9)
    rough, smooth = presolve(shaky, links), presolve(shaky, links, alpha=10.0)
    assert smooth.acceleration.sum() < 0.2 * rough.acceleration.sum()
    assert smooth.laplacian.sum() > rough.laplacian.sum()


def test_what_cannot_be_is_said(meshes: MeshSequence) -> None:
    with pytest.raises(OptionError, match="`alpha` must be a number of at least 0"):
        presolve(meshes, [], alpha=-1.0)
    with pytest.raises(MotionError, match="length greater than 0"):
        presolve(meshes, [Link(0, 1, 0.0)])
    with pytest.raises(MotionError, match="two different vertices of 0 to 9"):
        presolve(meshes, [Link(0, 10, 1.0)])
    with pytest.raises(MotionError, match="`held` must have the shape"):
        presolve(meshes, [], held=np.zeros((1, 10, 3)))
