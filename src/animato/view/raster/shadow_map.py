"""Soft shadows: the scene as the lamp sees it, and how much of the lamp a point sees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter

from animato.kernels.compiled import kernel
from animato.view.raster.rasterizer import empty_buffers, fill
from animato.view.raster.taps import sunflower

MAP_SIZE = 1024
_NOTHING = -1e30
_BLOCK = 16  # elements of the map along the side of a block
_SEARCH = sunflower(10)
_FILTER = sunflower(18)


class Lamp(NamedTuple):
    """A distant lamp with a shadow map.

    Attributes:
        direction: Unit vector towards the lamp, shape [3].
        side, other: Unit vectors across, shape [3]; columns and rows of the map run along them.
        low_side, low_other: Where the map begins along them [m].
        texel: Edge of one element of the map [m].
        heights: Greatest height towards the lamp seen by each element [m], shape [row, column].
        softness: Tangent of the angle under which the lamp's radius is seen.
        reach: Farthest distance of a blocker that counts for the width of a penumbra [m].
        highest: Greatest height anywhere near each block of the map, as near as a penumbra is wide [m], shape [block
            row, block column]. What is above all of it is in full light, which most of a floor is.
    """

    direction: np.ndarray
    side: np.ndarray
    other: np.ndarray
    low_side: float
    low_other: float
    texel: float
    heights: np.ndarray
    softness: float
    reach: float
    highest: np.ndarray


def light_up(
    direction: np.ndarray, vertices: np.ndarray, faces: np.ndarray, *, size: float, softness: float = 0.07
) -> Lamp:
    """Builds the shadow map of a lamp.

    Args:
        direction: Unit vector towards the lamp, shape [3].
        vertices: What casts shadows, in the world [m], shape [vertex, 3].
        faces: Shape [face, 3].
        size: Of the whole thing [m]; the width of the map is a multiple of it, so that shadows do
            not shimmer from frame to frame.
        softness: Tangent of the angle under which the lamp's radius is seen.
    """
    axis = np.array((0.0, 0.0, 1.0)) if abs(direction[2]) < 0.9 else np.array((1.0, 0.0, 0.0))
    side = np.cross(axis, direction)
    side /= np.linalg.norm(side)
    other = np.cross(direction, side)
    sound = vertices[np.isfinite(vertices).all(axis=1)]
    if len(faces) == 0 or len(sound) == 0:
        return Lamp(
            direction,
            side,
            other,
            0.0,
            0.0,
            1.0,
            np.full((1, 1), _NOTHING, np.float32),
            softness,
            size,
            np.full((1, 1), _NOTHING, np.float32),
        )
    along = np.column_stack([sound @ side, sound @ other])
    low, high = along.min(axis=0), along.max(axis=0)
    step = 0.25 * size
    texel = step * max(float(np.ceil((high - low).max() / step)), 1.0) / (MAP_SIZE - 4)
    start = np.floor(low / texel) - 2.0
    low = start * texel
    with np.errstate(all="ignore"):  # what is not finite is left out by `fill`
        x, y = (vertices @ side - low[0]) / texel, (vertices @ other - low[1]) / texel
        heights = vertices @ direction
    buffers = empty_buffers(MAP_SIZE, MAP_SIZE, farthest=_NOTHING)
    numbers = np.arange(len(faces), dtype=np.int32)
    fill(x[faces], y[faces], heights[faces], numbers, buffers.depth, buffers.face)
    reach = 0.6 * size
    highest = _highest(buffers.depth, softness * reach / texel)
    start_side, start_other = float(low[0]), float(low[1])
    return Lamp(direction, side, other, start_side, start_other, float(texel), buffers.depth, softness, reach, highest)


def _highest(heights: np.ndarray, widest: float) -> np.ndarray:
    """The greatest height within `widest` elements of each block of the map."""
    count = MAP_SIZE // _BLOCK
    blocks = heights.reshape(count, _BLOCK, count, _BLOCK).max(axis=(1, 3))
    around = 2 * (int(np.ceil(min(widest, MAP_SIZE) / _BLOCK)) + 1) + 1
    return np.ascontiguousarray(maximum_filter(blocks, size=around, mode="nearest"))


@kernel
def lit_share(
    lamp: Lamp, point: tuple[float, float, float], normal: tuple[float, float, float], turn: tuple[float, float]
) -> float:
    """Share of the lamp that a point sees, 0 to 1, by percentage-closer filtering.

    The mean distance of what blocks the lamp near the point gives the width of the penumbra, over
    which the map is then compared with the point's own height. The point's surface is taken as
    plane, so that a tilted one does not shade itself.

    Args:
        lamp: With its shadow map.
        point: In the world [m].
        normal: Unit.
        turn: Cosine and sine by which the pattern of taps is turned.
    """
    nx, ny, nz = normal
    cos_turn, sin_turn = turn
    rows, columns = lamp.heights.shape
    facing = nx * lamp.direction[0] + ny * lamp.direction[1] + nz * lamp.direction[2]
    if rows < 2 or facing <= 0.0:
        return 1.0
    texel = lamp.texel
    lift = 1.5 * texel
    px, py, pz = point[0] + lift * nx, point[1] + lift * ny, point[2] + lift * nz
    u = (px * lamp.side[0] + py * lamp.side[1] + pz * lamp.side[2] - lamp.low_side) / texel
    v = (px * lamp.other[0] + py * lamp.other[1] + pz * lamp.other[2] - lamp.low_other) / texel
    widest = lamp.softness * lamp.reach / texel
    if not (u > -widest and v > -widest and u < columns + widest and v < rows + widest):
        return 1.0
    height = px * lamp.direction[0] + py * lamp.direction[1] + pz * lamp.direction[2] + texel
    steep = -texel / max(facing, 0.2)
    slope_u = steep * (nx * lamp.side[0] + ny * lamp.side[1] + nz * lamp.side[2])
    slope_v = steep * (nx * lamp.other[0] + ny * lamp.other[1] + nz * lamp.other[2])
    block_row = min(max(int(v) // _BLOCK, 0), lamp.highest.shape[0] - 1)
    block_column = min(max(int(u) // _BLOCK, 0), lamp.highest.shape[1] - 1)
    if lamp.highest[block_row, block_column] <= height - widest * (abs(slope_u) + abs(slope_v)):
        return 1.0
    blockers, distance = 0, 0.0
    for tap in range(len(_SEARCH)):
        du = widest * (cos_turn * _SEARCH[tap, 0] - sin_turn * _SEARCH[tap, 1])
        dv = widest * (sin_turn * _SEARCH[tap, 0] + cos_turn * _SEARCH[tap, 1])
        column, row = int(np.floor(u + du)), int(np.floor(v + dv))
        if 0 <= column < columns and 0 <= row < rows:
            above = lamp.heights[row, column] - (height + du * slope_u + dv * slope_v)
            # a blocker counts only if the lamp is wide enough to bring its shadow here
            near = lamp.softness * above / texel + 2.0
            if above > 0.0 and du * du + dv * dv <= near * near:
                blockers += 1
                distance += above
    column, row = int(np.floor(u)), int(np.floor(v))
    if 0 <= column < columns and 0 <= row < rows and lamp.heights[row, column] > height:
        blockers += 1
        distance += lamp.heights[row, column] - height
    if blockers == 0:
        return 1.0
    width = min(max(lamp.softness * distance / blockers / texel, 1.3), widest)
    seen = 0.0
    for tap in range(len(_FILTER)):
        du = width * (cos_turn * _FILTER[tap, 0] - sin_turn * _FILTER[tap, 1])
        dv = width * (sin_turn * _FILTER[tap, 0] + cos_turn * _FILTER[tap, 1])
        column, row = int(np.floor(u + du)), int(np.floor(v + dv))
        if (
            column < 0
            or row < 0
            or column >= columns
            or row >= rows
            or lamp.heights[row, column] <= height + du * slope_u + dv * slope_v
        ):
            seen += 1.0
    return seen / len(_FILTER)
