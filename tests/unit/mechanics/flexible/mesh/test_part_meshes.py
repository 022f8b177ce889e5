"""Meshes of rods and bars have the right size, interfaces the right place, and bad ones are named."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from pathlib import Path

import meshio
import numpy as np
import pytest

from animato.character import FlexiblePart, Frame, Interface, Mesh
from animato.errors import CharacterError, FileFormatError, MissingDependencyError, OptionError
from animato.mechanics.flexible.mesh import MeshOptions, boundary_faces, build_part_mesh, with_materials
from tests.flexible_builders import bar_part, rod_part, steel

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SIX = np.array([[0, 4, 6, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 3, 1, 7], [0, 1, 5, 7], [0, 5, 4, 7]])


def second_moment(part_mesh) -> float:
    """Integral of x^2 over the volume by points that are exact for quartics on straight elements."""
    from skfem import Basis, ElementTetP2, MeshTet

    corners, compact = np.unique(part_mesh.tets[:, :4], return_inverse=True)
    mesh = MeshTet(part_mesh.nodes[corners].T, compact.reshape(-1, 4).T)
    basis = Basis(mesh, ElementTetP2(), intorder=4)
    return float((basis.global_coordinates()[0] ** 2 * basis.dx).sum())


@pytest.mark.parametrize(("sectors", "tolerance"), [(6, 5e-3), (8, 1.5e-3), (12, 3e-4)])
def test_rod_has_the_mass_and_the_second_moment_of_a_disc(sectors: int, tolerance: float) -> None:
    mesh = build_part_mesh(rod_part(steel()), MeshOptions(layers=4, sectors=sectors))
    assert mesh.volume == pytest.approx(np.pi * 0.002**2 * 0.7, rel=tolerance)
    assert second_moment(mesh) == pytest.approx(0.25 * np.pi * 0.002**4 * 0.7, rel=1e-10)


def test_curved_rod_has_the_volume_of_a_cylinder() -> None:
    mesh = build_part_mesh(rod_part(steel()), MeshOptions(layers=4, curved=True))
    assert mesh.volume == pytest.approx(np.pi * 0.002**2 * 0.7, rel=3e-6)


def test_bar_is_a_box() -> None:
    mesh = build_part_mesh(bar_part(steel()), MeshOptions(layers=3, across=(2, 3)))
    assert mesh.volume == pytest.approx(0.01 * 0.02 * 0.1, rel=1e-12)
    assert mesh.mass == pytest.approx(7850.0 * 2e-5, rel=1e-12)
    corners = mesh.nodes[mesh.surface[:, :3]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert 0.5 * np.linalg.norm(normals, axis=1).sum() == pytest.approx(2 * (2e-4 + 1e-3 + 2e-3), rel=1e-12)
    assert np.einsum("fi,fi->", normals, corners.mean(axis=1)) == pytest.approx(6.0 * mesh.volume, rel=1e-12)


def test_interface_has_centroid_and_identity_at_rest() -> None:
    mesh = build_part_mesh(rod_part(steel()), MeshOptions(layers=4))
    for interface, height in zip(mesh.interfaces, (0.0, 0.7), strict=True):
        places = mesh.nodes[interface.nodes]
        np.testing.assert_allclose(interface.weights.sum(), 1.0, rtol=1e-12)
        np.testing.assert_allclose(interface.centroid, [0.0, 0.0, height], atol=1e-12)
        np.testing.assert_allclose(interface.map_rows.sum(axis=0), 0.0, atol=1e-9)
        np.testing.assert_allclose(places.T @ interface.map_rows, np.diag([1.0, 1.0, 0.0]), atol=1e-12)


def test_interface_within_an_extent() -> None:
    grip = Interface("hand", frame_part=Frame((0.0, 0.0, 0.35)), extent=0.03)
    mesh = build_part_mesh(replace(rod_part(steel()), interfaces=(grip,)), MeshOptions(layers=40))
    (interface,) = mesh.interfaces
    np.testing.assert_allclose(interface.centroid, [0.0, 0.0, 0.35], atol=1e-6)
    np.testing.assert_allclose(mesh.nodes[interface.nodes].T @ interface.map_rows, np.eye(3), atol=1e-9)


def test_interfaces_off_the_part_are_named() -> None:
    far = Interface("hand", frame_part=Frame((0.0, 0.0, 0.9)), extent=0.01)
    with pytest.raises(CharacterError, match=r"'hand'.*nearest is 0\.2"):
        build_part_mesh(replace(rod_part(steel()), interfaces=(far,)))
    between = Interface("hand", frame_part=Frame((0.0, 0.0, 0.3)))
    with pytest.raises(CharacterError, match="`extent`"):
        build_part_mesh(replace(rod_part(steel()), interfaces=(between,)))


def test_materials_may_vary() -> None:
    mesh = build_part_mesh(bar_part(steel()), MeshOptions(layers=4))
    light = steel(density=1000.0)
    mixed = with_materials(mesh, (steel(), light), lambda centroids: (centroids[:, 2] > 0.05).astype(int))
    assert mixed.mass == pytest.approx(0.5 * (7850.0 + 1000.0) * 2e-5, rel=1e-12)
    with pytest.raises(CharacterError, match="one index from 0 to 0"):
        with_materials(mesh, (steel(),), np.ones(len(mesh.tets), dtype=int))


def file_part(path: Path, extent: float = 0.8) -> FlexiblePart:
    return FlexiblePart("cube", Mesh(str(path), (0.1, 0.1, 0.1)), steel(), (Interface("hand", extent=0.1 * extent),))


@pytest.mark.parametrize("suffix", [".vtu", ".vtk", ".mesh", ".inp", ".msh"])
def test_volume_files_are_read_and_promoted(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"cube{suffix}"
    meshio.Mesh(CUBE, [("tetra", SIX)]).write(path)
    mesh = build_part_mesh(file_part(path, 1.2))
    assert mesh.tets.shape == (6, 10)
    assert mesh.volume == pytest.approx(1e-3, rel=1e-12)


def test_quadratic_files_and_labels(tmp_path: Path) -> None:
    from animato.mechanics.flexible.mesh import with_middles

    nodes, tets = with_middles(CUBE, SIX)
    path = tmp_path / "cube.vtu"
    meshio.Mesh(nodes, [("tetra10", tets)], cell_data={"material": [np.array([1, 1, 1, 2, 2, 2])]}).write(path)
    mesh = build_part_mesh(file_part(path, 1.2), materials={2: steel(density=1000.0)})
    assert mesh.mass == pytest.approx(1e-3 * 0.5 * 8850.0, rel=1e-12)


def test_bad_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        build_part_mesh(file_part(tmp_path / "none.vtu"))
    with pytest.raises(FileFormatError, match=r"not '\.txt'"):
        build_part_mesh(file_part(tmp_path / "none.txt"))
    flat = tmp_path / "flat.vtu"
    meshio.Mesh(CUBE, [("triangle", np.array([[0, 1, 2]]))]).write(flat)
    with pytest.raises(FileFormatError, match=r"no tetrahedra.*triangle"):
        build_part_mesh(file_part(flat))
    inverted = tmp_path / "inverted.vtu"
    wrong = SIX.copy()
    wrong[2] = wrong[2][[0, 2, 1, 3]]
    meshio.Mesh(CUBE, [("tetra", wrong)]).write(inverted)
    with pytest.raises(CharacterError, match=r"1 inverted.*first is element 2"):
        build_part_mesh(file_part(inverted, 1.2))
    apart = tmp_path / "apart.vtu"
    meshio.Mesh(np.vstack([CUBE, CUBE + 3.0]), [("tetra", np.vstack([SIX, SIX + 8]))]).write(apart)
    with pytest.raises(CharacterError, match="2 pieces"):
        build_part_mesh(file_part(apart, 1.2))


def surface_file(path: Path, *, closed: bool) -> Path:
    triangles = boundary_faces(np.hstack([SIX, np.arange(36).reshape(6, 6)]))[:, :3]
    meshio.Mesh(CUBE, [("triangle", triangles if closed else triangles[1:])]).write(path)
    return path


def test_surfaces_need_to_be_closed_and_a_mesher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileFormatError, match="open: 3 edges"):
        build_part_mesh(file_part(surface_file(tmp_path / "open.stl", closed=False)))
    monkeypatch.setitem(sys.modules, "wildmeshing", None)
    with pytest.raises(MissingDependencyError, match=r"animato\[meshing\]"):
        build_part_mesh(file_part(surface_file(tmp_path / "cube.stl", closed=True)))


def test_surface_is_filled_and_ctrl_c_is_heard_afterwards(tmp_path: Path) -> None:
    pytest.importorskip("wildmeshing")
    mesh = build_part_mesh(file_part(surface_file(tmp_path / "cube.obj", closed=True)), MeshOptions(edge_length=0.1))
    assert mesh.volume == pytest.approx(1e-3, rel=1e-3)
    if (status := Path("/proc/self/status")).exists():  # the mesher takes the signal from Python, which does not see it
        caught = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigCgt"))
        assert int(caught, 16) >> (signal.SIGINT - 1) & 1


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="`sectors`"):
        MeshOptions(sectors=2)
    with pytest.raises(OptionError, match="`slenderness`"):
        MeshOptions(slenderness=0.0)
