from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial import ConvexHull

from animato.character import Body, Box, Capsule, Cylinder, Ellipsoid, Frame, Geometry, Mesh, Shape, Sphere
from animato.mechanics.collision.bounding_capsules import segment_distances
from animato.mechanics.collision.hull import hulls_of
from animato.mechanics.collision.shape_points import hull_vertices, shape_points
from animato.spatial import quaternions

VOLUMES: list[tuple[Geometry, float]] = [
    (Box((0.1, 0.2, 0.3)), 0.006),
    (Sphere(0.2), 4 / 3 * np.pi * 0.2**3),
    (Ellipsoid((0.1, 0.2, 0.3)), 4 / 3 * np.pi * 0.006),
    (Cylinder(0.1, 0.5), np.pi * 0.005),
    (Capsule(0.1, 0.5), np.pi * 0.005 + 4 / 3 * np.pi * 0.001),
]


def write_tetrahedron(path: Path, corners: np.ndarray) -> None:
    """An STL file as text."""
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    lines = ["solid one"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x} {y} {z}" for x, y, z in corners[list(face)]]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid one"]))


@pytest.mark.parametrize(("geometry", "volume"), VOLUMES, ids=lambda one: type(one).__name__)
def test_points_span_their_shape(geometry: Geometry, volume: float) -> None:
    points = shape_points(geometry)
    assert points is not None
    found = ConvexHull(points).volume
    assert volume * 0.97 < found <= volume * (1.0 + 1e-12)  # samples of round shapes lie inside them


@pytest.mark.parametrize(("geometry", "volume"), VOLUMES, ids=lambda one: type(one).__name__)
def test_the_capsule_holds_the_hull(geometry: Geometry, volume: float, rng: np.random.Generator) -> None:
    frame = Frame(tuple(rng.normal(size=3)), tuple(quaternions.normalized(rng.normal(size=4))))
    (hull,), complete = hulls_of(Body("one", shapes=(Shape(geometry, frame),)), 3)
    assert complete and hull.exact == geometry and hull.index == 3
    segment = np.tile(hull.ends, (len(hull.points), 1, 1))
    apart = segment_distances(segment, np.repeat(hull.points[:, None], 2, axis=1))
    assert apart.max() <= hull.radius
    if not isinstance(geometry, Box | Cylinder):
        assert apart.max() > 0.9 * hull.radius


def test_a_mesh_is_read_scaled_and_placed(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    path = tmp_path / "one.stl"
    corners = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    write_tetrahedron(path, corners)
    shape = Shape(Mesh(str(path), (0.001, 0.002, 0.003)), Frame((1.0, 2.0, 3.0)))
    (hull,), complete = hulls_of(Body("one", shapes=(shape,)), 0)
    assert complete and hull.exact is None
    expected = corners * (0.001, 0.002, 0.003) + (1.0, 2.0, 3.0)
    np.testing.assert_allclose(sorted(map(tuple, hull.points)), sorted(map(tuple, expected)), atol=1e-9)


def test_flat_meshes_and_single_points_have_a_hull(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    path = tmp_path / "flat.stl"
    write_tetrahedron(path, np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]))
    points = shape_points(Mesh(str(path)))
    assert points is not None
    assert ConvexHull(points).volume == pytest.approx(1e-4, rel=1e-2)
    assert ConvexHull(hull_vertices(np.zeros((1, 3)))).volume == pytest.approx(1e-12)


def test_distances_of_segments(rng: np.random.Generator) -> None:
    first, second = rng.normal(size=(2, 80, 2, 3))
    first[:20, 1] = first[:20, 0]  # points
    second[10:30, 1] = second[10:30, 0]
    second[30:50] = first[30:50] + rng.normal(size=(20, 1, 3))  # parallel
    second[50:60] = first[50:60, ::-1] * 0.5  # shared plane through the origin
    found = segment_distances(first, second)
    for a, b, distance in zip(first, second, found, strict=True):

        def gap(x: np.ndarray, a: np.ndarray = a, b: np.ndarray = b) -> float:
            return float(np.sum((a[0] + x[0] * (a[1] - a[0]) - b[0] - x[1] * (b[1] - b[0])) ** 2))

        starts = product((0.0, 0.5, 1.0), repeat=2)
        best = min(minimize(gap, start, bounds=[(0, 1), (0, 1)], tol=1e-14).fun for start in starts)
        assert distance == pytest.approx(np.sqrt(best), abs=1e-5)
