"""Samples become pixels: shaded once where a pixel sees one smooth surface, at every sample where it does not."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.view.raster.rasterizer import Buffers, Lens, ray
from animato.view.raster.shading import (
    FLOOR,
    Backdrop,
    Pixels,
    Surfaces,
    Triple,
    backdrop_colour,
    corner_weights,
    floor_distance,
    normal_at,
    surface_colour,
)
from animato.view.raster.shadow_map import Lamp, lit_share

_SMOOTH = 0.85  # cosine between faces of a part that still count as one surface
_SKIN = 0.006  # of the character's size: a layer nearer than this to something solid would flicker with it
_OVER_SOLID = 0.3  # share of a layer's opacity before something solid


@kernel
def sample_light(
    lens: Lens, surfaces: Surfaces, lamp: Lamp, pixels: Pixels, face: int, x: float, y: float, depth: float
) -> tuple[float, float]:
    """Shares of lamp and sky of a sample: those of the pixel around it that sees the same surface.

    Where no pixel does, as for a thread thinner than a pixel, the lamp is asked directly.

    Args:
        lens: The camera.
        surfaces: All triangles.
        lamp: With its shadow map.
        pixels: What the middle of each pixel sees.
        face: The face that the sample sees, negative for the floor.
        x: Of the sample.
        y: Of the sample.
        depth: Of the sample [m].
    """
    rows, columns = pixels.depth.shape
    row, column = int(y) // lens.step, int(x) // lens.step
    part = surfaces.parts[face] if face >= 0 else FLOOR
    best, light, sky = 0.03 * depth, -1.0, 1.0
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(column - 1, 0), min(column + 2, columns)):
            off = abs(pixels.depth[r, c] - depth)
            if pixels.part[r, c] == part and off < best:
                best, light, sky = off, pixels.light[r, c], pixels.sky[r, c]
    if light < 0.0:
        dx, dy, dz = ray(lens, x, y)
        normal = (0.0, 0.0, 1.0)
        if face >= 0:
            wa, wb, wc = corner_weights(lens, surfaces, face, dx, dy, dz)
            normal = normal_at(surfaces, face, wa, wb, wc, dx, dy, dz)
        e = lens.eye
        light = lit_share(lamp, (e[0] + depth * dx, e[1] + depth * dy, e[2] + depth * dz), normal, (1.0, 0.0))
    return light, sky


@kernel
def sample_colour(
    lens: Lens,
    surfaces: Surfaces,
    lamp: Lamp,
    backdrop: Backdrop,
    buffers: Buffers,
    pixels: Pixels,
    row: int,
    column: int,
) -> Triple:
    """Colour of one sample."""
    x, y = column + 0.5, row + 0.5
    t = floor_distance(lens, backdrop, ray(lens, x, y)[2])
    face, closeness = int(buffers.face[row, column]), buffers.depth[row, column]
    if face >= 0 and not (t > 0.0 and closeness * t < 1.0):
        light, sky = sample_light(lens, surfaces, lamp, pixels, face, x, y, 1.0 / closeness)
        return surface_colour(lens, surfaces, lamp, backdrop, face, x, y, light, sky)
    light, sky = 1.0, 1.0
    if t > 0.0:
        light, sky = sample_light(lens, surfaces, lamp, pixels, -1, x, y, t)
    return backdrop_colour(lens, backdrop, x, y, buffers.face.shape[0], light, sky)


@kernel
def is_even(lens: Lens, surfaces: Surfaces, buffers: Buffers, row: int, column: int) -> bool:
    """Whether all samples of a pixel see nothing, or faces of one part that are nearly parallel."""
    step = lens.step
    top, left = row * step, column * step
    first = buffers.face[top + step // 2, left + step // 2]
    for k in range(step * step):
        face = buffers.face[top + k // step, left + k % step]
        if face == first:
            continue
        if face < 0 or first < 0 or surfaces.parts[face] != surfaces.parts[first]:
            return False
        a, b = surfaces.facing[face], surfaces.facing[first]
        if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < _SMOOTH:
            return False
    return True


@kernel
def resolve(
    lens: Lens,
    surfaces: Surfaces,
    lamp: Lamp,
    backdrop: Backdrop,
    buffers: Buffers,
    pixels: Pixels,
    empty: np.ndarray,
    picture: np.ndarray,
) -> None:
    """Fills the picture.

    Args:
        lens: The camera.
        surfaces: All triangles.
        lamp: With its shadow map.
        backdrop: Behind them.
        buffers: What each sample sees.
        pixels: What the middle of each pixel sees, and the shares of lamp and sky.
        empty: The same picture without any triangles, as far as it is known: linear light, shape [row, column, 3], or
            [0, 0, 3]. A film draws its floor once.
        picture: Linear light, shape [row, column, 3], filled in.
    """
    rows, columns = pixels.depth.shape
    step = lens.step
    known = empty.shape[0] == rows and empty.shape[1] == columns
    for row in range(rows):
        for column in range(columns):
            y, x = row * step + step // 2, column * step + step // 2
            face = int(buffers.face[y, x])
            red, green, blue = 0.0, 0.0, 0.0
            if is_even(lens, surfaces, buffers, row, column) and (face < 0 or pixels.part[row, column] >= 0):
                light, sky = pixels.light[row, column], pixels.sky[row, column]
                if face < 0 and known and light == 1.0 and sky == 1.0:
                    red, green, blue = empty[row, column, 0], empty[row, column, 1], empty[row, column, 2]
                elif face < 0:
                    red, green, blue = backdrop_colour(lens, backdrop, x + 0.5, y + 0.5, rows * step, light, sky)
                else:
                    red, green, blue = surface_colour(
                        lens, surfaces, lamp, backdrop, face, x + 0.5, y + 0.5, light, sky
                    )
            else:
                for k in range(step * step):
                    r, g, b = sample_colour(
                        lens, surfaces, lamp, backdrop, buffers, pixels,
                        row * step + k // step, column * step + k % step,
                    )  # fmt: skip
                    red, green, blue = red + r, green + g, blue + b
                scale = 1.0 / (step * step)
                red, green, blue = scale * red, scale * green, scale * blue
            picture[row, column, 0], picture[row, column, 1], picture[row, column, 2] = red, green, blue


@kernel
def lay_over(
    lens: Lens,
    surfaces: Surfaces,
    lamp: Lamp,
    backdrop: Backdrop,
    solid: np.ndarray,
    film: Buffers,
    tint: np.ndarray,
    tint_share: float,
    opacity: float,
    picture: np.ndarray,
) -> None:
    """Lays a translucent layer over the picture, where nothing solid is before it.

    Edges are less transparent than faces seen straight on, as with a soap bubble, so that the shape
    is told by its outline. Before something solid a layer is fainter still, so that it can be seen
    through.

    Args:
        lens: The camera.
        surfaces: Triangles of the layer.
        lamp: Lights it; its shadows do not fall on layers.
        backdrop: With the floor that hides what is below it.
        solid: Depth of what is solid, 1/z, shape [sample row, sample column].
        film: Depth and faces of the layer.
        tint: Linear light, shape [3].
        tint_share: How much of the layer's own colours the tint replaces, 0 to 1.
        opacity: Of a face seen straight on, 0 to 1.
        picture: Linear light, shape [row, column, 3], changed in place.
    """
    rows, columns, _ = picture.shape
    step = lens.step
    skin = _SKIN * backdrop.size
    for row in range(rows):
        for column in range(columns):
            red, green, blue, cover = 0.0, 0.0, 0.0, 0.0
            for k in range(step * step):
                j, i = row * step + k // step, column * step + k % step
                face, closeness = int(film.face[j, i]), film.depth[j, i]
                if face < 0 or (solid[j, i] > 0.0 and 1.0 / closeness > 1.0 / solid[j, i] - skin):
                    continue
                dx, dy, dz = ray(lens, i + 0.5, j + 0.5)
                t = floor_distance(lens, backdrop, dz)
                if t > 0.0 and closeness * t < 1.0:
                    continue
                wa, wb, wc = corner_weights(lens, surfaces, face, dx, dy, dz)
                nx, ny, nz = normal_at(surfaces, face, wa, wb, wc, dx, dy, dz)
                along = min(abs(nx * dx + ny * dy + nz * dz) / np.sqrt(dx * dx + dy * dy + dz * dz), 1.0)
                r, g, b = surface_colour(lens, surfaces, lamp, backdrop, face, i + 0.5, j + 0.5, 1.0, 1.0)
                shade = 0.55 + 0.45 * along
                r += tint_share * (tint[0] * shade - r)
                g += tint_share * (tint[1] * shade - g)
                b += tint_share * (tint[2] * shade - b)
                share = opacity + (1.0 - opacity) * 0.6 * (1.0 - along) ** 2
                if solid[j, i] > 0.0 and not (t > 0.0 and solid[j, i] * t < 1.0):
                    share *= _OVER_SOLID
                red, green, blue, cover = red + share * r, green + share * g, blue + share * b, cover + share
            if cover > 0.0:
                scale = 1.0 / (step * step)
                rest = 1.0 - scale * cover
                picture[row, column, 0] = picture[row, column, 0] * rest + scale * red
                picture[row, column, 1] = picture[row, column, 1] * rest + scale * green
                picture[row, column, 2] = picture[row, column, 2] * rest + scale * blue


@kernel
def encode(light: np.ndarray, codes: np.ndarray, picture: np.ndarray) -> None:
    """Writes linear light as bytes; what is not a number becomes black.

    Args:
        light: Shape [value].
        codes: Bytes of evenly spaced values from 0 to 1, shape [code].
        picture: Filled in, shape [value].
    """
    last = len(codes) - 1
    for n in range(len(light)):
        bounded = min(light[n], 1.0) if light[n] > 0.0 else 0.0
        picture[n] = codes[int(bounded * last + 0.5)]
