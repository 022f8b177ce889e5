"""Closed forms of solids, against sampling."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.frame import Frame
from animato.character.mass_properties import mass_properties_of
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Geometry, Shape, Sphere
from animato.errors import CharacterError
from animato.spatial import quaternions


def inside(geometry: Geometry, points: np.ndarray) -> np.ndarray:
    x, y, z = points.T
    if isinstance(geometry, Box):
        return np.all(np.abs(points) < np.array(geometry.size) / 2, axis=1)
    if isinstance(geometry, Sphere):
        return np.linalg.norm(points, axis=1) < geometry.radius
    if isinstance(geometry, Ellipsoid):
        return np.sum((points / np.array(geometry.radii)) ** 2, axis=1) < 1
    along = np.clip(z, -geometry.length / 2, geometry.length / 2)
    if isinstance(geometry, Capsule):
        return x * x + y * y + (z - along) ** 2 < geometry.radius**2
    return (x * x + y * y < geometry.radius**2) & (z == along)


@pytest.mark.parametrize(
    "geometry",
    [Box((0.4, 0.7, 1.1)), Sphere(0.6), Ellipsoid((0.3, 0.5, 0.8)), Cylinder(0.4, 1.2), Capsule(0.4, 0.6)],
)
def test_solids_agree_with_sampling(geometry: Geometry, rng: np.random.Generator) -> None:
    properties = mass_properties_of(Body("b", density=1.0, shapes=(Shape(geometry),)))
    points = rng.uniform(-1, 1, (400_000, 3))
    points = points[inside(geometry, points)]
    volume = 8 * len(points) / 400_000
    square = np.mean(points**2, axis=0) * volume
    moments = square.sum() - square
    # sampling converges with the root of the count: about half a percent here
    np.testing.assert_allclose(properties.mass, volume, rtol=0.01)
    np.testing.assert_allclose(np.diag(properties.inertia), moments, rtol=0.02)


def test_two_half_boxes_are_one_box() -> None:
    whole = mass_properties_of(Body("b", density=3.0, shapes=(Shape(Box((2, 1, 1))),)))
    halves = [Shape(Box((1, 1, 1)), Frame((x, 0, 0))) for x in (-0.5, 0.5)]
    split = mass_properties_of(Body("b", density=3.0, shapes=tuple(halves)))
    np.testing.assert_allclose(split.mass, whole.mass, atol=1e-12)
    np.testing.assert_allclose(split.inertia, whole.inertia, atol=1e-12)


def test_a_turned_shape_turns_its_inertia() -> None:
    quarter = tuple(quaternions.quaternion_from_rotation_vector((0, 0, np.pi / 2)))
    body = Body("b", mass=2.0, shapes=(Shape(Box((1, 2, 3)), Frame((0.1, 0, 0), quarter)),))
    properties = mass_properties_of(body)
    np.testing.assert_allclose(np.diag(properties.inertia), 2 / 12 * np.array([1 + 9, 4 + 9, 5]), atol=1e-12)
    np.testing.assert_allclose(properties.centre, (0.1, 0, 0), atol=1e-12)


def test_stated_numbers_win_and_nothing_is_massless() -> None:
    stated = mass_properties_of(Body("b", mass=2.0, centre=(1, 2, 3), inertia=(1, 2, 3, 0.1, 0.2, 0.3)))
    np.testing.assert_array_equal(stated.inertia, [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 3]])
    assert mass_properties_of(Body("b", shapes=(Shape(Sphere(1.0)),))).mass == 0.0


def test_impossible_inertia_is_refused() -> None:
    with pytest.raises(CharacterError, match="negative moment"):
        mass_properties_of(Body("b", mass=1.0, inertia=(1, 1, -1, 0, 0, 0)))
