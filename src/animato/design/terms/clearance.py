"""Clearance between bodies along a motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Box, Capsule, Character, Cylinder, Ellipsoid, Geometry, Mesh, Sphere
from animato.errors import missing_dependency
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
        skipped: Bodies with meshes, which are not measured.
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
        mechanism: Whose bodies; their collision shapes count.
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
    skipped = tuple(name for name, own in placed.items() if own.meshes)
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


class _PlacedShapes:
    """The collision shapes of one body, as coal has them, and where they are at all steps."""

    def __init__(self, mechanism: Mechanism, states: np.ndarray, body: str) -> None:
        own = [shape for shape in mechanism.character.body(body).shapes if shape.collision]
        self.meshes = any(isinstance(shape.geometry, Mesh) for shape in own)
        kept = [shape for shape in own if not isinstance(shape.geometry, Mesh)]
        self.radii = np.array([_radius(shape.geometry) for shape in kept])
        self.geometries = [_coal_shape(shape.geometry) for shape in kept]
        first = 7 * mechanism.body_index(body)
        self.positions = states[:, first : first + 3]
        self.turns = quaternions.normalized(states[:, first + 3 : first + 7])
        places = np.array([shape.frame.position for shape in kept]).reshape(-1, 3)
        turned = np.array([shape.frame.quaternion_wxyz for shape in kept]).reshape(-1, 4)
        self.centres = self.positions[:, None] + quaternions.rotate(self.turns[:, None], places[None])
        self.matrices = quaternions.matrix_from_quaternion(quaternions.multiply(self.turns[:, None], turned[None]))

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
            one = coal.Transform3s(self.matrices[step, i], self.centres[step, i])
            two = coal.Transform3s(other.matrices[step, j], other.centres[step, j])
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


def _radius(geometry: Geometry) -> float:
    """Of a ball around the middle of a shape that holds it [m]."""
    if isinstance(geometry, Box):
        return float(np.linalg.norm(geometry.size)) / 2.0
    if isinstance(geometry, Ellipsoid):
        return max(geometry.radii)
    if isinstance(geometry, Capsule):
        return geometry.radius + geometry.length / 2.0
    if isinstance(geometry, Cylinder):
        return float(np.hypot(geometry.radius, geometry.length / 2.0))
    return geometry.radius if isinstance(geometry, Sphere) else np.inf


def _coal_shape(geometry: Geometry) -> Any:
    try:
        import coal
    except ImportError:
        raise missing_dependency("coal", "pinocchio", "Measuring the clearance between bodies") from None
    if isinstance(geometry, Box):
        return coal.Box(*geometry.size)
    if isinstance(geometry, Ellipsoid):
        return coal.Ellipsoid(*geometry.radii)
    if isinstance(geometry, Capsule):
        return coal.Capsule(geometry.radius, geometry.length)
    if isinstance(geometry, Cylinder):
        return coal.Cylinder(geometry.radius, geometry.length)
    return coal.Sphere(geometry.radius)  # type: ignore[union-attr]
