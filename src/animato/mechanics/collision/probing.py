"""Exact distances of single pairs of hulls, by coal: GJK where they are apart, EPA where they overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from animato.character import Box, Capsule, Cylinder, Ellipsoid, Sphere
from animato.errors import missing_dependency
from animato.mechanics.collision.hull import Hull, packed_hulls
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions

_TOLERANCE = 1e-6  # [m] of distances to curved shapes, flat ones are exact; with less coal fails now and then
_FAILED = 1e6  # [m]; coal gives the largest number there is where it fails
_MOST_STEPS = 256  # of either algorithm; round shapes that overlap take more than coal's own 64
_NUDGE = 1e-5  # [m] by which a solid is moved where two are placed so evenly that no way out is the shortest
_NUDGES = _NUDGE * np.array(((0.48, 0.6, 0.64), (-0.8, 0.36, 0.48), (0.0, -0.8, 0.6)))


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


class Placed(NamedTuple):
    """Where solids are in the world.

    Attributes:
        positions: [m], [row, 3].
        rotations: [row, 3, 3].
    """

    positions: np.ndarray
    rotations: np.ndarray


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
    frames, chosen = rows
    hull_a, hull_b = pairs[chosen].T
    placed = placed_solids(hulls, poses, frames, hull_a), placed_solids(hulls, poses, frames, hull_b)
    return probe_placed(solids, chosen, (hull_a, hull_b), placed)


def probe_placed(
    solids: Sequence[Any],
    chosen: np.ndarray,
    pairs: tuple[np.ndarray, np.ndarray],
    placed: tuple[Placed, Placed],
) -> Nearest:
    """Nearest points of solids, row by row.

    Args:
        solids: As coal has them.
        chosen: Pair of each row, [row]; see `probe`.
        pairs: Its first and its second solid, [row] each.
        placed: Where these are.
    """
    import coal

    out = np.empty((len(chosen), 10))
    last, result = -1, coal.DistanceResult()
    for row, (pair, a, b) in enumerate(zip(chosen.tolist(), pairs[0].tolist(), pairs[1].tolist(), strict=True)):
        if pair != last:
            last, request, compute = pair, _request(), coal.ComputeDistance(solids[a], solids[b])
        first, second = (coal.Transform3s(one.rotations[row], one.positions[row]) for one in placed)
        _measure(compute, first, second, request, result, out[row])
        request.updateGuess(result)
    for n in np.flatnonzero(~_sound(out)).tolist():
        first = coal.Transform3s(placed[0].rotations[n], placed[0].positions[n])
        solid_pair = solids[int(pairs[0][n])], solids[int(pairs[1][n])]
        _measure_nudged(solid_pair, first, (placed[1].rotations[n], placed[1].positions[n]), out[n])
    return Nearest(out[:, 0].copy(), out[:, 1:4].copy(), out[:, 4:7].copy(), -out[:, 7:])


def _measure(compute: Any, first: Any, second: Any, request: Any, result: Any, out: np.ndarray) -> None:
    """Writes distance, both points and the normal from the first to the second of one pair, [10]."""
    result.clear()
    out[0] = compute(first, second, request, result)
    out[1:4], out[4:7], out[7:] = result.getNearestPoint1(), result.getNearestPoint2(), result.normal


def _sound(out: np.ndarray) -> np.ndarray:
    """Rows [..., 10] with a finite distance and a normal that fits the two points, [...]."""
    with np.errstate(over="ignore", invalid="ignore"):
        gap = np.abs(out[..., 4:7] - out[..., 1:4] - out[..., :1] * out[..., 7:]).max(axis=-1)
    unit = np.abs(np.linalg.norm(out[..., 7:], axis=-1) - 1.0) < 1e-3
    return np.asarray((np.abs(out[..., 0]) < _FAILED) & unit & (gap < 10.0 * _TOLERANCE))


def _measure_nudged(
    solids: tuple[Any, Any], first: Any, second: tuple[np.ndarray, np.ndarray], out: np.ndarray
) -> None:
    """Measures a pair again with the second solid moved a little, as two capsules on one axis have no normal."""
    import coal

    compute, result = coal.ComputeDistance(*solids), coal.DistanceResult()
    rotation, position = second
    for nudge in _NUDGES:
        _measure(compute, first, coal.Transform3s(rotation, position + nudge), _request(), result, out)
        if _sound(out):
            return
    # nothing helped: they are taken to touch at the second's origin, and to part upward
    out[:] = (0.0, *position, *position, 0.0, 0.0, -1.0)


def _request() -> Any:
    import coal

    request = coal.DistanceRequest()
    request.gjk_tolerance = request.epa_tolerance = _TOLERANCE
    request.gjk_max_iterations = request.epa_max_iterations = _MOST_STEPS
    request.gjk_initial_guess = coal.GJKInitialGuess.CachedGuess
    return request


def placed_solids(hulls: Sequence[Hull], poses: BodyPoses, frames: np.ndarray, chosen: np.ndarray) -> Placed:
    """Where chosen solids [row] are at frames [row]."""
    packed = packed_hulls(tuple(hulls))
    bodies, inner, own = packed.bodies[chosen], packed.origins[chosen], packed.rotations[chosen]
    turned = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[frames, bodies])
    positions = poses.positions[frames, bodies] + np.matmul(turned, inner[:, :, None])[..., 0]
    return Placed(positions, np.matmul(turned, own))
