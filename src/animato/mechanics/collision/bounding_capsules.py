"""A first look at distances: capsules around the hulls, for all frames and pairs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.mechanics.collision.hull import Hull, packed_hulls
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions

_TINY = 1e-12  # below which a segment is a point, and two are parallel


def lower_bounds(hulls: Sequence[Hull], poses: BodyPoses, pairs: np.ndarray, within: float) -> np.ndarray:
    """Distances that hulls have at least [m], [time, pair].

    Balls around the hulls decide for most pairs; only those closer than `within` are looked at again with capsules.

    Args:
        hulls: The hulls.
        poses: Of all bodies.
        pairs: Hulls of each pair, [pair, 2].
        within: Distance [m] from which the balls' bound will do.
    """
    packed = packed_hulls(tuple(hulls))
    used, places = np.unique(pairs, return_inverse=True)
    bodies, index = np.unique(packed.bodies[used], return_inverse=True)
    turned = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[:, bodies])
    ends, radius = np.empty((len(turned), len(used), 2, 3)), packed.radii[used]
    _place(turned, np.ascontiguousarray(poses.positions[:, bodies]), index, packed.ends[used], ends)
    bounds = np.empty((len(ends), len(pairs)))
    _put_bounds(ends, radius, places.reshape(pairs.shape), float(within), bounds)
    return bounds


@kernel
def _place(turned: np.ndarray, positions: np.ndarray, index: np.ndarray, local: np.ndarray, out: np.ndarray) -> None:
    """Writes points [hull, 2, 3] of bodies, in the world, [time, hull, 2, 3]; `index` has each hull's body."""
    for frame in range(len(out)):
        for n in range(len(index)):
            body = index[n]
            for end in range(2):
                for k in range(3):
                    value = positions[frame, body, k]
                    for j in range(3):
                        value += turned[frame, body, k, j] * local[n, end, j]
                    out[frame, n, end, k] = value


@kernel
def _put_bounds(ends: np.ndarray, radius: np.ndarray, pairs: np.ndarray, within: float, out: np.ndarray) -> None:
    """Writes distances of balls around capsules, or where these are less than within, of the capsules themselves."""
    count = len(radius)
    centre, ball = np.empty((count, 3)), np.empty(count)
    for n in range(count):
        square = 0.0
        for k in range(3):
            square += (ends[0, n, 1, k] - ends[0, n, 0, k]) ** 2
        ball[n] = radius[n] + 0.5 * np.sqrt(square)
    for frame in range(len(out)):
        for n in range(count):
            for k in range(3):
                centre[n, k] = 0.5 * (ends[frame, n, 0, k] + ends[frame, n, 1, k])
        for row in range(len(pairs)):
            a, b = pairs[row, 0], pairs[row, 1]
            square = 0.0
            for k in range(3):
                square += (centre[a, k] - centre[b, k]) ** 2
            apart = np.sqrt(square) - ball[a] - ball[b]
            if apart < within:
                apart = _segment_distance(ends, frame, a, b) - radius[a] - radius[b]
            out[frame, row] = apart


@inlined_kernel
def _segment_distance(ends: np.ndarray, frame: int, a: int, b: int) -> float:
    """Distance of two segments (Ericson, Real-Time Collision Detection, 5.1.9)."""
    uu = uv = vv = uw = vw = 0.0
    for k in range(3):
        u, v = ends[frame, a, 1, k] - ends[frame, a, 0, k], ends[frame, b, 1, k] - ends[frame, b, 0, k]
        w = ends[frame, a, 0, k] - ends[frame, b, 0, k]
        uu += u * u
        uv += u * v
        vv += v * v
        uw += u * w
        vw += v * w
    steep = uu * vv - uv * uv
    s = min(max((uv * vw - uw * vv) / steep, 0.0), 1.0) if steep > _TINY * uu * vv else 0.0
    t = min(max((uv * s + vw) / vv, 0.0), 1.0) if vv > _TINY else 0.0
    s = min(max((uv * t - uw) / uu, 0.0), 1.0) if uu > _TINY else 0.0
    square = 0.0
    for k in range(3):
        u, v = ends[frame, a, 1, k] - ends[frame, a, 0, k], ends[frame, b, 1, k] - ends[frame, b, 0, k]
        square += (ends[frame, a, 0, k] - ends[frame, b, 0, k] + s * u - t * v) ** 2
    return float(np.sqrt(square))


def segment_distances(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Distances of segments given by their ends [row, 2, 3], [row]."""
    out = np.empty((len(first), 1))
    _put_bounds(np.stack([first, second], axis=1), np.zeros(2), np.array([[0, 1]]), np.inf, out)
    return out[:, 0]
