"""Mesh files: read where possible, thinned where absurd, never a reason to fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character.shape import Mesh
from animato.view.raster.triangles import ellipsoid
from animato.view.scene.mesh_files import creased, mesh_triangles, thinned


def test_cube_is_read_in_metres_with_sharp_edges(cube_file: Path) -> None:
    pytest.importorskip("trimesh")
    mesh = mesh_triangles(Mesh(str(cube_file), (0.1, 0.1, 0.2)))
    assert mesh is not None
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), (0.2, 0.2, 0.4), atol=1e-12)
    # every corner keeps the normal of its own face: one of the six axes
    np.testing.assert_allclose(np.abs(mesh.normals).max(axis=1), 1.0, atol=1e-12)


def test_round_surface_is_smooth() -> None:
    ball = ellipsoid((1.0, 1.0, 1.0))
    welded, index = np.unique(ball.vertices.round(9), axis=0, return_inverse=True)
    mesh = creased(welded, index.ravel()[ball.faces])
    assert np.einsum("ij,ij->i", mesh.normals, mesh.vertices).min() > 0.99


@pytest.mark.parametrize("content", [b"", b"solid nonsense", b"\x00" * 500, b"not a mesh at all\n" * 50])
def test_broken_files_are_not_drawn(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.stl"
    path.write_bytes(content)
    assert mesh_triangles(Mesh(str(path))) is None


def test_missing_files_folders_and_strange_endings_are_not_drawn(tmp_path: Path) -> None:
    strange = tmp_path / "mesh.strange"
    strange.write_text("v 0 0 0")
    for path in ("nowhere.stl", str(tmp_path), "package://robot/arm.dae", "\0.stl", str(strange)):
        assert mesh_triangles(Mesh(path)) is None


def test_file_that_changes_is_read_again(cube_file: Path) -> None:
    pytest.importorskip("trimesh")
    assert mesh_triangles(Mesh(str(cube_file))) is not None
    cube_file.write_text("solid empty\nendsolid empty")
    assert mesh_triangles(Mesh(str(cube_file))) is None


def test_absurd_sizes_are_thinned_and_keep_their_shape() -> None:
    side = np.linspace(0.0, 1.0, 200)
    x, y = np.meshgrid(side, side)
    vertices = np.column_stack([x.ravel(), y.ravel(), (0.1 * np.sin(6.0 * x)).ravel()])
    corner = (np.arange(199)[:, None] * 200 + np.arange(199)).ravel()
    faces = np.vstack(
        [np.column_stack([corner, corner + 1, corner + 201]), np.column_stack([corner, corner + 201, corner + 200])]
    )
    fewer_vertices, fewer = thinned(vertices, faces, 5000)
    assert 1000 < len(fewer) <= 5000
    np.testing.assert_allclose(np.ptp(fewer_vertices[fewer.ravel()], axis=0), np.ptp(vertices, axis=0), atol=0.05)
    same, untouched = thinned(vertices, faces[:100], 5000)
    assert same is vertices and len(untouched) == 100
