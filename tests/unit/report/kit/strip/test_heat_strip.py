from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from animato.character.limits import Limits
from animato.mechanics.limits.usage import LIMIT_KINDS
from animato.report.kit.strip.heat_strip import ALL_KINDS, build_heat_strip, colour_indices, draw_heat_strip


def long_usage(make_usage, rng, count: int = 10_000, axes: int = 5, times=None):
    limits = {f"joint_{index}": Limits(-1.0, 1.0, velocity=1.0, torque=1.0) for index in range(axes)}
    values = {
        name: {kind: 0.6 * rng.uniform(-1.0, 1.0, count) for kind in ("position", "velocity", "torque")}
        for name in limits
    }
    return make_usage(limits, values, times=times)


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


def test_each_column_holds_the_maximum_of_its_span(make_usage, rng) -> None:
    usage = long_usage(make_usage, rng)
    strip = build_heat_strip(usage)
    assert strip.column_count == 1000
    column = np.minimum(np.searchsorted(strip.edges, usage.times, side="right") - 1, 999)
    for kind in LIMIT_KINDS:
        expected = np.full((1000, 5), -np.inf)
        np.maximum.at(expected, column, np.nan_to_num(usage.shares[kind], nan=-np.inf))
        assert np.array_equal(np.nan_to_num(strip.shares[kind], nan=-np.inf), expected), kind
        found = np.take_along_axis(usage.shares[kind], strip.samples[kind], axis=0)
        assert np.array_equal(found, strip.shares[kind], equal_nan=True), kind
    largest = np.nanmax([strip.shares["position"], strip.shares["velocity"], strip.shares["torque"]], axis=0)
    assert np.array_equal(strip.of_kind(ALL_KINDS), largest)


@pytest.mark.parametrize("sample", [0, 1, 4321, 9998, 9999])
def test_a_violation_of_one_sample_reaches_the_picture(make_usage, rng, sample) -> None:
    usage = long_usage(make_usage, rng)
    usage.shares["velocity"][sample, 3] = 1.2
    strip = build_heat_strip(usage)
    assert strip.shares["velocity"][:, 3].max() == 1.2
    calm, hurt = (draw_heat_strip(strip.of_kind(kind), row_height=20) for kind in ("torque", ALL_KINDS))
    assert np.any(colour_indices(strip.of_kind(ALL_KINDS)) >= 64)
    # Magenta: red without green. Nothing within its limit has that colour.
    beyond = [
        (image[..., 1] < 20) & (image[..., 0] > 80) & (image[..., 3] == 255) for image in map(pixels, (calm, hurt))
    ]
    assert not beyond[0].any()
    rows, columns = np.nonzero(beyond[1])
    assert set(rows // 20) == {3}
    assert np.unique(columns).size >= 3  # drawn wider than its one column, so that a smaller view keeps it
    assert abs(columns.mean() - sample / 10_000 * 1000) < 3


def test_uneven_times_lose_nothing(make_usage, rng) -> None:
    times = np.sort(np.concatenate([rng.uniform(0.0, 1.0, 4000), [3.0, 10.0]]))
    usage = long_usage(make_usage, rng, count=4002, times=times)
    usage.shares["torque"][-2, 0] = 1.5
    strip = build_heat_strip(usage)
    assert strip.shares["torque"][:, 0].max() == 1.5
    assert not np.isnan(strip.of_kind(ALL_KINDS)).any()
    assert strip.samples["torque"][-1, 0] == 4001


@pytest.mark.parametrize("count", [1, 2, 3])
def test_short_clips(make_usage, rng, count) -> None:
    strip = build_heat_strip(long_usage(make_usage, rng, count=count))
    assert strip.column_count == max(1, count - 1)
    assert pixels(draw_heat_strip(strip.of_kind("torque"), row_height=16)).shape == (80, 400, 4)


def test_colours_tell_the_sides_of_the_limit_apart() -> None:
    index = colour_indices(np.array([[0.0, 0.5, 1.0, 1.0 + 1e-9, 1.00001, 5.0, np.inf, np.nan]]))[0]
    assert list(index) == [0, 32, 63, 63, 64, 127, 127, 128]


def test_lightness_falls_with_the_share() -> None:
    shares = np.linspace(0.0, 2.0, 201)[:, None]
    image = pixels(draw_heat_strip(shares, row_height=2))[0, ::2].astype(float)
    on_white = image[:, :3] * image[:, 3:] / 255.0 + 255.0 - image[:, 3:]
    light = on_white @ (0.2126, 0.7152, 0.0722)
    assert np.all(np.diff(light) <= 1.0)
    assert light[99] - light[102] > 50.0  # a step that nobody overlooks


def test_rows_without_a_limit_are_not_coloured() -> None:
    image = pixels(draw_heat_strip(np.full((50, 1), np.nan), row_height=10))
    assert image[..., 3].max() < 60
