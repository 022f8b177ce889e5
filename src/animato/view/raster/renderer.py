"""Draws triangles in the world as a picture: the steps of a frame, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.view.raster.camera import Camera
from animato.view.raster.look import Look, check_size
from animato.view.raster.occlusion import occlude, smooth
from animato.view.raster.palette import Colour
from animato.view.raster.rasterizer import NEAR, Buffers, Lens, empty_buffers, lens_of, see
from animato.view.raster.resolve import encode, lay_over, resolve
from animato.view.raster.shading import Backdrop, Pixels, Surfaces, gather
from animato.view.raster.shadow_map import Lamp, light_up
from animato.view.raster.triangles import unit_rows


@dataclass(frozen=True, eq=False)
class Layer:
    """A translucent layer: a ghost, or a pose that fades.

    Attributes:
        surfaces: Its triangles.
        opacity: Of a face seen straight on, 0 to 1.
        tint: Colour that replaces its own ones (sRGB), None to keep them.
    """

    surfaces: Surfaces
    opacity: float
    tint: Colour | None = None


@dataclass(frozen=True)
class Ground:
    """Where the floor is and how far it is seen.

    Attributes:
        height: [m].
        middle: x and y where it is at its clearest [m].
        fade: Distance over which it fades [m].
        size: Of the character [m]; soft shadows, occlusion and grid go by it.
    """

    height: float
    middle: tuple[float, float]
    fade: float
    size: float


def linear(colour: ArrayLike) -> np.ndarray:
    """Linear light of sRGB values from 0 to 1."""
    value = np.asarray(colour, dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _codes() -> np.ndarray:
    value = np.linspace(0.0, 1.0, 1 << 14)
    curved = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1.0 / 2.4) - 0.055)
    return np.rint(255.0 * curved).astype(np.uint8)


_CODES = _codes()


def encoded(light: np.ndarray) -> np.ndarray:
    """Bytes (sRGB) of linear light; what is not a number becomes black."""
    values = np.ascontiguousarray(light, dtype=np.float64).reshape(-1)
    picture = np.empty(len(values), dtype=np.uint8)
    encode(values, _CODES, picture)
    return picture.reshape(light.shape)


def make_surfaces(
    vertices: np.ndarray,
    normals: np.ndarray,
    colours: np.ndarray,
    glow: np.ndarray,
    faces: np.ndarray,
    parts: np.ndarray,
) -> Surfaces:
    """Packs triangles for the kernels; `colours` in sRGB, shapes as in `Surfaces`."""
    vertices = np.ascontiguousarray(vertices, dtype=np.float64)
    faces = np.ascontiguousarray(faces, dtype=np.int32)
    corners = vertices[faces]
    with np.errstate(invalid="ignore", over="ignore"):
        facing = unit_rows(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    return Surfaces(
        vertices,
        np.ascontiguousarray(normals, dtype=np.float64),
        np.ascontiguousarray(linear(colours)),
        np.ascontiguousarray(glow, dtype=np.float64),
        faces,
        np.ascontiguousarray(facing),
        np.ascontiguousarray(parts, dtype=np.int32),
    )


def render(
    solid: Surfaces,
    camera: Camera,
    ground: Ground,
    *,
    width: int = 640,
    height: int = 480,
    look: Look | None = None,
    layers: Sequence[Layer] = (),
    empty: np.ndarray | None = None,
) -> np.ndarray:
    """Draws a picture.

    Args:
        solid: What is opaque and casts shadows.
        camera: Who looks.
        ground: Where the floor is.
        width: [pixels].
        height: [pixels].
        look: Quality and surroundings.
        layers: Translucent, laid over one after the other.
        empty: What `empty_light` gives for this camera and ground, where it is known: floor and backdrop are then
            drawn only where something hides or shades them. The picture is the same.

    Returns:
        sRGB bytes, shape [row, column, 3].
    """
    return encoded(_light(solid, camera, ground, width, height, look or Look(), layers, empty))


def empty_light(camera: Camera, ground: Ground, *, width: int, height: int, look: Look | None = None) -> np.ndarray:
    """Floor and backdrop alone, linear light, shape [row, column, 3]: what all frames of a still camera share."""
    nothing = np.zeros((0, 3))
    surfaces = make_surfaces(nothing, nothing, nothing, np.zeros(0), np.zeros((0, 3), np.int32), np.zeros(0))
    return _light(surfaces, camera, ground, width, height, look or Look(), (), None)


def _light(
    solid: Surfaces,
    camera: Camera,
    ground: Ground,
    width: int,
    height: int,
    look: Look,
    layers: Sequence[Layer],
    empty: np.ndarray | None,
) -> np.ndarray:
    """Linear light of a picture, shape [row, column, 3]."""
    check_size(width, height)
    step = look.supersampling
    lens = lens_of(camera, width, height, step)
    near = NEAR * float(np.linalg.norm(np.subtract(camera.target, camera.eye)))
    buffers = empty_buffers(width * step, height * step)
    see(lens, solid.vertices, solid.faces, buffers, near)
    key, fill = _light_directions(lens)
    casting = solid.faces[_casts(solid)] if look.shadows else solid.faces[:0]
    lamp = light_up(key, solid.vertices, casting, size=ground.size)
    backdrop = _backdrop(look, ground, fill)
    pixels = _pixels(lens, solid, lamp, backdrop, buffers, look, (height, width))
    picture = np.empty((height, width, 3))
    shared = np.empty((0, 0, 3)) if empty is None else empty
    resolve(lens, solid, lamp, backdrop, buffers, pixels, shared, picture)
    for layer in layers:
        film = empty_buffers(width * step, height * step)
        see(lens, layer.surfaces.vertices, layer.surfaces.faces, film, near)
        tint = linear(layer.tint if layer.tint is not None else (0.0, 0.0, 0.0))
        share = 0.0 if layer.tint is None else 0.9
        opacity = float(layer.opacity)
        lay_over(lens, layer.surfaces, lamp, backdrop, buffers.depth, film, tint, share, opacity, picture)
    return picture


def _casts(surfaces: Surfaces) -> np.ndarray:
    """Which faces cast a shadow: those that do not glow."""
    return np.asarray(surfaces.glow[surfaces.faces[:, 0]] < 0.5) if len(surfaces.faces) else np.zeros(0, dtype=bool)


def _pixels(
    lens: Lens,
    solid: Surfaces,
    lamp: Lamp,
    backdrop: Backdrop,
    buffers: Buffers,
    look: Look,
    shape: tuple[int, int],
) -> Pixels:
    """What each pixel sees, and the shares of lamp and sky that reach it."""
    part = np.empty(shape, dtype=np.int32)
    pixels = Pixels(np.empty(shape), np.empty((*shape, 3)), part, np.empty(shape), np.empty(shape))
    gather(lens, solid, backdrop, buffers, pixels)
    occlude(lens, lamp, backdrop, look.occlusion, pixels)
    light, sky = np.empty(shape), np.empty(shape)
    smooth(lens, backdrop, pixels, light, sky)
    return pixels._replace(light=light, sky=sky)


def _light_directions(lens: Lens) -> tuple[np.ndarray, np.ndarray]:
    """Towards key and fill light: the key stands high at the viewer's left, the fill low at the right."""
    up = np.array((0.0, 0.0, 1.0))
    back = -lens.forward - up * (-lens.forward @ up)
    if np.linalg.norm(back) < 0.2:  # seen from above or below: what is low in the picture is before the character
        back = -lens.up - up * (-lens.up @ up)
    back = back / np.linalg.norm(back)
    key = 0.62 * back - 0.60 * lens.right + 1.15 * up
    fill = 0.7 * back + 1.0 * lens.right + 0.25 * up
    return np.ascontiguousarray(key / np.linalg.norm(key)), np.ascontiguousarray(fill / np.linalg.norm(fill))


def _backdrop(look: Look, ground: Ground, fill: np.ndarray) -> Backdrop:
    return Backdrop(
        linear(look.top),
        linear(look.bottom),
        linear(look.floor_colour),
        float(ground.height) if look.floor else -np.inf,
        float(ground.middle[0]),
        float(ground.middle[1]),
        float(ground.fade),
        round_step(0.22 * ground.size) if look.grid else 0.0,
        0.26,
        0.52,
        fill,
        float(ground.size),
    )


def round_step(length: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above a length."""
    power = 10.0 ** np.floor(np.log10(max(length, 1e-9)))
    return float(power * max(n for n in (1.0, 2.0, 5.0) if n * power <= length * (1.0 + 1e-9)))
