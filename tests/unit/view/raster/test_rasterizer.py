"""The depth buffer: coverage, nearness, clipping, and geometry that no one should draw."""

from __future__ import annotations

import numpy as np
import pytest

from animato.view.raster.camera import Camera
from animato.view.raster.rasterizer import empty_buffers, fill, lens_of, see

ONE = np.zeros(1, dtype=np.int32)


def drawn(x: list[float], y: list[float], value: list[float], size: int = 40) -> tuple[np.ndarray, np.ndarray]:
    buffers = empty_buffers(size, size)
    fill(np.array([x]), np.array([y]), np.array([value]), ONE, buffers.depth, buffers.face)
    return buffers.depth, buffers.face


def test_coverage_is_that_of_the_three_edges(rng: np.random.Generator) -> None:
    px, py = np.meshgrid(np.arange(40) + 0.5, np.arange(40) + 0.5)
    for _ in range(200):
        x, y = rng.uniform(-15.0, 55.0, 3), rng.uniform(-15.0, 55.0, 3)
        sides = [(x[(k + 1) % 3] - x[k]) * (py - y[k]) - (y[(k + 1) % 3] - y[k]) * (px - x[k]) for k in range(3)]
        inside = np.all([side >= 0.0 for side in sides], axis=0) | np.all([side <= 0.0 for side in sides], axis=0)
        _, face = drawn(x.tolist(), y.tolist(), [1.0, 2.0, 3.0])
        # a centre that lies on an edge to rounding may go either way
        sure = np.min(np.abs(sides), axis=0) > 1e-9
        np.testing.assert_array_equal((face == 0)[sure], inside[sure])


def test_value_is_linear_over_the_picture() -> None:
    depth, face = drawn([0.0, 40.0, 0.0], [0.0, 0.0, 40.0], [1.0, 3.0, 5.0])
    rows, columns = np.nonzero(face == 0)
    expected = 1.0 + (columns + 0.5) / 40.0 * 2.0 + (rows + 0.5) / 40.0 * 4.0
    np.testing.assert_allclose(depth[rows, columns], expected, rtol=1e-6)  # the buffer is single precision


def test_nearest_wins_in_any_order() -> None:
    x = np.array([[0.0, 40.0, 0.0]] * 3)
    y = np.array([[0.0, 0.0, 40.0]] * 3)
    value = np.array([[1.0] * 3, [3.0] * 3, [2.0] * 3])
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        buffers = empty_buffers(40, 40)
        rows = list(order)
        fill(x[rows], y[rows], value[rows], np.array(order, dtype=np.int32), buffers.depth, buffers.face)
        assert buffers.face[5, 5] == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_no_number_is_drawn_that_is_none(bad: float) -> None:
    _, face = drawn([bad, 40.0, 0.0], [0.0, 0.0, 40.0], [1.0] * 3)
    assert (face == -1).all() or bad == 1e300
    _, line = drawn([0.0, 20.0, 40.0], [0.0, 20.0, 40.0], [1.0] * 3)
    assert (line == -1).all()


def test_triangle_through_the_camera_is_clipped_not_mirrored() -> None:
    """A floor-like triangle that reaches behind the eye covers exactly the pixels whose rays meet it."""
    camera = Camera((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), field_of_view=1.2)
    lens = lens_of(camera, 60, 60)
    vertices = np.array([(-5.0, -4.0, 0.0), (-5.0, 4.0, 0.0), (6.0, 0.0, 0.0)])
    buffers = empty_buffers(60, 60)
    see(lens, vertices, np.array([[0, 1, 2]], dtype=np.int32), buffers, 1e-3)
    column, row = np.meshgrid(np.arange(60) + 0.5, np.arange(60) + 0.5)
    drop = (30.0 - row) / lens.focal
    far = np.where(drop < 0.0, -1.0 / np.minimum(drop, -1e-9), -1.0)  # depth at which z = 0 is met
    across = far * (30.0 - column) / lens.focal
    inside = (far > 0.0) & (far < 6.0) & (np.abs(across) < 4.0 * (6.0 - far) / 11.0)
    assert inside.sum() > 300
    assert ((buffers.face == 0) != inside).mean() < 0.01  # only pixels on the outline differ
    seen = buffers.face == 0
    np.testing.assert_allclose(1.0 / buffers.depth[seen & inside], far[seen & inside], rtol=1e-5)


def test_all_behind_is_nothing() -> None:
    lens = lens_of(Camera((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), 20, 20)
    buffers = empty_buffers(20, 20)
    see(lens, np.array([(-1.0, -9.0, -9.0), (-1.0, 9.0, -9.0), (-1.0, 0.0, 9.0)]), np.array([[0, 1, 2]]), buffers, 1e-3)
    see(lens, np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), buffers, 1e-3)
    assert (buffers.face == -1).all()
