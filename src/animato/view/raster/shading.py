"""From a visible point to its colour, in linear light: hemisphere, key lamp, fill, floor and backdrop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel
from animato.view.raster.rasterizer import Buffers, Lens, ray
from animato.view.raster.shadow_map import Lamp

NOTHING_SEEN, FLOOR = -2, -1  # stand in `Pixels.part` where no part is seen

Triple = tuple[float, float, float]


class Surfaces(NamedTuple):
    """All triangles of a picture in the world.

    Attributes:
        vertices: [m], shape [vertex, 3].
        normals: Unit, shape [vertex, 3].
        colours: Linear light, shape [vertex, 3].
        glow: 0 for a lit surface, 1 for one that shows its colour as it is, shape [vertex].
        faces: Shape [face, 3].
        facing: Unit normal of each face, shape [face, 3].
        parts: Number of the part of each face, shape [face].
    """

    vertices: np.ndarray
    normals: np.ndarray
    colours: np.ndarray
    glow: np.ndarray
    faces: np.ndarray
    facing: np.ndarray
    parts: np.ndarray


class Backdrop(NamedTuple):
    """What surrounds the character.

    Attributes:
        top, bottom: Colour at the upper and lower edge of the picture, linear light, shape [3].
        floor_colour: Linear light, shape [3].
        floor_height: [m]; -inf for no floor.
        middle_x, middle_y: Where the floor is at its clearest [m].
        fade: Distance over which it fades into the backdrop [m].
        grid: Distance of grid lines [m], 0 for none.
        grid_strength: How dark they are, 0 to 1.
        shadow_strength: How dark a shadow on the floor is, 0 to 1.
        fill: Unit vector towards the fill light, shape [3].
        size: Of the character [m].
    """

    top: np.ndarray
    bottom: np.ndarray
    floor_colour: np.ndarray
    floor_height: float
    middle_x: float
    middle_y: float
    fade: float
    grid: float
    grid_strength: float
    shadow_strength: float
    fill: np.ndarray
    size: float


class Pixels(NamedTuple):
    """What the middle of each pixel sees, each of shape [row, column].

    Attributes:
        depth: Along the viewing direction [m], 0 where nothing is seen.
        normal: Unit, shape [row, column, 3].
        part: Number of the part, FLOOR or NOTHING_SEEN.
        light: Share of the lamp that reaches the point, 0 to 1.
        sky: Share of the sky that reaches the point, 0 to 1.
    """

    depth: np.ndarray
    normal: np.ndarray
    part: np.ndarray
    light: np.ndarray
    sky: np.ndarray


@kernel
def corner_weights(lens: Lens, surfaces: Surfaces, face: int, dx: float, dy: float, dz: float) -> Triple:
    """Shares of a face's three corners in the point where a ray meets it, true in space."""
    e = lens.eye
    ia, ib, ic = surfaces.faces[face, 0], surfaces.faces[face, 1], surfaces.faces[face, 2]
    v = surfaces.vertices
    ax, ay, az = v[ia, 0] - e[0], v[ia, 1] - e[1], v[ia, 2] - e[2]
    bx, by, bz = v[ib, 0] - e[0], v[ib, 1] - e[1], v[ib, 2] - e[2]
    cx, cy, cz = v[ic, 0] - e[0], v[ic, 1] - e[1], v[ic, 2] - e[2]
    # volumes of the tetrahedra that the ray spans with each edge
    wa = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx)
    wb = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax)
    wc = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx)
    total = wa + wb + wc
    if total == 0.0 or not np.isfinite(total):
        return 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0
    return wa / total, wb / total, wc / total


