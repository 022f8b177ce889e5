"""Clearance between bodies along a motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from animato.character import Body, Character
from animato.mechanics.collision import Hull, hulls_of, solid_of
from animato.mechanics.loops.constraints import Mechanism
from animato.spatial import quaternions

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Clearances:
    """Distances between pairs of bodies over time.

    Attributes:
        pairs: Names of the bodies.
        distances: [m], shape [step, pair]; below 0 where they overlap. Beyond `far` it is a lower bound.
        near_points: Nearest points, on each body in its own frame [m], shape [step, pair, 2, 3]; NaN where
            the distance is only a bound.
        normals: From the first to the second body, in the world, shape [step, pair, 3].
        skipped: Bodies with meshes that are absent or cannot be read; only what is left of their shapes is measured.
    """

    pairs: tuple[Pair, ...]
    distances: np.ndarray
    near_points: np.ndarray
    normals: np.ndarray
    skipped: tuple[str, ...] = ()

    @property
    def smallest(self) -> float:
        """Over all pairs and steps [m]; infinite without pairs."""
        return float(np.min(self.distances, initial=np.inf))

    @property
    def worst(self) -> tuple[Pair, int] | None:
        """The pair and the step of the smallest distance."""
        if not self.distances.size:
            return None
        step, pair = np.unravel_index(int(np.argmin(self.distances)), self.distances.shape)
        return self.pairs[int(pair)], int(step)


def clearances(
    mechanism: Mechanism, states: np.ndarray, *, pairs: Sequence[Pair] | None = None, far: float = 0.02
) -> Clearances:
    """Measures distances by `coal`.

    Args:
        mechanism: Whose bodies; their collision shapes count, a mesh as its convex hull.
        states: Shape [step, state].
        pairs: Which bodies; all that may collide where not given, see `colliding_pairs`.
        far: Distance [m] beyond which bounds of spheres around the shapes will do.
    """
    chosen = tuple(colliding_pairs(mechanism) if pairs is None else pairs)
    placed = {name: _PlacedShapes(mechanism, states, name) for pair in chosen for name in pair}
    steps = len(states)
    distances = np.full((steps, len(chosen)), np.inf)
    points, normals = np.full((steps, len(chosen), 2, 3), np.nan), np.zeros((steps, len(chosen), 3))
    for n, (first, second) in enumerate(chosen):
        a, b = placed[first], placed[second]
        bound = a.bounds(b)  # [step, shape of a, shape of b]
        if not bound.size:
            continue
        distances[:, n] = bound.min(axis=(1, 2))
        close = np.flatnonzero(distances[:, n] < far)
        for k in close:
            distances[k, n], points[k, n], normals[k, n] = a.nearest(b, int(k), bound[k], far)
        for side, body in enumerate((a, b)):
            back = quaternions.conjugate(body.turns[close])
            points[close, n, side] = quaternions.rotate(back, points[close, n, side] - body.positions[close])
    skipped = tuple(name for name, own in placed.items() if not own.complete)
    return Clearances(chosen, distances, points, normals, skipped)


def colliding_pairs(mechanism: Mechanism, *, apart: int = 2) -> tuple[Pair, ...]:
    """Pairs of bodies that should not touch.

    Left out are bodies without shapes, pairs that the character ignores, bodies connected over at most `apart`
    joints, and pairs that overlap at rest: they are built that way.
    """
    character = mechanism.character
    solid = [body.name for body in character.bodies if any(shape.collision for shape in body.shapes)]
    near = _neighbours(character, apart)
    ignored = {frozenset(pair) for pair in character.ignored_collisions}
    pairs = [
        (a, b)
        for n, a in enumerate(solid)
        for b in solid[n + 1 :]
        if b not in near[a] and frozenset((a, b)) not in ignored
    ]
    rest = clearances(mechanism, mechanism.state[None], pairs=pairs, far=0.01)
    return tuple(pair for pair, distance in zip(pairs, rest.distances[0], strict=True) if distance > 0.0)


@lru_cache(maxsize=256)
def _solids_of(body: Body) -> tuple[tuple[Hull, ...], tuple[Any, ...], bool]:
    """Convex parts of a body, the same as coal has them, and whether all of its meshes could be read."""
    hulls, complete = hulls_of(body, 0)
    return tuple(hulls), tuple(solid_of(hull) for hull in hulls), complete


class _PlacedShapes:
    """The collision shapes of one body, as coal has them, and where they are at all steps."""

    def __init__(self, mechanism: Mechanism, states: np.ndarray, body: str) -> None:
        hulls, self.geometries, self.complete = _solids_of(mechanism.character.body(body))
        first = 7 * mechanism.body_index(body)
        self.positions = states[:, first : first + 3]
        self.turns = quaternions.normalized(states[:, first + 3 : first + 7])
        self.radii = np.array([hull.radius + 0.5 * float(np.linalg.norm(np.diff(hull.ends, axis=0))) for hull in hulls])
        self.centres = self._placed([hull.ends.mean(axis=0) for hull in hulls])
        self.origins = self._placed([hull.frame.position for hull in hulls])
        turned = np.array([hull.frame.quaternion_wxyz for hull in hulls]).reshape(-1, 4)
        self.matrices = quaternions.matrix_from_quaternion(quaternions.multiply(self.turns[:, None], turned[None]))

    def _placed(self, points: list[np.ndarray]) -> np.ndarray:
        """Points of the body in the world, shape [step, point, 3]."""
        own = np.array(points).reshape(-1, 3)
        return np.asarray(self.positions[:, None] + quaternions.rotate(self.turns[:, None], own[None]))

    def bounds(self, other: _PlacedShapes) -> np.ndarray:
        """Lower bounds of distances by balls around the shapes, shape [step, shape, other shape]."""
        apart = np.linalg.norm(self.centres[:, :, None] - other.centres[:, None], axis=3)
        return np.asarray(apart - self.radii[:, None] - other.radii)

    def nearest(
        self, other: _PlacedShapes, step: int, bound: np.ndarray, far: float
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """Distance, nearest points in the world and the normal at one step."""
        import coal

        best = float(np.min(bound[bound >= far], initial=np.inf))
        points, normal = np.full((2, 3), np.nan), np.zeros(3)
        request = coal.DistanceRequest()
        for i, j in zip(*np.nonzero(bound < far), strict=True):
            if bound[i, j] >= best:
                continue
            result = coal.DistanceResult()
            one = coal.Transform3s(self.matrices[step, i], self.origins[step, i])
            two = coal.Transform3s(other.matrices[step, j], other.origins[step, j])
            distance = coal.distance(self.geometries[i], one, other.geometries[j], two, request, result)
            if distance < best:
                best = float(distance)
                points = np.array([result.getNearestPoint1(), result.getNearestPoint2()])
                normal = np.array(result.normal)
        return best, points, normal


def _neighbours(character: Character, apart: int) -> dict[str, set[str]]:
    """Bodies that can be reached over a few joints."""
    next_to: dict[str, set[str]] = {body.name: {body.name} for body in character.bodies}
    for joint in character.joints:
        if joint.parent in next_to:
            next_to[joint.parent].add(joint.child)
            next_to[joint.child].add(joint.parent)
    reached = {name: set(others) for name, others in next_to.items()}
    for _ in range(apart - 1):
        reached = {name: set().union(*(next_to[other] for other in others)) for name, others in reached.items()}
    return reached
