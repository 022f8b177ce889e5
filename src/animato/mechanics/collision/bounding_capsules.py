"""A first look at distances: capsules around the hulls, for all frames and pairs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.mechanics.collision.hull import Hull
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions


def lower_bounds(hulls: Sequence[Hull], poses: BodyPoses, pairs: np.ndarray, within: float) -> np.ndarray:
    """Distances that hulls have at least [m], [time, pair].

    Balls around the hulls decide for most pairs; only those closer than `within` are looked at again with capsules.

    Args:
        hulls: The hulls.
        poses: Of all bodies.
        pairs: Hulls of each pair, [pair, 2].
        within: Distance [m] from which the balls' bound will do.
    """
    ends = placed_points(hulls, poses, np.array([hull.ends for hull in hulls]))
    radius = np.array([hull.radius for hull in hulls])
    centre, half = ends.mean(axis=2), np.linalg.norm(ends[0, :, 1] - ends[0, :, 0], axis=1) / 2.0
    first, second = pairs[:, 0], pairs[:, 1]
    # |a - b|^2 of all hulls by one product a frame; rounding may cost 1e-8 m, far below the slack of capsules
    centre = centre - centre.mean(axis=1, keepdims=True)
    square = np.sum(centre**2, axis=2)
    apart = square[:, :, None] + square[:, None] - 2.0 * centre @ centre.transpose(0, 2, 1)
    balls = np.sqrt(np.maximum(apart[:, first, second], 0.0)) - (radius + half)[first] - (radius + half)[second]
    frame, pair = np.nonzero(balls < within)
    a, b = first[pair], second[pair]
    bounds: np.ndarray = balls
    bounds[frame, pair] = segment_distances(ends[frame, a], ends[frame, b]) - radius[a] - radius[b]
    return bounds


def placed_points(hulls: Sequence[Hull], poses: BodyPoses, points: np.ndarray) -> np.ndarray:
    """Points [hull, point, 3] of each hull's body in the world [m], [time, hull, point, 3]."""
    index = [hull.index for hull in hulls]
    rotation = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[:, index])
    return np.asarray(points @ rotation.swapaxes(2, 3) + poses.positions[:, index, None])


def segment_distances(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Distances of segments given by their ends [row, 2, 3], [row] (Ericson, Real-Time Collision Detection, 5.1.9)."""
    u, v, w = first[:, 1] - first[:, 0], second[:, 1] - second[:, 0], first[:, 0] - second[:, 0]
    uu, uv, vv = _dots(u, u), _dots(u, v), _dots(v, v)
    uw, vw = _dots(u, w), _dots(v, w)
    tiny = 1e-12
    steep = uu * vv - uv**2
    s = np.where(steep > tiny * uu * vv, (uv * vw - uw * vv) / np.maximum(steep, 1e-300), 0.0).clip(0.0, 1.0)
    t = np.where(vv > tiny, (uv * s + vw) / np.maximum(vv, tiny), 0.0).clip(0.0, 1.0)
    s = np.where(uu > tiny, (uv * t - uw) / np.maximum(uu, tiny), 0.0).clip(0.0, 1.0)
    return np.asarray(np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1))


def _dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("ij,ij->i", a, b))