@kernel
def normal_at(
    surfaces: Surfaces, face: int, wa: float, wb: float, wc: float, dx: float, dy: float, dz: float
) -> Triple:
    """Unit normal at a point of a face; that of a face seen from behind is turned towards the viewer."""
    ia, ib, ic = surfaces.faces[face, 0], surfaces.faces[face, 1], surfaces.faces[face, 2]
    n, f = surfaces.normals, surfaces.facing
    nx = wa * n[ia, 0] + wb * n[ib, 0] + wc * n[ic, 0]
    ny = wa * n[ia, 1] + wb * n[ib, 1] + wc * n[ic, 1]
    nz = wa * n[ia, 2] + wb * n[ib, 2] + wc * n[ic, 2]
    length = np.sqrt(nx * nx + ny * ny + nz * nz)
    if not length > 1e-9:
        nx, ny, nz, length = f[face, 0], f[face, 1], f[face, 2], 1.0
    if f[face, 0] * dx + f[face, 1] * dy + f[face, 2] * dz > 0.0 and nx * dx + ny * dy + nz * dz > 0.0:
        length = -length
    return nx / length, ny / length, nz / length


@kernel
def floor_distance(lens: Lens, backdrop: Backdrop, dz: float) -> float:
    """Depth at which a ray that rises by dz meets the floor [m], 0 where it does not."""
    drop = backdrop.floor_height - lens.eye[2]
    if drop < 0.0 and dz < 0.0 and np.isfinite(drop):
        return drop / dz
    return 0.0


@kernel
def tone(value: float) -> float:
    """Bends values above 0.7 towards 1, so that highlights keep their shape."""
    return value if value < 0.7 else 0.7 + 0.3 * (1.0 - np.exp(-(value - 0.7) / 0.3))


@kernel
def surface_colour(
    lens: Lens,
    surfaces: Surfaces,
    lamp: Lamp,
    backdrop: Backdrop,
    face: int,
    x: float,
    y: float,
    light: float,
    sky: float,
) -> Triple:
    """Colour of a face through a point of the picture [samples], given the shares of lamp and sky it sees."""
    dx, dy, dz = ray(lens, x, y)
    wa, wb, wc = corner_weights(lens, surfaces, face, dx, dy, dz)
    nx, ny, nz = normal_at(surfaces, face, wa, wb, wc, dx, dy, dz)
    ia, ib, ic = surfaces.faces[face, 0], surfaces.faces[face, 1], surfaces.faces[face, 2]
    c = surfaces.colours
    red = wa * c[ia, 0] + wb * c[ib, 0] + wc * c[ic, 0]
    green = wa * c[ia, 1] + wb * c[ib, 1] + wc * c[ic, 1]
    blue = wa * c[ia, 2] + wb * c[ib, 2] + wc * c[ic, 2]
    glow = wa * surfaces.glow[ia] + wb * surfaces.glow[ib] + wc * surfaces.glow[ic]
    key, fill = lamp.direction, backdrop.fill
    to_key = max(nx * key[0] + ny * key[1] + nz * key[2], 0.0) * light
    to_fill = max(nx * fill[0] + ny * fill[1] + nz * fill[2], 0.0) * sky
    up = 0.5 + 0.5 * nz
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    hx, hy, hz = key[0] - dx / length, key[1] - dy / length, key[2] - dz / length
    half = max((nx * hx + ny * hy + nz * hz) / np.sqrt(hx * hx + hy * hy + hz * hz + 1e-12), 0.0)
    edge = 1.0 - min(abs(nx * dx + ny * dy + nz * dz) / length, 1.0)
    shine = 0.07 * edge**4 * up * sky
    if to_key > 0.0:
        shine += 0.16 * half**48 * light
    # cool from above, warm from the floor and from the lamp
    r = red * ((0.27 + 0.19 * up) * sky + 0.80 * to_key + 0.10 * to_fill) + shine
    g = green * ((0.26 + 0.22 * up) * sky + 0.77 * to_key + 0.11 * to_fill) + shine
    b = blue * ((0.25 + 0.27 * up) * sky + 0.71 * to_key + 0.14 * to_fill) + shine
    return tone(r + glow * (red - r)), tone(g + glow * (green - g)), tone(b + glow * (blue - b))


