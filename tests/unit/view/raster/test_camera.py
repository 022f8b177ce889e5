"""Cameras: what is left, right, up and near, and that framing fits."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import AnimatoError, OptionError
from animato.view.raster.camera import Camera, framing


def test_behind_the_character_its_left_is_on_the_left_and_up_is_up() -> None:
    camera = Camera((-5.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    (left, right, high), depth = camera.project([(0, 1, 1), (0, -1, 1), (0, 0, 2)], 640, 480)
    assert left[0] < 320 < right[0]
    assert high[1] < 240
    np.testing.assert_allclose(depth, 5.0, atol=1e-12)


def test_projection_is_that_of_a_pinhole() -> None:
    camera = Camera((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), field_of_view=np.pi / 2.0)
    place, depth = camera.project((2.0, -1.0, 1.0), 400, 400)
    # f = 200 px at 90 degrees; y to the left, z up
    np.testing.assert_allclose(place, (200.0 + 200.0 * 0.5, 200.0 - 200.0 * 0.5), atol=1e-10)
    assert depth == pytest.approx(2.0, abs=1e-12)


def test_axes_are_orthonormal_even_straight_down() -> None:
    for target in ((0.0, 0.0, -1.0), (1.0, 2.0, 3.0), (0.0, 1.0, 0.0)):
        axes = Camera((0.0, 0.0, 0.0), target).axes
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    down = Camera((0.0, 0.0, 5.0), (0.0, 0.0, 0.0))
    (east, north), _ = down.project([(1, 0, 0), (0, 1, 0)], 100, 100)
    assert east[0] > 50 and north[1] < 50


@pytest.mark.parametrize("aspect", [0.5, 1.0, 16 / 9])
@pytest.mark.parametrize("azimuth", [-2.0, 0.0, 0.7])
def test_framing_is_tight_centred_and_inside_the_margin(
    aspect: float, azimuth: float, rng: np.random.Generator
) -> None:
    points = rng.normal(size=(200, 3)) * (1.0, 2.0, 0.5) + (3.0, -1.0, 2.0)
    margin = 0.1
    camera = framing(points, azimuth=azimuth, aspect=aspect, margin=margin)
    place, depth = camera.project(points, 1000 * aspect, 1000)
    assert depth.min() > 0.0
    share = place / (1000 * aspect, 1000)
    low, high = share.min(axis=0), share.max(axis=0)
    assert low.min() > margin - 0.01 and high.max() < 1.0 - margin + 0.01
    # one of the two directions fills the frame, and what is seen is centred in both
    assert (high - low).max() == pytest.approx(1.0 - 2.0 * margin, abs=0.02)
    np.testing.assert_allclose(low + high, 1.0, atol=0.02)


def test_framing_survives_nothing_one_point_and_nan() -> None:
    for points in (np.zeros((0, 3)), np.ones((1, 3)), np.array([[np.nan, 0, 0], [0, 0, 1]])):
        camera = framing(points)
        assert np.isfinite(camera.eye).all()


def test_bad_cameras_are_refused() -> None:
    with pytest.raises(OptionError, match="place where it is"):
        Camera((1.0, 2.0, 3.0), (1.0, 2.0, 3.0))
    with pytest.raises(OptionError, match="field of view"):
        Camera((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), field_of_view=4.0)
    with pytest.raises(AnimatoError, match="eye of a camera"):
        Camera((np.nan, 0.0, 0.0), (1.0, 0.0, 0.0))


def test_moving_takes_eye_and_target_along() -> None:
    moved = Camera((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)).moved((1.0, 2.0, 3.0))
    assert moved.eye == (1.0, 2.0, 3.0) and moved.target == (2.0, 2.0, 3.0)
