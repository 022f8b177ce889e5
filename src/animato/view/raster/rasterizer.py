"""Which triangle is seen where: projection, clipping at the near plane, and a depth buffer.

The buffers keep for each sample the nearest triangle's number and nothing else about it; shading looks
up the rest. A value that is linear over the picture serves as depth: 1/z for a camera, the height
towards the lamp for a shadow map. Greater is nearer in both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel
from animato.view.raster.camera import Camera

NEAR = 1e-3  # of the distance to the target: nothing nearer than this is drawn


class Lens(NamedTuple):
    """A camera as the kernels take it; a ray through sample (x, y) is forward + a right + b up.

    Attributes:
        eye: [m], shape [3].
        right, up, forward: Unit vectors in the world, shape [3].
        focal: Distance of the picture plane [samples].
        centre_x, centre_y: Middle of the picture [samples].
        step: Samples of a pixel along each side.
    """

    eye: np.ndarray
    right: np.ndarray
    up: np.ndarray
    forward: np.ndarray
    focal: float
    centre_x: float
    centre_y: float
    step: int


class Buffers(NamedTuple):
    """What a picture knows of its samples.

    Attributes:
        depth: Value of the nearest triangle, shape [row, column], float32.
        face: Its number, -1 where there is none, shape [row, column], int32.
    """

    depth: np.ndarray
    face: np.ndarray


def lens_of(camera: Camera, width: int, height: int, step: int = 1) -> Lens:
    """The lens of a camera for a picture of that many pixels, each of step x step samples."""
    axes = camera.axes
    right, up, forward = (np.ascontiguousarray(axis) for axis in axes)
    eye = np.array(camera.eye)
    focal = camera.focal_length(height * step)
    return Lens(eye, right, up, forward, focal, 0.5 * width * step, 0.5 * height * step, step)


@kernel
def ray(lens: Lens, x: float, y: float) -> tuple[float, float, float]:
    """Direction through a point of the picture [samples]; its part along `forward` is 1."""
    a, b = (x - lens.centre_x) / lens.focal, (lens.centre_y - y) / lens.focal
    return (
        lens.forward[0] + a * lens.right[0] + b * lens.up[0],
        lens.forward[1] + a * lens.right[1] + b * lens.up[1],
        lens.forward[2] + a * lens.right[2] + b * lens.up[2],
    )


@kernel
def pixel_ray(lens: Lens, row: int, column: int) -> tuple[float, float, float]:
    """Direction through the middle sample of a pixel."""
    middle = lens.step // 2 + 0.5
    return ray(lens, column * lens.step + middle, row * lens.step + middle)


def empty_buffers(width: int, height: int, *, farthest: float = 0.0) -> Buffers:
    """Buffers in which nothing is seen yet."""
    return Buffers(np.full((height, width), farthest, np.float32), np.full((height, width), -1, np.int32))


def see(lens: Lens, vertices: np.ndarray, faces: np.ndarray, buffers: Buffers, near: float) -> None:
    """Draws triangles into the buffers of a camera.

    Args:
        lens: The camera.
        vertices: In the world [m], shape [vertex, 3].
        faces: Shape [face, 3].
        buffers: Changed in place; depth is 1/z.
        near: Distance before which nothing is drawn [m].
    """
    if len(faces) == 0:
        return
    with np.errstate(all="ignore"):  # what is not finite is left out by `fill`
        axes = np.stack([lens.right, lens.up, lens.forward])
        corners = ((vertices - lens.eye) @ axes.T)[faces]
        before = corners[:, :, 2] > near
        whole = before.all(axis=1)
        numbers = np.arange(len(faces), dtype=np.int32)
        cut, cut_numbers = _clipped(corners[before.any(axis=1) & ~whole], numbers[before.any(axis=1) & ~whole], near)
        corners = np.concatenate([corners[whole], cut])
        numbers = np.concatenate([numbers[whole], cut_numbers])
        closeness = 1.0 / corners[:, :, 2]
        scale = lens.focal * closeness
        x, y = lens.centre_x + scale * corners[:, :, 0], lens.centre_y - scale * corners[:, :, 1]
        fill(np.ascontiguousarray(x), np.ascontiguousarray(y), closeness, numbers, buffers.depth, buffers.face)


def _clipped(corners: np.ndarray, numbers: np.ndarray, near: float) -> tuple[np.ndarray, np.ndarray]:
    """The parts of triangles that lie beyond the near plane, as one or two triangles each.

    Args:
        corners: In camera axes, some before and some behind the plane, shape [triangle, 3, 3].
        numbers: Of the triangles, shape [triangle].
        near: Distance of the plane [m].
    """
    pieces, owners = [], []
    for triangle, number in zip(corners, numbers, strict=True):
        outline = []
        for k in range(3):
            here, after = triangle[k], triangle[(k + 1) % 3]
            if here[2] > near:
                outline.append(here)
            if (here[2] > near) != (after[2] > near):
                share = (near - here[2]) / (after[2] - here[2])
                crossing = here + share * (after - here)
                crossing[2] = near
                outline.append(crossing)
        for k in range(1, len(outline) - 1):
            pieces.append((outline[0], outline[k], outline[k + 1]))
            owners.append(number)
    return np.array(pieces).reshape(-1, 3, 3), np.array(owners, dtype=np.int32)


@kernel
def fill(
    x: np.ndarray, y: np.ndarray, value: np.ndarray, numbers: np.ndarray, depth: np.ndarray, face: np.ndarray
) -> None:
    """Writes every triangle into the samples whose centre it covers and where its value is the greatest.

    Args:
        x: Columns of the corners [samples], shape [triangle, 3].
        y: Rows of the corners [samples], shape [triangle, 3].
        value: Depth at the corners, linear over the picture, shape [triangle, 3].
        numbers: What is written into `face`, shape [triangle].
        depth: Shape [row, column], changed in place.
        face: Shape [row, column], changed in place.
    """
    rows, columns = depth.shape
    for n in range(len(x)):
        ax, ay, bx, by, cx, cy = x[n, 0], y[n, 0], x[n, 1], y[n, 1], x[n, 2], y[n, 2]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        # triangles without area and those with a NaN or an infinity in them cover nothing
        if not np.isfinite(area) or abs(area) < 1e-9:
            continue
        left, right = max(min(ax, bx, cx) - 0.5, 0.0), min(max(ax, bx, cx) - 0.5, columns - 1.0)
        top, bottom = max(min(ay, by, cy) - 0.5, 0.0), min(max(ay, by, cy) - 0.5, rows - 1.0)
        if left > right or top > bottom:
            continue
        first_column, last_column = int(np.ceil(left)), int(np.floor(right))
        # shares of the corners and the value at (0, 0), and their change per column and per row
        a_column, a_row = (by - cy) / area, (cx - bx) / area
        b_column, b_row = (cy - ay) / area, (ax - cx) / area
        a_start, b_start = (bx * cy - cx * by) / area, (cx * ay - ax * cy) / area
        va, vb, vc = value[n, 0], value[n, 1], value[n, 2]
        for row in range(int(np.ceil(top)), int(np.floor(bottom)) + 1):
            py = row + 0.5
            wa, wb = a_start + a_row * py + 0.5 * a_column, b_start + b_row * py + 0.5 * b_column
            wc = 1.0 - wa - wb
            low, high = first_column, last_column
            for start, change in ((wa, a_column), (wb, b_column), (wc, -a_column - b_column)):
                if change > 0.0:
                    low = max(low, int(np.ceil(max(-start / change, 0.0))))
                elif change < 0.0:
                    high = min(high, int(np.floor(min(-start / change, columns - 1.0))))
                elif start < 0.0:
                    high = -1
            slope = (va - vc) * a_column + (vb - vc) * b_column
            here = vc + (va - vc) * wa + (vb - vc) * wb + slope * low
            for column in range(low, high + 1):
                if here > depth[row, column]:
                    depth[row, column] = here
                    face[row, column] = numbers[n]
                here += slope