@kernel
def line_share(place: float, step: float, blur: float) -> float:
    """How dark lines every `step` are at a place that is seen over a stretch `blur` wide, 0 to 1."""
    thick = 0.012 * step
    off = abs(place / step - np.floor(place / step + 0.5)) * step
    blur = max(blur, 1e-9)
    return min(max((0.5 * (thick + blur) - off) / blur, 0.0), 1.0) * np.sqrt(min(thick / blur, 1.0))


@kernel
def backdrop_colour(lens: Lens, backdrop: Backdrop, x: float, y: float, rows: int, light: float, sky: float) -> Triple:
    """Colour of floor and backdrop through a point of a picture that is `rows` samples high."""
    share = min(max(y / rows, 0.0), 1.0)
    share = share * share * (3.0 - 2.0 * share)
    r = backdrop.top[0] + share * (backdrop.bottom[0] - backdrop.top[0])
    g = backdrop.top[1] + share * (backdrop.bottom[1] - backdrop.top[1])
    b = backdrop.top[2] + share * (backdrop.bottom[2] - backdrop.top[2])
    dx, dy, dz = ray(lens, x, y)
    t = floor_distance(lens, backdrop, dz)
    if t <= 0.0:
        return r, g, b
    px, py = lens.eye[0] + t * dx, lens.eye[1] + t * dy
    away = ((px - backdrop.middle_x) ** 2 + (py - backdrop.middle_y) ** 2) / backdrop.fade**2
    clear = np.exp(-1.8 * away)
    r += clear * (backdrop.floor_colour[0] - r)
    g += clear * (backdrop.floor_colour[1] - g)
    b += clear * (backdrop.floor_colour[2] - b)
    # shadows stay bluish, as the sky still reaches them
    dark = min(backdrop.shadow_strength * (1.0 - light) + 0.5 * (1.0 - sky), 1.0) * min(1.6 * clear, 1.0)
    r, g, b = r * (1.0 - dark), g * (1.0 - 0.97 * dark), b * (1.0 - 0.92 * dark)
    if backdrop.grid > 0.0 and clear > 1e-3:
        ex, ey, ez = ray(lens, x + lens.step, y)
        fx, fy, fz = ray(lens, x, y + lens.step)
        te, tf = floor_distance(lens, backdrop, ez), floor_distance(lens, backdrop, fz)
        if te > 0.0 and tf > 0.0:
            blur_x = abs(te * ex - t * dx) + abs(tf * fx - t * dx)
            blur_y = abs(te * ey - t * dy) + abs(tf * fy - t * dy)
            lines = max(line_share(px, backdrop.grid, blur_x), line_share(py, backdrop.grid, blur_y))
            veil = backdrop.grid_strength * clear * lines
            r, g, b = r * (1.0 - veil), g * (1.0 - veil), b * (1.0 - veil)
    return r, g, b


@kernel
def gather(lens: Lens, surfaces: Surfaces, backdrop: Backdrop, buffers: Buffers, pixels: Pixels) -> None:
    """Fills depth, normal and part of each pixel with what its middle sample sees."""
    rows, columns = pixels.depth.shape
    step = lens.step
    for row in range(rows):
        for column in range(columns):
            y, x = row * step + step // 2, column * step + step // 2
            dx, dy, dz = ray(lens, x + 0.5, y + 0.5)
            t = floor_distance(lens, backdrop, dz)
            face, closeness = int(buffers.face[y, x]), buffers.depth[y, x]
            nx, ny, nz, depth, part = 0.0, 0.0, 0.0, 0.0, NOTHING_SEEN
            if face >= 0 and not (t > 0.0 and closeness * t < 1.0):
                wa, wb, wc = corner_weights(lens, surfaces, face, dx, dy, dz)
                nx, ny, nz = normal_at(surfaces, face, wa, wb, wc, dx, dy, dz)
                depth, part = 1.0 / closeness, surfaces.parts[face]
            elif t > 0.0:
                nz, depth, part = 1.0, t, FLOOR
            pixels.depth[row, column], pixels.part[row, column] = depth, part
            pixels.normal[row, column, 0] = nx
            pixels.normal[row, column, 1] = ny
            pixels.normal[row, column, 2] = nz
