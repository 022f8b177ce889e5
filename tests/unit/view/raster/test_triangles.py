"""Meshes of shapes: right size, right side out, smooth where they should be."""

from __future__ import annotations

import numpy as np
import pytest

from animato.spatial.quaternions import quaternion_about
from animato.spatial.rigid_transform import RigidTransform
from animato.view.raster.triangles import Triangles, ball_pair, box, capsule, cylinder, ellipsoid, joined
from animato.view.scene.hulls import hull_of_balls, rounded_bone, tube

SOLIDS = {
    "box": (box((0.4, 0.2, 0.6)), 0.4 * 0.2 * 0.6),
    "cut box": (box((0.4, 0.2, 0.6), cuts=5), 0.4 * 0.2 * 0.6),
    "sphere": (ellipsoid((0.3, 0.3, 0.3)), 4 / 3 * np.pi * 0.3**3),
    "ellipsoid": (ellipsoid((0.3, 0.1, 0.5)), 4 / 3 * np.pi * 0.3 * 0.1 * 0.5),
    "cylinder": (cylinder(0.2, 0.7), np.pi * 0.2**2 * 0.7),
    "capsule": (capsule(0.2, 0.7), np.pi * 0.2**2 * 0.7 + 4 / 3 * np.pi * 0.2**3),
    "hull": (hull_of_balls([(0, 0, 0), (1, 0, 0), (0, 1, 0)], 0.02), 0.5 * 0.04 + 0.5 * np.pi * 0.02**2 * (2 + 2**0.5)),
}


def volume(mesh: Triangles) -> float:
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize("name", SOLIDS)
def test_volume_is_positive_and_close_to_the_exact_one(name: str) -> None:
    mesh, exact = SOLIDS[name]
    # facets and rounded edges cut a little off
    assert 0.93 * exact < volume(mesh) <= exact * (1.0 + 1e-9)


@pytest.mark.parametrize("name", SOLIDS)
def test_normals_are_unit_and_agree_with_the_faces(name: str) -> None:
    mesh, _ = SOLIDS[name]
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-12)
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    facing = np.cross(b - a, c - a)
    facing /= np.linalg.norm(facing, axis=1, keepdims=True)
    assert np.einsum("ij,ikj->ik", facing, mesh.normals[mesh.faces]).min() > 0.5


def test_extents_are_exact() -> None:
    np.testing.assert_allclose(np.ptp(box((0.4, 0.2, 0.6)).vertices, axis=0), (0.4, 0.2, 0.6), atol=1e-12)
    assert np.abs(cylinder(0.2, 0.7).vertices[:, 2]).max() == pytest.approx(0.35, abs=1e-12)
    assert np.abs(capsule(0.2, 0.7).vertices[:, 2]).max() == pytest.approx(0.55, abs=1e-12)
    assert np.hypot(*cylinder(0.2, 0.7).vertices[:, :2].T).max() == pytest.approx(0.2, abs=1e-12)


def test_normals_of_an_ellipsoid_are_those_of_its_equation() -> None:
    radii = np.array((0.3, 0.1, 0.5))
    mesh = ellipsoid(radii)
    gradient = mesh.vertices / radii**2
    gradient /= np.linalg.norm(gradient, axis=1, keepdims=True)
    np.testing.assert_allclose(mesh.normals, gradient, atol=1e-10)


def test_tapered_bone_touches_both_balls() -> None:
    mesh = rounded_bone((0, 0, 0), (0.3, 0.4, 0.0), 0.1, 0.04)
    start, end = np.linalg.norm(mesh.vertices, axis=1), np.linalg.norm(mesh.vertices - (0.3, 0.4, 0.0), axis=1)
    assert start.min() > 0.1 - 1e-9
    assert end.min() == pytest.approx(0.04, abs=1e-9)
    assert volume(mesh) > 0.0


def test_ball_that_holds_the_other_is_drawn_alone() -> None:
    mesh = ball_pair(0.5, 0.1, 0.2)
    np.testing.assert_allclose(np.linalg.norm(mesh.vertices, axis=1), 0.5, atol=1e-12)
    swallowed = ball_pair(0.1, 0.5, 0.2)
    np.testing.assert_allclose(np.linalg.norm(swallowed.vertices - (0, 0, 0.2), axis=1), 0.5, atol=1e-12)


def test_mirror_image_is_right_side_out() -> None:
    assert volume(capsule(0.1, 0.3).scaled((1.0, -2.0, 1.0))) == pytest.approx(2.0 * volume(capsule(0.1, 0.3)))


def test_placing_moves_points_and_turns_normals() -> None:
    mesh = box((0.2, 0.2, 0.2))
    turn = quaternion_about(np.array((0.0, 0.0, 1.0)), np.array(0.3))
    placed = mesh.placed(RigidTransform((1.0, 2.0, 3.0), turn))
    np.testing.assert_allclose(placed.vertices.mean(axis=0), (1.0, 2.0, 3.0), atol=1e-12)
    assert volume(placed) == pytest.approx(volume(mesh), rel=1e-12)
    outside = np.einsum("ij,ij->i", placed.vertices - (1, 2, 3), placed.normals)
    assert outside.min() > 0.0


def test_tube_follows_its_curve() -> None:
    angle = np.linspace(0.0, 1.5, 60)
    path = np.column_stack([np.cos(angle), np.sin(angle), 0.2 * angle])
    mesh = tube(path, 0.01, segments=12)
    centres = mesh.vertices.reshape(60, 12, 3)
    np.testing.assert_allclose(np.linalg.norm(centres - path[:, None], axis=2), 0.01, atol=1e-12)
    assert len(tube(path[:1], 0.01).faces) == 0


def test_tube_survives_a_curve_that_stands_still() -> None:
    mesh = tube(np.zeros((5, 3)), 0.01)
    assert np.isfinite(mesh.vertices).all()


def test_joining_keeps_every_triangle() -> None:
    both = joined([box((1, 1, 1)), cylinder(0.2, 0.7)])
    assert volume(both) == pytest.approx(volume(box((1, 1, 1))) + volume(cylinder(0.2, 0.7)), rel=1e-12)
    assert len(joined([]).faces) == 0
