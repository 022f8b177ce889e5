"""How much of the lamp and of the sky each pixel sees."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.view.raster.rasterizer import Lens, pixel_ray
from animato.view.raster.shading import FLOOR, Backdrop, Pixels
from animato.view.raster.shadow_map import Lamp, lit_share
from animato.view.raster.taps import sunflower, turn_of_pixel

_TAPS = sunflower(10)
_REACH = 0.10  # of the character's size: what is farther away hides no sky


@kernel
def sky_share(lens: Lens, backdrop: Backdrop, pixels: Pixels, row: int, column: int, spread: float) -> float:
    """Share of the sky that a pixel's point sees, estimated from the depth of the pixels around it.

    Those that rise above the point's tangent plane within a tenth of the character's size hide a
    part of the sky, the steeper the more.

    Args:
        lens: The camera.
        backdrop: Knows the character's size.
        pixels: Depth and normals.
        row: Of the pixel.
        column: Of the pixel.
        spread: Radius in which to look [pixels].
    """
    rows, columns = pixels.depth.shape
    reach = _REACH * backdrop.size
    dx, dy, dz = pixel_ray(lens, row, column)
    depth = pixels.depth[row, column]
    px, py, pz = depth * dx, depth * dy, depth * dz
    normal = pixels.normal[row, column]
    cos_turn, sin_turn = turn_of_pixel(row, column)
    hidden = 0.0
    for tap in range(len(_TAPS)):
        c = int(column + spread * (cos_turn * _TAPS[tap, 0] - sin_turn * _TAPS[tap, 1]))
        r = int(row + spread * (sin_turn * _TAPS[tap, 0] + cos_turn * _TAPS[tap, 1]))
        if c < 0 or r < 0 or c >= columns or r >= rows or pixels.depth[r, c] <= 0.0:
            continue
        ex, ey, ez = pixel_ray(lens, r, c)
        t = pixels.depth[r, c]
        vx, vy, vz = t * ex - px, t * ey - py, t * ez - pz
        square = vx * vx + vy * vy + vz * vz
        rise = vx * normal[0] + vy * normal[1] + vz * normal[2] - 0.004 * backdrop.size
        if rise > 0.0 and square < reach * reach:
            hidden += rise / np.sqrt(square) * (1.0 - square / (reach * reach))
    return max(1.0 - 2.4 * hidden / len(_TAPS), 0.15)


@kernel
def occlude(lens: Lens, lamp: Lamp, backdrop: Backdrop, sky_on: bool, pixels: Pixels) -> None:
    """Fills the shares of lamp and sky of all pixels, with a pattern of noise every 4 x 4 pixels."""
    rows, columns = pixels.depth.shape
    first_row, last_row, first_column, last_column = rows, -1, columns, -1
    for row in range(rows):
        for column in range(columns):
            if pixels.part[row, column] >= 0:
                first_row, last_row = min(first_row, row), max(last_row, row)
                first_column, last_column = min(first_column, column), max(last_column, column)
    for row in range(rows):
        for column in range(columns):
            t = pixels.depth[row, column]
            pixels.light[row, column], pixels.sky[row, column] = 1.0, 1.0
            if t <= 0.0:
                continue
            dx, dy, dz = pixel_ray(lens, row, column)
            pixels.light[row, column] = lit_share(
                lamp,
                (lens.eye[0] + t * dx, lens.eye[1] + t * dy, lens.eye[2] + t * dz),
                (pixels.normal[row, column, 0], pixels.normal[row, column, 1], pixels.normal[row, column, 2]),
                turn_of_pixel(row, column),
            )
            spread = min(_REACH * backdrop.size * lens.focal / (t * lens.step), 0.25 * columns)
            # the floor is open to the sky wherever nothing solid is near it in the picture
            beside = (
                row + spread < first_row
                or row - spread > last_row
                or column + spread < first_column
                or column - spread > last_column
            )
            if sky_on and not (pixels.part[row, column] == FLOOR and beside):
                pixels.sky[row, column] = sky_share(lens, backdrop, pixels, row, column, spread)


@kernel
def smooth(lens: Lens, backdrop: Backdrop, pixels: Pixels, light: np.ndarray, sky: np.ndarray) -> None:
    """Writes means over 4 x 4 pixels of the same surface to `light` and `sky`, which takes the pattern out again."""
    rows, columns = pixels.depth.shape
    thick = 0.01 * backdrop.size
    first_row, last_row, first_column, last_column = rows, -1, columns, -1
    for row in range(rows):
        for column in range(columns):
            light[row, column], sky[row, column] = pixels.light[row, column], pixels.sky[row, column]
            if pixels.light[row, column] != 1.0 or pixels.sky[row, column] != 1.0:
                first_row, last_row = min(first_row, row), max(last_row, row)
                first_column, last_column = min(first_column, column), max(last_column, column)
    # beyond two pixels from all shade there is nothing to even out
    for row in range(max(first_row - 2, 0), min(last_row + 3, rows)):
        for column in range(max(first_column - 2, 0), min(last_column + 3, columns)):
            here_light, here_sky = pixels.light[row, column], pixels.sky[row, column]
            top, bottom = max(row - 2, 0), min(row + 2, rows)
            left, right = max(column - 2, 0), min(column + 2, columns)
            uneven = False
            for r in range(top, bottom):
                for c in range(left, right):
                    if pixels.light[r, c] != here_light or pixels.sky[r, c] != here_sky:
                        uneven = True
            t = pixels.depth[row, column]
            if t <= 0.0 or not uneven:
                continue
            n = pixels.normal[row, column]
            dx, dy, dz = pixel_ray(lens, row, column)
            light_sum, sky_sum, count = 0.0, 0.0, 0
            for r in range(top, bottom):
                for c in range(left, right):
                    s, m = pixels.depth[r, c], pixels.normal[r, c]
                    if s <= 0.0 or n[0] * m[0] + n[1] * m[1] + n[2] * m[2] < 0.6:
                        continue
                    ex, ey, ez = pixel_ray(lens, r, c)
                    off = (s * ex - t * dx) * n[0] + (s * ey - t * dy) * n[1] + (s * ez - t * dz) * n[2]
                    if abs(off) < thick:
                        light_sum += pixels.light[r, c]
                        sky_sum += pixels.sky[r, c]
                        count += 1
            if count > 0:
                light[row, column], sky[row, column] = light_sum / count, sky_sum / count
