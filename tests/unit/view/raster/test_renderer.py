"""The renderer itself: degenerate geometry, colours, light."""

from __future__ import annotations

import numpy as np
import pytest

from animato.view.raster.camera import Camera
from animato.view.raster.look import Look
from animato.view.raster.renderer import Ground, Layer, encoded, linear, make_surfaces, render, round_step
from animato.view.raster.shading import Surfaces
from animato.view.raster.triangles import Triangles, box, ellipsoid

QUICK = Look(supersampling=1, labels=False)
GROUND = Ground(0.0, (0.0, 0.0), 2.0, 1.0)
FRONT = Camera((4.0, 0.0, 0.5), (0.0, 0.0, 0.5))


def surfaces(mesh: Triangles, colour: tuple[float, float, float] = (0.7, 0.7, 0.7), glow: float = 0.0) -> Surfaces:
    count = len(mesh.vertices)
    return make_surfaces(
        mesh.vertices,
        mesh.normals,
        np.tile(colour, (count, 1)),
        np.full(count, glow),
        mesh.faces,
        np.zeros(len(mesh.faces)),
    )


def test_srgb_there_and_back() -> None:
    codes = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(encoded(linear(codes / 255.0)), codes)
    np.testing.assert_array_equal(encoded(np.array([np.nan, -1.0, 0.0, 1.0, 9.0])), [0, 0, 0, 255, 255])


def test_surface_that_glows_shows_its_colour() -> None:
    picture = render(
        surfaces(ellipsoid((0.5, 0.5, 0.5)), (0.2, 0.4, 0.6), glow=1.0), FRONT, GROUND, width=32, height=32, look=QUICK
    )
    np.testing.assert_allclose(picture[20, 16], np.rint(255 * np.array((0.2, 0.4, 0.6))), atol=1)


def test_side_towards_the_lamp_is_lighter() -> None:
    ball = ellipsoid((0.5, 0.5, 0.5))
    ball = Triangles(ball.vertices + np.array((0.0, 0.0, 0.6)), ball.normals, ball.faces)
    picture = render(surfaces(ball), FRONT, GROUND, width=64, height=64, look=QUICK).astype(int)
    place, _ = FRONT.project([(0.3, -0.3, 0.9), (0.3, 0.3, 0.3)], 64, 64)
    lit, away = picture[int(place[0, 1]), int(place[0, 0])], picture[int(place[1, 1]), int(place[1, 0])]
    assert lit.mean() > away.mean() + 30


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200, 0.0])
def test_degenerate_geometry_never_raises(bad: float) -> None:
    mesh = box((0.4, 0.4, 0.4))
    vertices, normals = mesh.vertices.copy(), mesh.normals.copy()
    vertices[::3] = bad
    normals[::5] = bad
    broken = surfaces(Triangles(vertices, normals, mesh.faces))
    picture = render(
        broken, FRONT, GROUND, width=32, height=32, look=QUICK, layers=[Layer(broken, 0.5, (0.1, 0.2, 0.9))]
    )
    assert picture.shape == (32, 32, 3)


def test_camera_inside_a_solid_and_below_the_floor() -> None:
    inside = Camera((0.05, 0.0, 0.0), (1.0, 0.0, 0.0))
    picture = render(surfaces(box((1, 1, 1)), (0.9, 0.05, 0.05)), inside, GROUND, width=32, height=32, look=QUICK)
    assert (picture[..., 0] > 1.8 * picture[..., 1]).all()  # a red room
    below = Camera((3.0, 0.0, -1.0), (0.0, 0.0, 0.5))
    assert render(surfaces(box((1, 1, 1))), below, GROUND, width=32, height=32, look=QUICK).shape == (32, 32, 3)


def test_nothing_to_draw_is_a_backdrop() -> None:
    empty = surfaces(Triangles(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)))
    picture = render(empty, FRONT, GROUND, width=32, height=32, look=QUICK)
    assert picture.min() > 150 and picture[0, 0].mean() < picture[-1, 0].mean()


def test_inner_sides_of_open_meshes_are_drawn() -> None:
    sheet = Triangles(
        np.array([(0, -1, 0), (0, 1, 0), (0, 1, 1), (0, -1, 1)], dtype=float),
        np.tile((-1.0, 0.0, 0.0), (4, 1)),
        np.array([(0, 2, 1), (0, 3, 2)], dtype=np.int32),
    )
    seen = [
        render(
            surfaces(sheet, (0.9, 0.05, 0.05)),
            Camera((x, 0.0, 0.5), (0.0, 0.0, 0.5)),
            GROUND,
            width=32,
            height=32,
            look=QUICK,
        )
        for x in (-4.0, 4.0)
    ]
    for picture in seen:
        assert picture[16, 16, 0] > 2 * int(picture[16, 16, 1])


def test_round_steps() -> None:
    assert [round_step(length) for length in (0.07, 0.1, 0.34, 1.0, 7.0, 2000.0)] == [0.05, 0.1, 0.2, 1.0, 5.0, 2000.0]
