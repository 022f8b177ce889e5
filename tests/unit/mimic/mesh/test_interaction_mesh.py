"""Interaction meshes: neighbours, weights, energies, and sets of points that have no tetrahedra."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError
from animato.mimic.mesh import acceleration_energies, mesh_of, meshes_of

CORNERS = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])


def test_a_tetrahedron_with_weights_by_hand() -> None:
    mesh = mesh_of(CORNERS)
    assert len(mesh.pairs) == 12
    np.testing.assert_allclose(mesh.dense[0], [1.0, -1 / 3, -1 / 3, -1 / 3], atol=1e-15)
    near, far = 1.0, 1.0 / np.sqrt(2.0)
    total = near + 2.0 * far
    np.testing.assert_allclose(mesh.dense[1], [-near / total, 1.0, -far / total, -far / total], atol=1e-15)
    np.testing.assert_allclose(mesh.matrix.toarray(), mesh.dense, atol=0)
    np.testing.assert_allclose(mesh.laplacian(CORNERS)[0], [-1 / 3, -1 / 3, -1 / 3], atol=1e-15)


def test_the_energy_of_one_moved_vertex_by_hand() -> None:
    mesh, moved = mesh_of(CORNERS), CORNERS.copy()
    moved[0, 2] += 0.1
    assert mesh.energy(moved) == pytest.approx(0.01 * np.sum(mesh.dense[:, 0] ** 2), rel=1e-12)


def test_a_vertex_beyond_a_face_has_its_three_as_neighbours() -> None:
    points = np.vstack([CORNERS, [(2.0, 2.0, 2.0)]])
    neighbours = {b for a, b in mesh_of(points).pairs.tolist() if a == 4}
    assert neighbours == {1, 2, 3}


def test_coincident_points_have_each_other(rng: np.random.Generator) -> None:
    points = rng.standard_normal((8, 3))
    points[6] = points[2]
    mesh = mesh_of(points)
    assert [b for a, b in mesh.pairs.tolist() if a == 6] == [2]
    assert all(b != 6 for _, b in mesh.pairs.tolist())
    assert "vertex 6 lies where vertex 2 lies" in mesh.notes
    assert mesh.energy(points + 1.0) < 1e-28


def test_points_in_a_plane_and_on_a_line(rng: np.random.Generator) -> None:
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    flat = np.column_stack([rng.standard_normal((9, 2)), np.zeros(9)]) @ turn
    line = np.outer(np.array([3.0, 1.0, 2.0, 0.0]), turn[0])
    assert mesh_of(flat).notes == ("all vertices lie in one plane",)
    found = mesh_of(line)
    assert found.notes == ("all vertices lie on one line",)
    assert found.pairs.tolist() == [[0, 2], [1, 2], [1, 3], [2, 0], [2, 1], [3, 1]]
    for points in (flat, line):
        np.testing.assert_allclose(mesh_of(points).dense.sum(1), 0.0, atol=1e-14)


def test_all_points_in_one_place_hold_on_to_the_first() -> None:
    mesh = mesh_of(np.ones((3, 3)))
    assert mesh.pairs.tolist() == [[1, 0], [2, 0]]
    assert mesh.energy(np.array([(1.0, 1, 1), (1, 1, 2), (1, 1, 1)])) == pytest.approx(1.0)


def test_meshes_of_a_clip_are_those_of_its_frames(rng: np.random.Generator) -> None:
    clip = rng.standard_normal((4, 12, 3))
    sequence = meshes_of(clip)
    for f, frame in enumerate(clip):
        mesh = mesh_of(frame)
        np.testing.assert_array_equal(sequence.matrices[f], mesh.dense)
        assert {tuple(edge) for edge in sequence.edges(f)} == {tuple(sorted(pair)) for pair in mesh.pairs.tolist()}
    other = rng.standard_normal(clip.shape)
    expected = [mesh_of(a).energy(b) for a, b in zip(clip, other, strict=True)]
    np.testing.assert_allclose(sequence.energies(other), expected, rtol=1e-12)
    np.testing.assert_allclose(sequence.scaled(2.0).energies(2.0 * clip), 0.0, atol=1e-28)


def test_objects_are_vertices_after_the_others(rng: np.random.Generator) -> None:
    clip, club = rng.standard_normal((3, 8, 3)), np.array([(0.0, 0.0, 0.1), (0.0, 0.1, 2.0)])
    sequence = meshes_of(clip, club)
    assert sequence.object_count == 2
    np.testing.assert_array_equal(sequence.source[:, 8:], np.broadcast_to(club, (3, 2, 3)))
    with pytest.raises(MotionError, match="`objects` are points"):
        meshes_of(clip, rng.standard_normal((2, 2, 3)))


def test_acceleration_energy_is_null_at_the_ends_and_for_even_motion(rng: np.random.Generator) -> None:
    even = rng.standard_normal((5, 3)) + np.arange(6.0)[:, None, None] * np.ones(3)
    np.testing.assert_allclose(acceleration_energies(even), 0.0, atol=1e-28)
    even[2, 1, 0] += 0.1
    np.testing.assert_allclose(acceleration_energies(even), [0.0, 0.005, 0.02, 0.005, 0.0, 0.0], atol=1e-15)


def test_what_cannot_be_meshed_is_said() -> None:
    with pytest.raises(MotionError, match="at least two points"):
        mesh_of(np.zeros((1, 3)))
    with pytest.raises(MotionError, match=r"Frame 1: Vertices \[2\] of the mesh are not finite"):
        clip = np.random.default_rng(0).standard_normal((2, 5, 3))
        clip[1, 2, 0] = np.nan
        meshes_of(clip)
    with pytest.raises(MotionError, match="4 vertices"):
        mesh_of(CORNERS).energy(CORNERS[:3])
