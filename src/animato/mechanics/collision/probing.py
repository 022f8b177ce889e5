"""Exact distances of single pairs of hulls, by coal: GJK where they are apart, EPA where they overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from animato.character import Box, Capsule, Cylinder, Ellipsoid, Sphere
from animato.errors import missing_dependency
from animato.mechanics.collision.hull import Hull
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions

_TOLERANCE = 1e-8  # [m] of distances and depths
_MOST_STEPS = 256  # of either algorithm; round shapes that overlap take more than coal's own 64


class Nearest(NamedTuple):
    """Nearest points of pairs, one row each; of pairs that overlap, the points that must part farthest.

    Attributes:
        distance: [m], below 0 where the two overlap, [row].
        point_a, point_b: In the world [m], [row, 3]; point_a - point_b = distance * normal.
        normal: From b to a, of length 1, in the world, [row, 3].
    """

    distance: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    normal: np.ndarray


def solid_of(hull: Hull) -> Any:
    """A hull as coal has it.

    Raises:
        MissingDependencyError: coal is not installed.
    """
    try:
        import coal
    except ImportError:
        raise missing_dependency("coal", "pinocchio", "Measuring self-collision") from None
    shape = hull.exact
    if isinstance(shape, Box):
        return coal.Box(*shape.size)
    if isinstance(shape, Sphere):
        return coal.Sphere(shape.radius)
    if isinstance(shape, Ellipsoid):
        return coal.Ellipsoid(*shape.radii)
    if isinstance(shape, Cylinder):
        return coal.Cylinder(shape.radius, shape.length)
    if isinstance(shape, Capsule):
        return coal.Capsule(shape.radius, shape.length)
    points = coal.StdVec_Vec3s()
    points.extend(list(hull.points))
    return coal.Convex.convexHull(points, True, "Qt")


def probe(
    hulls: Sequence[Hull],
    solids: Sequence[Any],
    poses: BodyPoses,
    pairs: np.ndarray,
    rows: tuple[np.ndarray, np.ndarray],
) -> Nearest:
    """Nearest points of chosen pairs at chosen frames.

    Args:
        hulls: The hulls.
        solids: The same as coal has them.
        poses: Of all bodies.
        pairs: Hulls of each pair, [pair, 2].
        rows: Frame and pair of each row, both [row]; rows of a pair should stand together, in the order of frames,
            because each begins with the answer of the one before.
    """
    import coal

    frames, chosen = rows
    positions, rotations = _placed(hulls, poses)
    out = np.empty((len(frames), 10))
    placed: dict[tuple[int, int], Any] = {}
    last, result = -1, coal.DistanceResult()
    for row, (frame, pair) in enumerate(zip(frames.tolist(), chosen.tolist(), strict=True)):
        a, b = int(pairs[pair, 0]), int(pairs[pair, 1])
        if pair != last:
            last, request, compute = pair, _request(), coal.ComputeDistance(solids[a], solids[b])
        for key in ((frame, a), (frame, b)):
            if key not in placed:
                placed[key] = coal.Transform3s(rotations[key], positions[key])
        result.clear()
        out[row, 0] = compute(placed[frame, a], placed[frame, b], request, result)
        request.updateGuess(result)
        out[row, 1:4], out[row, 4:7] = result.getNearestPoint1(), result.getNearestPoint2()
        out[row, 7:] = result.normal
    centres = [positions[frames, pairs[chosen, side]] for side in (0, 1)]
    normal = _sound_normals(-out[:, 7:], centres[0] - centres[1])
    return Nearest(out[:, 0].copy(), out[:, 1:4].copy(), out[:, 4:7].copy(), normal)


def _request() -> Any:
    import coal

    request = coal.DistanceRequest()
    request.gjk_tolerance = request.epa_tolerance = _TOLERANCE
    request.gjk_max_iterations = request.epa_max_iterations = _MOST_STEPS
    request.gjk_initial_guess = coal.GJKInitialGuess.CachedGuess
    return request


def _placed(hulls: Sequence[Hull], poses: BodyPoses) -> tuple[np.ndarray, np.ndarray]:
    """Positions [time, hull, 3] and rotations [time, hull, 3, 3] of the solids in the world."""
    index = [hull.index for hull in hulls]
    inner = np.array([hull.frame.position for hull in hulls])
    turned = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[:, index])
    positions = poses.positions[:, index] + (turned @ inner[:, :, None])[..., 0]
    return positions, turned @ np.array([hull.frame.rotation for hull in hulls])


def _sound_normals(normals: np.ndarray, between: np.ndarray) -> np.ndarray:
    """Replaces normals of length 0, as of two capsules on one axis, by the way between origins, or by z."""
    lengths = np.linalg.norm(normals, axis=1)
    lost = ~(lengths > 0.5)
    if not lost.any():
        return normals
    ways = between[lost]
    sizes = np.linalg.norm(ways, axis=1, keepdims=True)
    normals = normals.copy()
    normals[lost] = np.where(sizes > 1e-9, ways / np.maximum(sizes, 1e-9), (0.0, 0.0, 1.0))
    return normals
