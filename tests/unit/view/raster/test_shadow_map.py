"""Soft shadows: dark below, light beside, soft between, and softer from higher up."""

from __future__ import annotations

import numpy as np

from animato.view.raster.shadow_map import Lamp, light_up, lit_share

UP = np.array((0.0, 0.0, 1.0))


def plate_lamp(height: float, softness: float = 0.2) -> Lamp:
    """A lamp straight above a square plate with edges of 1 m."""
    corners = np.array([(-0.5, -0.5, height), (0.5, -0.5, height), (0.5, 0.5, height), (-0.5, 0.5, height)])
    return light_up(UP, corners, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32), size=1.0, softness=softness)


def profile(lamp: Lamp) -> np.ndarray:
    """Light on the floor across the edge of the plate, meaned over turns of the pattern."""
    places = np.linspace(0.2, 0.8, 61)
    turns = np.arange(16) * np.pi / 8.0
    return np.array(
        [
            np.mean([lit_share(lamp, (x, 0.0, 0.0), (0.0, 0.0, 1.0), (np.cos(t), np.sin(t))) for t in turns])
            for x in places
        ]
    )


def test_dark_below_and_light_beside() -> None:
    light = profile(plate_lamp(0.4))
    assert light[0] == 0.0 and light[-1] == 1.0
    half = np.interp(0.5, light, np.linspace(0.2, 0.8, 61))
    assert abs(half - 0.5) < 0.03  # half of the lamp is seen below the edge


def test_higher_things_cast_softer_shadows() -> None:
    wide = [
        np.ptp(np.linspace(0.2, 0.8, 61)[(light > 0.1) & (light < 0.9)])
        for light in map(profile, map(plate_lamp, (0.1, 0.4)))
    ]
    assert wide[1] > 2.0 * wide[0]


def test_lamp_shines_where_nothing_blocks() -> None:
    lamp = plate_lamp(0.4)
    assert lit_share(lamp, (0.0, 0.0, 0.6), (0.0, 0.0, 1.0), (1.0, 0.0)) == 1.0  # above the plate
    assert lit_share(lamp, (0.0, 0.0, 0.4), (0.0, 0.0, 1.0), (1.0, 0.0)) == 1.0  # on it: no shade of its own
    assert lit_share(lamp, (50.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0)) == 1.0
    empty = light_up(UP, np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), size=1.0)
    assert lit_share(empty, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0)) == 1.0


def test_tilted_surface_does_not_shade_itself() -> None:
    slope = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 1.2), (1.0, 1.0, 1.2), (-1.0, 1.0, 0.0)])
    lamp = light_up(UP, slope, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32), size=2.0)
    normal = np.array((-0.6, 0.0, 1.0)) / np.hypot(0.6, 1.0)
    shares = [
        lit_share(lamp, (x, y, 0.6 + 0.6 * x), tuple(normal), (1.0, 0.0))
        for x in np.linspace(-0.8, 0.8, 15)
        for y in np.linspace(-0.8, 0.8, 15)
    ]
    assert min(shares) == 1.0


def test_map_survives_what_is_not_a_number() -> None:
    corners = np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 1.0, np.nan)])
    lamp = light_up(UP, corners, np.array([(0, 1, 2)], dtype=np.int32), size=1.0)
    assert 0.0 <= lit_share(lamp, (0.2, 0.2, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0)) <= 1.0
